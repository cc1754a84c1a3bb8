import { Refusal } from '../errors';
import type { Bot, BotChange, NewBot } from '../store/bots';
import { compact } from '../types';
import { ok, success, type Call, type Handlers } from './call';
import { messageHandlers } from './messages';

/** Maximum number of bots in an app, as stated in the contract. */
const MAX_BOTS = 25;

export const botHandlers: Handlers = {
	listBots: ({ store }) => ok(store.bots.all().map(compact)),

	getBot: (call) => ok(compact(botOf(call))),

	createBot({ body, store }) {
		const { uid: named, ...fields } = body as unknown as NewBot;
		const uid = named.toLowerCase();
		if (!store.people.has(uid)) throw new Refusal('ERR_UID_NOT_FOUND', named);
		if (store.bots.get(uid)) throw new Refusal('ERR_BOT_ALREADY_EXISTS', uid);
		if (store.bots.all().length >= MAX_BOTS) throw new Refusal('ERR_BOT_LIMIT_EXCEEDED');
		requireUrl(fields.webhookURL);
		return ok(compact(store.bots.create({ ...fields, uid })));
	},

	updateBot(call) {
		const { uid } = botOf(call);
		const change = call.body as BotChange;
		if (change.webhookURL !== undefined) requireUrl(change.webhookURL);
		return ok(compact(call.store.bots.update(uid, change)));
	},

	deleteBot(call) {
		const { uid } = botOf(call);
		call.store.bots.delete(uid);
		return success(`Bot with UID ${uid} has been deleted successfully.`);
	},

	sendBotMessage(call) {
		const { uid } = botOf(call);
		return messageHandlers.sendMessage?.({ ...call, uid }) ?? ok({});
	},
};

/**
 * Returns the bot whose UID is in the path parameter `uid`.
 *
 * @throws {Refusal} if no such bot exists
 */
function botOf({ params, store }: Call): Bot {
	const bot = store.bots.get(params.uid.toLowerCase());
	if (!bot) throw new Refusal('ERR_BOT_NOT_FOUND', params.uid);
	return bot;
}

function requireUrl(url: string): void {
	if (!/^https?:\/\/\S+$/.test(url)) {
		throw new Refusal('ERR_BAD_REQUEST', '', { webhookURL: ['The webhookURL must be a URL.'] });
	}
}
