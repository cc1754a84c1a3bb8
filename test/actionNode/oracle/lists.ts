import type { BannedMember, Member, StoredGroup } from '../../../tools/sandbox/data/sample';
import type { StoredMessage } from '../../../tools/sandbox/store/messages';
import type { StoredReaction } from '../../../tools/sandbox/store/reactions';
import type { Store } from '../../../tools/sandbox/store/store';
import type { User } from '../../../tools/sandbox/types';
import type { QueueName, Views } from '../../../tools/sandbox/views';
import { COLUMNS, getPath } from './columns';
import { choice, choices, date, id, ids, text, texts, toggle, whole, type Kind } from './kinds';

/** The service's data, and the values of the node's parameters. */
export interface ListCall {
	store: Store;
	views: Views;
	/** Values by path, e.g. `filters.tags`. Values that are left out are undefined. */
	values: Record<string, unknown>;
	/** Lowercase UID in 'On Behalf Of' */
	uid?: string;
}

/** Thrown if CometChat refuses the request. The message is the start of the node's error. */
export class Refused extends Error {}

/** A parameter of the node. */
export interface Field extends Kind {
	label: string;
	/** Label and path of a parameter that must be set, too. */
	needs?: [label: string, path: string];
	/** Paths of parameters that must not be set, too. */
	excludes?: string[];
	/** Values of 'Messages Of' with which the editor shows the parameter. */
	of?: string[];
	isRequired?: boolean;
	/** True for a filter that is drawn more often, because the node treats the filter differently. */
	isFrequent?: boolean;
	/** True to refuse empty results of an expression, which would change who acts. */
	isActor?: boolean;
}

/** A filter, with a function that returns true if an entry stays in the list. */
export interface Filter<Entry = never> extends Field {
	keeps: (entry: Entry, value: never, call: ListCall) => boolean;
}

/** A list operation. */
export interface List<Entry = never> {
	/** Name of the entries in hints. */
	plural: string;
	/** Name of the column that identifies a row. Selected Fields always return it. */
	id: string;
	fields: Record<string, Field | Filter<Entry>>;
	/** Names that 'Fields' can contain. */
	selectable: string[];
	/** Returns the entries before filtering, in CometChat's order. Throws if CometChat refuses the request. */
	find: (call: ListCall) => object[];
	/** Returns the entry as CometChat sends it. */
	toRow: (entry: Entry, call: ListCall) => object;
	/** Returns values of columns that the entry doesn't contain, or contains in several places. */
	addTo?: (row: Record<string, unknown>, call: ListCall) => object;
	columns: (call: ListCall) => string;
	/** Lists the columns that only Selected Fields returns. */
	hides?: (call: ListCall) => string[];
	/** Page size that the service sets, whatever 'Per Page' is. */
	pageSize?: number;
	/** Sorts a page. CometChat pages messages by ID, so the node can sort messages only within a page. */
	sortPage?: (page: Entry[], call: ListCall) => object[];
	/** True if the list leaves an entry out, except from Pages. */
	leavesOut?: (entry: Entry, call: ListCall) => boolean;
}

const by =
	<Entry>(...keys: Array<(entry: Entry) => string | number>) =>
	(a: Entry, b: Entry): number =>
		keys.reduce((order, key) => order || (key(a) < key(b) ? -1 : Number(key(a) > key(b))), 0);

const ofGuid = ({ guid }: StoredGroup) => guid;
const ofUid = ({ uid }: { uid: string }) => uid;
const changedAt = ({ updatedAt, createdAt }: StoredGroup) => updatedAt ?? createdAt;

/** Order of lists that the user doesn't sort. CometChat decides, so this is the sandbox's choice. */
const ORDER = {
	groups: by<StoredGroup>(({ createdAt }) => createdAt, ofGuid),
	/** Order with the filter 'Updated After'. */
	changes: by<StoredGroup>(changedAt, ofGuid),
	/** Order with the filter 'Updated Before'. */
	changesBack: by<StoredGroup>((group) => -changedAt(group), ofGuid),
	members: by<Member>(({ joinedAt }) => joinedAt, ofUid),
	banned: by<BannedMember>(({ bannedAt }) => bannedAt, ofUid),
	users: by<User>(({ createdAt = 0 }) => createdAt, ofUid),
};

