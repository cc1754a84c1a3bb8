import type { IDataObject } from 'n8n-workflow';

import { asObjectOrEmpty, valueToText, createFieldReader, isObject } from '../../helpers/json';
import type {
	ColumnReaders,
	EntityDefinition,
	UnconvertedResult,
	OutputRowType,
	ParameterValues,
} from '../../types';
import {
	prefixReasonWithEntries,
	formatMessageWithCode,
	readRefusalOfResponseOrEmpty,
	type Refusal,
} from '../../errors/refusal';
import {
	readNothingFromEntity,
	createConfirmationRowType,
	createColumnsNamedAsFields,
	createColumnsFromNestedObject,
	createColumnsNotFromEntity,
	readBatchResultOfUser,
	deactivationColumns,
} from '../entityParts';

const guid = createFieldReader('guid');
const name = createFieldReader('name');

const createdAt = createFieldReader('createdAt');
const conversationId = createFieldReader('conversationId');

const profileColumns = {
	...createColumnsNamedAsFields('description', 'type', 'membersCount'),
	createdAt,
	...createColumnsNamedAsFields('owner', 'icon'),
};

const tags = createFieldReader('tags');

export const groupEntity: EntityDefinition = {
	name: 'group',
	plural: 'groups',
	id: 'guid',
	columns: { guid, name, ...profileColumns, conversationId, tags },
	selectedOnlyColumns: createColumnsNamedAsFields('updatedAt', 'updatedBy'),
};

/** Columns that say how the user in 'On Behalf Of' belongs to the group. */
const onBehalfOfColumns: ColumnReaders = createColumnsNamedAsFields(
	'hasJoined',
	'scope',
	'joinedAt',
);

/** A group. Includes columns about the user in 'On Behalf Of' if this parameter is set. */
export const groupWithOnBehalfOfColumnsEntity: EntityDefinition = {
	...groupEntity,
	columns: { ...groupEntity.columns, ...onBehalfOfColumns },
	columnsFor: ({ onBehalfOf }) =>
		(onBehalfOf ? groupWithOnBehalfOfColumnsEntity : groupEntity).columns,
};

/** Returns true if a user is banned from the group, or undefined otherwise. */
const isBanned = (user: IDataObject): true | undefined =>
	user.isBanned === true || user.bannedAt ? true : undefined;

export const memberEntity: EntityDefinition = {
	name: 'member',
	plural: 'members',
	id: 'uid',
	columns: {
		guid: readNothingFromEntity,
		...createColumnsNamedAsFields('uid', 'name', 'scope', 'joinedAt'),
		...createColumnsNamedAsFields('status', 'role', 'avatar', 'lastActiveAt'),
	},
	// A banned user may stay in the list of members. Open question 20 in docs/status.md asks for `bannedAt`
	columnsShownIfFilled: { ...deactivationColumns, banned: isBanned },
};

/** True if `group`, as read on behalf of a user, shows that the user is a member. */
function isMember({ group }: IDataObject): boolean {
	const { hasJoined, scope } = asObjectOrEmpty(group);
	return ['true', '1'].includes(valueToText(hasJoined ?? Boolean(scope)));
}

/** A group and a user, who may not be a member. `group` and `user` contain CometChat's responses. */
export const membershipCheckEntity: EntityDefinition = {
	name: 'group',
	plural: 'groups',
	id: 'uid',
	columns: {
		...createColumnsFromNestedObject('group', 'guid'),
		...createColumnsFromNestedObject('user', 'uid', 'name'),
		isMember,
		...createColumnsFromNestedObject('group', 'scope', 'joinedAt'),
		...createColumnsFromNestedObject('user', 'status', 'role', 'avatar', 'lastActiveAt'),
	},
	columnsShownIfFilled: createColumnsFromNestedObject('user', ...Object.keys(deactivationColumns)),
};

/**
 * A user who is banned from a group. Open question 20 in docs/status.md: CometChat doesn't document when it sends
 * `bannedAt`.
 */
export const bannedMemberEntity: EntityDefinition = {
	...memberEntity,
	columns: {
		guid: readNothingFromEntity,
		...createColumnsNamedAsFields(
			'uid',
			'name',
			'bannedAt',
			'status',
			'role',
			'avatar',
			'lastActiveAt',
		),
	},
	columnsShownIfFilled: deactivationColumns,
};

export const deleteGroupConfirmationRowType = createConfirmationRowType({
	guid: readNothingFromEntity,
	deleted: () => true,
});

const memberIdsFromRequest = createColumnsNotFromEntity('guid', 'uid');

export const removeMemberConfirmationRowType: OutputRowType = {
	...createConfirmationRowType({ ...memberIdsFromRequest, deleted: () => true }, 'uid'),
	columnsShownIfFilled: createColumnsNotFromEntity('notMember'),
};

