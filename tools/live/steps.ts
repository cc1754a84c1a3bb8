import type { INodeParameters } from 'n8n-workflow';

/** Names of everything that a run creates. */
export interface Run {
	/** `n8n-check-<date>-<random>`, a part of all names. */
	id: string;
	guid: string;
	otherGuid: string;
	owner: string;
	member: string;
	guest: string;
	/** ID of the first sent message, or "0". */
	messageId: string;
}

/**
 * One run of an operation, e.g. "group list", with parameters in addition to `commonParameters`.
 * `filter` names a list filter that has two values. Each value matches another item, so a service that
 * reads the comma-joined values as a single value returns fewer than two items.
 */
export type Step = [operation: string, parameters?: (run: Run) => INodeParameters, filter?: string];

/** IDs for all steps. n8n ignores parameters that an operation doesn't have. */
export function commonParameters({ guid, guest, messageId }: Run): INodeParameters {
	return { groupId: guid, userId: guest, uids: [guest], messageId };
}

/** A user with another user's UID as name, so that a search by name and by UID finds two users. */
const newUser = (uid: string, name: string) => ({ uid, name, additionalFields: { tags: [uid] } });

/** Steps before the deletions. Lists are filtered by names of the run. */
export const STEPS: Step[] = [
	['user create', ({ owner, member }) => newUser(owner, member)],
	['user create', ({ member, guest }) => newUser(member, guest)],
	['user create', ({ guest, owner }) => newUser(guest, owner)],
	['user get'],
	['user list', ({ id }) => ({ filters: { searchKey: id } })],
	['user list', ({ owner, guest }) => ({ filters: { tags: [owner, guest] } }), 'tags'],
	[
		'user list',
		({ owner }) => ({ filters: { searchKey: owner, searchIn: ['uid', 'name'] } }),
		'searchIn',
	],
	[
		'user list',
		// Only the role `default` exists in every app
		({ id }) => ({ filters: { searchKey: id, roles: ['default', 'support'] } }),
		'roles',
	],
	['user update', ({ id }) => ({ updateFields: { name: id, metadata: '{"check": 1}' } })],
	['user createAuthToken'],
	['user deactivate'],
	['user reactivate'],
	[
		'group create',
		({ guid, otherGuid, owner }) => ({
			...{ guid, name: otherGuid, type: 'private' },
			additionalFields: { owner, description: guid, metadata: '{"check": 1}', tags: [guid] },
		}),
	],
	[
		'group create',
		({ guid, otherGuid }) => ({
			...{ guid: otherGuid, name: guid, type: 'public' },
			additionalFields: { tags: [otherGuid] },
		}),
	],
	['group get'],
	['group list', ({ id }) => ({ filters: { searchKey: id } })],
	['group list', ({ guid, otherGuid }) => ({ filters: { tags: [guid, otherGuid] } }), 'tags'],
	[
		'group list',
		({ id }) => ({ filters: { searchKey: id, types: ['private', 'public'] } }),
		'types',
	],
	[
		'group list',
		({ otherGuid }) => ({ filters: { searchKey: otherGuid, searchIn: ['name', 'guid'] } }),
		'searchIn',
	],
	['group update', ({ id }) => ({ updateFields: { name: id } })],
	['group addMembers', ({ member, guest }) => ({ uids: [member, guest] })],
	['group changeScope', () => ({ scope: 'moderator' })],
	['group listMembers'],
	['group listMembers', () => ({ filters: { scopes: ['moderator', 'participant'] } }), 'scopes'],
	['group removeMember'],
	['group addMembers'],
	['group banMember'],
	['group listBanned'],
	['group unbanMember'],
	[
		'message send',
		({ id, owner }) => ({ onBehalfOf: owner, text: id, additionalFields: { tags: [id] } }),
	],
	[
		'message send',
		({ id, owner }) => ({
			...{ onBehalfOf: owner, messageType: 'media', mediaType: 'image' },
			attachments: { attachment: [{ url: 'https://www.cometchat.com/favicon.ico' }] },
			additionalFields: { tags: [`${id}-image`] },
		}),
	],
	[
		'message send',
		({ owner: onBehalfOf }) => ({
			...{ onBehalfOf, messageType: 'custom', customType: 'n8n-check', customData: '{"check": 1}' },
		}),
	],
	['message sendAndWait', ({ id, owner }) => ({ onBehalfOf: owner, message: id })],
	['message get', ({ member }) => ({ onBehalfOf: member })],
	[
		'message update',
		({ id, owner }) => ({ onBehalfOf: owner, updateFields: { text: `${id} updated` } }),
	],
	['message reply', ({ id, member }) => ({ onBehalfOf: member, text: id })],
	['message listReplies'],
	['message addReaction', ({ member }) => ({ reaction: '👍🏽', onBehalfOf: member })],
	['message listReactions'],
	['message removeReaction', ({ member }) => ({ reaction: '👍🏽', onBehalfOf: member })],
	['message list'],
	['message list', ({ id }) => ({ filters: { tags: [id, `${id}-image`] } }), 'tags'],
	['message list', () => ({ filters: { types: ['image', 'n8n-check'] } }), 'types'],
	[
		'message list',
		({ guid }) => ({ messagesOf: 'app', filters: { conversationId: `group_${guid}` } }),
	],
	['message list', ({ owner }) => ({ messagesOf: 'user', onBehalfOf: owner })],
	['user blockUsers', ({ owner }) => ({ userId: owner })],
	['user listBlocked', ({ owner }) => ({ userId: owner })],
	['user unblockUsers', ({ owner }) => ({ userId: owner })],
	['moderation flag', ({ id, member }) => ({ reasonId: 'spam', remark: id, onBehalfOf: member })],
	['moderation list'],
	['moderation list', () => ({ queue: 'blocked' })],
	['moderation review', () => ({ decision: 'approve' })],
	['moderation list', () => ({ queue: 'reviewed' })],
	['message delete'],
];

/** Deletions of everything that the run created, also after a failure or a stop. */
export const DELETIONS: Step[] = [
	['group delete'],
	['group delete', ({ otherGuid }) => ({ groupId: otherGuid })],
	['user delete', ({ owner }) => ({ userId: owner })],
	['user delete', ({ member }) => ({ userId: member })],
	['user delete'],
];
