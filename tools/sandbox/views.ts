import type { BannedMember, Member, StoredGroup } from './data/sample';
import type { Settings } from './settings';
import { NotFound } from './store/errors';
import { memberOf } from './store/groups';
import {
	conversationOf,
	type Attachment,
	type MessageAction,
	type StoredMessage,
} from './store/messages';
import type { Blocked, Reviewed } from './store/moderation';
import type { StoredReaction } from './store/reactions';
import type { Store } from './store/store';

export type QueueName = 'flagged' | 'blocked' | 'reviewed';

/** Optional parts of a message in a response. */
export interface MessageParts {
	/** True to include tags. Defaults to false. */
	tags?: boolean;
	/** True to include reaction counts from the perspective of the user `me`. */
	reactions?: boolean;
	me?: string;
}

/** Converts stored data to the format of the service's responses and webhook deliveries. */
export class Views {
	constructor(
		private readonly store: Store,
		private readonly settings: () => Settings,
	) {}

	/** Returns a group, including the membership of the user `uid` if given. */
	group(group: StoredGroup, uid?: string) {
		const { guid, name, description, icon, type, owner, tags, metadata, createdAt } = group;
		const { updatedBy } = group;
		const updatedAt = this.settings().hideUpdatedAt ? undefined : group.updatedAt;
		const me = uid === undefined ? undefined : memberOf(group, uid);
		return {
			guid,
			name,
			...(description === undefined ? {} : { description }),
			...(icon === undefined ? {} : { icon }),
			type,
			...(me ? { scope: me.scope } : {}),
			membersCount: group.members.length,
			...(me ? { joinedAt: me.joinedAt } : {}),
			conversationId: `group_${guid}`,
			...(uid === undefined ? {} : { hasJoined: me !== undefined }),
			...(metadata === undefined ? {} : { metadata }),
			createdAt,
			...(updatedAt === undefined ? {} : { updatedAt }),
			...(updatedBy === undefined ? {} : { updatedBy }),
			owner,
			...(tags.length > 0 ? { tags } : {}),
		};
	}

	member({ uid, scope, joinedAt }: Member) {
		return { ...this.store.people.user(uid), scope, joinedAt };
	}

	bannedMember({ uid, bannedAt }: BannedMember) {
		const isShown = this.settings().bannedFields === 'ban';
		return { ...this.store.people.user(uid), ...(isShown ? { isBanned: true, bannedAt } : {}) };
	}

	message(message: StoredMessage, parts: MessageParts = {}) {
		const { action, call, deletedAt } = message;
		if (action) return this.action(message, action);
		if (call && deletedAt === undefined) return this.call(message, call);
		return this.plainMessage(message, parts);
	}

	/** Returns the message about a call in a conversation. */
	private call(message: StoredMessage, status: string) {
		const frame = this.frame(message);
		const { id, conversationId, receiverType, type, sentAt: initiatedAt } = frame;
		const [by, to] = [this.userEntity(message.sender), this.receiverEntity(message)];
		const entity = {
			...{ sessionid: `v1.us.${id}`, conversationId, receiverType, type, status, initiatedAt },
			data: { entities: { sender: by, receiver: to } },
		};
		const entities = { by, for: to, on: { entity, entityType: 'call' } };
		return { ...frame, data: { action: status, entities } };
	}

	/** Returns the action message about an edit or deletion. */
	action(note: StoredMessage, { kind, on }: MessageAction) {
		return {
			...this.frame(note),
			data: {
				action: kind,
				entities: {
					by: this.userEntity(note.sender),
					for: this.receiverEntity(note),
					on: { entity: this.plainMessage(on, { tags: true }), entityType: 'message' },
				},
			},
		};
	}

	/** Returns the action message about a group member's ban or unban. */
	memberNote(note: StoredMessage, action: 'banned' | 'unbanned', uid: string) {
		const entities = {
			by: this.userEntity(note.sender),
			for: this.receiverEntity(note),
			on: this.userEntity(uid),
		};
		return { ...this.frame(note), data: { action, entities } };
	}

	plainMessage(message: StoredMessage, { tags, reactions, me }: MessageParts) {
		const { parentId, editedAt, editedBy, deletedAt, deletedBy } = message;
		return {
			...this.frame(message),
			...(parentId === undefined ? {} : { parentId: this.id(parentId) }),
			data: {
				...(deletedAt === undefined ? this.content(message) : {}),
				entities: {
					sender: this.userEntity(message.sender),
					receiver: this.receiverEntity(message),
				},
				...(reactions ? { reactions: message.reactions.counts(me) } : {}),
				...(message.moderation ? { moderation: message.moderation } : {}),
			},
			...(tags && message.tags.length > 0 ? { tags: message.tags } : {}),
			...(editedAt === undefined ? {} : { editedAt, editedBy }),
			...(deletedAt === undefined ? {} : { deletedAt, deletedBy }),
		};
	}

