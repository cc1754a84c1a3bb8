import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, jsonOf, useSandbox } from './harness';
import { GROUP, fillGroup, idsIn, list, oldestFirst } from './messageList';

const sandbox = useSandbox({ validate: false });

beforeEach(() => fillGroup(sandbox()));

describe('List Messages', () => {
	test('of the whole app returns the messages of all groups and users', async () => {
		const all = sandbox()
			.store.messages()
			.map(({ id }) => id);
		const parameters = list({ messagesOf: 'app', returnAll: true, options: { perPage: 7 } });
		expect(idsIn(await jsonOf(sandbox(), parameters))).toEqual(all.reverse());
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

	test.each(['group', 'user', 'app'])('Messages Of %s has its own filters', async (messagesOf) => {
		const inAll = { attachmentTypes: ['image', 'file'], mentionedUids: ['Leo', 'mira, leo'] };
		const ofApp = { conversationId: 'group_lunch', receiverType: 'user', hideDeleted: true };
		const others = { unread: true, myMentionsOnly: true };
		const filters = { ...inAll, ...ofApp, ...others };
		const where = { messagesOf, userId: 'leo', onBehalfOf: 'mira' };
		await itemsOf(sandbox(), list({ filters, ...where }));
		const texts = Object.entries(messagesOf === 'app' ? ofApp : others);
		expect(sandbox().log[0].query).toEqual({
			affix: 'prepend',
			limit: '50',
			attachmentTypes: 'image,file',
			mentionedUids: 'leo,mira',
			...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
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
				.store.messages()
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
