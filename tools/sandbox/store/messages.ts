import type { Affix, JsonObject } from '../types';
import { NotFound } from './errors';
import { Reactions, type StoredReaction } from './reactions';

/** What a message says. */
export interface MessageContent {
	/** Of a media message: its caption. */
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
	/** The message as it was then. */
	on: StoredMessage;
}

/** A message with its single reactions instead of counts. */
export interface StoredMessage extends MessageContent {
	/** Digits; a later message has a higher number. */
	id: string;
	sender: string;
	receiverType: 'user' | 'group';
	/** UID or GUID. */
	receiver: string;
	category: 'message' | 'custom' | 'action';
	type: string;
	tags: string[];
	muid?: string;
	/** Id of the message that this one replies to. */
	parentId?: string;
	/** Unix seconds, as all times here. */
	sentAt: number;
	/** When it came in, by `performance.now()`; one that was sent at a given time was always there. */
	arrivedAt: number;
	updatedAt: number;
	editedAt?: number;
	editedBy?: string;
	deletedAt?: number;
	deletedBy?: string;
	readonly reactions: Reactions;
	/** What moderation says of it; it may be another one a moment after it was sent */
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

/** A message that is there from the start, and who reacted to it, in the order in which they did. */
export interface SampleMessage {
	message: NewMessage & { sentAt: number };
	reactions: Array<{ reaction: string; uid: string }>;
}

/** Which messages are asked for, and from where on. */
export interface MessageQuery {
	matches(message: StoredMessage): boolean;
	/** Towards newer messages, or towards older ones. */
	affix: Affix;
	/** The message to start at; without it, the oldest for append and the newest for prepend. */
	id?: string;
	/** Whether that message itself may be among them. */
	inclusive: boolean;
	limit: number;
}

const MENTION = /<@uid:([a-z0-9_-]+)>/gi;

/** UIDs that a text mentions, as the service's clients write it: `<@uid:UID>`. */
export function mentionsIn(text = ''): string[] {
	return [...new Set([...text.matchAll(MENTION)].map(([, uid]) => uid.toLowerCase()))];
}

/** Whether only its sender and the app may see a message: it waits for a decision, or was blocked. */
export const isHidden = ({ moderation }: StoredMessage): boolean =>
	moderation !== undefined && moderation.status !== 'approved';

/** A conversation as its messages name it: a user's with another one has a name in each direction. */
export function conversationOf({ sender, receiverType, receiver }: StoredMessage): string {
	return receiverType === 'group' ? `group_${receiver}` : `${sender}_user_${receiver}`;
}

/** The messages, in the order of their ids. */
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

	get count(): number {
		return this.ordered.length;
	}

	get(id: string): StoredMessage | undefined {
		return this.byId.get(id);
	}

	/** @throws {NotFound} when there is no such message */
	existing(id: string): StoredMessage {
		const message = this.byId.get(id);
		if (!message) throw new NotFound(`There is no message ${id}`);
		return message;
	}

	/**
	 * The reactions of a message, as one user sees them.
	 *
	 * @throws {NotFound} when there is no such message
	 */
	reactionsOf(id: string, uid?: string) {
		return this.existing(id).reactions.counts(uid);
	}

	/** Whether a sender has used a `muid` before. */
	hasMuid(sender: string, muid: string): boolean {
		return this.muids.has(JSON.stringify([sender, muid]));
	}

	/** A message with the next id, which is in no list. */
	made({ tags = [], ...fields }: NewMessage, now: number): StoredMessage {
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

	/** Adds a message with the next id. */
	add(fields: NewMessage, now: number): StoredMessage {
		const message = this.made(fields, now);
		this.byId.set(message.id, message);
		this.ordered.push(message);
		if (message.muid !== undefined) this.muids.add(JSON.stringify([message.sender, message.muid]));
		return message;
	}

	/** Removes messages for good. */
	remove(isGone: (message: StoredMessage) => boolean): void {
		for (const message of this.ordered.filter(isGone)) this.byId.delete(message.id);
		this.ordered = this.ordered.filter((message) => this.byId.has(message.id));
	}

	/**
	 * Adds a reaction, or finds it when the user has made it before.
	 *
	 * @throws {NotFound} when there is no such message
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
	 * The messages of one page, by ascending id, and whether more follow in that direction. Looks only at as many messages as
	 * it takes to fill the page.
	 */
	page({ matches, affix, id, inclusive, limit }: MessageQuery): {
		messages: StoredMessage[];
		hasMore: boolean;
	} {
		const forwards = affix === 'append';
		const step = forwards ? 1 : -1;
		const found: StoredMessage[] = [];
		let index = this.start(forwards, id, inclusive);
		for (; index >= 0 && index < this.ordered.length && found.length <= limit; index += step) {
			const message = this.ordered[index];
			if (!isHidden(message) && matches(message)) found.push(message);
		}
		const messages = found.slice(0, limit);
		return { messages: forwards ? messages : messages.reverse(), hasMore: found.length > limit };
	}

	private start(forwards: boolean, id: string | undefined, inclusive: boolean): number {
		if (id === undefined) return forwards ? 0 : this.ordered.length - 1;
		const wanted = Number(id);
		const at = this.firstFrom(wanted);
		const isThere = at < this.ordered.length && Number(this.ordered[at].id) === wanted;
		if (forwards) return isThere && !inclusive ? at + 1 : at;
		return isThere && inclusive ? at : at - 1;
	}

	/** The place of the first message whose id is at least this number. */
	private firstFrom(wanted: number): number {
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
