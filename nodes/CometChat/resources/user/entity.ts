import type { IDataObject } from 'n8n-workflow';

import { readRefusalOfResponseOrEmpty } from '../../errors/refusal';
import { asObjectOrEmpty, createFieldReader, isEmptyObject } from '../../helpers/json';
import type {
	ColumnReaders,
	OutputRowType,
	EntityDefinition,
	UnconvertedResult,
	ParameterValues,
} from '../../types';
import {
	readNothingFromEntity,
	createConfirmationRowType,
	createColumnsNamedAsFields,
	createColumnsNotFromEntity,
	readBatchResultOfUser,
	deactivationColumns,
} from '../entityParts';

/**
 * Creates a reader for a metadata field that other users can't see. Requests put the field under `@private`. CometChat
 * returns the field there or beside the other metadata (open question 21 in docs/status.md).
 */
const createPrivateFieldReader = (name: string) => (user: IDataObject) =>
	createFieldReader('metadata', '@private', name)(user) ||
	createFieldReader('metadata', name)(user);

const basicColumns = {
	uid: createFieldReader('uid'),
	name: createFieldReader('name'),
	email: createPrivateFieldReader('email'),
	phone: createPrivateFieldReader('contactNumber'),
	role: createFieldReader('role'),
} satisfies ColumnReaders;

const tags = createFieldReader('tags');

const createdAt = createFieldReader('createdAt');

const detailColumns: ColumnReaders = {
	...createColumnsNamedAsFields('status', 'avatar'),
	createdAt,
	lastActiveAt: createFieldReader('lastActiveAt'),
};

/** Columns of users that only 'Selected Fields' returns. */
const selectedOnlyColumns = createColumnsNamedAsFields('statusMessage', 'link', 'updatedAt');

export const userEntity: EntityDefinition = {
	name: 'user',
	plural: 'users',
	id: 'uid',
	columns: { ...basicColumns, tags, ...detailColumns },
	columnsShownIfFilled: deactivationColumns,
	selectedOnlyColumns,
};

/**
 * A user in a list. CometChat includes tags only if the filter 'With Tags' is on, and deactivated users only if
 * a filter includes them.
 */
export const listedUserEntity: EntityDefinition = {
	...userEntity,
	columns: { ...userEntity.columns, ...deactivationColumns },
	columnsFor: ({ filters }) => {
		const { withTags, withDeactivated, onlyDeactivated } = asObjectOrEmpty(filters);
		return {
			...basicColumns,
			...(withTags === true ? { tags } : {}),
			...detailColumns,
			...(withDeactivated === true || onlyDeactivated === true ? deactivationColumns : {}),
		};
	},
};

const { uid, name, ...personal } = basicColumns;

const createdUserColumns: ColumnReaders = {
	uid,
	name,
	existed: readNothingFromEntity,
	...personal,
	tags,
	createdAt,
};

/** A new user, or the existing user with this UID. Has the column `authToken` if 'With Auth Token' is on. */
export const createdUserEntity: EntityDefinition = {
	...userEntity,
	columns: { ...createdUserColumns, authToken: createFieldReader('authToken') },
	selectedOnlyColumns: { ...selectedOnlyColumns, ...detailColumns },
	columnsFor: ({ additionalFields }) =>
		asObjectOrEmpty(additionalFields).withAuthToken === true
			? createdUserEntity.columns
			: createdUserColumns,
};

export const authTokenRowType: OutputRowType = {
	name: 'token',
	columns: createColumnsNamedAsFields('uid', 'authToken', 'createdAt'),
};

/**
 * Creates a reader that returns true if a list in the response isn't empty. A list can only contain the requested
 * user's UID, because a request names one user.
 */
const createNonEmptyReader = (list: string) => (received: IDataObject) =>
	Object.keys(received[list] ?? {}).length > 0;

/** Creates a reader for the UID in the first list that isn't empty. The UID is spelled as in the response. */
const createFirstUidReader =
	(...lists: string[]) =>
	(received: IDataObject): unknown =>
		lists.flatMap((name): unknown[] => {
			const list: unknown = received[name];
			return Array.isArray(list) ? list : Object.keys(list ?? {});
		})[0];

/** Result of deleting a user. Shows whether CometChat only deactivated the user. */
export const deleteUserConfirmationRowType = createConfirmationRowType({
	uid: createFirstUidReader('deactivatedUids'),
	deleted: (received) => !createNonEmptyReader('deactivatedUids')(received),
	deactivated: createNonEmptyReader('deactivatedUids'),
});

/** True if a response is empty or has `success: true`, which confirms the whole request. */
const isBareSuccess = (received: IDataObject) =>
	isEmptyObject(received) || received.success === true;

