import type { Settings } from '../settings';
import type { JsonObject } from '../types';
import { NotFound } from './errors';
import { pageAt, type PageCursor } from './pages';
import { Reactions, type StoredReaction } from './reactions';

export interface Attachment {
	url: string;
	name?: string;
	mimeType?: string;
	extension?: string;
	/** File size in bytes. */
	size?: string;
}

export interface MessageContent {
	/** Text of a text message, or caption of a media message. */
	text?: string;
	metadata?: JsonObject;
	attachments?: Attachment[];
	/** URL of the file of a media message without attachments. */
	url?: string;
	customData?: JsonObject;
	/** A card, as the Card Builder exports it. */
	card?: JsonObject;
	/** Text that apps without cards display. */
	fallbackText?: string;
}

/** An edit or deletion that an action message reports. The action message's sender made the change. */
export interface MessageAction {
	kind: 'edited' | 'deleted';
	/** Snapshot of the edited or deleted message. */
	on: StoredMessage;
}

/** A message as stored, with individual reactions instead of reaction counts. */
export interface StoredMessage extends MessageContent {
	/** A number as a string. Later messages have higher IDs. */
	id: string;
	sender: string;
	receiverType: 'user' | 'group';
	/** UID or GUID of the receiver. */
	receiver: string;
	category: 'message' | 'custom' | 'card' | 'action' | 'call';
	type: string;
	tags: string[];
	muid?: string;
	/** ID of the message that this message replies to. */
	parentId?: string;
	/** ID of the message that this message quotes. */
	quotedMessageId?: string;
	/** Send time in Unix seconds. */
	sentAt: number;
	/** Arrival time from `performance.now()`, or -Infinity for messages created with a given send time. */
	arrivedAt: number;
	updatedAt: number;
	editedAt?: number;
	editedBy?: string;
	deletedAt?: number;
	deletedBy?: string;
	readonly reactions: Reactions;
	/** Moderation status, which can change after the message was sent. */
	moderation?: {
		status: 'pending' | 'approved' | 'disapproved';
		rule?: { id: string; name: string };
	};
	/** Only present in action messages. */
	action?: MessageAction;
	/** Status of the call, e.g. `initiated`. Only present in call messages. */
	call?: string;
}

export type NewMessage = Pick<StoredMessage, 'sender' | 'receiver'> & Partial<StoredMessage>;

/** A sample message and its reactions, in chronological order. */
export interface SampleMessage {
	message: NewMessage & { sentAt: number };
	reactions: Array<{ reaction: string; uid: string }>;
}

const MENTION = /<@uid:([a-z0-9_-]+)>/gi;

/** Returns the UIDs of mentioned users. The service's clients write mentions as `<@uid:UID>`. */
export function mentionsIn(text = ''): string[] {
	return [...new Set(Array.from(text.matchAll(MENTION), ([, uid = '']) => uid.toLowerCase()))];
}

/** True if a message is pending or blocked. Only the sender and the app can see such a message. */
export const isHidden = ({ moderation }: StoredMessage): boolean =>
	moderation !== undefined && moderation.status !== 'approved';

/** True if a message is so new that users are denied access. */
export const isAccessDelayed = ({ arrivedAt }: StoredMessage, { accessDelay }: Settings): boolean =>
	performance.now() - arrivedAt < accessDelay * 1000;

/**
 * Returns the ID of a message's conversation. A conversation between two users has two IDs, one for each
 * direction.
 */
export function conversationOf({ sender, receiverType, receiver }: StoredMessage): string {
	return receiverType === 'group' ? `group_${receiver}` : `${sender}_user_${receiver}`;
}

/** Stores messages, sorted by ID. */
export class Messages {
	private readonly byId = new Map<string, StoredMessage>();
	private readonly muids = new Set<string>();
	private ordered: StoredMessage[] = [];
	private lastReaction = 0;
	private lastMessage = 98;

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
	 * Returns a message's reaction counts from a user's perspective.
	 *
	 * @throws {NotFound} if no such message exists
	 */
	reactionsOf(id: string, uid?: string) {
		return this.existing(id).reactions.counts(uid);
	}

	/** True if the sender has already sent a message with this `muid`. */
	hasMuid(sender: string, muid: string): boolean {
		return this.muids.has(JSON.stringify([sender, muid]));
	}

	/** Creates a message with the next ID, but doesn't store the message. */
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

	/** Creates a message with the next ID and stores the message. */
	add(fields: NewMessage, now: number): StoredMessage {
		const message = this.create(fields, now);
		this.byId.set(message.id, message);
		this.ordered.push(message);
		if (message.muid !== undefined) this.muids.add(JSON.stringify([message.sender, message.muid]));
		return message;
	}

	/** Permanently removes all messages that match. */
	remove(isGone: (message: StoredMessage) => boolean): void {
		for (const message of this.ordered.filter(isGone)) this.byId.delete(message.id);
		this.ordered = this.ordered.filter((message) => this.byId.has(message.id));
	}

	/**
	 * Adds a reaction, or returns the user's existing reaction.
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

	/** Returns one page of matching messages that aren't hidden, in ascending order. */
	page(matches: (message: StoredMessage) => boolean, cursor: PageCursor) {
		return pageAt(
			this.ordered.filter((message) => !isHidden(message) && matches(message)),
			cursor,
		);
	}
}
