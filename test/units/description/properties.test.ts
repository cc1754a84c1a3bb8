import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { CometChat } from '../../../nodes/CometChat/CometChat.node';
import { resources } from '../../../nodes/CometChat/resources';
import { buildProperties } from '../../../nodes/CometChat/description/properties';
import type { Operation, Resource } from '../../../nodes/CometChat/types';
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
	const resources = [resource('x', [operation('zoom', []), operation('add', [])])];
	const [first, second] = buildProperties(resources, () => Promise.resolve([]));
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

const toUser = { resource: 'message', operation: 'send', receiverType: 'user' };

test.each<[string, INodeParameters]>([
	['101', { resource: 'message', operation: 'get', messageId: '101' }],
	['Makers', { ...toUser, userId: picked('m', 'Makers (m)') }],
	['Makers (old)', { ...toUser, userId: picked('m', 'Makers (old) (m)') }],
	['m', { ...toUser, userId: picked('m') }],
	['m', { ...toUser, userId: 'm' }],
	['Send', { ...toUser, userId: picked('={{ $json.uid }}') }],
	['Send', { ...toUser, userId: picked('') }],
	['Tomás, Makers', { ...ban, groupId: picked('m', 'Makers (m)') }],
	['Tomás', { ...ban, groupId: picked('={{ $json.guid }}') }],
	['tomas, m', { ...ban, groupId: 'm', userId: 'tomas' }],
	['m', { ...ban, groupId: 'm', userId: picked('={{ $json.uid }}') }],
	['Ban Member', { ...ban, groupId: '', userId: '' }],
])('shows the target in the subtitle, or else the operation: %s', async (subtitle, parameters) => {
	expect(await evaluateSubtitle({ parameters })).toBe(subtitle);
});

describe('The subtitle', () => {
	const { description } = new CometChat();
	const operations = resources.flatMap(({ value: resource, operations: own }) =>
		own.map((each) => ({ resource, ...each })),
	);

	test('is short, because every node in a workflow evaluates it', () => {
		expect(String(description.subtitle).length).toBeLessThanOrEqual(900);
	});

	test.each(operations)(
		"of $resource $value is its name, unless that's the name of a new node",
		async ({ resource, value, name, action }) => {
			const subtitle = await evaluateSubtitle({ parameters: { resource, operation: value } });
			expect(subtitle).toBe(name.toLowerCase() === action.toLowerCase() ? '' : name);
		},
	);

	test.each(operations)(
		'of $resource $value is the target',
		async ({ resource, value, name, fields }) => {
			const targets = ['userId', 'groupId', 'messageId'].filter((target) =>
				fields.some((field) => field.name === target && field.displayOptions === undefined),
			);
			const parameters = {
				...{ resource, operation: value },
				...Object.fromEntries(targets.map((target) => [target, `a ${target}`])),
			};
			const shown = targets.map((target) => `a ${target}`).join(', ');
			expect(await evaluateSubtitle({ parameters })).toBe(shown || name);
		},
	);
});
