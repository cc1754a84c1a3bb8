import type { BannedMember, Member, StoredGroup } from './data/sample';
import type { Settings } from './settings';
import { memberOf } from './store/groups';
import {
	conversationOf,
	isAccessDelayed,
	type Attachment,
	type MessageAction,
	type StoredMessage,
} from './store/messages';
import type { Blocked, Reviewed } from './store/moderation';
import type { StoredReaction } from './store/reactions';
import type { Store } from './store/store';
import { compact } from './types';

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
	/** @param toUrl returns the address of a file, given the stored URL */
	constructor(
		private readonly store: Store,
		private readonly settings: () => Settings,
		private readonly toUrl: (stored: string) => string = (stored) => stored,
	) {}

	/** Returns a group, including the membership of the user `uid` if given. */
	group(group: StoredGroup, uid?: string) {
		const { guid, name, description, icon, type, owner, tags, metadata, createdAt } = group;
		const { updatedBy } = group;
		const me = uid === undefined ? undefined : memberOf(group, uid);
		return compact({
			guid,
			name,
			description,
			icon,
			type,
			scope: me?.scope,
			membersCount: group.members.length,
			joinedAt: me?.joinedAt,
			conversationId: `group_${guid}`,
			hasJoined: uid === undefined ? undefined : me !== undefined,
			metadata,
			createdAt,
			updatedAt: this.settings().hideUpdatedAt ? undefined : group.updatedAt,
			updatedBy,
			owner,
			tags: tags.length > 0 ? tags : undefined,
		});
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
		const { parentId, quotedMessageId, editedAt, editedBy, deletedAt, deletedBy } = message;
		const isPending = isAccessDelayed(message, this.settings());
		return compact({
			...this.frame(message),
			parentId: parentId === undefined ? undefined : this.id(parentId),
			quotedMessageId: quotedMessageId === undefined ? undefined : this.id(quotedMessageId),
			quotedMessage: deletedAt === undefined ? this.quotedMessage(message) : undefined,
			data: compact({
				...(deletedAt === undefined ? this.content(message) : {}),
				entities: {
					sender: this.userEntity(message.sender),
					receiver: this.receiverEntity(message),
				},
				reactions: reactions ? message.reactions.counts(me) : undefined,
				moderation: isPending ? { status: 'pending' } : message.moderation,
			}),
			tags: tags && message.tags.length > 0 ? message.tags : undefined,
			...{ editedAt, editedBy, deletedAt, deletedBy },
		});
	}

	/** Returns the message that a message quotes, without the message that this message quotes itself. */
	private quotedMessage({ quotedMessageId = '' }: StoredMessage): object | undefined {
		const quoted = this.store.messages.get(quotedMessageId);
		if (!quoted || this.settings().quotedMessages === 'id') return undefined;
		return this.plainMessage({ ...quoted, quotedMessageId: undefined }, {});
	}

	private content(message: StoredMessage) {
		const { text, metadata, attachments, url, customData, card, fallbackText } = message;
		const mentioned = this.store.mentioned(message);
		const mentions = Object.fromEntries(mentioned.map((uid) => [uid, this.store.people.user(uid)]));
		return {
			...{ text, metadata, url, customData, card, fallbackText },
			attachments: attachments?.map((file) => this.attachment(file)),
			mentions: mentioned.length > 0 ? mentions : undefined,
		};
	}

	private attachment({ size, ...stored }: Attachment) {
		const file = { ...stored, url: this.toUrl(stored.url) };
		const isNumber = this.settings().attachmentSize === 'number' && /^\d+$/.test(size ?? '');
		return size === undefined ? file : { ...file, size: isNumber ? Number(size) : size };
	}

	/** Returns the entries of a moderation queue, newest first. Messages that no longer exist are left out. */
	queue(name: QueueName): object[] {
		const { messages, moderation } = this.store;
		const isStored = (id: string) => messages.get(id) !== undefined;
		const onlyStored = <T extends { messageId: string }>(entries: T[]) =>
			entries.filter(({ messageId }) => isStored(messageId));
		if (name === 'flagged') {
			const ids = moderation.flaggedIds().filter(isStored);
			return ids.map((id) => this.flagged(messages.existing(id)));
		}
		return name === 'blocked'
			? onlyStored(moderation.blockedEntries()).map((entry) => this.blocked(entry))
			: onlyStored(moderation.reviewedEntries()).map((entry) => this.reviewed(entry));
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
				return compact({
					...{ uid, name, avatar, role, reasonId, reasonName: reason?.name ?? reasonId },
					...{ description: reason?.description ?? '', remark: remark ?? '', flaggedAt },
				});
			}),
		};
	}

	/** Returns a blocked message with the rule that blocked the message. */
	private blocked({ messageId, rule, reason, createdAt }: Blocked): object {
		return {
			...{ ruleId: rule.id, ruleName: rule.name, revisionId: '1' },
			condition: {
				id: 'c1',
				entity: 'message',
				operand: 'text',
				category: 'word',
				message: reason,
			},
			message: this.message(this.store.messages.existing(messageId), { tags: true }),
			...{ action: [rule.action], createdAt, updatedAt: createdAt },
		};
	}

	/** Returns a message that a moderator has approved or disapproved. */
	private reviewed({ messageId, hit, blockedAt, reviewedAt }: Reviewed): object {
		return {
			...{ ruleId: hit?.rule.id ?? '', ruleName: hit?.rule.name ?? '', revisionId: '1' },
			condition: hit ? { id: 'c1', entity: 'message', message: hit.reason } : {},
			message: this.message(this.store.messages.existing(messageId), { tags: true }),
			...{ action: hit ? [hit.rule.action] : [], blockedAt: `${blockedAt}.123` },
			...{ createdAt: blockedAt, updatedAt: reviewedAt },
		};
	}

	/** Returns the fields that all messages have. */
	frame(message: StoredMessage) {
		const { id, muid, sender, receiverType, receiver, category, type, sentAt, updatedAt } = message;
		return compact({
			id: this.id(id),
			muid,
			conversationId: conversationOf(message),
			...{ sender, receiverType, receiver, category, type, sentAt, updatedAt },
		});
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
		const entity = compact({ ...this.store.people.user(uid), conversationId });
		return { entity, entityType: 'user' };
	}

	private receiverEntity(message: StoredMessage) {
		const { receiverType, receiver } = message;
		if (receiverType === 'user') return this.userEntity(receiver, conversationOf(message));
		const group = this.group(this.store.groups.existing(receiver));
		const { guid, name, type, icon, owner, conversationId } = group;
		const entity = compact({ guid, name, type, icon, owner, conversationId });
		return { entity, entityType: 'group' };
	}
}
