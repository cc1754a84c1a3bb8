import { ofProcess } from '../ofProcess';
import { readYaml } from '../readYaml';
import type { MessageContent, NewMessage, SampleMessage } from '../store/messages';
import type { GroupType, Report, Scope, User } from '../types';

/**
 * A sample user. Deactivated users can't act. Deleted users only appear in their existing messages and
 * groups.
 */
export interface SampleUser extends User {
	deactivated?: boolean;
	deleted?: boolean;
}

export interface Member {
	uid: string;
	scope: Scope;
	/** Join time in Unix seconds. */
	joinedAt: number;
}

/** A banned user, with the membership that the user had before the ban. */
export interface BannedMember extends Member {
	/** Time of the ban in Unix seconds. */
	bannedAt: number;
}

/** A group, including all its members. */
export interface StoredGroup {
	guid: string;
	name: string;
	description?: string;
	icon?: string;
	type: GroupType;
	owner: string;
	tags: string[];
	/** Creation time in Unix seconds. */
	createdAt: number;
	/** Time of the last change in Unix seconds, or undefined if the group was never changed. */
	updatedAt?: number;
	/** UID of the user who made the last change, if known. */
	updatedBy?: string;
	/** An object, except for some old entities */
	metadata?: unknown;
	/** Password of a password-protected group. Never included in responses. */
	password?: string;
	members: Member[];
	banned?: BannedMember[];
}

/** A group in sample.yaml. `members`, `banned`, and `tags` are space-separated lists. */
interface GroupRow extends Pick<StoredGroup, 'guid' | 'name' | 'type' | 'description'> {
	created: string;
	changed?: string;
	members: string;
	banned?: string;
	tags?: string;
}

/** A user in sample.yaml. */
interface UserRow extends Pick<SampleUser, 'uid' | 'name' | 'deactivated'> {
	created?: string;
	status?: string;
	hasNoAvatar?: boolean;
	/** Block times in Unix seconds, by the blocked user's UID. */
	blocks?: Record<string, number>;
	/** Space-separated UIDs of friends. Each friendship stands at one of the friends. */
	friends?: string;
}

/** A message in sample.yaml. */
type MessageRow = Pick<NewMessage, 'category' | 'type' | 'tags' | 'parentId' | 'call'> &
	MessageContent & {
		from: string;
		to: string;
		/** Send time in minutes after the first text message. */
		at: number;
		/** Space-separated UIDs of the users who reacted, by reaction. */
		reactions?: Record<string, string>;
	};

/** A report in sample.yaml. */
interface ReportRow extends Omit<Report, 'flaggedAt'> {
	messageId: string;
	/** Time of the report in minutes after the first text message. */
	at: number;
}

interface Sample {
	users: UserRow[];
	reasons: Record<string, [name: string, description: string]>;
	reports: ReportRow[];
	groups: GroupRow[];
	messages: MessageRow[];
}

const sample = ofProcess('sample', () => readYaml('data/sample.yaml') as Sample);

const seconds = (iso: string): number => Date.parse(`${iso}:00Z`) / 1000;
const HOUR = 3600;

const words = (text = ''): string[] => text.split(' ').filter(Boolean);

function members(list: string, createdAt: number): Member[] {
	return words(list).map((word, index) => ({
		uid: word.replace('*', ''),
		scope: index === 0 ? 'admin' : word.endsWith('*') ? 'moderator' : 'participant',
		joinedAt: createdAt + index * HOUR,
	}));
}

const bannedMembers = (list: string, at: number): BannedMember[] =>
	words(list).map((uid) => ({ uid, scope: 'participant', joinedAt: at, bannedAt: at }));

/** Returns new copies of the sample users. */
export function sampleUsers(): SampleUser[] {
	return sample.users.map(
		({ uid, name, created, status = 'offline', hasNoAvatar, deactivated }) => ({
			uid,
			name,
			...(hasNoAvatar ? {} : { avatar: `https://assets.example.com/users/${uid}.png` }),
			status,
			role: 'default',
			...(created ? { createdAt: seconds(created) } : {}),
			...(deactivated ? { deactivated, deactivatedAt: seconds('2025-03-03T08:00') } : {}),
		}),
	);
}

