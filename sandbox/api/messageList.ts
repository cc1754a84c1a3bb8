import type { StoredGroup } from '../data/groups';
import type { ApiResponse } from '../errors';
import { conversationOf, mentionsIn, type StoredMessage } from '../store/messages';
import type { Affix, IdCursor } from '../types';
import { ok, type Call } from './call';

const DEFAULT_LIMIT = 10;
const LINK = /https?:\/\//i;

type Check = (message: StoredMessage) => boolean;

/** Filters that ask whether a message has something: true keeps the messages that have it, false has no effect. */
const HAS: Record<string, Check> = {
	hasAttachments: ({ attachments = [] }) => attachments.length > 0,
	hasLinks: ({ text = '' }) => LINK.test(text),
	hasMentions: ({ text }) => mentionsIn(text).length > 0,
	hasReactions: ({ reactions }) => reactions.size > 0,
	hideReplies: ({ parentId }) => parentId === undefined,
	hideDeleted: ({ deletedAt }) => deletedAt === undefined,
	onlyDeleted: ({ deletedAt }) => deletedAt !== undefined,
};

/** Filters that compare a value. A deleted message says nothing, so a search does not find it. */
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
		// Two users share one conversation, whose messages name it in two ways.
		const other = receiverType === 'user' ? `${receiver}_user_${sender}` : undefined;
		return conversationOf(message) === id || other === id;
	},
	fromTimestamp: (seconds) => (message) => message.sentAt >= Number(seconds),
	toTimestamp: (seconds) => (message) => message.sentAt <= Number(seconds),
};

const isOn = (value: unknown): boolean => value === true || value === 1;

function matcher({ query, settings, store, uid }: Call, group: StoredGroup | undefined): Check {
	const checks: Check[] = [];
	if (group) {
		checks.push(
			({ receiverType, receiver }) => receiverType === 'group' && receiver === group.guid,
		);
	} else if (uid !== undefined) {
		checks.push((message) => store.canSee(message, uid));
	}
	if (!settings.listActions) checks.push(({ category }) => category !== 'action');
	for (const [name, check] of Object.entries(HAS)) if (isOn(query[name])) checks.push(check);
	for (const [name, compare] of Object.entries(COMPARES)) {
		// The service ignores one without the other
		if (name === 'toTimestamp' && query.fromTimestamp === undefined) continue;
		const value = query[name];
		if (value !== undefined) checks.push(compare(String(value)));
	}
	const { categories, types, tags } = query as Record<string, string[] | undefined>;
	if (categories) checks.push(({ category }) => categories.includes(category));
	if (types) checks.push(({ type }) => types.includes(type));
	if (tags) checks.push((message) => message.tags.some((tag) => tags.includes(tag)));
	return (message) => checks.every((check) => check(message));
}

/** One page of the messages of a group, or of all that the user may see. */
export function listOf(call: Call, group?: StoredGroup): ApiResponse {
	const { query, settings, store, views, uid } = call;
	const asked = Number(query.limit ?? DEFAULT_LIMIT);
	const { maxMessagesPerPage: most } = settings;
	const affix = (query.affix as Affix | undefined) ?? settings.withoutAffix;
	const id = query.id === undefined ? undefined : String(query.id);
	const { messages, hasMore } = store.messagePage({
		matches: matcher(call, group),
		affix,
		id,
		inclusive: settings.idBoundary === 'inclusive',
		limit: most > 0 ? Math.min(asked, most) : asked,
	});
	const parts = { tags: isOn(query.withTags), reactions: settings.reactionsInMessages, me: uid };
	const data = messages.map((message) => views.message(message, parts));
	if (settings.messageOrder === 'descending') data.reverse();
	const shown = edges(call, { messages, hasMore, affix, id });
	const count = data.length;
	if (settings.messagesMeta === 'next') {
		return ok(data, { meta: { current: { limit: asked, count }, ...shown } });
	}
	const total_pages = hasMore ? 2 : 1;
	const pages = { total: 0, count, per_page: asked, current_page: 1, total_pages };
	return ok(data, { meta: { pagination: pages, ...(shown.next ? { cursor: shown.next } : {}) } });
}

/** `meta.next` goes on in the direction of the page, `meta.previous` back. */
function edges(
	{ settings, views, query }: Call,
	{ messages, hasMore, affix, id }: PageFound,
): { next?: IdCursor; previous?: IdCursor } {
	const cursor = (to: Affix, edge: StoredMessage): IdCursor => ({
		affix: to,
		id: views.id(edge.id),
		sentAt: edge.sentAt,
	});
	const [oldest, newest] = [messages.at(0), messages.at(-1)];
	const forwards = affix === 'append';
	const last = forwards ? newest : oldest;
	const first = forwards ? oldest : newest;
	if (!last || !first) {
		// An empty page leads nowhere but to where it was asked for.
		const here = id === undefined ? undefined : { affix, id: views.id(id) };
		return settings.nextShown === 'always' && here ? { next: here } : {};
	}
	const isShown = settings.nextShown === 'always' || (settings.nextShown === 'more' && hasMore);
	return {
		...(isShown ? { next: cursor(affix, last) } : {}),
		...(query.id === undefined ? {} : { previous: cursor(forwards ? 'prepend' : 'append', first) }),
	};
}

interface PageFound {
	messages: StoredMessage[];
	hasMore: boolean;
	affix: Affix;
	id: string | undefined;
}
