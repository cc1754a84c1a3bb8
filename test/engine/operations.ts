import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';

import { CometChat } from '../../nodes/CometChat/CometChat.node';
import { AS_TOOL, get, list, removeReaction } from './harness';

/** The two ways in which n8n runs the node. */
export const WAYS: Array<[string, Partial<INode>]> = [
	['custom operations', {}],
	["n8n's RoutingNode", AS_TOOL],
];

/** An operation of the node with parameters that succeed on the sample data. */
export interface OperationCase {
	/** As its action is called, e.g. "Get message" */
	name: string;
	parameters: INodeParameters;
	/** Method and target of its first request */
	wire: string;
	body?: object;
	/** Who it acts for, where it cannot do without */
	uid?: string;
	returns: 'one' | 'many' | 'each';
	/** What it changes, in the words of the error for an unknown outcome */
	change?: { done: string; inspect: string };
	/** Fields of a simplified item, in their order */
	columns: string[];
	/** Some of a raw item */
	raw: object;
}

export const GROUP_COLUMNS = [
	'guid',
	'name',
	'description',
	'type',
	'membersCount',
	'owner',
	'tags',
	'createdAt',
];
export const MESSAGE_COLUMNS = [
	'id',
	'text',
	'sender',
	'receiver',
	'receiverType',
	'type',
	'conversationId',
	'sentAt',
	'updatedAt',
];

const group = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'group',
	operation,
	...more,
});

const message = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'message',
	operation,
	...more,
});

