import type { IHookFunctions, WorkflowActivateMode } from 'n8n-workflow';

import { systemClock } from '../helpers/clock';
import { getErrorMessage, joinSentences } from '../helpers/formatText';
import type { Occasion } from './action';
import { checkWebhookUrl } from './address';
import { applyRules } from './applyRules';
import type { Bot } from './botApi';
import { describeBot } from './describeBot';
import { giveBack, giveBackStoredLoan, openLoan, readOpenLoan } from './loans';
import { openSession, readAccess, type BotAccess, type Session } from './session';

/** Modes in which n8n activates published workflows again: at its start, and when the leader instance changes. */
const REACTIVATION_MODES: WorkflowActivateMode[] = ['init', 'leadershipChange'];

/** A failed try of a publication. */
interface FailedTry {
	/** Line in n8n's log */
	line: string;
	at: number;
	/** True until n8n has called the deletion hook, as it does after each failed try */
	isDeletionDue: boolean;
}

/** Each node's latest failed attempt to publish in this process, by workflow and node. */
const failedTries = new Map<string, FailedTry>();

/** Time in milliseconds within which n8n 2.x makes all tries of a publication. */
const PUBLICATION_MS = 120_000;

const getNodeKey = (context: IHookFunctions): string =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id]);

/** Remembers a failed try, and logs its line, unless an earlier try of the same publication has failed likewise. */
function recordFailedTry(context: IHookFunctions, line: string): void {
	const key = getNodeKey(context);
	const at = systemClock.now();
	const earlier = failedTries.get(key);
	if (earlier?.line !== line || at - earlier.at > PUBLICATION_MS) context.logger.warn(line);
	failedTries.set(key, { line, at, isDeletionDue: true });
}

/** Returns true if the deletion hook follows a failed try, which has left nothing to turn off. */
function isDeletionAfterFailedTry(context: IHookFunctions): boolean {
	const failedTry = failedTries.get(getNodeKey(context));
	if (!failedTry?.isDeletionDue) return false;
	failedTry.isDeletionDue = false;
	return true;
}

const getUrl = ({ context }: BotAccess): string => context.getNodeWebhookUrl('default') ?? '';

/** Makes the bot lead to the Production URL. */
async function setUp(session: Session, occasion: Occasion): Promise<void> {
	const url = getUrl(session);
	checkWebhookUrl(url, session.credentials);
	await session.takeTurn(async () => await applyRules(session, occasion, url));
}

async function turnOff(session: Session): Promise<void> {
	await session.takeTurn(async () => await applyRules(session, 'unpublish', getUrl(session)));
}

/** Turns off a bot that n8n couldn't set up. Returns a sentence for the log if that fails. */
async function turnOffAfterFailure(access: BotAccess): Promise<string> {
	return await openSession(access, turnOff, 'undo').then(
		() => '',
		(error: unknown) => `The bot may be on, and could not be turned off: ${getErrorMessage(error)}`,
	);
}

/**
 * Sets up the bot of a workflow that somebody publishes. If that fails after a change that CometChat may have made,
 * turns the bot off, because n8n doesn't listen for its messages. Logs one line for all tries of a publication.
 */
async function publish(context: IHookFunctions): Promise<void> {
	let turningOff = '';
	const publishing = readAccess(context).then(async (access) => {
		await openSession(access, async (session) => {
			await setUp(session, 'publish').catch(async (error: unknown) => {
				if (session.api.mayHaveChanged) turningOff = await turnOffAfterFailure(access);
				throw error;
			});
		});
	});
	await publishing.catch((error: unknown) => {
		const line = `When n8n published the workflow, ${describeBot(context)} could not be set up: ${getErrorMessage(error)}`;
		recordFailedTry(context, joinSentences([line, turningOff]));
		throw error;
	});
	failedTries.delete(getNodeKey(context));
}

/**
 * Checks the bot when n8n starts, or when the leader instance changes. Logs errors, because n8n 2.x never starts a
 * trigger again that has failed. CometChat's record of the bot is nearly always right without a change.
 */
async function reactivate(context: IHookFunctions): Promise<void> {
	try {
		await openSession(await readAccess(context), async (session) => {
			await setUp(session, 'reactivate');
		});
	} catch (error) {
		context.logger.warn(
			joinSentences([
				`When n8n started, ${describeBot(context)} was left as it is: ${getErrorMessage(error)}`,
				"If the bot doesn't start the workflow, unpublish the workflow, then publish it",
			]),
		);
	}
}

/** Borrows the bot for Execute step. If that fails, gives back what the step or an earlier start of it has borrowed. */
async function startStep(context: IHookFunctions): Promise<void> {
	const access = await readAccess(context);
	const url = getUrl(access);
	const starting = openSession(access, async (session) => {
		checkWebhookUrl(url, session.credentials);
		const onRead = (bot: Bot | undefined): void => {
			context.getWorkflowStaticData('node').loan = openLoan(url, bot);
		};
		await session.takeTurn(async () => await applyRules(session, 'stepStart', url, { onRead }));
	});
	await starting.catch(async (error: unknown) => {
		const loan = readOpenLoan(url);
		if (loan) await giveBack(access, loan, 'undo');
		throw error;
	});
}

/** Hooks that n8n calls when it publishes or unpublishes the workflow, and before and after Execute step. */
export const webhookMethods = {
	default: {
		/** Always false, so that n8n calls `create`, which leaves a bot unchanged if nothing differs. */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			return Promise.resolve(false);
		},
		async create(this: IHookFunctions): Promise<boolean> {
			const isReactivation = REACTIVATION_MODES.includes(this.getActivationMode());
			if (this.getMode() === 'manual') await startStep(this);
			else await (isReactivation ? reactivate(this) : publish(this));
			return true;
		},
		/** Logs errors, because n8n would keep the workflow's webhook registered if this hook threw them. */
		async delete(this: IHookFunctions): Promise<boolean> {
			// n8n loads the workflow of a step as inactive
			if (!this.getWorkflow().active) return await giveBackStoredLoan(this);
			if (isDeletionAfterFailedTry(this)) return true;
			try {
				await openSession(await readAccess(this), turnOff);
				return true;
			} catch (error) {
				this.logger.warn(
					joinSentences([
						`When n8n unpublished the workflow, ${describeBot(this)} could not be turned off: ${getErrorMessage(error)}`,
						'Turn the bot off in the CometChat dashboard',
					]),
				);
				return false;
			}
		},
	},
};
