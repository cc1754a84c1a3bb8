import type { IDataObject } from 'n8n-workflow';

import { field, asObject } from '../../transport/json';
import { formatQuote, readServiceWords } from '../../errors/serviceWords';
import type { Columns, Entity, Result, Values } from '../../description/types';
import { fromRequest, createConfirmation } from '../columns';

/** Field of the metadata that other users don't see. */
const privateField = (name: string) => field('metadata', '@private', name);

const identity: Columns = {
	uid: field('uid'),
	name: field('name'),
	email: privateField('email'),
	phone: privateField('contactNumber'),
	role: field('role'),
};

const tags = field('tags');

const createdAt = field('createdAt');

const profile: Columns = {
	status: field('status'),
	statusMessage: field('statusMessage'),
	avatar: field('avatar'),
	link: field('link'),
	createdAt,
	lastActiveAt: field('lastActiveAt'),
};

export const userEntity: Entity = {
	name: 'user',
	plural: 'users',
	id: 'uid',
	columns: { ...identity, tags, ...profile },
};

/** A user of a list. CometChat sends tags only with the filter 'With Tags'. */
export const listedUserEntity: Entity = {
	...userEntity,
	columnsFor: ({ filters }) =>
		asObject(filters).withTags === true ? userEntity.columns : { ...identity, ...profile },
};

const ofCreated: Columns = { ...identity, tags, createdAt };

/** A new user, with an auth token if 'With Auth Token' is on. */
export const createdUserEntity: Entity = {
	...userEntity,
	columns: { ...ofCreated, authToken: field('authToken'), existed: fromRequest },
	columnsFor: ({ additionalFields }) =>
		asObject(additionalFields).withAuthToken === true
			? createdUserEntity.columns
			: { ...ofCreated, existed: fromRequest },
};

export const authTokenEntity: Entity = {
	name: 'token',
	plural: 'tokens',
	id: 'authToken',
	columns: {
		uid: field('uid'),
		authToken: field('authToken'),
		createdAt: field('createdAt'),
	},
};

/** Whether a list in the response names the user: it is about no other. */
const isIn = (list: string) => (sent: IDataObject) => Object.keys(Object(sent[list])).length > 0;

/** What became of a user who was to be deleted: CometChat may only have deactivated them. */
export const deleteUserConfirmation = createConfirmation({
	uid: fromRequest,
	deleted: (sent) => !isIn('deactivatedUids')(sent),
	deactivated: isIn('deactivatedUids'),
});

/** What became of a user who was to be deactivated. */
export const deactivateUserConfirmation: Entity = {
	name: 'result',
	plural: 'results',
	id: 'uid',
	example: 'deactivatedUids',
	columns: {
		uid: fromRequest,
		deactivated: isIn('deactivatedUids'),
		alreadyDeactivated: isIn('alreadyDeactivatedUids'),
		notFound: isIn('notFound'),
	},
};

/** What became of a user who was to be reactivated. */
export const reactivateUserConfirmation: Entity = {
	...deactivateUserConfirmation,
	example: 'reactivatedUids',
	columns: {
		uid: fromRequest,
		reactivated: isIn('reactivatedUids'),
		alreadyActive: isIn('nonDeactivatedUids'),
		notFound: isIn('notFound'),
	},
};

/** A user whom another one has blocked. */
export const blockedUserEntity: Entity = {
	...userEntity,
	columns: {
		uid: field('uid'),
		name: field('name'),
		status: field('status'),
		role: field('role'),
		avatar: field('avatar'),
		blockedAt: ({ blockedByMeAt, blockedAt }) => blockedByMeAt ?? blockedAt,
		conversationId: field('conversationId'),
	},
};

/** What became of a user who was to be blocked or unblocked: `data.<uid>`, the UID in lower case. */
const blockedIn =
	(silence: string) =>
	(sent: IDataObject | undefined, uid: string, { userId }: Values): Result => {
		const entity: IDataObject = { uid, userId: String(userId), success: false };
		if (sent === undefined) return { entity };
		const result = sent[uid.toLowerCase()] ?? sent[uid];
		const entry = asObject(result);
		if (result === true || entry.success === true) {
			return { entity: { ...entity, success: true }, sent: entry };
		}
		const words = readServiceWords({ statusCode: 200, headers: {}, body: result });
		const reason = formatQuote(words) ?? silence;
		return { entity: { ...entity, error: reason }, sent: entry, failure: reason };
	};

const blockColumns: Columns = {
	uid: field('uid'),
	userId: field('userId'),
	success: field('success'),
	error: field('error'),
};

export const blockUserEntity = {
	...userEntity,
	columns: blockColumns,
	resultOf: blockedIn('CometChat did not say whether the user was blocked'),
};

export const unblockUserEntity = {
	...blockUserEntity,
	resultOf: blockedIn('CometChat did not say whether the user was unblocked'),
};
