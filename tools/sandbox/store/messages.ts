import type { Affix, JsonObject } from '../types';
import { NotFound } from './errors';
import { Reactions, type StoredReaction } from './reactions';

/** Content of a message. */
export interface MessageContent {
	/** Text, or the caption of a media message. */
	text?: string;
	metadata?: JsonObject;
	attachments?: Array<{
		url: string;
		name?: string;
		mimeType?: string;
		extension?: string;
		/** Bytes. */
		size?: string;
	}>;
	customData?: JsonObject;
}

/** An edit or deletion by the sender of the action message. */
export interface MessageAction {
	kind: 'edited' | 'deleted';
	/** The message at the time of the action. */
	on: StoredMessage;
}

/** A message with individual reactions instead of counts. */
export interface StoredMessage extends MessageContent {
	/** Digits. Later messages have higher numbers. */
	id: string;
	sender: string;
	receiverType: 'user' | 'group';
	/** UID or GUID. */
	receiver: string;
	category: 'message' | 'custom' | 'action';
	type: string;
	tags: string[];
	muid?: string;
	/** ID of the message that this message replies to. */
	parentId?: string;
	/** Unix seconds, like all times here. */
	sentAt: number;
	/** Arrival by `performance.now()`. -Infinity for a message with a given time. */
	arrivedAt: number;
	updatedAt: number;
	editedAt?: number;
	editedBy?: string;
	deletedAt?: number;
	deletedBy?: string;
	readonly reactions: Reactions;
	/** State of the moderation, which can change after the message was sent. */
	moderation?: {
		status: 'pending' | 'approved' | 'disapproved';
		rule?: { id: string; name: string };
	};
	/** Present in messages of the category action. */
	action?: MessageAction;
}

export type NewMessage = MessageContent &
	Pick<StoredMessage, 'sender' | 'receiver'> &
	Partial<
		Pick<
			StoredMessage,
			'receiverType' | 'category' | 'type' | 'tags' | 'muid' | 'parentId' | 'sentAt' | 'action'
		>
	>;

/** A message of the sample data and its reactions, in order. */
export interface SampleMessage {
	message: NewMessage & { sentAt: number };
	reactions: Array<{ reaction: string; uid: string }>;
}

/** Filter, start and direction of a page of messages. */
export interface MessageQuery {
	matches(message: StoredMessage): boolean;
	/** Append for newer messages, prepend for older ones. */
	affix: Affix;
	/** ID to start at. Default: the oldest message for append, the newest for prepend. */
	id?: string;
	/** True if the page can include the message `id`. */
	inclusive: boolean;
	limit: number;
}

const MENTION = /<@uid:([a-z0-9_-]+)>/gi;

/** UIDs of mentions, in the form `<@uid:UID>` that the service's clients write. */
export function mentionsIn(text = ''): string[] {
	return [...new Set([...text.matchAll(MENTION)].map(([, uid]) => uid.toLowerCase()))];
}

/** True if only the sender and the app may see a message, because it's pending or blocked. */
export const isHidden = ({ moderation }: StoredMessage): boolean =>
	moderation !== undefined && moderation.status !== 'approved';

/** ID of a message's conversation. A conversation of two users has an ID in each direction. */
export function conversationOf({ sender, receiverType, receiver }: StoredMessage): string {
	return receiverType === 'group' ? `group_${receiver}` : `${sender}_user_${receiver}`;
}

/** Messages in the order of their IDs. */
export class Messages {
	private readonly byId = new Map<string, StoredMessage>();
	private readonly muids = new Set<string>();
	private ordered: StoredMessage[] = [];
	private lastReaction = 0;
	private lastMessage = 100;

	constructor(samples: SampleMessage[]) {
		for (const { message, reactions } of samples) {
			const { id } = this.add(message, message.sentAt);
			reactions.forEach(({ uid, reaction }, index) =>
				this.react(id, uid, reaction, message.sentAt + 30 * (index + 1)),
			);
		}
	}

