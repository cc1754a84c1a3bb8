import type { Member, StoredGroup } from '../../../tools/sandbox/data/sample';
import type { StoredMessage } from '../../../tools/sandbox/store/messages';
import type { StoredReaction } from '../../../tools/sandbox/store/reactions';
import type { User } from '../../../tools/sandbox/types';
import type { QueueName, Views } from '../../../tools/sandbox/views';
import {
	bannedColumns,
	blockedColumns,
	groupColumns,
	memberColumns,
	messageColumns,
	queueColumns,
	reactionColumns,
	userColumns,
	type Columns,
	type ListCall,
	type QueueEntry,
} from './columns';
import { choice, choices, date, id, ids, text, texts, toggle, whole, type Read } from './readers';

/** Thrown if CometChat refuses the request. The message is the start of the node's error. */
export class Refused extends Error {}

/** A parameter of the node. */
export interface Field {
	label: string;
	read: Read;
	/** Label and path of a parameter that must be set, too. */
	needs?: [label: string, path: string];
	/** Path of a parameter that must not be set, too. */
	excludes?: string;
	/** Values of 'Messages Of' with which the editor shows the parameter. */
	of?: string[];
	isRequired?: boolean;
	/** True to refuse empty results of an expression, which would change who acts. */
	isActor?: boolean;
}

/** A filter, and a function that returns true if an entry stays in the list. */
interface Filter<Entry> extends Field {
	keeps: (entry: Entry, value: never, call: ListCall) => boolean;
}

/** A list operation. */
export interface List<Entry = never> {
	/** Name of the entries in hints. */
	plural: string;
	fields: Record<string, Field>;
	filters?: Record<string, Filter<Entry>>;
	/** Returns the entries before filtering, in CometChat's order. Throws if CometChat refuses the request. */
	find: (call: ListCall) => object[];
	columns: (call: ListCall) => Columns<Entry>;
	/** Names of columns that this call doesn't show, although Selected Fields can return them. */
	hides?: (call: ListCall) => string[];
	raw: (entry: Entry, call: ListCall, views: Views) => object;
	/** Page size that CometChat or the node sets, whatever 'Per Page' says. */
	maxPerPage?: number;
	/** Sorts a page. CometChat pages messages by ID, so the node can sort only within a page. */
	sortPage?: (page: Entry[], call: ListCall) => object[];
	/** Sorts a page in the order in which CometChat sends it. */
	sortSent?: (page: Entry[]) => object[];
	/** True if the list leaves an entry out, except from Pages. */
	leavesOut?: (entry: Entry, call: ListCall) => boolean;
}

const by =
	<Entry>(...keys: Array<(entry: Entry) => string | number>) =>
	(a: Entry, b: Entry): number =>
		keys.reduce((order, key) => order || (key(a) < key(b) ? -1 : Number(key(a) > key(b))), 0);

const changedAt = ({ updatedAt, createdAt }: StoredGroup) => updatedAt ?? createdAt;

/** Order of lists that the user doesn't sort. CometChat decides, so this is the sandbox's choice. */
const ORDER = {
	groups: by<StoredGroup>(
		({ createdAt }) => createdAt,
		({ guid }) => guid,
	),
	members: by<Member>(
		({ joinedAt }) => joinedAt,
		({ uid }) => uid,
	),
	users: by<User>(({ uid }) => uid),
};

function orderGroups({ values }: ListCall) {
	const direction = values['sort.sortOrder'] === 'desc' ? -1 : 1;
	const sortBy = values['sort.sortBy'] as 'name' | 'guid' | 'createdAt' | undefined;
	const isByChange = !sortBy && values['filters.updatedAt'] !== undefined;
	const isBack = isByChange && values['filters.affix'] === 'prepend' && !values['sort.sortOrder'];
	const key = isByChange ? changedAt : (group: StoredGroup) => group[sortBy ?? 'createdAt'];
	if (!sortBy && !isByChange && direction === 1) return ORDER.groups;
	const inOrder = by<StoredGroup>(key);
	return (a: StoredGroup, b: StoredGroup) =>
		inOrder(a, b) * (isBack ? -1 : direction) || by<StoredGroup>(({ guid }) => guid)(a, b);
}

