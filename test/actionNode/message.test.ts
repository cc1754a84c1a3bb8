import type { INodeParameters } from 'n8n-workflow';

import { errorOf, get, itemsOf, jsonOf, message, removeReaction, run, useSandbox } from './harness';
import { json, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox({
	// Makes the message visible after the first request is refused
	onRequest({ status }) {
		if (status === 403) sandbox().setSettings({ accessDelay: 0 });
	},
});

const idsIn = (items: Array<Record<string, unknown>>) => items.map(({ id }) => String(id));

test.each([
	['a heart with U+FE0F', '102', '\u2764\uFE0F', 'mira'],
	['a heart without U+FE0F', '102', '\u2764', 'mira'],
	['an emoji without a skin tone', '108', '👍', 'jonas'],
	['an emoji with a skin tone', '108', '👍🏽', 'aisha'],
	['a composed letter', '111', 'caf\u00E9', 'yuki'],
	['a decomposed letter', '111', 'cafe\u0301', 'yuki'],
])('Remove Reaction removes %s, but no similar reaction', async (_, id, reaction, uid) => {
	const readReactions = () => sandbox().store.messages.get(id)?.reactions.all() ?? [];
	const isOther = (each: { reaction: string; uid: string }) =>
		each.reaction !== reaction || each.uid !== uid;
	const others = readReactions().filter(isOther);
	await itemsOf(sandbox(), removeReaction(id, reaction, uid));
	expect(readReactions()).toEqual(others);
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

test('List Messages finds a message behind 1,999 newer action messages with few requests', async () => {
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
		const parameters = message('list', { groupId: 'lunch', limit: 1 });
		expect(await jsonOf(recorder, parameters)).toMatchObject([{ id: '3001' }]);
		expect(recorder.requests.length).toBeLessThan(10);
	});
});

test('List Messages returns each message once, even if messages arrive between pages', async () => {
	const { store } = sandbox();
	const send = (text: string, sentAt?: number) =>
		store.sendMessage({ sender: 'mira', receiver: 'watercooler', text, sentAt });
	// Five messages share each timestamp
	for (let n = 0; n < 23; n++) send(`Message ${n}`, 1_760_000_000 + Math.floor(n / 5));
	const sent = store.messages.all().filter(({ receiver }) => receiver === 'watercooler');
	const before = sent.map(({ id }) => id).reverse();
	const options = { perPage: 4, includeActions: true };
	const parameters = message('list', { groupId: 'watercooler', returnAll: true, options });
	const ids = idsIn(await jsonOf(sandbox(), parameters, { onRequest: () => void send('New') }));
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.filter((id) => before.includes(id))).toEqual(before);
});

const PARENT = '118';

const replies = (more: INodeParameters) =>
	message('listReplies', { messageId: PARENT, output: 'raw', ...more });

const SHOWN = ['more', 'always', 'never'] as const;

test.each(
	(['number', 'cursor'] as const).flatMap((by) => SHOWN.map((shown) => [by, shown] as const)),
)(
	'List Replies returns each reply once, oldest first, if pages have a %s and next pages are shown: %s',
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
		for (const maxPerPage of [0, 3]) {
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
		// The service's cursor contains a time, unlike a cursor built by the node
		const cursors = log.filter(({ query }) => query.id !== undefined);
		if (nextShown === 'always') for (const { query } of cursors) expect(query.sentAt).toBeDefined();
		expect(violations).toEqual([]);
	},
);

test('List Reactions returns each reaction once if CometChat ignores cursors, and says if some may be missing', async () => {
	sandbox().setSettings({ reactionPages: 'single' });
	const parameters = message('listReactions', {
		...{ messageId: '109', returnAll: true, output: 'raw' },
	});
	const stored = sandbox().store.messages.get('109')?.reactions.all() ?? [];
	expect(idsIn(await jsonOf(sandbox(), parameters))).toEqual(stored.map(({ id }) => id));
	sandbox().setSettings({ reactionsPerPage: 4 });
	const { message: text, description } = await errorOf(sandbox(), parameters);
	expect(text).toContain('CometChat sent nothing new, so the list stopped after 4 reactions');
	expect(description).toContain('There may be more.');
});

test('Get returns the file of a message that CometChat stores without attachments', async () => {
	sandbox().setSettings({ mediaUrl: 'keep' });
	const url = 'https://files.example/a.png';
	const { id } = sandbox().store.sendMessage({
		...{ sender: 'mira', receiver: 'lunch', type: 'image', url },
	});
	const parameters = message('get', { messageId: id });
	expect(await jsonOf(sandbox(), parameters)).toMatchObject([{ attachments: [{ url }] }]);
	expect(sandbox().violations).toEqual([]);
});
