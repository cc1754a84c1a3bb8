import type { IHookFunctions } from 'n8n-workflow';

import { realClock } from '../helpers/clock';
import { getErrorMessage, joinSentences } from '../helpers/formatText';
import { BotOfOtherOwnerError, type PublishingOrExecuteStepEvent } from './decision';
import { checkWebhookUrl } from './address';
import { reconcileBotForEvent } from './reconcileBot';
import type { BotWebhookSettings } from './botApi';
import { describeBotOfNodeForLog } from './describeBotOfNode';
import {
	giveBackBorrowedBot,
	giveBackBotBorrowedByExecuteStep,
	recordLoanInMemory,
	findOpenLoanByTestUrl,
} from './loans';
import { isReactivatedByN8n } from '../sharedByTriggers/reactivation';
import {
	runInTimedBotApiSession,
	readBotApiSessionInputs,
	type BotApiSessionInputs,
	type BotApiSession,
} from './session';

/** A failed attempt to publish a workflow. */
interface FailedTry {
	/** Line that was logged for this attempt. The same line isn't logged again for the next attempt. */
	line: string;
	/** Time of the failure in milliseconds, on the monotonic clock (`Clock.now`) */
	at: number;
	/** True until n8n calls the deletion hook, which follows every failed attempt */
	isDeletionDue: boolean;
}

/** Each node's latest failed attempt to publish its workflow in this process, keyed by workflow and node. */
const failedTries = new Map<string, FailedTry>();

/**
 * Maximum milliseconds between two attempts of the same publication. n8n 2.x makes all attempts to publish a workflow
 * within 84 seconds.
 */
const PUBLICATION_MS = 120_000;

const getNodeKey = (context: IHookFunctions): string =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id]);

/**
 * Records a failed attempt to publish a workflow. Logs the line, unless the previous attempt of the same publication
 * failed with the same line.
 */
function recordFailedTry(context: IHookFunctions, line: string): void {
	const key = getNodeKey(context);
	const at = realClock.now();
	const earlier = failedTries.get(key);
	if (earlier?.line !== line || at - earlier.at > PUBLICATION_MS) context.logger.warn(line);
	failedTries.set(key, { line, at, isDeletionDue: true });
}

/**
 * Returns true if n8n calls the deletion hook because an attempt to publish failed. In that case, `publish` has already
 * tried to turn off a bot that it may have changed. Returns true only once per failed attempt.
 */
function consumeDueDeletion(context: IHookFunctions): boolean {
	const failedTry = failedTries.get(getNodeKey(context));
	if (!failedTry?.isDeletionDue) return false;
	failedTry.isDeletionDue = false;
	return true;
}

const getUrl = ({ context }: BotApiSessionInputs): string =>
	context.getNodeWebhookUrl('default') ?? '';

/** Points the bot at the node's webhook URL. */
async function setUp(
	session: BotApiSession,
	occasion: PublishingOrExecuteStepEvent,
): Promise<void> {
	const url = getUrl(session);
	checkWebhookUrl(url, session.credentials);
	await session.runAfterEarlierChangesOfBot(
		async () => await reconcileBotForEvent(session, occasion, url),
	);
}

async function turnOff(session: BotApiSession): Promise<void> {
	await session.runAfterEarlierChangesOfBot(
		async () => await reconcileBotForEvent(session, 'unpublish', getUrl(session)),
	);
}

/** Turns off a bot whose setup failed. Returns a sentence for the log if turning the bot off fails, or else ''. */
async function turnOffAfterFailure(access: BotApiSessionInputs): Promise<string> {
	return await runInTimedBotApiSession(access, turnOff, 'undo').then(
		() => '',
		(error: unknown) => `The bot may be on, and could not be turned off: ${getErrorMessage(error)}`,
	);
}

/**
 * Sets up the bot when a user publishes the workflow. If the setup fails, n8n doesn't listen for the bot's messages,
 * so the function turns off a bot that it may have changed. If several attempts fail with the same error, logs
 * it once.
 */