const has = (text = '', part: string) => text.toLowerCase().includes(part.toLowerCase());

const mentions = ({ text: words = '' }: StoredMessage) =>
	[...words.matchAll(/<@uid:([\w-]+)>/g)].map(([, uid]) => uid);

/** Creates a filter that keeps entries with a feature if the filter is on. */
const only = <Entry>(
	label: string,
	keeps: (entry: Entry, call: ListCall) => boolean,
	more: Partial<Field> = {},
): Filter<Entry> => ({
	...{ label, read: toggle, ...more },
	keeps: (entry, isOn, call) => !isOn || keeps(entry, call),
});

/** Creates a filter that keeps entries in which the function finds one of the filter's values. */
const oneOf = <Entry>(
	label: string,
	read: Read,
	find: (entry: Entry, call: ListCall) => string[] | string | undefined,
): Filter<Entry> => ({
	...{ label, read },
	keeps: (entry, values: string[] | string, call) =>
		[find(entry, call) ?? []].flat().some((found) => [values].flat().includes(found)),
});

const user = ({ store }: ListCall, uid: unknown): string => {
	const known = String(uid).toLowerCase();
	if (!store.people.has(known)) throw new Refused('No active user has this UID');
	return known;
};

const group = ({ store, values }: ListCall): StoredGroup => {
	const found = store.groups.get(String(values.groupId).toLowerCase());
	if (!found) throw new Refused('No group has this ID (GUID)');
	return found;
};

const message = ({ store, values, uid }: ListCall): StoredMessage => {
	const found = store.messages.get(String(values.messageId));
	if (!found) throw new Refused('No message has this ID');
	if (uid && !store.canSee(found, uid)) {
		throw new Refused('The user does not have access to this message');
	}
	return found;
};

const onBehalfOf: Field = { label: 'On Behalf Of', read: id, isActor: true };
const groupId: Field = { label: 'Group', read: id, isRequired: true };
const userId: Field = { label: 'User', read: id, isRequired: true };
const messageId: Field = { label: 'Message ID', read: text, isRequired: true };
const perPage: Field = { label: 'Per Page', read: whole(1000) };
const paging = {
	'options.page': { label: 'Page', read: whole(1_000_000) },
	'options.perPage': perPage,
};
const messageOptions = {
	'options.includeActions': { label: 'Include Calls and System Messages', read: toggle },
	'options.includeDeleted': { label: 'Include Deleted', read: toggle },
	'options.perPage': perPage,
};
const groupTypes = ['password', 'private', 'protected', 'public'];
const status = choice('available', 'offline');
const forUser: Partial<Field> = { needs: ['On Behalf Of', 'onBehalfOf'] };
const ofApp: Partial<Field> = { of: ['app'] };

