import type { IDataObject, INodeParameters } from 'n8n-workflow';

/** What a run makes and works with. */
export interface Run {
	/** `n8n-check-<date>-<random>`: in the name of all that it makes */
	id: string;
	guid: string;
	/** Owner of the group, a member, and one who comes and goes */
	uids: [owner: string, member: string, guest: string];
	/** Of the message that the steps work with, once it is sent */
	messageId: string;
}

/** One run of an operation. */
export interface Step {
	/** Resource and value, e.g. "group list" */
	operation: string;
	parameters: (run: Run) => INodeParameters;
	/** Keeps what later steps need of the item that the step gave */
	keep?: (run: Run, item: IDataObject) => void;
}

const step = (operation: string, parameters: Step['parameters'], keep?: Step['keep']): Step => ({
	operation,
	parameters,
	keep,
});

const member = ({ guid, uids: [, , userId] }: Run) => ({ groupId: guid, userId });
const owned = ({ guid, uids: [onBehalfOf] }: Run) => ({ groupId: guid, onBehalfOf });
const reaction = ({ messageId, uids: [, onBehalfOf] }: Run) => ({
	messageId,
	reaction: '👍🏽',
	onBehalfOf,
});

const createUser = (index: number) =>
	step('user create', ({ uids }) => ({ uid: uids[index], name: uids[index] }));

/** Everything but what deletes at the end. A list asks only for what the run made. */
export const STEPS: Step[] = [
	...[0, 1, 2].map(createUser),
	step('user get', ({ uids: [userId] }) => ({ userId })),
	step('user list', ({ id }) => ({ filters: { searchKey: id } })),
	step('user update', ({ id, uids: [userId] }) => ({
		userId,
		updateFields: { name: `${id} updated`, metadata: '{"check": 1}' },
	})),
	step('user createAuthToken', ({ uids: [userId] }) => ({ userId })),
	step('user deactivate', ({ uids: [, , userId] }) => ({ userId })),
	step('user reactivate', ({ uids: [, , userId] }) => ({ userId })),
	step('group create', ({ guid, uids: [owner] }) => ({
		guid,
		name: guid,
		type: 'private',
		additionalFields: { owner, description: guid, metadata: '{"check": 1}', tags: [guid] },
	})),
	step('group get', ({ guid }) => ({ groupId: guid })),
	step('group list', ({ id }) => ({ filters: { searchKey: id } })),
	step('group update', ({ guid }) => ({
		groupId: guid,
		updateFields: { name: `${guid} updated` },
	})),
	step('group addMembers', ({ guid, uids: [, ...uids] }) => ({ groupId: guid, uids })),
	step('group changeScope', (run) => ({ ...member(run), scope: 'moderator' })),
	step('group listMembers', ({ guid }) => ({ groupId: guid })),
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

/** What deletes, in this order, after everything else. */
export const LAST_STEPS: Step[] = [
	step('message delete', ({ messageId }) => ({ messageId })),
	step('group delete', ({ guid }) => ({ groupId: guid })),
	...[0, 1, 2].map((index) => step('user delete', ({ uids }) => ({ userId: uids[index] }))),
];