/** All sixteen. */
export const OPERATIONS: OperationCase[] = [
	{
		name: 'List groups',
		parameters: list(),
		wire: 'GET /groups?page=1&perPage=50',
		returns: 'many',
		columns: GROUP_COLUMNS,
		raw: { guid: expect.any(String), conversationId: expect.any(String) },
	},
	{
		name: 'Get group',
		parameters: group('get', { groupId: 'all-hands' }),
		wire: 'GET /groups/all-hands',
		returns: 'one',
		columns: GROUP_COLUMNS,
		raw: { guid: 'all-hands', conversationId: 'group_all-hands' },
	},
	{
		name: 'Create group',
		parameters: group('create', {
			guid: 'lamp-club',
			name: 'Lamp Club',
			additionalFields: { description: 'For collectors', tags: ['lamps', 'a,b'], owner: 'mira' },
		}),
		wire: 'POST /groups',
		body: {
			guid: 'lamp-club',
			name: 'Lamp Club',
			type: 'public',
			description: 'For collectors',
			tags: ['lamps', 'a,b'],
			owner: 'mira',
		},
		returns: 'one',
		change: { done: 'created the group', inspect: 'the group' },
		columns: GROUP_COLUMNS,
		raw: { guid: 'lamp-club', owner: 'mira' },
	},
	{
		name: 'Update group',
		parameters: group('update', {
			groupId: 'all-hands',
			updateFields: { name: 'Everyone', metadata: '{"floor": 3}' },
		}),
		wire: 'PUT /groups/all-hands',
		body: { name: 'Everyone', metadata: { floor: 3 } },
		returns: 'one',
		change: { done: 'updated the group', inspect: 'the group' },
		columns: GROUP_COLUMNS,
		raw: { guid: 'all-hands', name: 'Everyone', metadata: { floor: 3 } },
	},
	{
		name: 'Delete group',
		parameters: group('delete', { groupId: 'lunch' }),
		wire: 'DELETE /groups/lunch',
		returns: 'one',
		change: { done: 'deleted the group', inspect: 'the group' },
		columns: ['guid', 'deleted'],
		raw: { success: true, message: expect.stringContaining('lunch') },
	},
	{
		name: 'List members of group',
		parameters: group('listMembers', { groupId: 'all-hands' }),
		wire: 'GET /groups/all-hands/members?page=1&perPage=50',
		returns: 'many',
		columns: ['uid', 'name', 'scope', 'joinedAt', 'status', 'role', 'avatar'],
		raw: { uid: expect.any(String), scope: expect.any(String) },
	},
	{
		name: 'Add members to group',
		parameters: group('addMembers', {
			groupId: 'project-aurora',
			uids: ['noor', 'felix'],
			scope: 'moderator',
		}),
		wire: 'POST /groups/project-aurora/members',
		body: { moderators: ['noor', 'felix'] },
		returns: 'each',
		change: { done: 'added the members', inspect: 'the members of the group' },
		columns: ['uid', 'scope', 'success'],
		raw: { uid: expect.any(String), scope: 'moderator', success: true },
	},
	{
		name: 'Remove member from group',
		parameters: group('removeMember', { groupId: 'watercooler', userId: 'leo' }),
		wire: 'DELETE /groups/watercooler/members/leo',
		returns: 'one',
		change: { done: 'removed the member', inspect: 'the members of the group' },
		columns: ['guid', 'uid', 'deleted'],
		raw: { success: true, message: expect.stringContaining('leo') },
	},
	{
		name: 'Get message',
		parameters: get('101'),
		wire: 'GET /messages/101',
		returns: 'one',
		columns: MESSAGE_COLUMNS,
		raw: { id: '101', data: expect.any(Object) },
	},
	{
		name: 'List messages',
		parameters: message('list', { groupId: 'project-aurora' }),
		wire: 'GET /groups/project-aurora/messages?affix=prepend&limit=50',
		returns: 'many',
		columns: MESSAGE_COLUMNS,
		raw: { id: expect.any(String), receiver: 'project-aurora' },
	},
	{
		name: 'Send message',
		parameters: message('send', {
			groupId: 'all-hands',
			text: 'Hello 👋🏽\nand "good morning"',
			additionalFields: { metadata: '{"n": 1}', tags: ['x,y'], muid: 'm-1' },
		}),
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
		returns: 'one',
		change: { done: 'sent the message', inspect: 'the conversation' },
		columns: MESSAGE_COLUMNS,
		raw: { receiver: 'all-hands', muid: 'm-1' },
	},
	{
		name: 'Update message',
		parameters: message('update', {
			messageId: '101',
			updateFields: { text: 'Did all samples arrive?', tags: ['lab'] },
		}),
		wire: 'PUT /messages/101',
		body: { data: { text: 'Did all samples arrive?' }, tags: ['lab'] },
		returns: 'one',
		change: { done: 'updated the message', inspect: 'the message' },
		columns: MESSAGE_COLUMNS,
		raw: { category: 'action', data: expect.objectContaining({ action: 'edited' }) },
	},
	{
		name: 'Delete message',
		parameters: message('delete', { messageId: '101' }),
		wire: 'DELETE /messages/101',
		body: { permanent: false },
		returns: 'one',
		change: { done: 'deleted the message', inspect: 'the message' },
		columns: [
			'id',
			'deleted',
			'deletedAt',
			'deletedBy',
			'sender',
			'receiver',
			'receiverType',
			'conversationId',
			'sentAt',
		],
		raw: { category: 'action', data: expect.objectContaining({ action: 'deleted' }) },
	},
	{
		name: 'Add reaction to message',
		parameters: message('addReaction', { messageId: '101', reaction: '🎉', onBehalfOf: 'mira' }),
		wire: 'POST /messages/101/reactions/%F0%9F%8E%89',
		uid: 'mira',
		returns: 'one',
		change: { done: 'added the reaction', inspect: 'the message' },
		columns: ['id', 'text', 'reactions', ...MESSAGE_COLUMNS.slice(2)],
		raw: { id: '101', data: expect.any(Object) },
	},
	{
		name: 'Remove reaction from message',
		parameters: removeReaction('101', '👍', 'mira'),
		wire: 'DELETE /messages/101/reactions/%F0%9F%91%8D',
		uid: 'mira',
		returns: 'one',
		change: { done: 'removed the reaction', inspect: 'the message' },
		columns: ['id', 'text', 'reactions', ...MESSAGE_COLUMNS.slice(2)],
		raw: { id: '101', data: expect.any(Object) },
	},
	{
		name: 'List reactions to message',
		parameters: message('listReactions', { messageId: '108' }),
		wire: 'GET /messages/108/reactions',
		returns: 'many',
		columns: ['id', 'messageId', 'reaction', 'uid', 'name', 'reactedAt'],
		raw: { reaction: expect.any(String), reactedBy: expect.any(Object) },
	},
];

/** Operations in both ways: name of the operation, of the way, the operation, the node's settings. */
export const OPERATIONS_IN_BOTH_WAYS = OPERATIONS.flatMap((operation) =>
	WAYS.map(([way, settings]): [string, string, OperationCase, Partial<INode>] => [
		operation.name,
		way,
		operation,
		settings,
	]),
);

const { properties } = new CometChat().description;

function isShownFor({ displayOptions }: INodeProperties, parameters: INodeParameters): boolean {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	const fits = (allowed: unknown[], name: string) =>
		allowed.length === 0 || allowed.includes(parameters[name]);
	return fits(resource, 'resource') && fits(operation, 'operation');
}

/** The fields of an operation as the editor shows them. */
export function fieldsOf({ parameters }: OperationCase): INodeProperties[] {
	return properties.filter((property) => isShownFor(property, parameters));
}

/** Their labels by their names, those in collections too. */
export function labelsOf(operation: OperationCase): Record<string, string> {
	const all = fieldsOf(operation).flatMap((field) => [
		field,
		...(field.options ?? []).filter((option) => 'type' in option),
	]);
	return Object.fromEntries(all.map(({ name, displayName }) => [name, displayName]));
}
