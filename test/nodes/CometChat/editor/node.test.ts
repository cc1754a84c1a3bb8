import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { buildProperties } from '../../../../nodes/CometChat/editor/node';
import type { Operation, Resource } from '../../../../nodes/CometChat/description/types';
import { evaluateSubtitle } from '../context';

const operation = (value: string, fields: INodeProperties[] = []): Operation => ({
	name: value.charAt(0).toUpperCase() + value.slice(1),
	value,
	action: `${value} one thing`,
	routing: { request: { method: 'GET', url: `/${value}` } },
	response: { one: { name: 'thing', plural: 'things', id: 'id', columns: {} } },
	fields,
});

const resource = (value: string, operations: Operation[]): Resource => ({
	name: `The ${value}`,
	value,
	description: `Manage ${value}`,
	operations,
	defaultOperation: operations[0].value,
});

test("builds resource and operation menus that don't accept expressions", () => {
	const [first, second] = buildProperties([
		resource('x', [operation('zoom', []), operation('add', [])]),
	]);
	expect(first).toMatchObject({ name: 'resource', type: 'options', noDataExpression: true });
	expect(first.options).toEqual([{ name: 'The x', value: 'x' }]);
	expect(first.default).toBe('message');
	expect(second).toMatchObject({ name: 'operation', type: 'options', noDataExpression: true });
	expect(second.options).toMatchObject([{ value: 'add' }, { value: 'zoom' }]);
});

const picked = (value: string, cachedResultName?: string): INodeParameters => ({
	__rl: true,
	mode: 'list',
	value,
	...(cachedResultName === undefined ? {} : { cachedResultName }),
});

const ban = { resource: 'group', operation: 'banMember', userId: picked('tomas', 'Tomás (tomas)') };

const review = { resource: 'moderation', operation: 'review', messageId: '12' };

const toUser = { resource: 'message', operation: 'send', receiverType: 'user' };

test.each<[string, INodeParameters]>([
	['List Groups', { resource: 'group', operation: 'list' }],
	['Get: 101', { resource: 'message', operation: 'get', messageId: '101' }],
	['Send: Makers', { ...toUser, userId: picked('m', 'Makers (m)') }],
	['Send: Makers (old)', { ...toUser, userId: picked('m', 'Makers (old) (m)') }],
	['Send: m', { ...toUser, userId: picked('m') }],
	['Send: m', { ...toUser, userId: 'm' }],
	['Send and Wait: m', { ...toUser, operation: 'sendAndWait', userId: 'm' }],
	['Send Message', { ...toUser, userId: picked('={{ $json.uid }}') }],
	['Send Message', { ...toUser, userId: picked('') }],
	['Ban Tomás: Makers', { ...ban, groupId: picked('m', 'Makers (m)') }],
	['Ban Tomás: New Member', { ...ban, groupId: picked('m', 'New Member (m)') }],
	['Ban Tomás from Group', { ...ban, groupId: picked('={{ $json.guid }}') }],
	['Unban Tomás: m', { ...ban, operation: 'unbanMember', groupId: 'm' }],
	['Remove Tomás: m', { ...ban, operation: 'removeMember', groupId: 'm' }],
	['Change Scope of Tomás: m', { ...ban, operation: 'changeScope', groupId: 'm' }],
	['Ban Member: m', { ...ban, groupId: 'm', userId: 'tomas' }],
	['Ban Member: m', { ...ban, groupId: 'm', userId: picked('={{ $json.uid }}') }],
	['Add Members: m', { ...ban, operation: 'addMembers', groupId: 'm' }],
	['Block: 12', { ...review, decision: 'block' }],
	['Review: 12', { ...review, decision: '' }],
	['Block Message', { ...review, messageId: '={{ $json.id }}', decision: 'block' }],
	['Review Message', { ...review, messageId: '={{ $json.id }}', decision: '' }],
	[
		'Review Message',
		{
			...review,
			messageId: '={{ $json.id }}',
			decision: "={{ $json.data.approved ? 'approve' : 'block' }}",
		},
	],
	['Get: 12', { ...review, resource: 'message', operation: 'get', decision: 'block' }],
])('shows the operation and its target in the subtitle: %s', async (subtitle, parameters) => {
	expect(await evaluateSubtitle({ parameters })).toBe(subtitle);
});
