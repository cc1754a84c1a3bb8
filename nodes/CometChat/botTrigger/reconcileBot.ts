import {
	createBotOfOtherOwnerError,
	decideBotAction,
	describeBotWebhookReceiver,
	type BotLoanForExecuteStep,
	type PublishingOrExecuteStepEvent,
} from './decision';
import type { BotWebhookSettings } from './botApi';
import type { BotApiSession } from './session';

interface ReconcileOptions {
	/** Called with CometChat's record of the bot before any change. `bot` is undefined if the user isn't a bot. */
	onRead?: (bot: BotWebhookSettings | undefined) => void;
	/** Borrowed bot to give back. Set only for `stepEnd`. */
	loan?: BotLoanForExecuteStep;
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/**
 * Reads CometChat's record of the bot, then creates the bot, changes the bot or leaves the bot alone. Call only inside
 * `session.runAfterEarlierChangesOfBot`.
 *
 * @param url the node's Production URL, or the Test URL for Execute step
 * @throws BotOfOtherOwnerError if the node may not change the bot, or the errors of `BotApi`
 */
export async function reconcileBotForEvent(
	{ api, context, parameters, login }: BotApiSession,
	occasion: PublishingOrExecuteStepEvent,
	url: string,
	{ onRead, loan }: ReconcileOptions = {},
): Promise<void> {
	const { botId, groupMessages: groupChatSetting, takeOver } = parameters;
	const input = { url, groupChatSetting, login, takeOver, loan };
	const bot = await api.findBot(botId);
	onRead?.(bot);
	const action = decideBotAction(occasion, bot, input);
	if (action.kind === 'create') await api.turnUserIntoBot(botId, action.bot);
	if (!bot) return;
	if (action.kind === 'refuse') throw createBotOfOtherOwnerError(occasion, botId, bot, input);
	if (action.kind === 'change') {
		const { webhookURL, groupChatSetting: earlierSetting, username } = bot;
		const isMoved = action.change.webhookURL === url && originOf(webhookURL) !== originOf(url);
		if (action.isTakenOver || isMoved) {
			context.logger.info(
				`The bot "${botId}" is ${action.isTakenOver ? 'taken over' : `redirected to ${url}`}. Until now, the bot sent its messages to ${webhookURL} with the username "${username}" and the group messages "${earlierSetting}".`,
			);
		}
		await api.updateBot(botId, bot, action.change);
	}
	if (action.kind === 'leave' && occasion === 'unpublish' && bot.enabled) {
		const place = describeBotWebhookReceiver(bot, login);
		context.logger.info(`The bot "${botId}" is left as it is. The bot leads to ${place}.`);
	}
}