/** Field and direction of each choice of 'Order'. */
const SORTS: Record<string, [key: 'name' | 'guid' | 'createdAt', direction: 1 | -1]> = {
	guidAscending: ['guid', 1],
	guidDescending: ['guid', -1],
	nameAscending: ['name', 1],
	nameDescending: ['name', -1],
	newestFirst: ['createdAt', -1],
	oldestFirst: ['createdAt', 1],
};

function orderGroups({ values }: ListCall) {
	const sort = SORTS[String(values['sort.order'])];
	if (sort) {
		const [key, direction] = sort;
		const inOrder = by<StoredGroup>((each) => each[key]);
		return (a: StoredGroup, b: StoredGroup) => direction * inOrder(a, b) || by(ofGuid)(a, b);
	}
	if (values['filters.updatedAfter'] !== undefined) return ORDER.changes;
	return values['filters.updatedBefore'] === undefined ? ORDER.groups : ORDER.changesBack;
}

const field = (label: string, kind: Kind, more: Partial<Field> = {}): Field => ({
	...{ label, ...kind, ...more },
});

const filter = <Entry>(
	label: string,
	kind: Kind,
	keeps: Filter<Entry>['keeps'],
	more: Partial<Field> = {},
): Filter<Entry> => ({ ...field(label, kind, more), keeps });

/** Creates a filter that has no effect if it's off. */
const only = <Entry>(
	label: string,
	keeps: (entry: Entry, call: ListCall) => boolean,
	more: Partial<Field> = {},
) => filter<Entry>(label, toggle, (entry, isOn, call) => !isOn || keeps(entry, call), more);

/**
 * Creates a filter that keeps entries that have one of the filter's values in a field, or as the function
 * finds.
 */
const oneOf = <Entry>(
	label: string,
	kind: Kind,
	find: keyof Entry | ((entry: Entry, call: ListCall) => string[] | string | undefined),
	more: Partial<Field> = {},
) =>
	filter<Entry>(
		label,
		kind,
		(entry, values: string | string[], call) => {
			const found = typeof find === 'function' ? find(entry, call) : entry[find];
			return [found ?? []].flat().some((each) => [values].flat().includes(each as string));
		},
		more,
	);

const has = (value: string | undefined, part: string) =>
	(value ?? '').toLowerCase().includes(part.toLowerCase());
const startsWith = (value: string, start: string) =>
	value.toLowerCase().startsWith(start.toLowerCase());

/** Creates a filter that searches the fields in 'Search In'. */
const search = <Entry>(
	label: string,
	names: Array<keyof Entry & string>,
	matches: typeof has,
	...examples: string[]
): Record<string, Filter<Entry>> => ({
	'filters.searchKey': filter<Entry>(label, text(...examples), (entry, key: string, { values }) => {
		const places = values['filters.searchIn'] as string[] | undefined;
		return names.some(
			(name) => (places ?? names).includes(name) && matches(String(entry[name]), key),
		);
	}),
	'filters.searchIn': filter('Search In', choices(...names), () => true, {
		needs: [label, 'filters.searchKey'],
	}),
});

function user({ store }: ListCall, uid: unknown): string {
	const known = String(uid).toLowerCase();
	if (!store.people.has(known)) throw new Refused('No active user has this UID');
	return known;
}

function group({ store, values }: ListCall): StoredGroup {
	const found = store.groups.get(String(values.groupId).toLowerCase());
	if (!found) throw new Refused('No group has this ID (GUID)');
	return found;
}

function message({ store, values, uid }: ListCall): StoredMessage {
	const found = store.messages.get(String(values.messageId));
	if (!found) throw new Refused('No message has this ID');
	const isSeen = !uid || store.canSee(found, uid);
	if (!isSeen) throw new Refused('The user does not have access to this message');
	return found;
}