const groups: List<StoredGroup> = {
	plural: 'groups',
	fields: {
		onBehalfOf,
		'sort.sortBy': { label: 'Sort By', read: choice('createdAt', 'guid', 'name') },
		'sort.sortOrder': { label: 'Sort Order', read: choice('asc', 'desc') },
		'filters.searchIn': {
			...{ label: 'Search In', read: choices('guid', 'name') },
			needs: ['Name or GUID Contains', 'filters.searchKey'],
		},
		'filters.affix': {
			...{ label: 'Updated At Direction', read: choice('append', 'prepend') },
			needs: ['Updated At', 'filters.updatedAt'],
		},
		...paging,
	},
	filters: {
		hasJoined: only(
			'Has Joined',
			({ members }, { uid }) => members.some((member) => member.uid === uid),
			forUser,
		),
		searchKey: {
			...{ label: 'Name or GUID Contains', read: text },
			keeps: ({ guid, name }, key: string, { values }) => {
				const places = (values['filters.searchIn'] as string[] | undefined) ?? ['guid', 'name'];
				return Object.entries({ guid, name }).some(
					([place, value]) => places.includes(place) && has(value, key),
				);
			},
		},
		tags: oneOf('Tags', texts, ({ tags }) => tags),
		type: {
			...oneOf<StoredGroup>('Type', choice(...groupTypes), ({ type }) => type),
			excludes: 'filters.types',
		},
		types: oneOf('Types', choices(...groupTypes), ({ type }) => type),
		updatedAt: {
			...{ label: 'Updated At', read: date() },
			keeps: (each, time: number, { values }) =>
				values['filters.affix'] === 'prepend' ? changedAt(each) < time : changedAt(each) > time,
		},
		withTags: only('With Tags', ({ tags }) => tags.length > 0),
	},
	find: (call) => call.store.groups.all().sort(orderGroups(call)),
	columns: () => groupColumns,
	hides: ({ uid }) => (uid ? [] : ['hasJoined', 'scope', 'joinedAt']),
	raw: (each, { uid }, views) => views.group(each, uid),
};

const members: List<Member> = {
	plural: 'members',
	fields: { groupId, ...paging },
	filters: {
		scopes: oneOf('Scopes', choices('admin', 'moderator', 'participant'), ({ scope }) => scope),
		status: oneOf('Status', status, ({ uid }, { store }) => store.people.user(uid).status),
	},
	find: (call) => [...group(call).members].sort(ORDER.members),
	columns: () => memberColumns,
	raw: (member, _, views) => views.member(member),
};

const banned: List<Member> = {
	...members,
	filters: {},
	find: (call) => [...(group(call).banned ?? [])].sort(ORDER.members),
	columns: () => bannedColumns,
};

const users: List<User> = {
	plural: 'users',
	fields: {
		'filters.searchIn': {
			...{ label: 'Search In', read: choices('name', 'uid') },
			needs: ['Name or UID Starts With', 'filters.searchKey'],
		},
		'filters.withDeactivated': { label: 'With Deactivated', read: toggle },
		'filters.withTags': { label: 'With Tags', read: toggle },
		...paging,
	},
	filters: {
		searchKey: {
			...{ label: 'Name or UID Starts With', read: text },
			keeps: ({ uid, name }, key: string, { values }) => {
				const places = (values['filters.searchIn'] as string[] | undefined) ?? ['uid', 'name'];
				return Object.entries({ uid, name }).some(
					([place, value]) =>
						places.includes(place) && value.toLowerCase().startsWith(key.toLowerCase()),
				);
			},
		},
		onlyDeactivated: {
			...only<User>('Only Deactivated', ({ uid }, { store }) => store.people.isDeactivated(uid)),
			excludes: 'filters.withDeactivated',
		},
		roles: oneOf('Roles', texts, ({ role }) => role),
		status: oneOf('Status', status, (each) => each.status),
		tags: oneOf('Tags', texts, ({ tags }) => tags),
	},
	find: ({ store, values }) => {
		const isOpen = values['filters.onlyDeactivated'] || values['filters.withDeactivated'];
		return [...store.people.all(), ...(isOpen ? store.people.deactivated() : [])].sort(ORDER.users);
	},
	columns: () => userColumns,
	hides: ({ values }) => (values['filters.withTags'] ? [] : ['tags']),
	raw: (each, { values }) => {
		const row = { ...each };
		if (!values['filters.withTags']) delete row.tags;
		return row;
	},
};

const blocked: List<{ uid: string; at: number }> = {
	plural: 'users',
	fields: { userId, ...paging },
	find: (call) => call.store.people.blockedBy(user(call, call.values.userId)),
	columns: () => blockedColumns,
	raw: ({ uid, at }, { store, values }) => ({
		...store.people.user(uid),
		...{ blockedByMe: true, blockedByMeAt: at, blockedAt: at },
		conversationId: `${String(values.userId).toLowerCase()}_user_${uid}`,
	}),
};

