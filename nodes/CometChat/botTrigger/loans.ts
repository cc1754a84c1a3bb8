import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { realClock } from '../helpers/clock';
import { getErrorMessage, joinSentences } from '../helpers/formatText';
import { asObjectOrEmpty, isObject, valueToText } from '../helpers/json';
import type { BotLoanForExecuteStep } from './decision';
import { reconcileBotForEvent } from './reconcileBot';
import type { BotWebhookSettings } from './botApi';
import { describeBotOfNodeForLog } from './describeBotOfNode';
import {
	runInTimedBotApiSession,
	readBotApiSessionInputs,
	type BotApiSessionInputs,
	type BotApiSession,
	type BotApiTimeLimitName,
} from './session';

type Context = IHookFunctions | IWebhookFunctions;

/**
 * Bots that Execute step has borrowed and not given back yet, keyed by Test URL. n8n's static data also contains the
 * current loan, but is lost if the user reloads the page during the step and starts the step again.
 */
const openLoans = new Map<string, BotLoanForExecuteStep>();

/** Bots that this process keeps trying to give back after a failure, keyed by Test URL. */
const retriedLoans = new Map<string, BotLoanForExecuteStep>();

/** Advice for a bot that still points to the Test URL. */
const ADVICE =
	'The bot leads to the Test URL, where nobody listens. If the workflow is published, unpublish the workflow, then publish it. Otherwise, turn the bot off in the CometChat dashboard.';

/** Pauses in milliseconds between attempts to give a bot back. The pauses add up to about five minutes. */
const PAUSES_MS = [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000];

/**
 * Reads the current Execute step's loan from n8n's static data. n8n keeps a step's static data until the step ends,
 * separate from the published workflow's static data.
 */
function readStoredLoan(context: Context): BotLoanForExecuteStep | undefined {
	const { loan } = context.getWorkflowStaticData('node');
	if (!isObject(loan)) return undefined;
	const { webhookURL, groupChatSetting, useBasicAuth, enabled } = asObjectOrEmpty(loan.before);
	const before = {
		webhookURL: valueToText(webhookURL),
		groupChatSetting: valueToText(groupChatSetting),
		useBasicAuth: useBasicAuth === true,
		enabled: enabled === true,
	};
	return { url: valueToText(loan.url), ...(loan.before ? { before } : {}) };
}

/**
 * Records that Execute step borrows a bot. The new loan replaces an earlier loan for the same Test URL, which stops
 * retries for the earlier loan. If the bot still points to the Test URL, the new loan copies the earlier loan's
 * `before`.
 */
export function recordLoanInMemory(
	url: string,
	bot: BotWebhookSettings | undefined,
): BotLoanForExecuteStep {
	const earlier = openLoans.get(url);
	const loan: BotLoanForExecuteStep = { url };
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

/**
 * Restores a borrowed bot's settings. Does nothing if the loan is already closed, or if a newer Execute step
 * replaced it.
 */
async function closeLoan(session: BotApiSession, loan: BotLoanForExecuteStep): Promise<void> {
	const { url } = loan;
	await session.runAfterEarlierChangesOfBot(async () => {
		if (openLoans.get(url) !== loan) return;
		await reconcileBotForEvent(session, 'stepEnd', url, { loan });
		openLoans.delete(url);
	});
}

/**
 * Retries giving a bot back until the loan is closed or replaced, or for about five minutes.
 *
 * @param error error of the first attempt
 */
async function keepTrying(
	access: BotApiSessionInputs,
	loan: BotLoanForExecuteStep,
	error: unknown,
): Promise<void> {
	const { url } = loan;
	let lastError = error;
	retriedLoans.set(url, loan);
	for (const ms of PAUSES_MS) {
		await realClock.sleep(ms);
		if (openLoans.get(url) !== loan) break;
		try {
			await runInTimedBotApiSession(access, async (session) => await closeLoan(session, loan));
			access.context.logger.info(
				`After Execute step, ${describeBotOfNodeForLog(access.context)} no longer leads to the Test URL.`,
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

/** Returns the open loan for a Test URL, if any. */
export const findOpenLoanByTestUrl = (url: string): BotLoanForExecuteStep | undefined =>
	openLoans.get(url);

const logFailure = (context: Context, error: unknown, next: string): void =>
	context.logger.warn(
		joinSentences([
			`After Execute step, ${describeBotOfNodeForLog(context)} could not be given back: ${getErrorMessage(error)}`,
			next,
		]),
	);

/**
 * Restores a borrowed bot's settings after Execute step. Until then, the published workflow gets no messages from the
 * bot. After a failure, logs the error and retries in the background.
 *
 * @returns false after a failure, or if retries are already running
 */
export async function giveBackBorrowedBot(
	access: BotApiSessionInputs,
	stored: BotLoanForExecuteStep,
	timeLimit?: BotApiTimeLimitName,
): Promise<boolean> {
	const { url } = stored;
	const loan = openLoans.get(url) ?? stored;
	openLoans.set(url, loan);
	if (retriedLoans.get(url) === loan) return false;
	try {
		await runInTimedBotApiSession(
			access,
			async (session) => await closeLoan(session, loan),
			timeLimit,
		);
		return true;
	} catch (error) {
		logFailure(access.context, error, 'n8n tries again for five minutes.');
		void keepTrying(access, loan, error);
		return false;
	}
}

/**
 * Gives back the bot that the current Execute step has borrowed according to n8n's static data. Logs errors instead of
 * throwing them.
 *
 * @returns false if the bot isn't given back yet. True if no bot was borrowed.
 */
export async function giveBackBotBorrowedByExecuteStep(context: Context): Promise<boolean> {
	const loan = readStoredLoan(context);
	if (!loan) return true;
	try {
		return await giveBackBorrowedBot(await readBotApiSessionInputs(context), loan);
	} catch (error) {
		logFailure(context, error, ADVICE);
		return false;
	}
}
