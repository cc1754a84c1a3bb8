import type { INodeParameters } from 'n8n-workflow';

import { CometChat } from '../../../nodes/CometChat/CometChat.node';
import { resources } from '../../../nodes/CometChat/resources';
import { evaluateSubtitle } from '../context';

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
		"of $resource $value is the target, and without one the operation's name, unless that's the name of a new node",
		async ({ resource, value, name, action, fields }) => {
			const parameters = { resource, operation: value };
			const isNewNode = name.toLowerCase() === action.toLowerCase();
			expect(await evaluateSubtitle({ parameters })).toBe(isNewNode ? '' : name);
			const targets = ['userId', 'groupId', 'messageId'].filter((target) =>
				fields.some((field) => field.name === target && field.displayOptions === undefined),
			);
			const given = Object.fromEntries(targets.map((target) => [target, `a ${target}`]));
			expect(await evaluateSubtitle({ parameters: { ...parameters, ...given } })).toBe(
				targets.map((target) => `a ${target}`).join(', ') || name,
			);
		},
	);
});