	all(): StoredMessage[] {
		return [...this.ordered];
	}

	get(id: string): StoredMessage | undefined {
		return this.byId.get(id);
	}

	/** @throws {NotFound} if no such message exists */
	existing(id: string): StoredMessage {
		const message = this.byId.get(id);
		if (!message) throw new NotFound(`There is no message ${id}`);
		return message;
	}

	/**
	 * Reactions to a message, as a user sees them.
	 *
	 * @throws {NotFound} if no such message exists
	 */
	reactionsOf(id: string, uid?: string) {
		return this.existing(id).reactions.counts(uid);
	}

	/** True if a sender has already used a `muid`. */
	hasMuid(sender: string, muid: string): boolean {
		return this.muids.has(JSON.stringify([sender, muid]));
	}

	/** Creates a message with the next ID without adding it to a list. */
	create({ tags = [], ...fields }: NewMessage, now: number): StoredMessage {
		const sentAt = fields.sentAt ?? now;
		return {
			receiverType: 'group',
			category: 'message',
			type: 'text',
			...fields,
			id: String(++this.lastMessage),
			tags,
			sentAt,
			arrivedAt: fields.sentAt === undefined ? performance.now() : -Infinity,
			updatedAt: sentAt,
			reactions: new Reactions(),
		};
	}

	/** Adds a message with the next ID. */
	add(fields: NewMessage, now: number): StoredMessage {
		const message = this.create(fields, now);
		this.byId.set(message.id, message);
		this.ordered.push(message);
		if (message.muid !== undefined) this.muids.add(JSON.stringify([message.sender, message.muid]));
		return message;
	}

	/** Removes messages permanently. */
	remove(isGone: (message: StoredMessage) => boolean): void {
		for (const message of this.ordered.filter(isGone)) this.byId.delete(message.id);
		this.ordered = this.ordered.filter((message) => this.byId.has(message.id));
	}

	/**
	 * Adds a reaction, or finds the user's existing one.
	 *
	 * @throws {NotFound} if no such message exists
	 */
	react(
		id: string,
		uid: string,
		reaction: string,
		reactedAt: number,
	): { entry: StoredReaction; isNew: boolean } {
		const { reactions } = this.existing(id);
		const known = reactions.find(reaction, uid);
		if (known) return { entry: known, isNew: false };
		const entry = { id: String(++this.lastReaction), reaction, uid, reactedAt };
		reactions.add(entry);
		return { entry, isNew: true };
	}

	/**
	 * One page of messages in ascending order, and true if more messages follow in its direction. Stops at the
	 * first message after the page.
	 */
	page({ matches, affix, id, inclusive, limit }: MessageQuery): {
		messages: StoredMessage[];
		hasMore: boolean;
	} {
		const forwards = affix === 'append';
		const step = forwards ? 1 : -1;
		const found: StoredMessage[] = [];
		let index = this.startIndex(forwards, id, inclusive);
		for (; index >= 0 && index < this.ordered.length && found.length <= limit; index += step) {
			const message = this.ordered[index];
			if (!isHidden(message) && matches(message)) found.push(message);
		}
		const messages = found.slice(0, limit);
		return { messages: forwards ? messages : messages.reverse(), hasMore: found.length > limit };
	}

	private startIndex(forwards: boolean, id: string | undefined, inclusive: boolean): number {
		if (id === undefined) return forwards ? 0 : this.ordered.length - 1;
		const wanted = Number(id);
		const at = this.indexFrom(wanted);
		const isThere = at < this.ordered.length && Number(this.ordered[at].id) === wanted;
		if (forwards) return isThere && !inclusive ? at + 1 : at;
		return isThere && inclusive ? at : at - 1;
	}

	/** Index of the first message whose ID is at least this number. */
	private indexFrom(wanted: number): number {
		let low = 0;
		let high = this.ordered.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (Number(this.ordered[middle].id) < wanted) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
