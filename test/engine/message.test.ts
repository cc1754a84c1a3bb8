import type { INodeParameters } from 'n8n-workflow';

import { call, messageOf } from '../sandbox/client';
import { errorOf, get, jsonOf, removeReaction, run, useSandbox, wire } from './harness';
import { json, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox({
	// Who was refused once may see the message from then on
	onRequest({ status }) {
		if (status === 403) sandbox().setSettings({ accessDelay: 0 });
	},
});

/** A message and its reactions as the service keeps them. */
const reactionsOf = (id: string) => [...(sandbox().store.messages.get(id)?.reactions ?? [])];

describe('Get', () => {
	test('returns the message that a direct request returns', async () => {
		const ids = sandbox()
			.store.messages.all()
			.map(({ id }) => id);
		const items = await jsonOf(sandbox(), get('={{ $json.id }}'), {
			input: ids.map((id) => ({ id })),
		});
		const direct = await Promise.all(ids.map((id) => call(sandbox(), `/messages/${id}`)));
		expect(items).toEqual(direct.map(messageOf));
		expect(sandbox().violations).toEqual([]);
	});

	test('takes an ID as a number', async () => {
		const [message] = await jsonOf(sandbox(), get('={{ 101 }}'));
		expect(message.id).toBe('101');
		expect(wire(sandbox())).toEqual(['GET /messages/101']);
	});

	test('returns selected fields, with dots for inner ones, where they were', async () => {
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

describe('Remove Reaction', () => {
	test.each([
		['a heart with U+FE0F', '102', '\u2764\uFE0F', 'mira'],
		['a heart without U+FE0F', '102', '\u2764', 'mira'],
		['an emoji without a skin tone', '108', '👍', 'jonas'],
		['an emoji with a skin tone', '108', '👍🏽', 'aisha'],
		['a composed letter', '111', 'caf\u00E9', 'yuki'],
		['a decomposed letter', '111', 'cafe\u0301', 'yuki'],
	])('takes away %s and leaves its look-alikes', async (_, id, reaction, uid) => {
		const before = reactionsOf(id);
		const [message] = await jsonOf(sandbox(), removeReaction(id, reaction, uid));
		const expected = before
			.map(([text, uids]): [string, string[]] => [
				text,
				text === reaction ? uids.filter((other) => other !== uid) : uids,
			])
			.filter(([, uids]) => uids.length > 0);
		expect(reactionsOf(id)).toEqual(expected);
		expect(message.data).toHaveProperty(
			'reactions',
			expected.map(([text, uids]) => ({
				reaction: text,
				count: uids.length,
				...(uids.includes(uid) ? { reactedByMe: true } : {}),
			})),
		);
	});
});

describe('A message that the user may not see', () => {
	const own = { resource: 'message', output: 'raw', onBehalfOf: 'mira' };

	test.each([
		['get', {}],
		['update', { updateFields: { text: 'Later' } }],
		['delete', {}],
		['addReaction', { reaction: '👍' }],
		['listReactions', {}],
	])('was just sent, perhaps: %s waits for it, and does its work once', async (operation, more) => {
		sandbox().setSettings({ accessDelay: 3_600 });
		const { id } = sandbox().store.sendMessage({ sender: 'mira', receiver: 'lunch', text: 'Hi' });
		sandbox().store.joinGroup('lunch', 'mira');
		const parameters = { ...own, operation, messageId: id, ...more };
		const { error } = await run(sandbox(), parameters);
		expect(error).toBeUndefined();
		const statuses = sandbox().log.map(({ status }) => status);
		expect(statuses).toEqual([403, 200]);
	});

	test('is not asked for again with one attempt', async () => {
		await errorOf(sandbox(), get('101', { onBehalfOf: 'tomas', requestOptions: { maxTries: 1 } }));
		expect(sandbox().log).toHaveLength(1);
	});
});

/** A group with few messages of its own. */
const GROUP = 'watercooler';

/** Parameters of the node for the group's messages. */
const list = (more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'message', operation: 'list', output: 'raw', groupId: GROUP },
	...more,
});

const idsIn = (items: Array<Record<string, unknown>>) => items.map(({ id }) => String(id));

/** Ids of the group's messages, oldest first. */
const oldestFirst = () =>
	sandbox()
		.store.messages.all()
		.filter(({ receiver }) => receiver === GROUP)
		.map(({ id }) => id);

describe('List Messages', () => {
	beforeEach(() => {
		for (let index = oldestFirst().length; index < 23; index++) {
			// Five and five in the same second
			const sentAt = 1_760_000_000 + Math.floor(index / 5);
			const text = `Message ${index}`;
			sandbox().store.sendMessage({ sender: 'mira', receiver: GROUP, text, sentAt });
		}
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
			expect(id === undefined && sentAt === undefined).toBe(index === 0);
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

	test('a message below 1,999 notes is found by a few requests', async () => {
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
			const [found] = await jsonOf(recorder, list({ limit: 1, returnAll: false }));
			expect(found.id).toBe('3001');
			expect(recorder.requests.length).toBeLessThan(10);
		});
	});

	describe('with a deleted message and notes', () => {
		const texts = ['first', 'second', 'third'];
		const later = (options: INodeParameters = {}, more: INodeParameters = {}) =>
			list({
				...{ returnAll: true, order: 'oldestFirst', output: 'simplified' },
				...more,
				filters: { fromTimestamp: 1_790_000_000, ...Object(more.filters) },
				options,
			});
		const shown = async (parameters: INodeParameters) =>
			(await jsonOf(sandbox(), parameters)).map(({ text }) => text);

		beforeEach(() => {
			const { store } = sandbox();
			const [, second] = texts.map(
				(text) => store.sendMessage({ sender: 'mira', receiver: GROUP, text }).id,
			);
			store.editMessage(second, { text: 'edited' });
			store.deleteMessage(second);
		});

		test('leaves both out, unless it is to have them', async () => {
			expect(await shown(later())).toEqual(['first', 'third']);
			expect(await shown(later({ includeDeleted: true }))).toEqual(['first', null, 'third']);
			expect(await shown(later({ includeActions: true }))).toHaveLength(4);
			expect(await shown(later({ includeActions: true, includeDeleted: true }))).toHaveLength(5);
		});

		test('has what a filter asks for', async () => {
			const actions = { filters: { categories: ['action'] } };
			expect(await shown(later({}, actions))).toHaveLength(2);
			const deleted = { messagesOf: 'app', filters: { onlyDeleted: true } };
			expect(await shown(later({}, deleted))).toEqual([null]);
		});

		test('counts for the limit what comes out', async () => {
			const two = { returnAll: false, limit: 2 };
			expect(await shown(later({}, two))).toEqual(['first', 'third']);
			expect(await shown(later({}, { ...two, order: 'newestFirst' }))).toEqual(['third', 'first']);
			expect(await shown(later({ perPage: 1 }, two))).toEqual(['first', 'third']);
		});

		test('says when a message was deleted only where there can be one', async () => {
			const first = async (parameters: INodeParameters) => (await jsonOf(sandbox(), parameters))[1];
			expect(await first(later())).not.toHaveProperty('deletedAt');
			const { deletedAt } = await first(later({ includeDeleted: true }));
			expect(Date.parse(String(deletedAt))).toBeGreaterThan(1_790_000_000_000);
		});

		test('leaves Pages as they are', async () => {
			const [page] = await jsonOf(sandbox(), later({}, { output: 'pages' }));
			expect(page.data).toHaveLength(5);
		});
	});

	test('a message sent while the list is read is left out or comes once', async () => {
		const before = oldestFirst().reverse();
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
});

const SHOWN = ['more', 'always', 'never'] as const;

describe.each(['number', 'cursor'] as const)(
	'List Replies, by the %s of a page,',
	(threadPages) => {
		const PARENT = '118';

		const replies = (more: INodeParameters = {}) => ({
			resource: 'message',
			operation: 'listReplies',
			messageId: PARENT,
			output: 'raw',
			...more,
		});

		const ids = () =>
			sandbox()
				.store.messages.all()
				.filter(({ parentId }) => parentId === PARENT)
				.map(({ id }) => id);

		beforeEach(() => {
			for (let index = 0; index < 8; index++) {
				const place = { receiver: 'project-aurora', parentId: PARENT };
				sandbox().store.sendMessage({ sender: 'mira', ...place, text: `Reply ${index}` });
			}
		});

		test.each(SHOWN)(
			'each once, oldest first, where the next page is shown: %s',
			async (nextShown) => {
				// A short page that names no next one is the end where only a cursor leads on
				for (const maxPerPage of threadPages === 'cursor' && nextShown === 'never' ? [0] : [0, 3]) {
					sandbox().setSettings({ threadPages, nextShown, maxPerPage });
					for (const limit of [1, 2, 8, 9, 10]) {
						const items = await jsonOf(sandbox(), replies({ limit }));
						expect({ limit, ids: idsIn(items) }).toEqual({ limit, ids: ids().slice(0, limit) });
					}
					for (const perPage of [2, 3, 9]) {
						const all = replies({ returnAll: true, options: { perPage } });
						expect(idsIn(await jsonOf(sandbox(), all))).toEqual(ids());
						const pages = await jsonOf(sandbox(), { ...all, output: 'pages' });
						const inPages = pages.flatMap(({ data }) => idsIn(data as []));
						expect(inPages).toEqual(ids());
						expect(sandbox().log.at(-1)?.query.perPage).toBe(String(perPage));
					}
				}
				// Its own cursor is not used where the service has one
				const cursors = sandbox().log.filter(({ query }) => query.id !== undefined);
				if (nextShown === 'always')
					for (const { query } of cursors) expect(query.sentAt).toBeDefined();
				expect(sandbox().violations).toEqual([]);
			},
		);
	},
);