export const banMemberConfirmationRowType = createConfirmationRowType(
	{
		guid: createFieldReader('data', 'entities', 'for', 'entity', 'guid'),
		uid: createFieldReader('data', 'entities', 'on', 'entity', 'uid'),
		banned: () => true,
	},
	'uid',
);

export const unbanMemberConfirmationRowType = createConfirmationRowType(
	{ ...memberIdsFromRequest, banned: () => false },
	'uid',
);

export const changedScopeEntity: EntityDefinition = {
	...memberEntity,
	columns: createColumnsNamedAsFields('guid', 'uid', 'scope', 'joinedAt'),
	columnsShownIfFilled: undefined,
};

/** Reads the reason why a user wasn't added, from `{success: false, error: {code, message}}`. */
const readFailure = (result: unknown): Refusal => readRefusalOfResponseOrEmpty({ body: result });

/** True if a user wasn't added because they own the group. The owner stays an admin. */
const isOwner = ({ code }: Refusal) => code === 'ERR_GROUP_OWNER_DEMOTE_FORBIDDEN';

/** True if a user wasn't added because they are already a member. */
const isAlreadyMember = (refusal: Refusal) =>
	['ERR_ALREADY_JOINED', 'ERR_SAME_SCOPE'].includes(refusal.code ?? '') || isOwner(refusal);

/** Reads a user's result from `data.<scope>s.<uid>`, e.g. `data.admins.leo`. */
function readMemberResult(
	data: IDataObject | undefined,
	uid: string,
	{ groupId, scope, options }: Readonly<Record<string, unknown>>,
): UnconvertedResult {
	const columns = {
		guid: String(groupId),
		uid,
		scope: String(scope),
		success: false,
		alreadyMember: false,
	};
	if (data === undefined) return { received: {}, columns };
	const defaultReason = 'CometChat did not say whether the user was added';
	const result = readBatchResultOfUser(data[`${columns.scope}s`], columns, defaultReason);
	const refusal = readFailure(result.received);
	if (!isAlreadyMember(refusal)) return result;
	const { alreadyMember = 'success' } = asObjectOrEmpty(options);
	const kept = isOwner(refusal) ? { scope: 'admin' } : {};
	const known = { ...result.columns, ...kept, alreadyMember: true };
	if (alreadyMember !== 'success') return { ...result, columns: known };
	return { received: result.received, columns: { ...known, success: true, reason: undefined } };
}

export const addMemberResultEntity = {
	name: 'member',
	plural: 'members',
	id: 'uid',
	columns: createColumnsNotFromEntity('guid', 'uid', 'scope', 'success', 'alreadyMember', 'reason'),
	resultOf: readMemberResult,
};

/** Lists the reasons why users weren't added to a new group, e.g. "The UID leo does not exist (ERR_UID_NOT_FOUND)". */
function listRefusalReasons(created: IDataObject): string[] | undefined {
	const lists = Object.values(
		asObjectOrEmpty(createFieldReader('members', 'data')(created)),
	).filter(isObject);
	const reasons = lists.flatMap(Object.entries<unknown>).flatMap(([uid, result]) => {
		const words = readFailure(result);
		const isRefused = isObject(result) && result.success === false && !isAlreadyMember(words);
		return isRefused
			? prefixReasonWithEntries([uid], formatMessageWithCode(words) ?? 'not added')
			: [];
	});
	return reasons.length > 0 ? reasons : undefined;
}

/**
 * Reports the requested members who weren't added because the group already exists. Returns undefined if no members
 * were requested.
 */
export function reportMembersNotAddedToExistingGroup({ members }: IDataObject) {
	const uids = Object.values(asObjectOrEmpty(members)).flat().map(String);
	if (uids.length === 0) return undefined;
	return {
		columns: { membersNotAdded: uids.map((uid) => `${uid}: the group already exists`) },
		hint: 'Group → Create adds no members to a group that already exists. Group → Add Members adds them.',
	};
}

const createdGroupColumns: ColumnReaders = {
	guid,
	name,
	existed: readNothingFromEntity,
	...profileColumns,
	tags,
};

/** True if a new group's parameters include members. */
const hasMembers = ({ additionalFields }: ParameterValues) =>
	['admins', 'moderators', 'participants'].some(
		(list) => list in asObjectOrEmpty(additionalFields),
	);

/** A new group, or the existing group with this GUID. `membersNotAdded` lists requested members who weren't added. */
export const createdGroupEntity: EntityDefinition = {
	...groupEntity,
	columns: { ...createdGroupColumns, ...onBehalfOfColumns, membersNotAdded: listRefusalReasons },
	selectedOnlyColumns: { ...groupEntity.selectedOnlyColumns, conversationId },
	columnsFor: (values) => ({
		...createdGroupColumns,
		...(values.onBehalfOf ? onBehalfOfColumns : {}),
		...(hasMembers(values) ? { membersNotAdded: listRefusalReasons } : {}),
	}),
};