export const deactivationRowType: OutputRowType = {
	name: 'result',
	columns: {
		uid: createFirstUidReader('deactivatedUids', 'alreadyDeactivatedUids', 'notFound'),
		deactivated: (received) =>
			createNonEmptyReader('deactivatedUids')(received) || isBareSuccess(received),
		alreadyDeactivated: createNonEmptyReader('alreadyDeactivatedUids'),
		notFound: createNonEmptyReader('notFound'),
	},
};

export const reactivationRowType: OutputRowType = {
	...deactivationRowType,
	columns: {
		uid: createFirstUidReader('reactivatedUids', 'nonDeactivatedUids', 'notFound'),
		reactivated: createNonEmptyReader('reactivatedUids'),
		alreadyActive: createNonEmptyReader('nonDeactivatedUids'),
		notFound: createNonEmptyReader('notFound'),
	},
};

/**
 * Creates the `doneColumns` function of a change that an earlier attempt may have made. If the user is already in the
 * requested state, that attempt counts as having made the change. The function returns no columns if no user has the
 * UID.
 */
export const createDoneColumnsUnlessNotFound =
	(columns: IDataObject) =>
	(received: IDataObject): IDataObject =>
		createNonEmptyReader('notFound')(received) ? {} : columns;

/** A user blocked by the user in the 'User' parameter. */
export const blockedUserEntity: EntityDefinition = {
	...userEntity,
	columns: {
		userId: readNothingFromEntity,
		...createColumnsNamedAsFields('uid', 'name', 'status', 'role', 'avatar'),
		blockedAt: ({ blockedByMeAt, blockedAt }) => blockedByMeAt ?? blockedAt,
		conversationId: createFieldReader('conversationId'),
	},
};

/**
 * Creates a result's columns with `success: false`, for a change that isn't confirmed yet. The column `userId` contains
 * the user in the 'User' parameter.
 */
const createUnconfirmedColumns = (uid: string, { userId }: ParameterValues) => ({
	uid,
	userId: String(userId),
	success: false,
});

/**
 * Creates a function that reads a user's result from a batch response, where results are keyed by UID.
 *
 * @param defaultReason reason to report if CometChat's response contains no reason
 * @param isConfirming returns true if the response confirms the change for all users in the batch
 */
const createUserResultReader =
	(defaultReason: string, isConfirming = (received: IDataObject) => received.success === true) =>
	(data: IDataObject | undefined, uid: string, values: ParameterValues): UnconvertedResult => {
		const columns = createUnconfirmedColumns(uid, values);
		if (data === undefined) return { received: {}, columns };
		if (isConfirming(data)) return { received: data, columns: { ...columns, success: true } };
		return readBatchResultOfUser(data, columns, defaultReason);
	};

/** Base of the entities for results of batches, which report a change for each user. */
const userResultEntity = {
	...userEntity,
	columnsShownIfFilled: undefined,
	selectedOnlyColumns: undefined,
};

export const blockResultEntity = {
	...userResultEntity,
	columns: createColumnsNotFromEntity('uid', 'userId', 'success', 'reason'),
	needsResults: true,
	resultOf: createUserResultReader('CometChat did not say whether the user was blocked'),
};

export const unblockResultEntity = {
	...blockResultEntity,
	resultOf: createUserResultReader('CometChat did not say whether the user was unblocked'),
};

/** A friend of the user in the 'User' parameter. */
export const friendEntity: EntityDefinition = {
	...userEntity,
	columns: {
		userId: readNothingFromEntity,
		...createColumnsNamedAsFields('uid', 'name', 'status', 'role', 'avatar', 'lastActiveAt'),
	},
};

/** Reads a friend's result from `data.accepted.<uid>`. Users who are already friends count as added. */
function readAddFriendResult(
	data: IDataObject | undefined,
	uid: string,
	values: ParameterValues,
): UnconvertedResult {
	const columns = { ...createUnconfirmedColumns(uid, values), alreadyFriend: false };
	if (data === undefined) return { received: {}, columns };
	if (isBareSuccess(data)) return { received: data, columns: { ...columns, success: true } };
	const defaultReason = 'CometChat did not say whether the friend was added';
	const result = readBatchResultOfUser(data.accepted, columns, defaultReason);
	if (readRefusalOfResponseOrEmpty({ body: result.received }).code !== 'ERR_ALREADY_FRIEND')
		return result;
	const known = { ...result.columns, alreadyFriend: true, success: true, reason: undefined };
	return { received: result.received, columns: known };
}

export const addFriendResultEntity = {
	...userResultEntity,
	columns: createColumnsNotFromEntity('uid', 'userId', 'success', 'alreadyFriend', 'reason'),
	resultOf: readAddFriendResult,
};

export const removeFriendResultEntity = {
	...userResultEntity,
	columns: blockResultEntity.columns,
	resultOf: createUserResultReader(
		'CometChat did not say whether the friend was removed',
		isBareSuccess,
	),
};

export const signOutConfirmationRowType = createConfirmationRowType({
	uid: readNothingFromEntity,
	signedOut: () => true,
});
