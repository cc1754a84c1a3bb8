import type { IDataObject, INodeParameters } from 'n8n-workflow';

/** Names of everything that a run creates. */
export interface Run {
	/** `n8n-check-<date>-<random>`, a part of all names. */
	id: string;
	guid: string;
	otherGuid: string;
	uids: [owner: string, member: string, guest: string];
	/** ID of the message that later steps use. */
	messageId: string;
}

/** One run of an operation. */
export interface Step {
	/** Resource and operation, e.g. "group list". */
	operation: string;
	/** Name of the step in the report. Default: the operation. */
	title?: string;
	parameters: (run: Run) => INodeParameters;
	/** Keeps parts of the step's first item for later steps. */
	keep?: (run: Run, item: IDataObject) => void;
	/**
	 * Minimum number of items. The list is filtered by two comma-joined values, each of which matches
	 * another item, so fewer items mean that the service took both values for one.
	 */
	minItems?: number;
}

const step = (operation: string, parameters: Step['parameters'], keep?: Step['keep']): Step => ({
	operation,
	parameters,
	keep,
});

/** A list filtered by two values of one field. */
const listByTwo = (
	operation: string,
	field: string,
	parameters: Step['parameters'],
	minItems = 2,
): Step => ({ operation, title: `${operation}, two ${field}`, parameters, minItems });

const member = ({ guid, uids: [, , userId] }: Run) => ({ groupId: guid, userId });
const owned = ({ guid, uids: [onBehalfOf] }: Run) => ({ groupId: guid, onBehalfOf });
const reaction = ({ messageId, uids: [, onBehalfOf] }: Run) => ({
	messageId,
	reaction: '👍🏽',
	onBehalfOf,
});

/** The first user has the second one's UID as name, so that a search by name finds another user than by UID. */
const createUser = (index: number) =>
	step('user create', ({ uids }) => ({
		uid: uids[index],
		name: uids[(index + 1) % 3],
		additionalFields: { tags: [uids[index]] },
	}));