const isRequired = true;
const uids = id('mira', 'leo', 'Noor', ' JONAS ', 'EXT_SAM-99');
const guids = id('lunch', 'makers', 'MAKERS', 'All-Hands', ' project-aurora', 'ideas');
const onBehalfOf = field('On Behalf Of', uids, { isActor: true });
const groupId = field('Group', guids, { isRequired });
const userId = field('User', uids, { isRequired });
const messageId = (...examples: unknown[]) =>
	field('Message ID', text(...examples, ...examples, '99999'), { isRequired });
const types = ['password', 'private', 'protected', 'public'];
const status = choice('available', 'offline');
const forUser: Partial<Field> = { needs: ['On Behalf Of', 'onBehalfOf'] };
const ofApp = { of: ['app'] };
const notOfApp = { of: ['group', 'user'] };
const paging = {
	'options.page': field('Page', whole(1_000_000, 3)),
	'options.perPage': field('Per Page', whole(1000, 8)),
};
const messageOptions = {
	'options.includeActions': field('Include Calls and System Messages', toggle),
	'options.includeDeleted': field('Include Deleted', toggle),
	// CometChat may start a page with the item of the cursor, so the node requests at least two messages
	'options.perPage': field('Per Page', whole(1000, 8, 2)),
};

const updateTime = date(['2025-06-02', '2024-09-02T10:00:00Z', 1_754_299_980, '1735034400']);

const groups: List<StoredGroup> = {
	plural: 'groups',
	id: 'guid',
	fields: {
		onBehalfOf,
		...paging,
		'sort.order': field('Order', choice(...Object.keys(SORTS))),
		...search<StoredGroup>(
			'Name or GUID Contains',
			['guid', 'name'],
			has,
			...['Office', ' a ', 'zzz', '& 100% ü+😀#/?a=b'],
		),
		'filters.hasJoined': only<StoredGroup>(
			'Has Joined',
			({ members }, { uid }) => members.some((member) => member.uid === uid),
			forUser,
		),
		'filters.tags': oneOf<StoredGroup>('Tags', texts('social', 'sales', 'two words'), 'tags'),
		'filters.type': oneOf<StoredGroup>('Type', choice(...types), 'type', {
			...{ excludes: ['filters.types'], isFrequent: true },
		}),
		'filters.types': oneOf<StoredGroup>('Types', choices(...types), ({ type }) => type),
		'filters.updatedAfter': filter<StoredGroup>(
			'Updated After',
			updateTime,
			(each, time: number) => changedAt(each) > time,
			{ excludes: ['filters.updatedBefore'] },
		),
		'filters.updatedBefore': filter<StoredGroup>(
			'Updated Before',
			updateTime,
			(each, time: number) => changedAt(each) < time,
		),
		'filters.withTags': only<StoredGroup>('With Tags', ({ tags }) => tags.length > 0),
	},
	selectable: ['icon', 'tags', 'hasJoined', 'joinedAt', 'createdAt', 'updatedAt', 'metadata.team'],
	find: (call) => call.store.groups.all().sort(orderGroups(call)),
	toRow: (each, { uid, views }) => views.group(each, uid),
	columns: () => COLUMNS.groups,
	hides: ({ uid }) => (uid ? [] : ['hasJoined', 'scope', 'joinedAt']),
};

const members: List<Member> = {
	plural: 'members',
	id: 'uid',
	fields: {
		groupId,
		...paging,
		'filters.scopes': oneOf<Member>(
			'Scopes',
			choices('admin', 'moderator', 'participant'),
			'scope',
		),
		'filters.status': oneOf<Member>(
			'Status',
			status,
			({ uid }, { store }) => store.people.user(uid).status,
		),
	},
	selectable: ['guid', 'uid', 'scope', 'joinedAt', 'createdAt', 'metadata.team'],
	find: (call) => [...group(call).members].sort(ORDER.members),
	toRow: (member, { views }) => views.member(member),
	addTo: (_, { values }) => ({ guid: values.groupId }),
	columns: () => COLUMNS.members,
};