	private content(message: StoredMessage) {
		const { text, metadata, attachments, customData } = message;
		const mentioned = this.store.mentioned(message);
		const mentions = Object.fromEntries(mentioned.map((uid) => [uid, this.store.people.user(uid)]));
		return {
			...(text === undefined ? {} : { text }),
			...(metadata ? { metadata } : {}),
			...(attachments ? { attachments: attachments.map((file) => this.attachment(file)) } : {}),
			...(customData ? { customData } : {}),
			...(mentioned.length > 0 ? { mentions } : {}),
		};
	}

	private attachment({ size, ...file }: Attachment) {
		const isNumber = this.settings().attachmentSize === 'number' && /^\d+$/.test(size ?? '');
		return size === undefined ? file : { ...file, size: isNumber ? Number(size) : size };
	}

	/** Returns the entries of a moderation queue, newest first. */
	queue(name: QueueName): object[] {
		const { messages, moderation } = this.store;
		if (name === 'flagged') {
			return moderation.flaggedIds().map((id) => this.flagged(messages.existing(id)));
		}
		if (name === 'blocked') {
			const entries = moderation.blockedEntries();
			return entries.map((entry) => this.blocked(entry, messages.existing(entry.messageId)));
		}
		const entries = moderation.reviewedEntries();
		return entries.map((entry) => this.reviewed(entry, messages.existing(entry.messageId)));
	}

	/** Returns a reported message with its reports. */
	private flagged(message: StoredMessage): object {
		const { moderation } = this.store;
		const reports = moderation.reportsOf(message.id);
		return {
			...this.message(message, { tags: true }),
			flaggedCount: reports.length,
			flaggedBy: reports.map(({ uid, reasonId, remark, flaggedAt }) => {
				const { name, avatar, role } = this.store.people.user(uid);
				const reason = moderation.reasons.get(reasonId);
				return {
					...{ uid, name, ...(avatar === undefined ? {} : { avatar }), role, reasonId },
					...{ reasonName: reason?.name ?? reasonId, description: reason?.description ?? '' },
					...{ remark: remark ?? '', flaggedAt },
				};
			}),
		};
	}

	/** Returns a blocked message with the rule that blocked the message. */
	private blocked({ rule, reason, createdAt }: Blocked, message: StoredMessage): object {
		return {
			...{ ruleId: rule.id, ruleName: rule.name, revisionId: '1' },
			condition: {
				id: 'c1',
				entity: 'message',
				operand: 'text',
				category: 'word',
				message: reason,
			},
			message: this.message(message, { tags: true }),
			...{ action: [rule.action], createdAt, updatedAt: createdAt },
		};
	}

	/** Returns a message that a moderator has approved or disapproved. */
	private reviewed({ hit, blockedAt, reviewedAt }: Reviewed, message: StoredMessage): object {
		return {
			...{ ruleId: hit?.rule.id ?? '', ruleName: hit?.rule.name ?? '', revisionId: '1' },
			condition: hit ? { id: 'c1', entity: 'message', message: hit.reason } : {},
			message: this.message(message, { tags: true }),
			...{ action: hit ? [hit.rule.action] : [], blockedAt: `${blockedAt}.123` },
			...{ createdAt: blockedAt, updatedAt: reviewedAt },
		};
	}

	/** Returns the fields that all messages have. */
	frame(message: StoredMessage) {
		const { id, muid, sender, receiverType, receiver, category, type, sentAt, updatedAt } = message;
		return {
			id: this.id(id),
			...(muid === undefined ? {} : { muid }),
			conversationId: conversationOf(message),
			sender,
			receiverType,
			receiver,
			category,
			type,
			sentAt,
			updatedAt,
		};
	}

	reaction(messageId: string, { id, reaction, uid, reactedAt }: StoredReaction) {
		return {
			id: this.id(id),
			messageId: this.id(messageId),
			reaction,
			uid,
			reactedAt,
			reactedBy: this.store.people.user(uid),
		};
	}

	/** Returns an ID as a string or a number, depending on the settings. */
	id(id: string): string | number {
		return this.settings().messageIds === 'number' ? Number(id) : id;
	}

	userEntity(uid: string, conversationId?: string) {
		return {
			entity: { ...this.store.people.user(uid), ...(conversationId ? { conversationId } : {}) },
			entityType: 'user',
		};
	}

	private receiverEntity(message: StoredMessage) {
		const { receiverType, receiver } = message;
		if (receiverType === 'user') return this.userEntity(receiver, conversationOf(message));
		const group = this.store.groups.get(receiver);
		if (!group) throw new NotFound(`There is no group ${receiver}`);
		const { guid, name, type, icon, owner, conversationId } = this.group(group);
		return {
			entity: { guid, name, type, ...(icon ? { icon } : {}), owner, conversationId },
			entityType: 'group',
		};
	}
}