/** Steps before the deletions. Lists are filtered by names of the run. */
export const STEPS: Step[] = [
	...[0, 1, 2].map(createUser),
	step('user get', ({ uids: [userId] }) => ({ userId })),
	step('user list', ({ id }) => ({ filters: { searchKey: id } })),
	listByTwo('user list', 'tags', ({ uids: [one, other] }) => ({ filters: { tags: [one, other] } })),
	listByTwo('user list', 'searchIn', ({ uids: [searchKey] }) => ({
		filters: { searchKey, searchIn: ['uid', 'name'] },
	})),
	// Only the role `default` exists in every app
	listByTwo('user list', 'roles', ({ id }) => ({
		filters: { searchKey: id, roles: ['default', 'support'] },
	})),
	step('user update', ({ id, uids: [userId] }) => ({
		userId,
		updateFields: { name: `${id} updated`, metadata: '{"check": 1}' },
	})),
	step('user createAuthToken', ({ uids: [userId] }) => ({ userId })),
	step('user deactivate', ({ uids: [, , userId] }) => ({ userId })),
	step('user reactivate', ({ uids: [, , userId] }) => ({ userId })),
	step('group create', ({ guid, uids: [owner] }) => ({
		guid,
		name: `${guid}-other`,
		type: 'private',
		additionalFields: { owner, description: guid, metadata: '{"check": 1}', tags: [guid] },
	})),
	step('group create', ({ guid, otherGuid }) => ({
		guid: otherGuid,
		name: guid,
		type: 'public',
		additionalFields: { tags: [otherGuid] },
	})),
	step('group get', ({ guid }) => ({ groupId: guid })),
	step('group list', ({ id }) => ({ filters: { searchKey: id } })),
	listByTwo('group list', 'tags', ({ guid, otherGuid }) => ({
		filters: { tags: [guid, otherGuid] },
	})),
	listByTwo('group list', 'types', ({ id }) => ({
		filters: { searchKey: id, types: ['private', 'public'] },
	})),
	listByTwo('group list', 'searchIn', ({ otherGuid }) => ({
		filters: { searchKey: otherGuid, searchIn: ['name', 'guid'] },
	})),
	step('group update', ({ guid }) => ({
		groupId: guid,
		updateFields: { name: `${guid} updated` },
	})),
	step('group addMembers', ({ guid, uids: [, ...uids] }) => ({ groupId: guid, uids })),
	step('group changeScope', (run) => ({ ...member(run), scope: 'moderator' })),
	step('group listMembers', ({ guid }) => ({ groupId: guid })),
	listByTwo('group listMembers', 'scopes', ({ guid }) => ({
		groupId: guid,
		filters: { scopes: ['moderator', 'participant'] },
	})),
	step('group removeMember', member),
	step('group addMembers', ({ guid, uids: [, , uid] }) => ({ groupId: guid, uids: [uid] })),
	step('group banMember', member),
	step('group listBanned', ({ guid }) => ({ groupId: guid })),
	step('group unbanMember', member),
	step(
		'message send',
		(run) => ({ ...owned(run), text: run.id, additionalFields: { tags: [run.id] } }),
		(run, { id }) => (run.messageId = String(id)),
	),
	step('message send', (run) => ({
		...owned(run),
		messageType: 'media',
		mediaType: 'image',
		attachments: { attachment: [{ url: 'https://www.cometchat.com/favicon.ico' }] },
		additionalFields: { tags: [`${run.id}-image`] },
	})),
	step('message send', (run) => ({
		...owned(run),
		messageType: 'custom',
		customType: 'n8n-check',
		customData: '{"check": 1}',
	})),
	step('message sendAndWait', (run) => ({ ...owned(run), message: run.id })),
	step('message get', ({ messageId, uids: [, onBehalfOf] }) => ({ messageId, onBehalfOf })),
	step('message update', ({ id, messageId, uids: [onBehalfOf] }) => ({
		messageId,
		onBehalfOf,
		updateFields: { text: `${id} updated` },
	})),
	step('message reply', ({ id, messageId, uids: [, onBehalfOf] }) => ({
		messageId,
		onBehalfOf,
		text: id,
	})),
	step('message listReplies', ({ messageId }) => ({ messageId })),
	step('message addReaction', reaction),
	step('message listReactions', ({ messageId }) => ({ messageId })),
	step('message removeReaction', reaction),
	step('message list', ({ guid }) => ({ groupId: guid })),
	listByTwo('message list', 'tags', ({ id, guid }) => ({
		groupId: guid,
		filters: { tags: [id, `${id}-image`] },
	})),
	listByTwo('message list', 'types', ({ guid }) => ({
		groupId: guid,
		filters: { types: ['image', 'n8n-check'] },
	})),
	step('message list', ({ guid }) => ({
		messagesOf: 'app',
		filters: { conversationId: `group_${guid}` },
	})),
	step('message list', ({ uids: [owner, userId] }) => ({
		messagesOf: 'user',
		userId,
		onBehalfOf: owner,
	})),
	step('user blockUsers', ({ uids: [userId, , other] }) => ({ userId, uids: [other] })),
	step('user listBlocked', ({ uids: [userId] }) => ({ userId })),
	step('user unblockUsers', ({ uids: [userId, , other] }) => ({ userId, uids: [other] })),
	step('moderation flag', ({ id, messageId, uids: [, onBehalfOf] }) => ({
		...{ messageId, reasonId: 'spam', remark: id, onBehalfOf },
	})),
	step('moderation list', () => ({})),
	step('moderation list', () => ({ queue: 'blocked' })),
	step('moderation review', ({ messageId }) => ({ messageId, decision: 'approve' })),
	step('moderation list', () => ({ queue: 'reviewed' })),
];

/** Deletions, after all other steps. */
export const LAST_STEPS: Step[] = [
	step('message delete', ({ messageId }) => ({ messageId })),
	step('group delete', ({ guid }) => ({ groupId: guid })),
	step('group delete', ({ otherGuid }) => ({ groupId: otherGuid })),
	...[0, 1, 2].map((index) => step('user delete', ({ uids }) => ({ userId: uids[index] }))),
];