const banned: List<Member> = {
	...members,
	fields: { groupId, ...paging },
	find: (call) => [...(group(call).banned ?? [])].sort(ORDER.banned),
	toRow: (member, { views }) => views.bannedMember({ bannedAt: 0, ...member }),
	columns: () => COLUMNS.banned,
};

const users: List<User> = {
	plural: 'users',
	id: 'uid',
	fields: {
		...paging,
		...search<User>(
			'Name or UID Starts With',
			['name', 'uid'],
			startsWith as typeof has,
			'Mira',
			' le',
			'n',
		),
		'filters.onlyDeactivated': only<User>(
			'Only Deactivated',
			({ uid }, { store }) => store.people.isDeactivated(uid),
			{ excludes: ['filters.withDeactivated'] },
		),
		'filters.withDeactivated': filter('With Deactivated', toggle, () => true),
		'filters.roles': oneOf<User>(
			'Role Names or IDs',
			texts('default', 'support'),
			({ role }) => role,
		),
		'filters.status': oneOf<User>('Status', status, (each) => each.status),
		'filters.tags': oneOf<User>('Tags', texts('vip', 'two words', 'none'), ({ tags }) => tags),
		'filters.withTags': filter('With Tags', toggle, () => true),
	},
	selectable: [
		'uid',
		'name',
		'email',
		'tags',
		'metadata.team',
		'createdAt',
		'deactivatedAt',
		'guid',
	],
	find: ({ store, values }) => {
		const isOpen = values['filters.onlyDeactivated'] || values['filters.withDeactivated'];
		return [...store.people.all(), ...(isOpen ? store.people.deactivated() : [])].sort(ORDER.users);
	},
	toRow: (each, { values }) => {
		const row = { ...each };
		if (!values['filters.withTags']) delete row.tags;
		return row;
	},
	addTo: ({ metadata }) => {
		const { email, contactNumber, '@private': hidden } = Object(metadata);
		return { email: hidden?.email || email, phone: hidden?.contactNumber ?? contactNumber };
	},
	columns: () => COLUMNS.users,
	hides: (call) => [
		...(call.values['filters.withTags'] ? [] : ['tags']),
		...(isAnySet(call, 'filters.withDeactivated', 'filters.onlyDeactivated')
			? []
			: ['deactivatedAt']),
	],
};

const blockedUsers: List<{ uid: string; at: number }> = {
	plural: 'users',
	id: 'uid',
	fields: { userId, ...paging },
	selectable: ['userId', 'uid', 'blockedAt', 'createdAt', 'blockedByMe', 'link', 'updatedAt'],
	find: (call) => call.store.people.blockedBy(user(call, call.values.userId)),
	toRow: ({ uid, at }, { store, values }) => ({
		...store.people.user(uid),
		...{ blockedByMe: true, blockedByMeAt: at, blockedAt: at },
		conversationId: `${String(values.userId).toLowerCase()}_user_${uid}`,
	}),
	addTo: (_, { values }) => ({ userId: values.userId }),
	columns: () => COLUMNS.blockedUsers,
};

const friends: List<User> = {
	plural: 'users',
	id: 'uid',
	fields: { userId, ...paging },
	selectable: ['userId', 'uid', 'name', 'createdAt', 'metadata.team', 'statusMessage'],
	find: (call) => call.store.people.friendsOf(user(call, call.values.userId)),
	toRow: (each) => each,
	addTo: (_, { values }) => ({ userId: values.userId }),
	columns: () => COLUMNS.friends,
};

interface Talk {
	id: string;
	other: string;
	last: StoredMessage;
	unread: number;
}

