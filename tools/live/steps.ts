import type { INodeParameters } from 'n8n-workflow';

/** Names and IDs of everything that the check creates. */
export interface Run {
	/** `n8n-check-<date>-<random>`, included in the name of everything the check creates. */
	id: string;
	guid: string;
	otherGuid: string;
	owner: string;
	member: string;
	guest: string;
	/** ID of the first message sent, or "0" before a message is sent. */
	messageId: string;
}

/**
 * A single call to an operation, e.g. "group list". The step's parameters are added to `commonParameters`.
 * `filter` names a list filter with two values that match different items. If a service treats the
 * comma-separated values as a single value, the list contains fewer than two items.
 */
export type Step = [operation: string, parameters?: (run: Run) => INodeParameters, filter?: string];

/** Returns the IDs that steps use by default. n8n ignores parameters that an operation doesn't have. */
export function commonParameters({ guid, guest, messageId }: Run): INodeParameters {
	return { groupId: guid, userId: guest, uids: [guest], messageId };
}

/**
 * Creates the parameters for a user who is named after another user's UID. A search by both name and UID
 * then finds two users.
 */
const newUser = (uid: string, name: string) => ({ uid, name, additionalFields: { tags: [uid] } });

/** All steps before the deletions. Lists are filtered to include only items that the check created. */
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
		// `default` is the only role that exists in every app
		({ id }) => ({ filters: { searchKey: id, roles: ['default', 'support'] } }),
		'roles',
	],
	['user update', ({ id }) => ({ updateFields: { name: id, metadata: '{"check": 1}' } })],
	['user createAuthToken'],
	['user signOut'],
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
	['group getMember'],
	['group removeMember'],
	['group getMember'],
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
	[
		'message send',
		({ id, owner: onBehalfOf }) => ({
			...{ onBehalfOf, messageType: 'card', text: id },
			card: JSON.stringify({ version: '1.0', body: [{ id, type: 'text', content: id }] }),
		}),
	],
	['message sendAndWait', ({ id, owner }) => ({ onBehalfOf: owner, message: id })],
	['message get', ({ member }) => ({ onBehalfOf: member })],
	// The message has no files, so only CometChat's own address is checked
	['message downloadFiles', ({ member }) => ({ onBehalfOf: member })],
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
	['conversation list', ({ member }) => ({ onBehalfOf: member })],
	['conversation markRead', ({ member }) => ({ onBehalfOf: member })],
	['conversation list', ({ member }) => ({ onBehalfOf: member, filters: { unread: true } })],
	['user addFriends', ({ owner }) => ({ userId: owner })],
	['user listFriends', ({ owner }) => ({ userId: owner })],
	['user removeFriends', ({ owner }) => ({ userId: owner })],
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

/** Error codes of refusals that an operation expects, because an open question asks for them. */
export const EXPECTED_REFUSALS: Partial<Record<string, string[]>> = {
	'group getMember': ['ERR_GROUP_NOT_JOINED', 'ERR_NOT_A_MEMBER'],
};

/** Steps that delete everything the check created. These steps run even if the check fails or is stopped. */
export const DELETIONS: Step[] = [
	['group delete'],
	['group delete', ({ otherGuid }) => ({ groupId: otherGuid })],
	['user delete', ({ owner }) => ({ userId: owner })],
	['user delete', ({ member }) => ({ userId: member })],
	['user delete'],
];
