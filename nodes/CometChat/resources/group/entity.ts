import type { IDataObject } from 'n8n-workflow';

import { field } from '../../operation/output';
import type { Entity, Result } from '../../operation/types';
import { serviceWordsOf } from '../../errors/serviceWords';
import { isObject } from '../../transport/types';

export const tagsText = ({ tags }: IDataObject) =>
	Array.isArray(tags) ? tags.join(', ') : undefined;

export const group: Entity = {
	name: 'group',
	plural: 'groups',
	id: 'guid',
	columns: {
		guid: field('guid'),
		name: field('name'),
		description: field('description'),
		type: field('type'),
		membersCount: field('membersCount'),
		owner: field('owner'),
		tags: tagsText,
		hasJoined: field('hasJoined'),
		scope: field('scope'),
		createdAt: field('createdAt'),
	},
};

/** A user as a member of a group. */
export const member: Entity = {
	name: 'member',
	plural: 'members',
	id: 'uid',
	columns: {
		uid: field('uid'),
		name: field('name'),
		scope: field('scope'),
		joinedAt: field('joinedAt'),
		status: field('status'),
		role: field('role'),
		avatar: field('avatar'),
		lastActiveAt: field('lastActiveAt'),
	},
};

/** What the service sends when something was deleted: that it was, and a sentence about it. */
export const confirmation: Entity = {
	name: 'confirmation',
	plural: 'confirmations',
	id: 'message',
	columns: { deleted: () => true },
};

/** The service's name for the members with a scope, in what is sent and in what comes back. */
const MEMBERS_WITH_SCOPE = {
	admin: 'admins',
	moderator: 'moderators',
	participant: 'participants',
} as const;

function isScope(value: unknown): value is keyof typeof MEMBERS_WITH_SCOPE {
	return typeof value === 'string' && Object.hasOwn(MEMBERS_WITH_SCOPE, value);
}

/**
 * What became of a member that was to be added: `data.<members with the scope>.<uid>`, the UID in
 * lower case. One that failed is `{success: false, error: {code, message}}`; other shapes were seen:
 * the error itself, or a text.
 */
function addedMemberOf(
	sent: IDataObject | undefined,
	uid: string,
	{ scope }: Readonly<Record<string, unknown>>,
): Result {
	const thing: IDataObject = { uid, scope: String(scope), success: false };
	if (sent === undefined) return { thing };
	const results = isScope(scope) ? sent[MEMBERS_WITH_SCOPE[scope]] : undefined;
	const result = isObject(results) ? (results[uid.toLowerCase()] ?? results[uid]) : undefined;
	if (result === true || (isObject(result) && result.success === true)) {
		return { thing: { ...thing, success: true } };
	}
	const error = isObject(result) && result.error !== undefined ? result.error : result;
	const { message, code } = serviceWordsOf({ statusCode: 200, headers: {}, body: error });
	const words = message ?? code ?? 'CometChat did not say whether the user was added';
	const reason = message && code ? `${message.replace(/\.$/, '')} (${code})` : words;
	return { thing: { ...thing, error: reason }, failure: reason };
}

export const addedMember = {
	name: 'member',
	plural: 'members',
	id: 'uid',
	columns: {
		uid: field('uid'),
		scope: field('scope'),
		success: field('success'),
		error: field('error'),
	},
	resultOf: addedMemberOf,
};
