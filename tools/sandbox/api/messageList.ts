import type { QueryValues } from '../contract';
import { Refusal, type ApiResponse } from '../errors';
import { conversationOf, mentionsIn, type StoredMessage } from '../store/messages';
import type { Store } from '../store/store';
import type { Affix } from '../types';
import { ok, type Call } from './call';
import { currentOf, isNextShown, pageOf, slice } from './pages';

const DEFAULT_LIMIT = 10;
const TYPES = ['text', 'image', 'file', 'audio', 'video', 'message', 'groupMember'];
const LINK = /https?:\/\//i;

type Check = (message: StoredMessage) => boolean;

const hasAttachments: Check = ({ attachments = [] }) => attachments.length > 0;

/** Boolean filters. True keeps only matching messages, and false has no effect. */
const HAS: Record<string, Check> = {
	hasAttachments,
	hasLinks: ({ text = '' }) => LINK.test(text),
	hasMentions: ({ text }) => mentionsIn(text).length > 0,
	hasReactions: ({ reactions }) => reactions.size > 0,
	hideReplies: ({ parentId }) => parentId === undefined,
	hideDeleted: ({ deletedAt }) => deletedAt === undefined,
	onlyDeleted: ({ deletedAt }) => deletedAt !== undefined,
};

/** Filters that take one value. Searches skip deleted messages, because deleted messages have no text. */
const COMPARES: Record<string, (value: string) => Check> = {
	searchKey: (key) => {
		const keyword = key.toLowerCase();
		return ({ text = '', deletedAt }) =>
			deletedAt === undefined && text.toLowerCase().includes(keyword);
	},
	sender: (uid) => (message) => message.sender === uid.toLowerCase(),
	receiverType: (type) => (message) => message.receiverType === type,
	conversationId: (id) => (message) => {
		const { receiverType, receiver, sender } = message;
		// A conversation between two users has two IDs, one for each direction
		const other = receiverType === 'user' ? `${receiver}_user_${sender}` : undefined;
		return conversationOf(message) === id || other === id;
	},
	fromTimestamp: (seconds) => (message) => message.sentAt >= Number(seconds),
	toTimestamp: (seconds) => (message) => message.sentAt <= Number(seconds),
};

/** Filters that take a list of values and match any of them. */
const ANY_OF: Record<string, (values: string[]) => Check> = {
	categories: (values) => (message) => values.includes(message.category),
	types: (values) => (message) => values.includes(message.type),
	tags: (values) => (message) => message.tags.some((tag) => values.includes(tag)),
	attachmentTypes: (values) => (message) =>
		hasAttachments(message) && values.includes(message.type),
	mentionedUids: (values) => (message) =>
		mentionsIn(message.text).some((uid) => values.some((value) => value.toLowerCase() === uid)),
};

/** Filters that depend on the acting user. */
const OF_USER: Record<string, (uid: string, store: Store) => Check> = {
	unread: (uid, store) => (message) => !store.conversations.isRead(message, uid),
	myMentionsOnly: (uid) => (message) => mentionsIn(message.text).includes(uid),
};

const isOn = (value: unknown): boolean => value === true || value === 1;

function matcher({ query, settings, store, uid }: Call, isIn: Check): Check {
	const checks: Check[] = [isIn];
	if (settings.unknownTypes === 'refuse') requireKnownTypes(store, query);
	if (!settings.listActions) checks.push(({ category }) => category !== 'action');
	for (const [name, check] of Object.entries(HAS)) if (isOn(query[name])) checks.push(check);
	for (const [name, compare] of Object.entries(COMPARES)) {
		// The service ignores toTimestamp without fromTimestamp
		if (name === 'toTimestamp' && query.fromTimestamp === undefined) continue;
		const value = query[name];
		if (value !== undefined) checks.push(compare(String(value)));
	}
	for (const [name, anyOf] of Object.entries(ANY_OF)) {
		const values = query[name];
		if (Array.isArray(values)) checks.push(anyOf(values));
	}
	for (const [name, of] of Object.entries(OF_USER)) {
		if (isOn(query[name]) && uid !== undefined) checks.push(of(uid, store));
	}
	return (message) => checks.every((check) => check(message));
}

/** @throws {Refusal} if a requested type is neither built in nor used by a message */
function requireKnownTypes({ messages }: Store, { type = [], types = [] }: QueryValues): void {
	const known = new Set([...TYPES, ...messages.all().map((message) => message.type)]);
	const isUnknown = [type, types].flat().some((name) => !known.has(String(name)));
	if (isUnknown)
		throw new Refusal('ERR_BAD_REQUEST', '', { types: ['The selected type is invalid.'] });
}