const talks: List<Talk> = {
	plural: 'conversations',
	id: 'conversationId',
	fields: {
		onBehalfOf: { ...onBehalfOf, isRequired },
		...paging,
		'filters.conversationType': oneOf<Talk>(
			'Type',
			choice('group', 'user'),
			({ last }) => last.receiverType,
		),
		'filters.tags': oneOf<Talk>(
			'Tags',
			texts('urgent', 'release', 'none'),
			({ id: own }, { store }) => store.conversations.tagsOf(own),
		),
		'filters.unread': only<Talk>('Unread', ({ unread }) => unread > 0),
		'filters.withTags': filter('With Tags', toggle, () => true),
	},
	selectable: ['conversationId', 'name', 'tags', 'text', 'lastMessage.id', 'conversationWith.uid'],
	find: ({ store, uid = '' }) => {
		const found = new Map<string, Talk>();
		for (const last of store.messages.all()) {
			const { sender, receiver, receiverType, category, deletedAt, moderation } = last;
			const isHidden = moderation !== undefined && moderation.status !== 'approved';
			if (isHidden || category === 'action' || !store.canSee(last, uid)) continue;
			const other = receiverType === 'user' && sender !== uid ? sender : receiver;
			const own = receiverType === 'group' ? `group_${other}` : `${uid}_user_${other}`;
			const isUnread = sender !== uid && deletedAt === undefined;
			const unread = (found.get(own)?.unread ?? 0) + Number(isUnread);
			found.set(own, { id: own, other, last, unread });
		}
		return [...found.values()].sort(
			by(
				(each) => -each.last.sentAt,
				(each) => each.id,
			),
		);
	},
	toRow: ({ id: own, other, last, unread }, { store, views, values, uid }) => {
		const { receiverType, sentAt } = last;
		const tags = store.conversations.tagsOf(own);
		return {
			...{ conversationId: own, conversationType: receiverType, unreadMessageCount: `${unread}` },
			updatedAt: sentAt,
			...(last.deletedAt === undefined ? { lastMessage: views.message(last) } : {}),
			conversationWith:
				receiverType === 'group'
					? views.group(store.groups.existing(other), uid)
					: store.people.user(other),
			...(values['filters.withTags'] && tags.length > 0 ? { tags } : {}),
		};
	},
	addTo: ({ unreadMessageCount, conversationWith }) => ({
		unread: Number(unreadMessageCount),
		with: Object(conversationWith).guid ?? Object(conversationWith).uid,
	}),
	columns: () => COLUMNS.conversations,
	hides: ({ values }) => (values['filters.withTags'] ? [] : ['tags']),
};

const isAnySet = ({ values }: ListCall, ...paths: string[]) => paths.some((path) => values[path]);
const hasActions = (call: ListCall) =>
	isAnySet(call, 'options.includeActions', 'filters.categories', 'filters.types');
const hasDeleted = (call: ListCall) =>
	isAnySet(call, 'options.includeDeleted', 'filters.onlyDeleted');

/** Returns the user whom an action message is about. Who joins or leaves a group is named only as the actor. */
const affectedUserOf = (row: Record<string, unknown>) =>
	(row.type === 'groupMember' ? ['on', 'by'] : ['on'])
		.map((role) => getPath(row, `data.entities.${role}.entity`))
		.find((entity) => getPath(entity, 'uid') !== undefined);

const replies: List<StoredMessage> = {
	plural: 'messages',
	id: 'id',
	fields: { messageId: messageId('124', 124, ' 118 ', '101'), onBehalfOf, ...messageOptions },
	selectable: [
		...['id', 'text', 'sentAt', 'updatedAt', 'action', 'deletedAt', 'tags', 'reactions'],
		...['parentId', 'data.attachments.0.url', 'data.action', 'data.text'],
		'data.entities.sender.entity.name',
	],
	find: (call) => {
		const { id: parent } = message(call);
		return call.store.messages.all().filter(({ parentId }) => parentId === parent);
	},
	toRow: (each, { uid, values, views }) => {
		const tags = values.messagesOf === undefined || values['filters.withTags'] === true;
		return views.message(each, { tags, reactions: true, me: uid });
	},
	columns: () => COLUMNS.messages,
	addTo: (row) => ({ affected: affectedUserOf(row) }),
	hides: (call) => [
		...(call.values['filters.withTags'] ? [] : ['tags']),
		...(hasDeleted(call) ? [] : ['deletedAt']),
		...(hasActions(call) ? [] : ['action', 'uid', 'name']),
	],
	leavesOut: (each, call) =>
		(['action', 'call'].includes(each.category) && !hasActions(call)) ||
		(each.deletedAt !== undefined && !hasDeleted(call)),
};

