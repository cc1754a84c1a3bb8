import type { INodeParameters } from 'n8n-workflow';

import { group, hintsOf, message, moderation, run, user, useSandbox } from './harness';

const sandbox = useSandbox();

const send = (text: string, more: INodeParameters = {}) =>
	message('send', { receiverType: 'group', groupId: 'all-hands', text, ...more });

const items = (...texts: string[]) => texts.map((text) => ({ text, uid: text }));

const hintsFor = async (parameters: INodeParameters, texts: string[]) =>
	hintsOf(await run(sandbox(), parameters, { input: items(...texts) }));

const ALL = (action: string, count: string) =>
	`'${action}' ran with the same values ${count}, because a node runs once per item. If once is enough, turn on 'Execute Once' in the node's Settings.`;

test.each<[INodeParameters, string]>([
	[send('Hello'), ALL('Send message', '4 times for group all-hands')],
	[
		message('send', { receiverType: 'user', userId: 'leo', text: 'Hello' }),
		ALL('Send message', '4 times for user leo'),
	],
	[
		message('reply', { messageId: '111', text: 'Hello', onBehalfOf: 'noor' }),
		ALL('Reply to message', '4 times for message 111'),
	],
	[
		group('addMembers', { groupId: 'makers', uids: ['leo'] }),
		ALL('Add members to group', '4 times for group makers'),
	],
	[group('list'), ALL('List groups', '4 times')],
	[moderation('list', { queue: 'flagged' }), ALL('List messages to moderate', '4 times')],
	[
		message('list', { messagesOf: 'group', groupId: 'lunch' }),
		ALL('List messages', '4 times for group lunch'),
	],
])('A hint says that %j ran with the same values for each item', async (parameters, hint) => {
	expect(await hintsFor(parameters, ['a', 'b', 'c', 'd'])).toEqual([hint]);
});

test.each<[string, INodeParameters, string[]]>([
	['a single item', send('Hello'), ['a']],
	['different texts', send('={{ $json.text }}'), ['a', 'b', 'c']],
	['a text that comes again later', send('={{ $json.text }}'), ['a', 'b', 'a']],
	[
		'the same text for different users',
		message('send', { receiverType: 'user', userId: '={{ $json.uid }}', text: 'Hi' }),
		['leo', 'mira'],
	],
	['a look-up', group('get', { groupId: 'lunch' }), ['a', 'b']],
	[
		'IDs that items share, which have their own hint',
		user('create', { uid: 'leo', name: 'Leo', options: { ifExists: 'return' } }),
		['a', 'b'],
	],
])('No hint for %s', async (_, parameters, texts) => {
	expect(await hintsFor(parameters, texts)).toEqual([]);
});

test('If only some items have the same values, the hint advises to remove them', async () => {
	const texts = ['a', 'b', 'b', 'c', 'd', 'd', 'd'];
	expect(await hintsFor(send('={{ $json.text }}'), texts)).toEqual([
		"'Send message' ran with the same values 5 times for group all-hands, because a node runs once per item. If once is enough, put Remove Duplicates before this node.",
	]);
});

test('The hint names at most three places, and those with the most items first', async () => {
	const guids = ['lunch', 'lunch', 'makers', 'makers', 'makers', 'ideas', 'ideas'];
	const parameters = send('Hi', { groupId: '={{ $json.text }}' });
	const [hint] = await hintsFor(parameters, [...guids, 'all-hands', 'all-hands']);
	expect(hint).toContain(
		'same values 3 times for group makers, 2 times for group lunch, 2 times for group ideas, and more, because',
	);
});

test('With Execute Once, one message is sent, and there is no hint', async () => {
	const settings = { executeOnce: true };
	const result = await run(sandbox(), send('Hello'), { input: items('a', 'b'), settings });
	expect([hintsOf(result), sandbox().log.length]).toEqual([[], 1]);
});
