import type { INodeParameters } from 'n8n-workflow';

import { call, messageOf } from '../sandbox/client';
import { errorOf, get, jsonOf, message, removeReaction, run, useSandbox, wire } from './harness';
import { json, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox({
	// Makes the message visible after the first request is refused
	onRequest({ status }) {
		if (status === 403) sandbox().setSettings({ accessDelay: 0 });
	},
});

const idsIn = (items: Array<Record<string, unknown>>) => items.map(({ id }) => String(id));

describe('Get Message', () => {
	test('returns the same messages as direct requests', async () => {
		const ids = idsIn(
			sandbox()
				.store.messages.all()
				.map(({ id }) => ({ id })),
		);
		const items = await jsonOf(sandbox(), get('={{ $json.id }}'), {
			input: ids.map((id) => ({ id })),
		});
		const direct = await Promise.all(ids.map((id) => call(sandbox(), `/messages/${id}`)));
		expect(items).toEqual(direct.map(messageOf));
		expect(sandbox().violations).toEqual([]);
	});

	test('accepts a number as an ID', async () => {
		expect(await jsonOf(sandbox(), get('={{ 101 }}'))).toMatchObject([{ id: '101' }]);
		expect(wire(sandbox())).toEqual(['GET /messages/101']);
	});

	test('returns selected fields at their original paths', async () => {
		const fields = ['id', 'data.text', 'data.entities.sender.entity.name', 'data.metadata'];
		const items = await jsonOf(sandbox(), get('101', { output: 'fields', fields }));
		expect(items).toEqual([
			{
				id: '101',
				data: {
					text: 'Did the samples arrive?',
					entities: { sender: { entity: { name: 'Mira Halden' } } },
					metadata: { priority: 'high', ticket: { id: 4711, tags: ['samples', 'lab'] } },
				},
			},
		]);
	});
});

test.each([
	['a heart with U+FE0F', '102', '\u2764\uFE0F', 'mira'],
	['a heart without U+FE0F', '102', '\u2764', 'mira'],
	['an emoji without a skin tone', '108', '👍', 'jonas'],
	['an emoji with a skin tone', '108', '👍🏽', 'aisha'],
	['a composed letter', '111', 'caf\u00E9', 'yuki'],
	['a decomposed letter', '111', 'cafe\u0301', 'yuki'],
])('Remove Reaction removes %s, but no similar reaction', async (_, id, reaction, uid) => {
	const readReactions = () => [...(sandbox().store.messages.get(id)?.reactions ?? [])];
	const before = readReactions();
	const [item] = await jsonOf(sandbox(), removeReaction(id, reaction, uid));
	const expected = before
		.map(([text, uids]): [string, string[]] => [
			text,
			text === reaction ? uids.filter((other) => other !== uid) : uids,
		])
		.filter(([, uids]) => uids.length > 0);
	expect(readReactions()).toEqual(expected);
	expect(item.data).toHaveProperty(
		'reactions',
		expected.map(([text, uids]) => ({
			reaction: text,
			count: uids.length,
			...(uids.includes(uid) ? { reactedByMe: true } : {}),
		})),
	);
});

test.each<[string, INodeParameters]>([
	['get', {}],
	['update', { updateFields: { text: 'Later' } }],
	['delete', {}],
	['addReaction', { reaction: '👍' }],
	['listReactions', {}],
])('Message → %s waits for access to a new message', async (operation, more) => {
	const { store } = sandbox();
	sandbox().setSettings({ accessDelay: 3_600 });
	const { id } = store.sendMessage({ sender: 'mira', receiver: 'lunch', text: 'Hi' });
	store.joinGroup('lunch', 'mira');
	const parameters = message(operation, { messageId: id, onBehalfOf: 'mira', ...more });
	const { error } = await run(sandbox(), parameters);
	expect(error).toBeUndefined();
	expect(sandbox().log.map(({ status }) => status)).toEqual([403, 200]);
});

test('A message without access is requested once if only one attempt is allowed', async () => {
	await errorOf(sandbox(), get('101', { onBehalfOf: 'tomas', requestOptions: { maxTries: 1 } }));
	expect(sandbox().log).toHaveLength(1);
});

describe('List Messages', () => {
	/** GUID of a group that has few sample messages. */
	const GROUP = 'watercooler';

	const list = (more: INodeParameters = {}) =>
		message('list', { output: 'raw', groupId: GROUP, ...more });

	const readOldestFirst = () =>
		sandbox()
			.store.messages.all()
			.filter(({ receiver }) => receiver === GROUP)
			.map(({ id }) => id);

	beforeEach(() => {
		for (let index = readOldestFirst().length; index < 23; index++) {
			// Five messages share each timestamp
			const sentAt = 1_760_000_000 + Math.floor(index / 5);
			const text = `Message ${index}`;
			sandbox().store.sendMessage({ sender: 'mira', receiver: GROUP, text, sentAt });
		}
	});

	test('sends affix, filters and user with each page', async () => {
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
			expect(id === undefined && sentAt === undefined).toBe(index === 0);
			expect(headers.onbehalfof).toBe('mira');
			expect(rest).toEqual({
				...{ affix: 'prepend', limit: '5', searchKey: 'Message', sender: 'mira' },
				...{ categories: 'message,custom', types: 'text,ticket', hideReplies: 'true' },
				fromTimestamp: '1760000000',
			});
		});
	});

	test('finds a message behind 1,999 newer action messages with few requests', async () => {
		const newestFirst = Array.from({ length: 2_000 }, (_, index) => ({
			id: String(5_000 - index),
			category: index < 1_999 ? 'action' : 'message',
		}));
		const reply: Reply = (response, { url }) => {
			const query = new URL(url, 'http://service').searchParams;
			const before = Number(query.get('id') ?? Infinity);
			const rest = newestFirst.filter(({ id }) => Number(id) < before);
			json(response, 200, { data: rest.slice(0, Number(query.get('limit'))) });
		};
		await withRecorder(reply, async (recorder) => {
			expect(await jsonOf(recorder, list({ limit: 1 }))).toMatchObject([{ id: '3001' }]);
			expect(recorder.requests.length).toBeLessThan(10);
		});
	});

	describe('with a deleted message and its actions', () => {
		const listNew = (options: INodeParameters = {}, { filters, ...more }: INodeParameters = {}) =>
			list({
				...{ returnAll: true, output: 'simplified' },
				...more,
				filters: { fromTimestamp: 1_790_000_000, ...Object(filters) },
				options: { order: 'oldestFirst', ...options },
			});
		const textsOf = async (parameters: INodeParameters) =>
			(await jsonOf(sandbox(), parameters)).map(({ text }) => text);

		beforeEach(() => {
			const { store } = sandbox();
			const [, second] = ['first', 'second', 'third'].map(
				(text) => store.sendMessage({ sender: 'mira', receiver: GROUP, text }).id,
			);
			store.editMessage(second, { text: 'edited' });
			store.deleteMessage(second);
		});

		test('omits both by default', async () => {
			expect(await textsOf(listNew())).toEqual(['first', 'third']);
			expect(await textsOf(listNew({ includeDeleted: true }))).toEqual(['first', null, 'third']);
			expect(await textsOf(listNew({ includeActions: true }))).toHaveLength(4);
			const both = listNew({ includeActions: true, includeDeleted: true });
			expect(await textsOf(both)).toHaveLength(5);
		});

		test('returns action and deleted messages if a filter selects them', async () => {
			const actions = { filters: { categories: ['action'] } };
			expect(await textsOf(listNew({}, actions))).toHaveLength(2);
			const deleted = { messagesOf: 'app', filters: { onlyDeleted: true } };
			expect(await textsOf(listNew({}, deleted))).toEqual([null]);
		});

		test('counts only returned messages toward the limit', async () => {
			const two = { returnAll: false, limit: 2 };
			expect(await textsOf(listNew({}, two))).toEqual(['first', 'third']);
			const newestFirst = listNew({ order: 'newestFirst' }, two);
			expect(await textsOf(newestFirst)).toEqual(['third', 'first']);
			expect(await textsOf(listNew({ perPage: 1 }, two))).toEqual(['first', 'third']);
		});

		test("returns 'deletedAt' only if deleted messages are included", async () => {
			const [, third] = await jsonOf(sandbox(), listNew());
			expect(third).not.toHaveProperty('deletedAt');
			const [, deleted] = await jsonOf(sandbox(), listNew({ includeDeleted: true }));
			expect(Date.parse(String(deleted.deletedAt))).toBeGreaterThan(1_790_000_000_000);
		});

		test('omits nothing with Output → Pages', async () => {
			const [page] = await jsonOf(sandbox(), listNew({}, { output: 'pages' }));
			expect(page.data).toHaveLength(5);
		});
	});

	test('returns each message once, even if messages arrive between pages', async () => {
		const before = readOldestFirst().reverse();
		let sent = 0;
		const items = await jsonOf(sandbox(), list({ returnAll: true, options: { perPage: 4 } }), {
			onRequest: () => {
				const text = `New ${++sent}`;
				sandbox().store.sendMessage({ sender: 'leo', receiver: GROUP, text });
			},
		});
		const ids = idsIn(items);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.filter((id) => before.includes(id))).toEqual(before);
	});
});

