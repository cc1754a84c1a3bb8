import type { IDataObject } from 'n8n-workflow';

import { field } from '../../operation/output';
import type { Columns, Entity } from '../../operation/types';
import { asked, confirmationOf, tagsText } from '../columns';

const COLUMNS: Columns = {
	uid: field('uid'),
	name: field('name'),
	status: field('status'),
	role: field('role'),
	tags: tagsText,
	statusMessage: field('statusMessage'),
	avatar: field('avatar'),
	link: field('link'),
	createdAt: field('createdAt'),
};

export const user: Entity = {
	name: 'user',
	plural: 'users',
	id: 'uid',
	columns: { ...COLUMNS, lastActiveAt: field('lastActiveAt') },
};

/** A new user, who may come with an auth token. */
export const createdUser: Entity = {
	...user,
	columns: { ...COLUMNS, authToken: field('authToken') },
};

export const authToken: Entity = {
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

export const deletion = confirmationOf({ uid: asked, deleted: () => true });

/** What became of a user who was to be deactivated. */
export const deactivation: Entity = {
	name: 'result',
	plural: 'results',
	id: 'uid',
	example: 'deactivatedUids',
	columns: {
		uid: asked,
		deactivated: isIn('deactivatedUids'),
		alreadyDeactivated: isIn('alreadyDeactivatedUids'),
		notFound: isIn('notFound'),
	},
};

/** What became of a user who was to be reactivated. */
export const reactivation: Entity = {
	...deactivation,
	example: 'reactivatedUids',
	columns: {
		uid: asked,
		reactivated: isIn('reactivatedUids'),
		alreadyActive: isIn('nonDeactivatedUids'),
		notFound: isIn('notFound'),
	},
};
