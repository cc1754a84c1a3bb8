import type { Member, StoredGroup } from '../../../tools/sandbox/data/sample';
import type { StoredMessage } from '../../../tools/sandbox/store/messages';
import type { Hit } from '../../../tools/sandbox/store/moderation';
import type { StoredReaction } from '../../../tools/sandbox/store/reactions';
import type { Store } from '../../../tools/sandbox/store/store';
import type { Report } from '../../../tools/sandbox/types';

/** The data that a list is read from, and the values of the node's parameters. */
export interface ListCall {
	store: Store;
	/** Values by path, e.g. `filters.tags`. Values that are left out are undefined. */
	values: Record<string, unknown>;
	/** Lowercase UID in 'On Behalf Of' */
	uid?: string;
}

/** An entry of a moderation queue. */
export interface QueueEntry {
	message: StoredMessage;
	reports?: Report[];
	hit?: Hit;
	blockedAt?: number;
	reviewedAt?: number;
}

/** Computes columns of Simplified from the sandbox's data. The order is the order in the docs. */
export type Columns<Entry> = Record<string, (entry: Entry, call: ListCall) => unknown>;

/** Formats Unix seconds as ISO 8601. */
const time = (seconds?: number) =>
	seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().replace('.000', '');

const membership = ({ members }: StoredGroup, { uid }: ListCall) =>
	members.find((member) => member.uid === uid);

export const groupColumns: Columns<StoredGroup> = {
	guid: ({ guid }) => guid,
	name: ({ name }) => name,
	description: ({ description }) => description,
	type: ({ type }) => type,
	membersCount: ({ members }) => members.length,
	owner: ({ owner }) => owner,
	icon: ({ icon }) => icon,
	conversationId: ({ guid }) => `group_${guid}`,
	tags: ({ tags }) => (tags.length > 0 ? tags : undefined),
	hasJoined: (group, call) => (call.uid ? membership(group, call) !== undefined : undefined),
	scope: (group, call) => membership(group, call)?.scope,
	joinedAt: (group, call) => time(membership(group, call)?.joinedAt),
	createdAt: ({ createdAt }) => time(createdAt),
};

type UserIn = { uid: string };

const person = ({ uid }: UserIn, { store }: ListCall) => store.people.user(uid);

const shared: Columns<UserIn> = {
	status: (user, call) => person(user, call).status,
	role: (user, call) => person(user, call).role,
	avatar: (user, call) => person(user, call).avatar,
};

const memberColumnsWith = (more: Columns<Member>): Columns<Member> => ({
	guid: (_, { values }) => values.groupId,
	uid: ({ uid }) => uid,
	name: (user, call) => person(user, call).name,
	...more,
	...shared,
	lastActiveAt: () => undefined,
});

export const memberColumns = memberColumnsWith({
	scope: ({ scope }) => scope,
	joinedAt: ({ joinedAt }) => time(joinedAt),
});

export const bannedColumns = memberColumnsWith({ bannedAt: () => undefined });

const hidden = (name: string) => (user: UserIn, call: ListCall) => {
	const { [name]: open, '@private': closed } = person(user, call).metadata ?? {};
	return Object(closed)[name] ?? open;
};

export const userColumns: Columns<UserIn> = {
	uid: ({ uid }) => uid,
	name: (user, call) => person(user, call).name,
	email: hidden('email'),
	phone: hidden('contactNumber'),
	role: shared.role,
	tags: (user, call) => (call.values['filters.withTags'] ? person(user, call).tags : undefined),
	status: shared.status,
	statusMessage: (user, call) => person(user, call).statusMessage,
	avatar: shared.avatar,
	link: (user, call) => person(user, call).link,
	createdAt: (user, call) => time(person(user, call).createdAt),
	lastActiveAt: () => undefined,
};

export const blockedColumns: Columns<{ uid: string; at: number }> = {
	userId: (_, { values }) => values.userId,
	uid: ({ uid }) => uid,
	name: (user, call) => person(user, call).name,
	...shared,
	blockedAt: ({ at }) => time(at),
	conversationId: ({ uid }, { values }) => `${String(values.userId).toLowerCase()}_user_${uid}`,
};