/** True if a list includes calls and action messages. */
const hasActions = ({ values }: ListCall) =>
	['options.includeActions', 'filters.categories', 'filters.types'].some((path) => values[path]);

const hasDeleted = ({ values }: ListCall) =>
	['options.includeDeleted', 'filters.onlyDeleted'].some((path) => values[path]);

const LINK = /https?:\/\//;

const replies: List<StoredMessage> = {
	plural: 'messages',
	fields: { messageId, onBehalfOf, ...messageOptions },
	find: (call) => {
		const { id: parent } = message(call);
		return call.store.messages.all().filter(({ parentId }) => parentId === parent);
	},
	columns: () => messageColumns,
	hides: (call) => [
		...(call.values['filters.withTags'] ? [] : ['tags']),
		...(hasDeleted(call) ? [] : ['deletedAt']),
		...(hasActions(call) ? [] : ['action']),
	],
	raw: (each, { uid, values }, views) => {
		const tags = values.messagesOf === undefined || values['filters.withTags'] === true;
		return views.message(each, { tags, reactions: true, me: uid });
	},
	leavesOut: (each, call) =>
		(['action', 'call'].includes(each.category) && !hasActions(call)) ||
		(each.deletedAt !== undefined && !hasDeleted(call)),
};

const messages: List<StoredMessage> = {
	...replies,
	fields: {
		messagesOf: { label: 'Messages Of', read: choice('group', 'user', 'app') },
		groupId: { ...groupId, of: ['group'] },
		userId: { ...userId, of: ['user'] },
		onBehalfOf,
		order: { label: 'Order', read: choice('newestFirst', 'oldestFirst') },
		'filters.withTags': { label: 'With Tags', read: toggle },
		...messageOptions,
	},
	filters: {
		attachmentTypes: oneOf(
			'Attachment Types',
			choices('audio', 'file', 'image', 'video'),
			({ attachments, type }) => (attachments ? type : undefined),
		),
		categories: oneOf(
			'Categories',
			choices('action', 'call', 'custom', 'message'),
			({ category }) => category,
		),
		conversationId: {
			...{ label: 'Conversation ID', read: text, ...ofApp },
			keeps: ({ sender, receiver, receiverType }, wanted: string) =>
				(receiverType === 'group'
					? [`group_${receiver}`]
					: [`${sender}_user_${receiver}`, `${receiver}_user_${sender}`]
				).includes(wanted),
		},
		hasAttachments: only('Has Attachments', ({ attachments = [] }) => attachments.length > 0),
		hasLinks: only('Has Links', (each) => LINK.test(each.text ?? '')),
		hasMentions: only('Has Mentions', (each) => mentions(each).length > 0),
		hasReactions: only('Has Reactions', ({ reactions }) => reactions.size > 0),
		hideDeleted: {
			...only<StoredMessage>('Hide Deleted', ({ deletedAt }) => deletedAt === undefined, ofApp),
			excludes: 'filters.onlyDeleted',
		},
		hideReplies: only('Hide Replies', ({ parentId }) => parentId === undefined),
		mentionedUids: oneOf('Mentioned User Names or IDs', ids, mentions),
		myMentionsOnly: only('My Mentions Only', (each, { uid = '' }) => mentions(each).includes(uid), {
			...forUser,
			of: ['group', 'user'],
		}),
		onlyDeleted: only('Only Deleted', ({ deletedAt }) => deletedAt !== undefined, ofApp),
		receiverType: {
			...oneOf<StoredMessage>(
				'Receiver Type',
				choice('group', 'user'),
				(each) => each.receiverType,
			),
			...ofApp,
		},
		sender: {
			...{ label: 'Sender', read: id },
			keeps: ({ sender }, uid: string) => sender === uid.toLowerCase(),
		},
		fromTimestamp: {
			...{ label: 'Sent After', read: date() },
			keeps: ({ sentAt }, time: number) => sentAt >= time,
		},
		toTimestamp: {
			...{ label: 'Sent Before', read: date('23:59:59') },
			keeps: ({ sentAt }, time: number) => sentAt <= time,
		},
		tags: oneOf('Tags', texts, ({ tags }) => tags),
		searchKey: {
			...{ label: 'Text Contains', read: text },
			keeps: (each, key: string) => each.deletedAt === undefined && has(each.text, key),
		},
		types: oneOf('Types', texts, ({ type }) => type),
		unread: only('Unread', ({ sender }, { uid }) => sender !== uid, {
			...forUser,
			of: ['group', 'user'],
		}),
	},
	find: (call) => {
		const { store, values, uid } = call;
		const { messagesOf, order } = values;
		const target = messagesOf === 'user' ? user(call, values.userId) : '';
		const home = messagesOf === 'group' ? group(call) : undefined;
		if (home && uid && !home.members.some((member) => member.uid === uid)) {
			throw new Refused('The user has not joined the group');
		}
		const found = store.messages.all().filter((each) => {
			const { receiverType, receiver, sender, moderation } = each;
			if (moderation && moderation.status !== 'approved') return false;
			if (home) return receiverType === 'group' && receiver === home.guid;
			if (target && (receiverType !== 'user' || ![sender, receiver].includes(target))) return false;
			return uid === undefined || store.canSee(each, uid);
		});
		return order === 'oldestFirst' ? found : found.reverse();
	},
	sortSent: (page) => [...page].sort(by((each) => Number(each.id))),
	sortPage: (page, { values }) => {
		const sorted = [...page].sort(
			by(
				({ sentAt }) => sentAt,
				(each) => Number(each.id),
			),
		);
		return values.order === 'oldestFirst' ? sorted : sorted.reverse();
	},
};

