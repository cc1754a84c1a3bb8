import type { IDataObject } from 'n8n-workflow';

import { field, isObject, asObject } from '../../transport/json';
import type { Columns, Entity, Result } from '../../description/types';
import {
	prefixUids,
	formatQuote,
	readServiceWords,
	type ServiceWords,
} from '../../errors/serviceWords';
import { columnFromRequest, createConfirmation } from '../columns';

const ofEveryGroup = {
	guid: field('guid'),
	name: field('name'),
	description: field('description'),
	type: field('type'),
	membersCount: field('membersCount'),
	owner: field('owner'),
	tags: field('tags'),
};

const createdAt = field('createdAt');

export const groupEntity: Entity = {
	name: 'group',
	plural: 'groups',
	id: 'guid',
	columns: { ...ofEveryGroup, createdAt },
};

/** A group. Includes columns about the user in 'On Behalf Of' if this parameter is set. */
export const groupForUserEntity: Entity = {
	...groupEntity,
	columns: { ...ofEveryGroup, hasJoined: field('hasJoined'), scope: field('scope'), createdAt },
	columnsFor: ({ onBehalfOf }) => (onBehalfOf ? groupForUserEntity : groupEntity).columns,
};

export const memberEntity: Entity = {
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

export const deleteGroupConfirmation = createConfirmation({
	guid: columnFromRequest,
	deleted: () => true,
});

const membership: Columns = { guid: columnFromRequest, uid: columnFromRequest };

export const removeMemberConfirmation = createConfirmation({ ...membership, deleted: () => true });

export const banMemberConfirmation = createConfirmation({ ...membership, banned: () => true });

export const unbanMemberConfirmation = createConfirmation({ ...membership, banned: () => false });

export const changedMemberEntity: Entity = {
	...memberEntity,
	columns: {
		guid: field('guid'),
		uid: field('uid'),
		scope: field('scope'),
		joinedAt: field('joinedAt'),
	},
};

/** Reads the reason why a user wasn't added, from `{success: false, error: {code, message}}`. */
const readRefusal = (result: unknown): ServiceWords =>
	readServiceWords({ statusCode: 200, headers: {}, body: result });

/** True if a user wasn't added because they are already a member. */
const isAlreadyMember = ({ code = '' }: ServiceWords) =>
	['ERR_ALREADY_JOINED', 'ERR_SAME_SCOPE'].includes(code);

/**
 * Reads a user's result from `data.<scope>s.<uid>`, e.g. `data.admins.leo`. CometChat converts the UID to
 * lower case.
 */
function toAddedMember(
	sent: IDataObject | undefined,
	uid: string,
	{ groupId, scope, options }: Readonly<Record<string, unknown>>,
): Result {
	const entity: IDataObject = {
		guid: String(groupId),
		uid,
		scope: String(scope),
		success: false,
		alreadyMember: false,
	};
	if (sent === undefined) return { entity };
	const results = field(`${String(scope)}s`)(sent);
	const result = isObject(results) ? (results[uid.toLowerCase()] ?? results[uid]) : undefined;
	const entry = asObject(result);
	if (result === true || entry.success === true) {
		return { entity: { ...entity, success: true }, sent: entry };
	}
	const words = readRefusal(result);
	const { alreadyMember = 'success' } = asObject(options);
	if (isAlreadyMember(words)) {
		entity.alreadyMember = true;
		if (alreadyMember === 'success') return { entity: { ...entity, success: true }, sent: entry };
	}
	const reason = formatQuote(words) ?? 'CometChat did not say whether the user was added';
	return { entity: { ...entity, error: reason }, sent: entry, failure: reason };
}

export const addedMemberEntity = {
	name: 'member',
	plural: 'members',
	id: 'uid',
	columns: {
		guid: field('guid'),
		uid: field('uid'),
		scope: field('scope'),
		success: field('success'),
		alreadyMember: field('alreadyMember'),
		error: field('error'),
	},
	resultOf: toAddedMember,
};

/**
 * Lists the reasons why users weren't added to a new group, e.g. "The UID leo does not exist
 * (ERR_UID_NOT_FOUND)".
 */
function listNotAdded(created: IDataObject): string[] | undefined {
	const lists = Object.values(Object(field('members', 'data')(created))).filter(isObject);
	const reasons = lists.flatMap(Object.entries<unknown>).flatMap(([uid, result]) => {
		const words = readRefusal(result);
		const isRefused = isObject(result) && result.success === false && !isAlreadyMember(words);
		return isRefused ? prefixUids([uid], formatQuote(words) ?? 'not added') : [];
	});
	return reasons.length > 0 ? reasons : undefined;
}

/** Reports the requested members who weren't added because the group already exists. */
export function reportSkippedMembers({ members }: IDataObject) {
	const uids = Object.values(asObject(members)).flat().map(String);
	if (uids.length === 0) return undefined;
	return {
		columns: { membersNotAdded: uids.map((uid) => `${uid}: the group already exists`) },
		hint: 'Group → Create adds no members to a group that already exists. Group → Add Members adds them.',
	};
}

const { guid, name, ...furtherColumns } = ofEveryGroup;

/** A new group, with a column for the requested members who weren't added. */
export const createdGroupEntity: Entity = {
	...groupEntity,
	columns: {
		guid,
		name,
		existed: columnFromRequest,
		...furtherColumns,
		createdAt,
		membersNotAdded: listNotAdded,
	},
};