/** A deleted message has no content, and an action message only reports a change. */
const isPlain = ({ category }: StoredMessage) => category !== 'action';
const hasContent = (message: StoredMessage) => isPlain(message) && message.deletedAt === undefined;

const content: Columns<StoredMessage> = {
	id: ({ id }) => id,
	sentAt: ({ sentAt }) => time(sentAt),
	senderName: (message, { store }) =>
		isPlain(message) ? store.people.user(message.sender).name : undefined,
	text: (message) => (hasContent(message) ? message.text : undefined),
	sender: ({ sender }) => sender,
	type: ({ type }) => type,
};

const attachments: Columns<StoredMessage> = {
	attachments: (message) => (hasContent(message) ? message.attachments : undefined),
};

const conversation: Columns<StoredMessage> = {
	receiver: ({ receiver }) => receiver,
	receiverType: ({ receiverType }) => receiverType,
	conversationId: ({ receiverType, sender, receiver }) =>
		receiverType === 'group' ? `group_${receiver}` : `${sender}_user_${receiver}`,
};

const parentId = ({ parentId: parent }: StoredMessage) => parent;

export const messageColumns: Columns<StoredMessage> = {
	...content,
	parentId,
	category: ({ category }) => category,
	...attachments,
	reactions: (message, { uid }) => (isPlain(message) ? message.reactions.counts(uid) : undefined),
	tags: ({ tags }, { values }) =>
		tags.length > 0 && (values['filters.withTags'] || values.messagesOf === undefined)
			? tags
			: undefined,
	deletedAt: ({ deletedAt }) => time(deletedAt),
	action: ({ action }) => action?.kind,
	...conversation,
};

export const reactionColumns: Columns<StoredReaction> = {
	messageId: (_, { values }) => values.messageId,
	reaction: ({ reaction }) => reaction,
	name: (user, call) => person(user, call).name,
	uid: ({ uid }) => uid,
	reactedAt: ({ reactedAt }) => time(reactedAt),
};

/** Lifts columns of messages to entries of a queue. */
const ofMessage = (columns: Columns<StoredMessage>): Columns<QueueEntry> =>
	Object.fromEntries(
		Object.entries(columns).map(([name, read]) => [
			name,
			({ message }, call) => read(message, call),
		]),
	);

const receiverName = ({ receiverType, receiver }: StoredMessage, { store }: ListCall) =>
	receiverType === 'user' ? store.people.user(receiver).name : store.groups.get(receiver)?.name;

const { receiver, ...inConversation } = conversation;
const queueEnd = ofMessage({ parentId, receiver, receiverName, ...inConversation });

const report = ({ reports = [] }: QueueEntry) =>
	reports.reduce((last, next) => (next.flaggedAt >= last.flaggedAt ? next : last));

const rule: Columns<QueueEntry> = {
	ruleName: ({ hit }) => hit?.rule.name ?? '',
	reason: ({ hit }) => hit?.reason,
	actions: ({ hit }) => (hit ? [hit.rule.action] : []),
};

const DECISIONS: Record<string, string> = { approved: 'approve', disapproved: 'block' };

export const queueColumns: Record<string, Columns<QueueEntry>> = {
	flagged: {
		...ofMessage({ ...content, ...attachments }),
		reason: (entry, { store }) => {
			const { reasonId } = report(entry);
			return store.moderation.reasons.get(reasonId)?.name ?? reasonId;
		},
		remark: (entry) => report(entry).remark ?? '',
		reportedAt: (entry) => time(report(entry).flaggedAt),
		reportedBy: (entry) => report(entry).uid,
		reportedByName: (entry, call) => person(report(entry), call).name,
		reportCount: ({ reports = [] }) => reports.length,
		...queueEnd,
	},
	blocked: {
		...ofMessage({ ...content, ...attachments }),
		...rule,
		blockedAt: ({ blockedAt }) => time(blockedAt),
		...queueEnd,
	},
	reviewed: {
		...ofMessage({ ...content, ...attachments }),
		decision: ({ message }) => DECISIONS[message.moderation?.status ?? ''],
		decidedAt: ({ reviewedAt }) => time(reviewedAt),
		// Only Selected Fields returns this column
		blockedAt: ({ blockedAt }) => time(blockedAt),
		...rule,
		...queueEnd,
	},
};
