import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { systemClock } from '../helpers/clock';
import { getErrorMessage, joinSentences } from '../helpers/formatText';
import { asObject, isObject, toPlainText } from '../helpers/json';
import type { Loan } from './action';
import { applyRules } from './applyRules';
import type { Bot } from './botApi';
import { describeBot } from './describeBot';
import { openSession, readAccess, type BotAccess, type Session, type TimeLimit } from './session';

type Context = IHookFunctions | IWebhookFunctions;

/**
 * Loans of steps by Test URL, until the bot is given back. A user can reload the page during a step and start
 * the step again. n8n then drops the first start's static data, which contains the loan.
 */
const openLoans = new Map<string, Loan>();

/** Open loans whose bot this process tries to give back again, by Test URL. */
const retriedLoans = new Map<string, Loan>();

/** Advice for a bot that still leads to the Test URL. */
const ADVICE =
	'The bot leads to the Test URL, where nobody listens. If the workflow is published, unpublish the workflow, then publish it. Otherwise, turn the bot off in the CometChat dashboard.';

/** Pauses in milliseconds before this process tries again to give a bot back. Together, they last five minutes. */
const PAUSES_MS = [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000];

/**
 * Reads the current step's loan from n8n's static data. n8n keeps a step's static data until the step ends,
 * separately from the published workflow's static data.
 */
function readStoredLoan(context: Context): Loan | undefined {
	const { loan } = context.getWorkflowStaticData('node');
	if (!isObject(loan)) return undefined;
	const { webhookURL, groupChatSetting, useBasicAuth, enabled } = asObject(loan.before);
	const before = {
		webhookURL: toPlainText(webhookURL),
		groupChatSetting: toPlainText(groupChatSetting),
		useBasicAuth: useBasicAuth === true,
		enabled: enabled === true,
	};
	return { url: toPlainText(loan.url), ...(loan.before ? { before } : {}) };
}

/**
 * Opens a loan for a step's Test URL. If an earlier start of the step still has the bot, its loan is continued, and
 * tries to give the bot back end.
 */
export function openLoan(url: string, bot: Bot | undefined): Loan {
	const earlier = openLoans.get(url);
	const loan: Loan = { url };
	if (bot) {
		const { webhookURL, groupChatSetting, useBasicAuth, enabled } = bot;
		const isContinued = earlier && enabled && webhookURL === url;
		loan.before = isContinued
			? earlier.before
			: { webhookURL, groupChatSetting, useBasicAuth, enabled };
	}
	openLoans.set(url, loan);
	return loan;
}

/** Restores a borrowed bot's settings, unless the loan is closed, or the user has started Execute step again. */
async function closeLoan(session: Session, loan: Loan): Promise<void> {
	const { url } = loan;
	await session.takeTurn(async () => {
		if (openLoans.get(url) !== loan) return;
		await applyRules(session, 'stepEnd', url, { loan });
		openLoans.delete(url);
	});
}

/**
 * Tries again and again to give a bot back. Ends if the loan is closed or continued, or after five minutes.
 *
 * @param error error of the first try
 */
async function keepTrying(access: BotAccess, loan: Loan, error: unknown): Promise<void> {
	const { url } = loan;
	let lastError = error;
	retriedLoans.set(url, loan);
	for (const ms of PAUSES_MS) {
		await systemClock.sleep(ms);
		if (openLoans.get(url) !== loan) break;
		try {
			await openSession(access, async (session) => await closeLoan(session, loan));
			access.context.logger.info(
				`After Execute step, ${describeBot(access.context)} no longer leads to the Test URL.`,
			);
		} catch (failure) {
			lastError = failure;
			continue;
		}
		break;
	}
	if (retriedLoans.get(url) === loan) retriedLoans.delete(url);
	if (openLoans.get(url) === loan) logFailure(access.context, lastError, ADVICE);
}

/** Returns the open loan of a step, if any. */
export const readOpenLoan = (url: string): Loan | undefined => openLoans.get(url);

const logFailure = (context: Context, error: unknown, next: string): void =>
	context.logger.warn(
		joinSentences([
			`After Execute step, ${describeBot(context)} could not be given back: ${getErrorMessage(error)}`,
			next,
		]),
	);

/**
 * Gives back the bot that Execute step has borrowed. If that fails, logs the error, and tries again in the background,
 * because the published workflow doesn't hear its bot until then.
 */
export async function giveBack(
	access: BotAccess,
	stored: Loan,
	timeLimit?: TimeLimit,
): Promise<boolean> {
	const { url } = stored;
	const loan = openLoans.get(url) ?? stored;
	openLoans.set(url, loan);
	if (retriedLoans.get(url) === loan) return false;
	try {
		await openSession(access, async (session) => await closeLoan(session, loan), timeLimit);
		return true;
	} catch (error) {
		logFailure(access.context, error, 'n8n tries again for five minutes.');
		void keepTrying(access, loan, error);
		return false;
	}
}

/** Gives back the bot of the loan in the step's static data, if any. Logs errors. Returns false if that failed. */
export async function giveBackStoredLoan(context: Context): Promise<boolean> {
	const loan = readStoredLoan(context);
	if (!loan) return true;
	try {
		return await giveBack(await readAccess(context), loan);
	} catch (error) {
		logFailure(context, error, ADVICE);
		return false;
	}
}