const reactions: List<StoredReaction> = {
	plural: 'reactions',
	fields: { messageId, onBehalfOf, reaction: { label: 'Reaction', read: text } },
	find: (call) => message(call).reactions.all(call.values.reaction as string | undefined),
	columns: () => reactionColumns,
	raw: (each, { values }, views) => views.reaction(String(values.messageId), each),
	maxPerPage: 3,
};

/** All entries of the queue have the row of CometChat's response, found by its place in the queue. */
const queue: List<QueueEntry> = {
	plural: 'messages',
	fields: { queue: { label: 'Queue', read: choice('blocked', 'flagged', 'reviewed') } },
	find: ({ store, values }) => {
		const { messages: stored, moderation } = store;
		if (values.queue === 'blocked') {
			return moderation.blockedEntries().map(({ messageId: of, createdAt, ...hit }) => {
				return { message: stored.existing(of), hit, blockedAt: createdAt };
			});
		}
		if (values.queue === 'reviewed') {
			return moderation.reviewedEntries().map(({ messageId: of, ...entry }) => {
				return { message: stored.existing(of), ...entry };
			});
		}
		return moderation.flaggedIds().map((of) => {
			return { message: stored.existing(of), reports: moderation.reportsOf(of) };
		});
	},
	columns: ({ values }) => queueColumns[String(values.queue)],
	hides: ({ values }) => (values.queue === 'reviewed' ? ['blockedAt'] : []),
	raw: ({ message: { id: of } }, { values }, views) => {
		const rows = views.queue(values.queue as QueueName);
		return rows.find((row) => Object({ ...Object(row).message, ...row }).id == of) ?? {};
	},
	maxPerPage: 100,
};

/** The list operations, by resource and operation. */
export const LISTS: Record<string, List> = {
	'group list': groups,
	'group listMembers': members,
	'group listBanned': banned,
	'message list': messages,
	'message listReplies': replies,
	'message listReactions': reactions,
	'user list': users,
	'user listBlocked': blocked,
	'moderation list': queue,
};
