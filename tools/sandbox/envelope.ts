import type { Settings } from './settings';
import type { MessageAction, StoredMessage } from './store/messages';
import type { Hit } from './store/moderation';
import type { EngineFailure, EventMembers, StoreEvent } from './store/events';
import type { Store } from './store/store';
import { compact, type JsonObject } from './types';
import type { Views } from './views';

/** The JSON body of a webhook delivery. */
export interface Envelope {
	trigger: string;
	data: JsonObject;
	appId: string;
	region: string;
	/** Name of the webhook that receives the delivery. Missing in a message relayed to a bot. */
	webhook?: string;
	/** Only in a message relayed to a bot. */
	origin?: { platform: string };
	chatAPIVersion?: string;
	/** The bot's UID, or the bot as a user. Only in a message relayed to a bot. */
	bot?: unknown;
}

/** Converts store events to webhook deliveries in the format shown in webhooks.yaml. */
export class EnvelopeData {
	constructor(
		private readonly store: Store,
		private readonly views: Views,
		private readonly settings: () => Settings,
	) {}

	/** Returns the trigger and data of each delivery that an event causes. */
	of(event: StoreEvent): Array<Pick<Envelope, 'trigger' | 'data'>> {
		const { trigger } = event;
		const own = { trigger, data: this.dataOf(event) };
		if (!event.note || !this.settings().changesSent) return [own];
		const sent = { trigger: 'message_sent', data: { message: this.message(event.note) } };
		return [own, ...Array.from({ length: trigger === 'message_edited' ? 3 : 1 }, () => sent)];
	}

	private dataOf(event: StoreEvent): JsonObject {
		const { message, note, reaction, group, viewer, oldOwner, members, by } = event;
		if (message && event.failure) return this.failed(message, event.failure);
		const shown = note ? this.changed(note) : message && this.message(message);
		return compact({
			message: shown,
			reaction: reaction && this.views.reaction(reaction.messageId, reaction),
			group: group && { ...this.views.group(group, viewer), oldOwner },
			members: members && this.members(members),
			by: by === undefined ? undefined : this.store.people.user(by),
			...this.moderation(event.hit),
			reviewed: event.reviewed,
		});
	}

	private failed(message: StoredMessage, failure: EngineFailure): JsonObject {
		const failedAt = Math.floor(Date.now() / 1000);
		return {
			resource: this.views.frame(message),
			contentType: 'text',
			outcome: message.moderation?.status === 'disapproved' ? 'disapproved' : 'approved',
			completedAt: failedAt,
			failures: [
				{
					...{ ...failure, failedAt, responseBodyTruncated: false },
					context: { engine: 'custom_api', rule: { name: 'Custom engine' } },
				},
			],
		};
	}

	private moderation(hit: Hit | undefined): JsonObject {
		if (!hit) return {};
		const { id, name, action } = hit.rule;
		const rule = { id, name, revisionId: '1', action: [action] };
		return { moderation: [{ condition: { entity: 'message', message: hit.reason }, rule }] };
	}

	private message(message: StoredMessage): object {
		return this.views.message(message, { tags: true });
	}

	/**
	 * Returns the message to include in an edit or deletion event. The setting `changeEvents` selects the action
	 * message or the changed message.
	 */
	private changed(note: StoredMessage): object {
		const { action } = note;
		if (action && this.settings().changeEvents === 'message') return this.message(action.on);
		return action?.kind === 'deleted' ? this.deletion(note, action) : this.message(note);
	}

	/** Returns the action message about a deletion, without the deleted message's content. */
	private deletion(note: StoredMessage, action: MessageAction): object {
		const { data, ...frame } = this.views.action(note, action);
		const { on } = data.entities;
		const { id, conversationId, deletedAt, deletedBy } = on.entity;
		const entity = { id, conversationId, deletedAt, deletedBy };
		return { ...frame, data: { ...data, entities: { ...data.entities, on: { ...on, entity } } } };
	}

	private members(members: EventMembers) {
		return Object.fromEntries(
			Object.entries(members).map(([uid, more]) => [
				uid,
				{ ...this.store.people.user(uid), ...more },
			]),
		);
	}
}