/** Returns block times in Unix seconds, by the blocking user's UID and then by the blocked user's UID. */
export const sampleBlocks = (): Array<[string, Map<string, number>]> =>
	sample.users.map(({ uid, blocks = {} }) => [uid, new Map(Object.entries(blocks))]);

/** Returns the times of friendships in Unix seconds, by UID and then by the friend's UID. */
export function sampleFriends(): Array<[string, Map<string, number>]> {
	const pairs = sample.users.flatMap(({ uid, friends }) =>
		words(friends).map((friend): [string, string] => [uid, friend]),
	);
	return sample.users.map(({ uid }) => {
		const friends = pairs.flatMap((pair) => (pair.includes(uid) ? pair : []));
		return [
			uid,
			new Map(friends.filter((each) => each !== uid).map((each) => [each, FRIENDS_MADE])),
		];
	});
}

const FRIENDS_MADE = 1_754_200_000;

const REASONS_MADE = 1_704_096_000;

/** Returns the reasons that users can choose when reporting a message. */
export const sampleReasons = () =>
	Object.entries(sample.reasons).map(([id, [name, description]]) => ({
		...{ id, name, description, createdAt: REASONS_MADE, updatedAt: REASONS_MADE, default: true },
	}));

/** Returns a function that returns new copies of what `build` returned at the first call in this process. */
function copies<T>(name: string, build: () => T): () => T {
	return () => JSON.parse(ofProcess(name, () => JSON.stringify(build()))) as T;
}

/**
 * Returns new copies of the sample groups. Two groups were changed in the same second, to test the cursor
 * boundary.
 */
export const sampleGroups = copies('groups', () =>
	sample.groups.map(({ created, changed, banned, tags, ...row }, index): StoredGroup => {
		const createdAt = seconds(created);
		return {
			...row,
			...(index % 4 === 3 ? {} : { icon: `https://assets.example.com/groups/${row.guid}.png` }),
			owner: words(row.members)[0] ?? '',
			tags: words(tags),
			createdAt,
			...(changed ? { updatedAt: seconds(changed) } : {}),
			members: members(row.members, createdAt),
			...(banned ? { banned: bannedMembers(banned, createdAt) } : {}),
		};
	}),
);

const FIRST_SENT = Date.parse('2025-08-01T09:20:00Z') / 1000;

/** Seconds between the first text message and the last sample message. */
const SPAN = Math.max(...sample.messages.map(({ at }) => at)) * 60;

const LAST_SENT = FIRST_SENT + SPAN;

/**
 * Returns the sample reports about messages.
 *
 * @param lastSentAt send time of the last message, in Unix seconds
 */
export const sampleReports = (lastSentAt = LAST_SENT): Array<Report & { messageId: string }> =>
	sample.reports.map(({ at, ...report }) => ({
		...report,
		flaggedAt: lastSentAt - SPAN + at * 60,
	}));

const oldMessages = copies('messages', () =>
	sample.messages.map(({ from, to, at, reactions = {}, ...content }): SampleMessage => ({
		message: {
			...content,
			sender: from,
			receiver: to.replace('#', ''),
			receiverType: to.startsWith('#') ? 'group' : 'user',
			sentAt: FIRST_SENT + at * 60,
		},
		reactions: Object.entries(reactions).flatMap(([reaction, uids]) =>
			words(uids).map((uid) => ({ reaction, uid })),
		),
	})),
);

/**
 * Returns new copies of the sample messages, oldest first.
 *
 * @param lastSentAt send time of the last message, in Unix seconds
 */
export function sampleMessages(lastSentAt = LAST_SENT): SampleMessage[] {
	const messages = oldMessages();
	for (const { message } of messages) message.sentAt += lastSentAt - LAST_SENT;
	return messages;
}