async function publish(context: IHookFunctions): Promise<void> {
	let turningOff = '';
	const publishing = readBotApiSessionInputs(context).then(async (access) => {
		await runInTimedBotApiSession(access, async (session) => {
			await setUp(session, 'publish').catch(async (error: unknown) => {
				if (session.api.mayHaveChanged) turningOff = await turnOffAfterFailure(access);
				throw error;
			});
		});
	});
	await publishing.catch((error: unknown) => {
		const line = `When n8n published the workflow, ${describeBotOfNodeForLog(context)} could not be set up: ${getErrorMessage(error)}`;
		recordFailedTry(context, joinSentences([line, turningOff]));
		throw error;
	});
	failedTries.delete(getNodeKey(context));
}

/**
 * Sets up the bot again when n8n starts, or when the leader instance changes. Logs errors instead of throwing them,
 * because n8n 2.x never retries a failed trigger. The bot rarely needs a change anyway.
 */
async function reactivate(context: IHookFunctions): Promise<void> {
	let advice = "If the bot doesn't start the workflow, unpublish the workflow, then publish it";
	try {
		await runInTimedBotApiSession(await readBotApiSessionInputs(context), async (session) => {
			await setUp(session, 'reactivate').catch((error: unknown) => {
				if (error instanceof BotOfOtherOwnerError) advice = '';
				throw error;
			});
		});
	} catch (error) {
		context.logger.warn(
			joinSentences([
				`When n8n started, ${describeBotOfNodeForLog(context)} was left as it is: ${getErrorMessage(error)}`,
				advice,
			]),
		);
	}
}

/**
 * Borrows the bot for Execute step. On failure, gives the bot back if it is borrowed, by this call or by an earlier
 * Execute step.
 */
async function startStep(context: IHookFunctions): Promise<void> {
	const access = await readBotApiSessionInputs(context);
	const url = getUrl(access);
	const starting = runInTimedBotApiSession(access, async (session) => {
		checkWebhookUrl(url, session.credentials);
		const onRead = (bot: BotWebhookSettings | undefined): void => {
			context.getWorkflowStaticData('node').loan = recordLoanInMemory(url, bot);
		};
		await session.runAfterEarlierChangesOfBot(
			async () => await reconcileBotForEvent(session, 'stepStart', url, { onRead }),
		);
	});
	await starting.catch(async (error: unknown) => {
		const loan = findOpenLoanByTestUrl(url);
		if (loan) await giveBackBorrowedBot(access, loan, 'undo');
		throw error;
	});
}

/** Hooks that n8n calls when it publishes or unpublishes the workflow, and before and after Execute step. */
export const webhookMethods = {
	default: {
		/** Always returns false, so that n8n calls `create`, which changes the bot only if a setting differs. */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			return Promise.resolve(false);
		},
		async create(this: IHookFunctions): Promise<boolean> {
			if (this.getMode() === 'manual') await startStep(this);
			else await (isReactivatedByN8n(this) ? reactivate(this) : publish(this));
			return true;
		},
		/** Logs errors instead of throwing them. Otherwise, n8n would keep the workflow's webhook registered. */
		async delete(this: IHookFunctions): Promise<boolean> {
			// During Execute step, n8n loads the workflow as inactive
			if (!this.getWorkflow().active) return await giveBackBotBorrowedByExecuteStep(this);
			if (consumeDueDeletion(this)) return true;
			try {
				await runInTimedBotApiSession(await readBotApiSessionInputs(this), turnOff);
				return true;
			} catch (error) {
				this.logger.warn(
					joinSentences([
						`When n8n unpublished the workflow, ${describeBotOfNodeForLog(this)} could not be turned off: ${getErrorMessage(error)}`,
						'Turn the bot off in the CometChat dashboard',
					]),
				);
				return false;
			}
		},
	},
};
