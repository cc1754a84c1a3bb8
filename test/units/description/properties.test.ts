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
	['Makers (m)', { ...toUser, userId: picked('m', 'Makers (m)') }],
	['Message: Send', { ...toUser, userId: picked('m') }],
	['Message: Send', { ...toUser, userId: 'm' }],
	['Message: Send', { ...toUser, userId: picked('={{ $json.uid }}') }],
	['Message: Send', { ...toUser, userId: picked('') }],
	['Tomás (tomas)', { ...ban, groupId: picked('m', 'Makers (m)') }],
	['Makers (m)', { ...ban, userId: 'tomas', groupId: picked('m', 'Makers (m)') }],
	['Tomás (tomas)', { ...ban, groupId: picked('={{ $json.guid }}') }],
	['Group: Ban Member', { ...ban, groupId: '', userId: '' }],
	['Group: List', { resource: 'group', operation: 'list' }],
	['Message: Send And Wait', { resource: 'message', operation: 'sendAndWait' }],
])(
	'shows the picked target in the subtitle, or else the resource and the operation: %s',
	async (subtitle, parameters) => {
		expect(await evaluateSubtitle({ parameters })).toBe(subtitle);
	},
);

describe('The subtitle', () => {
	const { description } = new CometChat();
	const operations = resources.flatMap(({ name: resource, value, operations: own }) =>
		own.map((operation) => ({
			resource,
			parameters: { resource: value, operation: operation.value },
		})),
	);

	test('is short, because every node in a workflow evaluates it', () => {
		expect(String(description.subtitle).length).toBeLessThanOrEqual(200);
	});

	test.each(operations)(
		'of $parameters.resource $parameters.operation names the resource first',
		async ({ resource, parameters }) => {
			const start = new RegExp(`^${resource}: [A-Z]`);
			expect(await evaluateSubtitle({ parameters })).toMatch(start);
		},
	);
});