/** Returns a check for messages that the acting user is allowed to see. */
const visible =
	({ store, uid }: Call): Check =>
	(message) =>
		uid === undefined || store.canSee(message, uid);

/** Returns one page of messages, by default from all messages that the acting user is allowed to see. */
export function listOf(call: Call, isIn = visible(call)): ApiResponse {
	const { data, asked, ...found } = pageOfMessages(call, isIn);
	const shown = edges(call, found);
	const count = data.length;
	if (call.settings.messagesMeta === 'next') {
		return ok(data, { meta: { current: currentOf(call.settings, asked, count), ...shown } });
	}
	const total_pages = found.hasMore ? 2 : 1;
	const pagination = { total: 0, count, per_page: asked, current_page: 1, total_pages };
	return ok(data, { meta: { pagination, cursor: shown.next } });
}

/**
 * Returns one page of messages to or from a user. If another user acts, the page only contains messages
 * between these two users.
 */
export function userMessagesOf(call: Call, uid: string): ApiResponse {
	const isSeen = visible(call);
	const { data, asked, affix, page } = pageOfMessages(
		call,
		(message) =>
			message.receiverType === 'user' &&
			[message.sender, message.receiver].includes(uid) &&
			isSeen(message),
	);
	const edge = page.at(affix === 'append' ? -1 : 0);
	const [count, per_page] = [data.length, asked];
	const pagination = { total: 0, count, per_page, current_page: 1, total_pages: 1 };
	return ok(data, { meta: { pagination, cursor: edge && { id: call.views.id(edge.id), affix } } });
}

/** Returns one page of replies to a message, oldest first. */
export function threadOf(call: Call, parent: StoredMessage): ApiResponse {
	const { query, settings, store, views, uid } = call;
	const hasNumbers = settings.threadPages === 'number';
	const from = hasNumbers ? 0 : Number(query.id ?? 0);
	const replies = store.messages
		.all()
		.filter(({ id, parentId }) => parentId === parent.id && Number(id) > from);
	const asked = pageOf(query, settings);
	const page = slice(replies, hasNumbers ? asked : { ...asked, number: 1 });
	const parts = { tags: true, reactions: settings.reactionsInMessages, me: uid };
	const hasMore = page.at(-1) !== replies.at(-1);
	const { next } = edges(call, { page, hasMore, affix: 'append' });
	return ok(
		page.map((message) => views.message(message, parts)),
		{ meta: { current: currentOf(settings, asked.asked, page.length), next } },
	);
}

function pageOfMessages(call: Call, isIn: Check): PageFound & { data: object[]; asked: number } {
	const { query, settings, store, views, uid } = call;
	const asked = Number(query.limit ?? query.perPage ?? DEFAULT_LIMIT);
	const { maxMessagesPerPage: most } = settings;
	const affix = (query.affix as Affix | undefined) ?? settings.withoutAffix;
	const id = query.id === undefined ? undefined : String(query.id);
	const inclusive = settings.idBoundary === 'inclusive';
	const limit = most > 0 ? Math.min(asked, most) : asked;
	const found = store.messages.page(matcher(call, isIn), { affix, id, inclusive, limit });
	const parts = { tags: isOn(query.withTags), reactions: settings.reactionsInMessages, me: uid };
	const data = found.page.map((message) => views.message(message, parts));
	if (settings.messageOrder === 'descending') data.reverse();
	return { data, asked, ...found, affix, id };
}

/** Returns a page's cursors. `next` continues in the same direction, and `previous` goes back. */
function edges({ settings, views, query }: Call, { page, hasMore, affix, id }: PageFound) {
	const cursorAt = (to: Affix) => {
		const edge = page.at(to === 'append' ? -1 : 0);
		return edge && { affix: to, id: views.id(edge.id), sentAt: edge.sentAt };
	};
	if (page.length === 0) {
		// An empty page has no items to take a cursor from, so it returns the cursor it was requested with
		const isShown = settings.nextShown === 'always' && id !== undefined;
		return { next: isShown ? { affix, id: views.id(id) } : undefined };
	}
	const back = affix === 'append' ? 'prepend' : 'append';
	return {
		next: isNextShown(settings, hasMore) ? cursorAt(affix) : undefined,
		previous: query.id === undefined ? undefined : cursorAt(back),
	};
}

interface PageFound {
	page: StoredMessage[];
	hasMore: boolean;
	affix: Affix;
	id?: string;
}
