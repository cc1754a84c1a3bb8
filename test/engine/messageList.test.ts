import type { INodeParameters } from 'n8n-workflow';

import { errorOf, itemsOf, jsonOf, useSandbox } from './harness';
import {
	BEHAVIOURS,
	COUNT,
	GROUP,
	ORDERS,
	expectEachOnce,
	fillGroup,
	idsIn,
	list,
	oldestFirst,
} from './messageList';

const sandbox = useSandbox({ validate: false });

beforeEach(() => fillGroup(sandbox()));

/** Of all the ways in which the service may behave, some that have each pair of two choices. */
const SOME = [0, 3, 4, 6, 9, 11, 13, 17, 19].map((index) => BEHAVIOURS[index]);

describe.each(SOME)('Where the service has %j,', (behaviour) => {
	beforeEach(() => sandbox().setSettings(behaviour));

	test.each(ORDERS)('%s returns each message once, in order', async (order) => {
		await expectEachOnce(sandbox(), order, [1, 2, 3, 22, COUNT, COUNT + 1], [2, 4, 23]);
	});

	test('Pages have each message once or, where the service repeats one, twice', async () => {
		const parameters = list({ returnAll: true, output: 'pages', options: { perPage: 4 } });
		const pages = await jsonOf(sandbox(), parameters);
		const ids = pages.flatMap(({ data }) => idsIn(data as Array<Record<string, unknown>>));
		expect(new Set(ids)).toEqual(new Set(oldestFirst(sandbox())));
		if (behaviour.idBoundary === 'exclusive') expect(ids).toHaveLength(COUNT);
	});
});

describe('List Messages', () => {
	test('of the whole app returns the messages of all groups and users', async () => {
		const all = sandbox()
			.store.messages()
			.map(({ id }) => id);
		const parameters = list({ messagesOf: 'app', returnAll: true, options: { perPage: 7 } });
		expect(idsIn(await jsonOf(sandbox(), parameters))).toEqual(all.reverse());
	});

	test.each(['text', 'number'] as const)('ids may be %s', async (messageIds) => {
		sandbox().setSettings({ messageIds });
		const parameters = list({ returnAll: true, options: { perPage: 4 } });
		const items = await jsonOf(sandbox(), parameters);
		expect(idsIn(items)).toEqual(oldestFirst(sandbox()).reverse());
		expect(typeof items[0].id).toBe(messageIds === 'text' ? 'string' : 'number');
	});

	test('the affix is always sent, and the same filters and user on every page', async () => {
		sandbox().setSettings({ withoutAffix: 'append' });
		const parameters = list({
			returnAll: true,
			onBehalfOf: 'mira',
			filters: {
				searchKey: 'Message',
				sender: { __rl: true, mode: 'list', value: ' mira ' },
				categories: ['message', 'custom'],
				types: ['text', 'ticket'],
				hideReplies: true,
				fromTimestamp: 1_760_000_000,
			},
			options: { perPage: 5 },
		});
		const items = await jsonOf(sandbox(), parameters);
		expect(items.length).toBeGreaterThan(15);
		const { log } = sandbox();
		expect(log.length).toBeGreaterThan(3);
		log.forEach(({ query, headers }, index) => {
			const { id, sentAt, ...rest } = query;
			expect([id === undefined, sentAt === undefined]).toEqual([index === 0, index === 0]);
			expect(headers.onbehalfof).toBe('mira');
			expect(rest).toEqual({
				affix: 'prepend',
				limit: '5',
				searchKey: 'Message',
				sender: 'mira',
				categories: 'message,custom',
				types: 'text,ticket',
				hideReplies: 'true',
				fromTimestamp: '1760000000',
			});
		});
	});

	test('filters of the whole app are not sent for a group, where the service has none', async () => {
		const filters = { conversationId: 'group_lunch', receiverType: 'user', hideDeleted: true };
		await itemsOf(sandbox(), list({ filters }));
		expect(Object.keys(sandbox().log[0].query).sort()).toEqual(['affix', 'limit']);
		await itemsOf(sandbox(), list({ filters, messagesOf: 'app' }));
		expect(sandbox().log.at(-1)?.query).toMatchObject({
			conversationId: 'group_lunch',
			receiverType: 'user',
			hideDeleted: 'true',
		});
	});

	test('a message sent while the list is read is left out or comes once', async () => {
		const before = oldestFirst(sandbox()).reverse();
		const { store } = sandbox();
		let sent = 0;
		const items = await jsonOf(sandbox(), list({ returnAll: true, options: { perPage: 4 } }), {
			onRequest: () => {
				store.sendMessage({ sender: 'leo', receiver: GROUP, text: `New ${++sent}` });
			},
		});
		const ids = idsIn(items);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.filter((id) => before.includes(id))).toEqual(before);
	});

	test('a group without messages returns none, and Pages its one empty page', async () => {
		const none = list({ groupId: 'makers', filters: { searchKey: 'nothing like this' } });
		expect(await jsonOf(sandbox(), none)).toEqual([]);
		const pages = await jsonOf(sandbox(), { ...none, output: 'pages' });
		expect(pages).toMatchObject([{ data: [] }]);
	});

	test('a group that is not there is named', async () => {
		const { description } = await errorOf(sandbox(), list({ groupId: 'nowhere' }));
		expect(description).toContain(
			"Check 'Group'. CometChat replied: The GUID nowhere does not exist (ERR_GUID_NOT_FOUND)",
		);
	});
});

describe('List Reactions', () => {
	const ID = '108';

	const made = () =>
		sandbox()
			.store.message(ID)
			?.reactions.all()
			.map(({ reaction, uid }) => `${reaction} ${uid}`);

	const reactions = (more: INodeParameters = {}) => ({
		resource: 'message',
		operation: 'listReactions',
		messageId: ID,
		output: 'raw',
		...more,
	});

	const shown = (items: Array<Record<string, unknown>>) =>
		items.map(({ reaction, uid }) => `${String(reaction)} ${String(uid)}`);

	test.each(['more', 'always'] as const)(
		'returns each reaction once, by every Limit, where the next page is shown: %s',
		async (nextShown) => {
			sandbox().setSettings({ nextShown, reactionsPerPage: 2 });
			const all = made() ?? [];
			expect(all.length).toBeGreaterThan(5);
			for (const limit of [1, 2, 3, all.length, all.length + 1]) {
				const items = await jsonOf(sandbox(), reactions({ limit }));
				expect(shown(items)).toEqual(all.slice(0, limit));
			}
			expect(shown(await jsonOf(sandbox(), reactions({ returnAll: true })))).toEqual(all);
			expect(sandbox().violations).toEqual([]);
		},
	);

	test('returns only one kind of reaction', async () => {
		const items = await jsonOf(sandbox(), reactions({ reaction: '🎉' }));
		expect(items.map(({ uid }) => uid)).toEqual(['leo', 'yuki', 'felix']);
		expect(sandbox().log[0].path).toBe(`/v3/messages/${ID}/reactions/%F0%9F%8E%89`);
	});
});
