import type { INodeParameters } from 'n8n-workflow';

import type { Settings } from '../../sandbox/server';
import { errorOf, itemsOf, jsonOf, useSandbox } from './harness';
import { WAYS } from './operations';

const sandbox = useSandbox({ validate: false });

const GROUP = 'watercooler';

/** Messages of the group, of which five and five were sent in the same second. */
const COUNT = 23;

const list = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation: 'list',
	groupId: GROUP,
	...more,
});

/** Ids of the group's messages, oldest first. */
const oldestFirst = () =>
	sandbox()
		.store.messages()
		.filter(({ receiver }) => receiver === GROUP)
		.map(({ id }) => id);

const idsIn = (items: Array<Record<string, unknown>>) => items.map(({ id }) => String(id));

beforeEach(() => {
	const { store } = sandbox();
	for (let index = oldestFirst().length; index < COUNT; index++) {
		const sentAt = 1_760_000_000 + Math.floor(index / 5);
		store.sendMessage({ sender: 'mira', receiver: GROUP, text: `Message ${index}`, sentAt });
	}
});

/** Every way in which the service may behave where its document says nothing. */
const BEHAVIOURS: Array<Partial<Settings>> = (['ascending', 'descending'] as const).flatMap(
	(messageOrder) =>
		(['exclusive', 'inclusive'] as const).flatMap((idBoundary) =>
			(['more', 'always', 'never'] as const).flatMap((nextShown) =>
				[0, 3].map((maxMessagesPerPage) => ({
					messageOrder,
					idBoundary,
					nextShown,
					maxMessagesPerPage,
				})),
			),
		),
);

const ORDERS = ['newestFirst', 'oldestFirst'] as const;

const inOrder = (order: (typeof ORDERS)[number]) =>
	order === 'oldestFirst' ? oldestFirst() : oldestFirst().reverse();

describe.each(BEHAVIOURS)('Where the service has %j,', (behaviour) => {
	beforeEach(() => sandbox().setSettings(behaviour));

	test.each(ORDERS)('%s returns each message once, in order, by every Limit', async (order) => {
		for (let limit = 1; limit <= COUNT + 1; limit++) {
			const items = await jsonOf(sandbox(), list({ order, limit }));
			expect(idsIn(items)).toEqual(inOrder(order).slice(0, limit));
		}
	});

	test.each(ORDERS)('%s returns each message once, in order, by every Per Page', async (order) => {
		for (const perPage of [2, 3, 4, 5, 11, 22, 23, 24, 1000]) {
			const items = await jsonOf(sandbox(), list({ order, returnAll: true, options: { perPage } }));
			expect({ perPage, ids: idsIn(items) }).toEqual({ perPage, ids: inOrder(order) });
		}
		expect(sandbox().violations).toEqual([]);
	});

	test('the whole app returns the messages of all groups and users', async () => {
		const all = sandbox()
			.store.messages()
			.map(({ id }) => id);
		const parameters = list({ messagesOf: 'app', returnAll: true, options: { perPage: 7 } });
		expect(idsIn(await jsonOf(sandbox(), parameters))).toEqual(all.reverse());
	});

	test('Pages have each message once or, where the service repeats one, twice', async () => {
		const parameters = list({ returnAll: true, output: 'pages', options: { perPage: 4 } });
		const pages = await jsonOf(sandbox(), parameters);
		const ids = pages.flatMap(({ data }) => idsIn(data as Array<Record<string, unknown>>));
		expect(new Set(ids)).toEqual(new Set(oldestFirst()));
		if (behaviour.idBoundary === 'exclusive') expect(ids).toHaveLength(COUNT);
	});
});

describe.each(WAYS)('Through %s,', (_, settings) => {
	test.each(['text', 'number'] as const)('ids may be %s', async (messageIds) => {
		sandbox().setSettings({ messageIds });
		const parameters = list({ returnAll: true, options: { perPage: 4 } });
		const items = await jsonOf(sandbox(), parameters, { settings });
		expect(idsIn(items)).toEqual(oldestFirst().reverse());
		expect(typeof items[0].id).toBe(messageIds === 'text' ? 'string' : 'number');
	});

	test('the affix is always sent, and the same filters and user on every page', async () => {
		sandbox().setSettings({ withoutAffix: 'append' });
		const parameters = list({
			returnAll: true,
			onBehalfOf: 'mira',
			filters: {
				searchKey: 'Message',
				sender: ' mira ',
				categories: ['message', 'custom'],
				types: ['text', 'ticket'],
				hideReplies: true,
				fromTimestamp: 1_760_000_000,
			},
			options: { perPage: 5 },
		});
		const items = await jsonOf(sandbox(), parameters, { settings });
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
		await itemsOf(sandbox(), list({ filters }), { settings });
		expect(Object.keys(sandbox().log[0].query).sort()).toEqual(['affix', 'limit']);
		await itemsOf(sandbox(), list({ filters, messagesOf: 'app' }), { settings });
		expect(sandbox().log.at(-1)?.query).toMatchObject({
			conversationId: 'group_lunch',
			receiverType: 'user',
			hideDeleted: 'true',
		});
	});

	test('a message sent while the list is read is left out or comes once', async () => {
		const before = oldestFirst().reverse();
		const { store } = sandbox();
		let sent = 0;
		const items = await jsonOf(sandbox(), list({ returnAll: true, options: { perPage: 4 } }), {
			settings,
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
		expect(await jsonOf(sandbox(), none, { settings })).toEqual([]);
		const pages = await jsonOf(sandbox(), { ...none, output: 'pages' }, { settings });
		expect(pages).toMatchObject([{ data: [] }]);
	});

	test('a group that is not there is named', async () => {
		const { description } = await errorOf(sandbox(), list({ groupId: 'nowhere' }), { settings });
		expect(description).toBe(
			"Check 'Group'. CometChat replied: The GUID nowhere does not exist (ERR_GUID_NOT_FOUND).",
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
			for (let limit = 1; limit <= all.length + 1; limit++) {
				const items = await jsonOf(sandbox(), reactions({ limit }));
				expect(shown(items)).toEqual(all.slice(0, limit));
			}
			expect(shown(await jsonOf(sandbox(), reactions({ returnAll: true })))).toEqual(all);
			expect(sandbox().violations).toEqual([]);
		},
	);

	test.each(WAYS)('returns only one kind of reaction, through %s', async (_, settings) => {
		const items = await jsonOf(sandbox(), reactions({ reaction: '🎉' }), { settings });
		expect(items.map(({ uid }) => uid)).toEqual(['leo', 'yuki', 'felix']);
		expect(sandbox().log[0].path).toBe(`/v3/messages/${ID}/reactions/%F0%9F%8E%89`);
	});
});