const mentions = ({ text: words = '' }: StoredMessage) =>
	[...words.matchAll(/<@uid:([\w-]+)>/g)].map(([, uid]) => uid);

const conversations = ({ sender, receiver, receiverType }: StoredMessage) =>
	receiverType === 'group'
		? [`group_${receiver}`]
		: [`${sender}_user_${receiver}`, `${receiver}_user_${sender}`];

const times = ['2025-08-01', '2025-08-02', 1_754_060_000, '1754084000', '2025-08-01T20:00:00Z'];
const ofMessages = oneOf<StoredMessage>;
const onlyMessages = only<StoredMessage>;

const messageFilters: Record<string, Filter<StoredMessage>> = {
	attachmentTypes: ofMessages(
		'Attachment Types',
		choices('audio', 'file', 'image', 'video'),
		({ attachments, type }) => (attachments ? type : undefined),
	),
	categories: ofMessages(
		'Categories',
		choices('action', 'agentic', 'call', 'card', 'custom', 'interactive', 'message'),
		'category',
		{
			isFrequent: true,
		},
	),
	conversationId: ofMessages(
		'Conversation ID',
		text('group_makers', 'jonas_user_mira', 'mira_user_jonas'),
		conversations,
		ofApp,
	),
	hasAttachments: onlyMessages('Has Attachments', ({ attachments }) => attachments !== undefined),
	hasLinks: onlyMessages('Has Links', (each) => has(each.text, 'https://')),
	hasMentions: onlyMessages('Has Mentions', (each) => mentions(each).length > 0),
	hasReactions: onlyMessages('Has Reactions', ({ reactions }) => reactions.size > 0),
	hideDeleted: onlyMessages('Hide Deleted', ({ deletedAt }) => deletedAt === undefined, {
		...ofApp,
		excludes: ['filters.onlyDeleted', 'options.includeDeleted'],
	}),
	hideReplies: onlyMessages('Hide Replies', ({ parentId }) => parentId === undefined),
	mentionedUids: ofMessages('Mentioned User Names or IDs', ids('leo', 'priya', 'yuki'), mentions),
	myMentionsOnly: onlyMessages(
		'My Mentions Only',
		(each, { uid = '' }) => mentions(each).includes(uid),
		{ ...forUser, ...notOfApp },
	),
	onlyDeleted: onlyMessages('Only Deleted', ({ deletedAt }) => deletedAt !== undefined, {
		...ofApp,
		isFrequent: true,
	}),
	receiverType: ofMessages('Receiver Type', choice('group', 'user'), 'receiverType', ofApp),
	sender: filter('Sender', uids, ({ sender }, uid: string) => sender === uid.toLowerCase()),
	fromTimestamp: filter('Sent After', date(times), ({ sentAt }, time: number) => sentAt >= time),
	toTimestamp: filter(
		'Sent Before',
		date(times, '23:59:59'),
		({ sentAt }, time: number) => sentAt <= time,
		{ isFrequent: true },
	),
	tags: ofMessages('Tags', texts('release', 'vip', 'tests', 'orders'), ({ tags }) => tags),
	searchKey: filter(
		'Text Contains',
		text('lantern', ' A ', 'zzz'),
		(each, key: string) => each.deletedAt === undefined && has(each.text, key),
	),
	types: ofMessages('Types', texts('text', 'audio', 'video', 'message'), 'type', {
		isFrequent: true,
	}),
	unread: onlyMessages('Unread', ({ sender }, { uid }) => sender !== uid, {
		...forUser,
		...notOfApp,
	}),
	withTags: filter('With Tags', toggle, () => true),
};

