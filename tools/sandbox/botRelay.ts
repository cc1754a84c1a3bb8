import type { Envelope } from './envelope';
import { memberOf } from './store/groups';
import type { Bot } from './store/bots';
import type { StoreEvent } from './store/events';
import type { StoredMessage } from './store/messages';
import type { Settings } from './settings';
import type { Store } from './store/store';
import type { Views } from './views';
import type { Webhook, WebhookFacts } from './webhooks';

/** A message to relay, and the webhook that receives the message. */
export interface Relay {
	webhook: Webhook;
	body: Envelope;
}

/** Decides which messages are relayed to which bots. */
export class BotRelay {
	constructor(
		private readonly store: Store,
		private readonly views: Views,
		private readonly settings: () => Settings,
		private readonly facts: WebhookFacts,
	) {}

	/** Returns the relays that an event causes: a new message for each bot that hears the message. */
	of({ trigger, message }: StoreEvent): Relay[] {
		if (trigger !== 'message_sent' || !message) return [];
		return this.store.bots
			.all()
			.filter((bot) => bot.enabled && this.hears(bot, message))
			.map((bot) => ({ webhook: this.webhookOf(bot), body: this.bodyFor(bot, message) }));
	}

	private hears({ uid, groupChatSetting }: Bot, message: StoredMessage): boolean {
		const { sender, receiver, receiverType, text = '' } = message;
		const { botGroups, botOwnMessages, botsHearBots } = this.settings();
		if (sender === uid && !botOwnMessages) return false;
		if (sender !== uid && this.store.bots.get(sender) && !botsHearBots) return false;
		if (receiverType === 'user') return [sender, receiver].includes(uid);
		const group = this.store.groups.get(receiver);
		if (botGroups === 'joined' && !(group && memberOf(group, uid))) return false;
		if (groupChatSetting === 'mentionedMessages') {
			return this.store.mentioned(message).includes(uid);
		}
		if (groupChatSetting === 'slashedMessages') return text.startsWith('/');
		return groupChatSetting === 'allMessages';
	}

	private webhookOf({ webhookURL: url, useBasicAuth, username, password }: Bot): Webhook {
		const retries = this.settings().botRetries;
		return { url, retries, ...(useBasicAuth ? { username, password } : {}) };
	}

	/** Returns the body of the older kind of webhook, with the message itself in `data`. */
	private bodyFor({ uid }: Bot, message: StoredMessage): Envelope {
		const { botField } = this.settings();
		const bot = botField === 'object' ? this.store.people.user(uid) : uid;
		return {
			trigger: 'after_message',
			data: { ...this.views.message(message, { tags: true }) },
			...this.facts,
			origin: { platform: 'rest' },
			chatAPIVersion: 'v3',
			...(botField === 'missing' ? {} : { bot }),
		};
	}
}
