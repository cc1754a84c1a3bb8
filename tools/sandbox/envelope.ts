import type { Settings } from './settings';
import type { StoredMessage } from './store/messages';
import type { Hit } from './store/moderation';
import type { EventMembers, StoreEvent } from './store/events';
import { SYSTEM_USER } from './store/people';
import type { Store } from './store/store';
import type { JsonObject } from './types';
import type { Views } from './views';

/** The JSON body of a webhook delivery. */
export interface Envelope {
	trigger: string;
	data: JsonObject;
	appId: string;
	region: string;
	/** Name of the webhook that receives the delivery. */
	webhook: string;
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
		if (!('note' in event) || !this.settings().changesSent) return [own];
		const sent = { trigger: 'message_sent', data: { message: this.message(event.note) } };
		return [own, ...Array.from({ length: trigger === 'message_edited' ? 3 : 1 }, () => sent)];
	}

	private dataOf(event: StoreEvent): JsonObject {
		switch (event.trigger) {
			case 'message_sent':
			case 'user_mentioned':
				return { message: this.message(event.message) };
			case 'moderation_engine_approved':
			case 'moderation_engine_blocked':
				return { message: this.message(event.message), ...this.moderation(event.hit) };
			case 'moderation_manual_approved':
				return { message: this.message(event.message), reviewed: true };
			case 'moderation_engine_failed': {
				const failedAt = Math.floor(Date.now() / 1000);
				return {
					resource: this.views.frame(event.message),
					contentType: 'text',
					outcome: event.message.moderation?.status === 'disapproved' ? 'disapproved' : 'approved',
					completedAt: failedAt,
					failures: [
						{
							...{ ...event.failure, failedAt, responseBodyTruncated: false },
							context: { engine: 'custom_api', rule: { name: 'Custom engine' } },
						},
					],
				};
			}
			case 'message_edited':
				return { message: this.changed(event.note) };
			case 'message_deleted':
				return { message: this.changed(event.note, this.deletion(event.note)) };
			case 'message_reaction_added':
			case 'message_reaction_removed':
				return { reaction: this.views.reaction(event.message.id, event.reaction) };
			case 'group_updated':
			case 'group_deleted':
				return { group: this.views.group(event.group) };
			case 'group_owner_transferred':
				return { group: { ...this.views.group(event.group), oldOwner: event.oldOwner } };
			case 'group_created':
				return {
					group: this.views.group(event.group, event.by === SYSTEM_USER.uid ? undefined : event.by),
					members: this.members(event.members),
				};
			default:
				return {
					group: this.views.group(event.group),
					members: this.members(event.members),
					...(event.by === undefined ? {} : { by: this.store.people.user(event.by) }),
				};
		}
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
	private changed(note: StoredMessage, told: object = this.message(note)): object {
		const { on } = note.action ?? {};
		return on && this.settings().changeEvents === 'message' ? this.message(on) : told;
	}

	/** Returns the action message about a deletion, without the deleted message's content. */
	private deletion(note: StoredMessage): object {
		if (!note.action) return this.message(note);
		const { data, ...frame } = this.views.action(note, note.action);
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
