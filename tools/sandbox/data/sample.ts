import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { MessageContent, NewMessage, SampleMessage } from '../store/messages';
import type { GroupType, JsonObject, Report, Scope, User } from '../types';

/** A user of the sample data. Deactivated users can't act. Deleted users only appear in their messages and groups. */
export interface SampleUser extends User {
	deactivated?: boolean;
	deleted?: boolean;
}

export interface Member {
	uid: string;
	scope: Scope;
	/** Unix seconds. */
	joinedAt: number;
}

/** A group with all members. */
export interface StoredGroup {
	guid: string;
	name: string;
	description?: string;
	icon?: string;
	type: GroupType;
	owner: string;
	tags: string[];
	/** Unix seconds. */
	createdAt: number;
	/** Unix seconds, or undefined if the group was never changed. */
	updatedAt?: number;
	/** UID of the user who made the last change, if known. */
	updatedBy?: string;
	metadata?: JsonObject;
	/** Password of a group of type password. Never shown. */
	password?: string;
	members: Member[];
	/** Banned users, with their former membership. */
	banned?: Member[];
}

/** A group in sample.yaml. Lists are separated by spaces. */
interface GroupRow {
	guid: string;
	name: string;
	type: GroupType;
	created: string;
	changed?: string;
	members: string;
	banned?: string;
	tags?: string;
	description?: string;
}

/** A user in sample.yaml. */
interface UserRow extends Pick<SampleUser, 'uid' | 'name' | 'deactivated'> {
	created?: string;
	status?: string;
	hasNoAvatar?: boolean;
	/** Times in Unix seconds, by the UID of the blocked user. */
	blocks?: Record<string, number>;
}

/** A message in sample.yaml. */
type MessageRow = Pick<NewMessage, 'category' | 'type' | 'tags' | 'parentId'> &
	MessageContent & {
		from: string;
		to: string;
		/** Minutes after the first message. */
		at: number;
		/** UIDs by reaction. */
		reactions?: Record<string, string>;
	};

const sample: {
	users: UserRow[];
	reasons: Record<string, [name: string, description: string]>;
	reports: Array<Report & { messageId: string }>;
	groups: GroupRow[];
	messages: MessageRow[];
} = parse(readFileSync(join(__dirname, 'sample.yaml'), 'utf8'));

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

const participants = (list: string, joinedAt: number): Member[] =>
	words(list).map((uid) => ({ uid, scope: 'participant', joinedAt }));

/** New copies of the sample users. */
export function sampleUsers(): SampleUser[] {
	return sample.users.map(
		({ uid, name, created, status = 'offline', hasNoAvatar, deactivated }) => ({
			uid,
			name,
			...(hasNoAvatar ? {} : { avatar: `https://assets.example.com/users/${uid}.png` }),
			status,
			role: 'default',
			...(created ? { createdAt: seconds(created) } : {}),
			...(deactivated ? { deactivated } : {}),
		}),
	);
}

/** Times of blocks in Unix seconds, by the UIDs of both users. */
export const sampleBlocks = (): Array<[string, Map<string, number>]> =>
	sample.users.map(({ uid, blocks = {} }) => [uid, new Map(Object.entries(blocks))]);

const REASONS_MADE = 1_704_096_000;

/** Reasons for reporting a message. */
export const sampleReasons = () =>
	Object.entries(sample.reasons).map(([id, [name, description]]) => ({
		...{ id, name, description, createdAt: REASONS_MADE, updatedAt: REASONS_MADE, default: true },
	}));

/** Reports of messages. */
export const sampleReports = () => sample.reports;

/**
 * New copies of the sample groups. Two groups were changed in the same second, to test the edge of
 * a cursor.
 */
export function sampleGroups(): StoredGroup[] {
	return sample.groups.map(({ created, changed, banned, tags, ...row }, index) => {
		const createdAt = seconds(created);
		return {
			...row,
			...(index % 4 === 3 ? {} : { icon: `https://assets.example.com/groups/${row.guid}.png` }),
			owner: members(row.members, createdAt)[0].uid,
			tags: words(tags),
			createdAt,
			...(changed ? { updatedAt: seconds(changed) } : {}),
			members: members(row.members, createdAt),
			...(banned ? { banned: participants(banned, createdAt) } : {}),
		};
	});
}

const FIRST_SENT = Date.parse('2025-08-01T09:20:00Z') / 1000;

/** Seconds from the first to the last message. */
const SPAN = Math.max(...sample.messages.map(({ at }) => at)) * 60;

/**
 * New copies of the sample messages, oldest first.
 *
 * @param lastSentAt time of the last message in Unix seconds
 */
export function sampleMessages(lastSentAt = FIRST_SENT + SPAN): SampleMessage[] {
	return sample.messages.map(({ from, to, at, reactions = {}, ...content }) => ({
		message: {
			...structuredClone(content),
			sender: from,
			receiver: to.replace('#', ''),
			receiverType: to.startsWith('#') ? 'group' : 'user',
			sentAt: lastSentAt - SPAN + at * 60,
		},
		reactions: Object.entries(reactions).flatMap(([reaction, uids]) =>
			words(uids).map((uid) => ({ reaction, uid })),
		),
	}));
}