describe('List Replies', () => {
	const PARENT = '118';

	const replies = (more: INodeParameters) =>
		message('listReplies', { messageId: PARENT, output: 'raw', ...more });

	test.each([
		...(['more', 'always', 'never'] as const).map((nextShown) => ['number', nextShown] as const),
		...(['more', 'always', 'never'] as const).map((nextShown) => ['cursor', nextShown] as const),
	])(
		'returns each reply once, oldest first, if pages have a %s and next pages are shown: %s',
		async (threadPages, nextShown) => {
			const { store, log, violations, setSettings } = sandbox();
			for (let index = 0; index < 8; index++) {
				const place = { receiver: 'project-aurora', parentId: PARENT };
				store.sendMessage({ sender: 'mira', ...place, text: `Reply ${index}` });
			}
			const expected = store.messages
				.all()
				.filter(({ parentId }) => parentId === PARENT)
				.map(({ id }) => id);
			// If the service sends no cursor, the node must treat a short page as the last page
			for (const maxPerPage of threadPages === 'cursor' && nextShown === 'never' ? [0] : [0, 3]) {
				setSettings({ threadPages, nextShown, maxPerPage });
				for (const limit of [1, 2, 8, 9, 10]) {
					const ids = idsIn(await jsonOf(sandbox(), replies({ limit })));
					expect({ limit, ids }).toEqual({ limit, ids: expected.slice(0, limit) });
				}
				for (const perPage of [2, 3, 9]) {
					const all = replies({ returnAll: true, options: { perPage } });
					expect(idsIn(await jsonOf(sandbox(), all))).toEqual(expected);
					const pages = await jsonOf(sandbox(), { ...all, output: 'pages' });
					expect(pages.flatMap(({ data }) => idsIn(data as []))).toEqual(expected);
					expect(log.at(-1)?.query.perPage).toBe(String(perPage));
				}
			}
			expect(violations).toEqual([]);
		},
	);
});
