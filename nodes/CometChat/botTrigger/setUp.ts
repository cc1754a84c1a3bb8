import type { IHookFunctions, IWebhookFunctions, WorkflowActivateMode } from 'n8n-workflow';

import { getErrorMessage } from '../helpers/formatText';
import { asObject, toPlainText, isObject } from '../helpers/json';
import {
	createNotOwnedError,
	decideAction,
	describePlace,
	type Loan,
	type Occasion,
	type Wanted,
} from './action';
import { checkWebhookUrl } from './address';
import type { Bot } from './botApi';
import { withSession, type Session } from './session';

/** Modes in which n8n activates published workflows again: at its start, and when the leader instance changes. */
const REACTIVATION_MODES: WorkflowActivateMode[] = ['init', 'leadershipChange'];

type Context = IHookFunctions | IWebhookFunctions;

/**
 * Loans of steps by Test URL, until the bot is given back. A user can reload the page during a step and start
 * the step again. n8n then drops the first start's static data, which contains the loan.
 */
const openLoans = new Map<string, Loan>();

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

/** Creates the loan for a step's Test URL. Returns the open loan if an earlier start of the step already has the bot. */
function findOrCreateLoan(url: string, bot: Bot | undefined): Loan {
	if (!bot) return { url };
	const { webhookURL, groupChatSetting, useBasicAuth, enabled } = bot;
	const openLoan = openLoans.get(url);
	if (openLoan && enabled && webhookURL === url) return openLoan;
	return { url, before: { webhookURL, groupChatSetting, useBasicAuth, enabled } };
}

function getWanted({ parameters, login }: Session, url: string, loan?: Loan): Wanted {
	const { groupMessages: groupChatSetting, takeOver } = parameters;
	return { url, groupChatSetting, login, takeOver, loan };
}

/**
 * Creates, changes or leaves CometChat's record of the bot, as `decideAction` decides.
 *
 * @param bot the bot as CometChat has it, or undefined if there is none
 * @throws DescribedError if the node may not change the bot, or the errors of `BotApi`
 */
async function carryOut(
	{ api, context, parameters: { botId } }: Session,
	occasion: Occasion,
	bot: Bot | undefined,
	wanted: Wanted,
): Promise<void> {
	const action = decideAction(occasion, bot, wanted);
	if (action.kind === 'create') await api.create(botId, action.bot);
	if (!bot) return;
	if (action.kind === 'refuse') throw createNotOwnedError(occasion, botId, bot, wanted);
	if (action.kind === 'change') {
		if (action.isTakenOver) {
			const { webhookURL, groupChatSetting, username } = bot;
			context.logger.info(
				`The bot "${botId}" is taken over. Until now, the bot sent its messages to ${webhookURL} with the username "${username}" and the group messages "${groupChatSetting}".`,
			);
		}
		await api.update(botId, bot, action.change);
	}
	if (action.kind === 'leave' && occasion === 'unpublish' && bot.enabled) {
		const place = describePlace(bot, wanted.login);
		context.logger.info(`The bot "${botId}" is left as it is. The bot leads to ${place}.`);
	}
}

/** Gives back the bot that Execute step has borrowed. */
async function closeLoan(session: Session, loan: Loan): Promise<void> {
	const bot = await session.api.find(session.parameters.botId);
	await carryOut(session, 'stepEnd', bot, getWanted(session, loan.url, loan));
	openLoans.delete(loan.url);
}

/** Creates the bot, or redirects the existing bot to this node. For Execute step, records the loan. */
async function setUp(session: Session): Promise<void> {
	const { context, credentials, api, parameters } = session;
	const url = context.getNodeWebhookUrl('default') ?? '';
	checkWebhookUrl(url, credentials);
	const bot = await api.find(parameters.botId);
	if (context.getMode() !== 'manual') {
		const mode = context.getActivationMode?.() ?? 'activate';
		const occasion = REACTIVATION_MODES.includes(mode) ? 'reactivate' : 'publish';
		await carryOut(session, occasion, bot, getWanted(session, url));
		return;
	}
	const loan = findOrCreateLoan(url, bot);
	openLoans.set(url, loan);
	context.getWorkflowStaticData('node').loan = loan;
	const starting = carryOut(session, 'stepStart', bot, getWanted(session, url));
	await starting.catch(async (error: unknown) => {
		// The change may have worked, and n8n drops the loan in the static data if a step doesn't start
		await closeLoan(session, loan).catch(() => {});
		throw error;
	});
}

const logFailedRelease = (context: Context, error: unknown): void => {
	const reason = getErrorMessage(error);
	context.logger.warn(
		`The CometChat bot could not be turned off or given back: ${reason}. Publish the workflow again, or turn the bot off in the CometChat dashboard.`,
	);
};

/** Gives back the bot that Execute step has borrowed, before the step runs the workflow. Logs errors. */
export async function giveBackBorrowedBot(context: IWebhookFunctions): Promise<void> {
	const loan = readStoredLoan(context);
	if (!loan) return;
	await withSession(context, async (session) => await closeLoan(session, loan)).catch(
		(error: unknown) => logFailedRelease(context, error),
	);
}

/** Turns the bot off, or gives the bot back after a step. */
async function takeDown(session: Session): Promise<void> {
	const { context, api, parameters } = session;
	// n8n loads the workflow of a step as inactive
	if (context.getWorkflow().active) {
		const url = context.getNodeWebhookUrl('default') ?? '';
		const bot = await api.find(parameters.botId);
		await carryOut(session, 'unpublish', bot, getWanted(session, url));
		return;
	}
	const loan = readStoredLoan(context);
	if (loan) await closeLoan(session, loan);
}

/** Hooks that n8n calls when it publishes or unpublishes the workflow, and before and after Execute step. */
export const webhookMethods = {
	default: {
		/** Always false, so that n8n calls `create`, which leaves a bot unchanged if nothing differs. */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			return Promise.resolve(false);
		},
		async create(this: IHookFunctions): Promise<boolean> {
			await withSession(this, setUp);
			return true;
		},
		/** Logs errors, because n8n would keep the workflow's webhook registered if this hook threw them. */
		async delete(this: IHookFunctions): Promise<boolean> {
			try {
				await withSession(this, takeDown);
				return true;
			} catch (error) {
				logFailedRelease(this, error);
				return false;
			}
		},
	},
};
