import type { INodeParameters } from 'n8n-workflow';

/** Parameters that succeed with the sandbox's sample data, and the request that the node sends for them. */
export interface OperationExample {
	parameters: INodeParameters;
	/** The first request's method and URL */
	wire: string;
	body?: object;
	/** UID for 'On Behalf Of', if another parameter contains it */
	uid?: string;
	/** Methods and URLs of the requests after the first one */
	then?: string[];
	/** Additional parameters that change the URL, each with the resulting method and URL */
	otherwise?: Array<{ parameters: INodeParameters; wire: string }>;
}

/** An example for each operation. Keys consist of resource and operation, e.g. 'group list'. */
export const CASES: Record<string, OperationExample> = {
	'moderation list': {
		parameters: {},
		wire: 'GET /moderation/flagged-messages?limit=50',
		otherwise: [
			{ parameters: { queue: 'blocked' }, wire: 'GET /moderation/blocked-messages?limit=50' },
			{ parameters: { queue: 'reviewed' }, wire: 'GET /moderation/reviewed-messages?limit=50' },
		],
	},
	'moderation review': {
		parameters: { messageId: '107', decision: 'block' },
		wire: 'PATCH /moderation/flagged-messages/107',
		body: { status: 'disapproved' },
		otherwise: [
			{ parameters: { queue: 'blocked' }, wire: 'PATCH /moderation/blocked-messages/107' },
		],
	},
	'moderation flag': {
		parameters: { messageId: '101', reasonId: 'spam', remark: 'Again', onBehalfOf: 'jonas' },
		wire: 'POST /messages/101/flagged',
		body: { reasonId: 'spam', remark: 'Again' },
	},
	'conversation list': {
		parameters: { onBehalfOf: 'mira' },
		wire: 'GET /conversations?page=1&perPage=50',
	},
	'conversation markRead': {
		parameters: { groupId: 'project-aurora', messageId: '118', onBehalfOf: 'jonas' },
		wire: 'POST /groups/project-aurora/conversation/read',
		body: { messageId: 118 },
		otherwise: [
			{
				parameters: { receiverType: 'user', userId: 'jonas', messageId: '102', onBehalfOf: 'mira' },
				wire: 'POST /users/jonas/conversation/read',
			},
		],
	},
	'user blockUsers': {
		parameters: { userId: 'mira', uids: ['leo', 'Noor'] },
		wire: 'POST /users/mira/blockedusers',
		body: { blockedUids: ['leo', 'Noor'] },
	},
	'user unblockUsers': {
		parameters: { userId: 'ext_sam-99', uids: ['carla', 'noor'] },
		wire: 'DELETE /users/ext_sam-99/blockedusers',
		body: { blockedUids: ['carla', 'noor'] },
	},
	'user listBlocked': {
		parameters: { userId: 'ext_sam-99' },
		wire: 'GET /users/ext_sam-99/blockedusers?page=1&perPage=50',
	},
	'user addFriends': {
		parameters: { userId: 'mira', uids: ['carla', 'Leo'] },
		wire: 'POST /users/mira/friends',
		body: { accepted: ['carla', 'Leo'] },
	},
	'user removeFriends': {
		parameters: { userId: 'Mira', uids: ['leo'] },
		wire: 'DELETE /users/Mira/friends',
		body: { friends: ['leo'] },
	},
	'user listFriends': {
		parameters: { userId: 'mira' },
		wire: 'GET /users/mira/friends?page=1&perPage=50',
	},
	'user signOut': { parameters: { userId: 'leo' }, wire: 'DELETE /users/leo/auth_tokens' },
	'group list': { parameters: {}, wire: 'GET /groups?page=1&perPage=50' },
	'group get': { parameters: { groupId: 'all-hands' }, wire: 'GET /groups/all-hands' },
	'group create': {
		parameters: {
			guid: 'lamp-club',
			name: 'Lamp Club',
			additionalFields: {
				description: 'For collectors',
				tags: ['lamps', 'a,b'],
				owner: 'mira',
				moderators: ['noor'],
				participants: ['Felix', 'nobody'],
			},
		},
		wire: 'POST /groups',
		body: {
			guid: 'lamp-club',
			name: 'Lamp Club',
			type: 'public',
			description: 'For collectors',
			tags: ['lamps', 'a,b'],
			owner: 'mira',
			members: { moderators: ['noor'], participants: ['Felix', 'nobody'] },
		},
	},
	'group update': {
		parameters: {
			groupId: 'all-hands',
			updateFields: { name: 'Everyone', description: 'All of us' },
		},
		wire: 'PUT /groups/all-hands',
		body: { name: 'Everyone', description: 'All of us' },
	},
	'group delete': { parameters: { groupId: 'lunch' }, wire: 'DELETE /groups/lunch' },
	'group listMembers': {
		parameters: { groupId: 'all-hands' },
		wire: 'GET /groups/all-hands/members?page=1&perPage=50',
	},
	'group getMember': {
		parameters: { groupId: 'all-hands', userId: 'jonas' },
		wire: 'GET /groups/all-hands',
		uid: 'jonas',
		then: ['GET /users/jonas'],
	},
	'group addMembers': {
		parameters: { groupId: 'project-aurora', uids: ['noor', 'felix'], scope: 'moderator' },
		wire: 'POST /groups/project-aurora/members',
		body: { moderators: ['noor', 'felix'] },
	},
	'group removeMember': {
		parameters: { groupId: 'watercooler', userId: 'leo' },
		wire: 'DELETE /groups/watercooler/members/leo',
	},
	'group changeScope': {
		parameters: { groupId: 'watercooler', userId: 'leo', scope: 'moderator' },
		wire: 'PUT /groups/watercooler/members/leo',
		body: { scope: 'moderator' },
	},
	'group banMember': {
		parameters: { groupId: 'watercooler', userId: 'leo' },
		wire: 'POST /groups/watercooler/bannedusers/leo',
	},
	'group unbanMember': {
		parameters: { groupId: 'ideas', userId: 'felix' },
		wire: 'DELETE /groups/ideas/bannedusers/felix',
	},
	'group listBanned': {
		parameters: { groupId: 'ideas' },
		wire: 'GET /groups/ideas/bannedusers?page=1&perPage=50',
	},
	'message get': { parameters: { messageId: '101' }, wire: 'GET /messages/101' },
	'message downloadFiles': { parameters: { messageId: '117' }, wire: 'GET /messages/117' },
	'message list': {
		parameters: { groupId: 'project-aurora' },
		wire: 'GET /groups/project-aurora/messages?affix=prepend&limit=50',
		otherwise: [
			{ parameters: { messagesOf: 'app' }, wire: 'GET /messages?affix=prepend&limit=50' },
			{
				parameters: { messagesOf: 'user', userId: 'mira' },
				wire: 'GET /users/mira/messages?affix=prepend&limit=50',
			},
		],
	},
	'message send': {
		parameters: {
			groupId: 'all-hands',
			text: 'Hello 👋🏽\nand "good morning"',
			additionalFields: { metadata: '{"n": 1}', tags: ['x,y'], muid: 'm-1' },
		},
		wire: 'POST /messages',
		body: {
			receiverType: 'group',
			receiver: 'all-hands',
			category: 'message',
			type: 'text',
			data: { text: 'Hello 👋🏽\nand "good morning"', metadata: { n: 1 } },
			tags: ['x,y'],
			muid: 'm-1',
		},
		otherwise: [
			{
				parameters: { onBehalfOf: 'mira', additionalFields: { parentId: '109' } },
				wire: 'POST /messages/109/thread',
			},
			{
				parameters: { onBehalfOf: 'mira', additionalFields: { quotedMessageId: '109' } },
				wire: 'POST /messages',
			},
		],
	},
	'message reply': {
		parameters: {
			messageId: '118',
			text: 'Well done!',
			additionalFields: { tags: ['release'] },
			onBehalfOf: 'mira',
		},
		wire: 'POST /messages/118/thread',
		body: {
			category: 'message',
			type: 'text',
			data: { text: 'Well done!' },
			tags: ['release'],
		},
	},
	'message listReplies': {
		parameters: { messageId: '124' },
		wire: 'GET /messages/124/thread?page=1&perPage=50',
	},
	'message update': {
		parameters: {
			messageId: '101',
			updateFields: { text: 'Did all samples arrive?', tags: ['lab'] },
		},
		wire: 'PUT /messages/101',
		body: { data: { text: 'Did all samples arrive?' }, tags: ['lab'] },
	},
	'message delete': {
		parameters: { messageId: '101' },
		wire: 'DELETE /messages/101',
		body: { permanent: false },
	},
	'message addReaction': {
		parameters: { messageId: '101', reaction: '🎉', onBehalfOf: 'mira' },
		wire: 'POST /messages/101/reactions/%F0%9F%8E%89',
	},
	'message removeReaction': {
		parameters: { messageId: '101', reaction: '👍', onBehalfOf: 'mira' },
		wire: 'DELETE /messages/101/reactions/%F0%9F%91%8D',
	},
	'message listReactions': {
		parameters: { messageId: '108' },
		wire: 'GET /messages/108/reactions',
		otherwise: [
			{ parameters: { reaction: '👍' }, wire: 'GET /messages/108/reactions/%F0%9F%91%8D' },
		],
	},
	'user list': { parameters: {}, wire: 'GET /users?page=1&perPage=50' },
	'user get': { parameters: { userId: 'mira' }, wire: 'GET /users/mira' },
	'user create': {
		parameters: {
			uid: 'andrew',
			name: 'Andrew Joseph',
			additionalFields: { role: 'support', tags: ['vip', 'a,b'], withAuthToken: true },
		},
		wire: 'POST /users',
		body: {
			uid: 'andrew',
			name: 'Andrew Joseph',
			role: 'support',
			tags: ['vip', 'a,b'],
			withAuthToken: true,
		},
	},
	'user update': {
		parameters: {
			userId: 'mira',
			updateFields: { name: 'Mira H.', statusMessage: 'Back on Monday' },
		},
		wire: 'PUT /users/mira',
		body: { name: 'Mira H.', statusMessage: 'Back on Monday' },
	},
	'user delete': {
		parameters: { userId: 'leo' },
		wire: 'DELETE /users/leo',
		body: { permanent: true },
	},
	'user deactivate': {
		parameters: { userId: 'leo' },
		wire: 'DELETE /users',
		body: { uidsToDeactivate: ['leo'] },
	},
	'user reactivate': {
		parameters: { userId: 'old-account' },
		wire: 'PUT /users',
		body: { uidsToActivate: ['old-account'] },
	},
	'user createAuthToken': {
		parameters: { userId: 'leo' },
		wire: 'POST /users/leo/auth_tokens',
		body: { force: false },
	},
};