const messages: List<StoredMessage> = {
	...replies,
	fields: {
		messagesOf: field('Messages Of', choice('group', 'user', 'app')),
		groupId: { ...groupId, of: ['group'] },
		userId: { ...userId, of: ['user'] },
		onBehalfOf,
		'options.order': field('Order', choice('newestFirst', 'oldestFirst')),
		...messageOptions,
		...Object.fromEntries(
			Object.entries(messageFilters).map(([name, each]) => [`filters.${name}`, each]),
		),
	},
	find: (call) => {
		const { store, values, uid } = call;
		const target = values.messagesOf === 'user' ? user(call, values.userId) : undefined;
		const home = values.messagesOf === 'group' ? group(call) : undefined;
		if (home && uid && !home.members.some((member) => member.uid === uid)) {
			throw new Refused('The user has not joined the group');
		}
		const found = store.messages.all().filter((each) => {
			const { receiverType, receiver, sender, moderation } = each;
			if (moderation && moderation.status !== 'approved') return false;
			if (home) return receiverType === 'group' && receiver === home.guid;
			const isOther = receiverType === 'group' || ![sender, receiver].includes(target ?? '');
			return !(target && isOther) && (uid === undefined || store.canSee(each, uid));
		});
		return values['options.order'] === 'oldestFirst' ? found : found.reverse();
	},
	sortPage: (page, { values }) => {
		const byId = by<StoredMessage>((each) => Number(each.id));
		// The default setting of the sandbox sends a page's oldest message first
		if (values.output === 'pages') return [...page].sort(byId);
		const sorted = [...page].sort((a, b) => a.sentAt - b.sentAt || byId(a, b));
		return values['options.order'] === 'oldestFirst' ? sorted : sorted.reverse();
	},
};

export const REACTIONS_PER_PAGE = 3;

const reactions: List<StoredReaction> = {
	plural: 'reactions',
	id: 'messageId',
	fields: {
		messageId: messageId('108', 109, '117', '114'),
		onBehalfOf,
		reaction: field('Reaction', text('👍', '🎉\n', 'shipped')),
	},
	selectable: ['messageId', 'id', 'name', 'reactedAt', 'reactedBy.role'],
	find: (call) => message(call).reactions.all(call.values.reaction as string | undefined),
	toRow: (each, { values, views }) => views.reaction(String(values.messageId), each),
	columns: () => COLUMNS.reactions,
	pageSize: REACTIONS_PER_PAGE,
};

const queue: List = {
	plural: 'messages',
	id: 'id',
	fields: { queue: field('Queue', choice('blocked', 'flagged', 'reviewed')) },
	selectable: [
		...['id', 'reason', 'decision', 'decidedAt', 'blockedAt', 'ruleName', 'message.id'],
		...['flaggedBy.0.uid', 'text', 'condition.message'],
	],
	find: ({ values, views }) => views.queue(values.queue as QueueName),
	toRow: (row) => row,
	addTo: ({ message: own, ...row }) => {
		const { flaggedBy } = row as { flaggedBy?: Array<{ flaggedAt: number }> };
		const latest = flaggedBy?.reduce((a, b) => (b.flaggedAt >= a.flaggedAt ? b : a));
		const { status: reviewed } = Object(Object(Object(own).data).moderation);
		const verdict = reviewed === 'approved' ? 'approve' : 'block';
		return { message: own ?? row, report: latest, verdict };
	},
	columns: ({ values }) => COLUMNS[values.queue as QueueName],
	hides: ({ values }) => (values.queue === 'reviewed' ? ['blockedAt'] : []),
};

/** The list operations, by resource and operation. */
export const LISTS: Record<string, List> = {
	...{ 'conversation list': talks },
	...{ 'group list': groups, 'group listMembers': members, 'group listBanned': banned },
	...{ 'message list': messages, 'message listReplies': replies },
	...{ 'message listReactions': reactions, 'moderation list': queue },
	...{ 'user list': users, 'user listBlocked': blockedUsers, 'user listFriends': friends },
};
