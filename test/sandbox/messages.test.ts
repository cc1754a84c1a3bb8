import { REACTIONS } from '../../sandbox/data/messages';
import type { CursorList, Message, UserReaction } from '../../sandbox/types';
import { startSandbox } from '../../sandbox/server';
import { call, dataOf, errorOf, refusalOf, removeReaction, useSandbox } from './client';

const sandbox = useSandbox();

const get = (id: Message['id'], as?: string) => call(sandbox(), `/messages/${id}`, { as });
const send = (json: unknown, as?: string) =>
	call(sandbox(), '/messages', { method: 'POST', json, as });
const HELLO = { receiver: 'all-hands', receiverType: 'group', data: { text: 'Hello' } };

test('every sample message keeps to the contract', async () => {
	const messages = sandbox().store.messages();
	expect(messages.length).toBeGreaterThanOrEqual(12);
	for (const { id } of messages) expect((await get(id)).status).toBe(200);
	expect(sandbox().violations).toEqual([]);
});

test('the messages can be of the last day, also after a reset', async () => {
	const recent = await startSandbox({ recent: true, now: () => 1_900_000_000 });
	recent.reset();
	const times = recent.store.messages().map(({ sentAt }) => sentAt);
	await recent.close();
	expect(times.at(-1)).toBe(1_900_000_000 - 3_600);
	const sample = sandbox().store.messages();
	expect(times.map((time) => time - times[0])).toEqual(
		sample.map(({ sentAt }) => sentAt - sample[0].sentAt),
	);
});

test('Get Message shows a message to those who may see it', async () => {
	for (const as of ['mira', 'Jonas']) expect((await get('101', as)).status).toBe(200);
	expect((await get('109', 'ext_sam-99')).status).toBe(403);
	sandbox().store.joinGroup('all-hands', 'ext_sam-99');
	expect((await get('109', 'ext_sam-99')).status).toBe(200);
});

describe('Send Reply', () => {
	const reply = async (id: string, as: string) => {
		const json = { data: { text: 'Hello' } };
		return await call(sandbox(), `/messages/${id}/thread`, { method: 'POST', json, as });
	};

	test.each([
		['118', 'mira', { receiverType: 'group', receiver: 'project-aurora' }],
		['101', 'mira', { receiverType: 'user', receiver: 'jonas' }],
		['101', 'jonas', { receiverType: 'user', receiver: 'mira' }],
	])('goes where the message %s went, from %s', async (parentId, sender, to) => {
		const message = dataOf<Message>(await reply(parentId, sender));
		expect(message).toMatchObject({ ...to, parentId, sender });
		const thread = await call(sandbox(), `/messages/${parentId}/thread`);
		expect(dataOf<Message[]>(thread).at(-1)).toEqual(message);
	});

	test('needs a message that is not deleted, and a user who is not blocked', async () => {
		const { store } = sandbox();
		store.block('jonas', 'mira');
		expect(refusalOf(await reply('101', 'mira'))).toEqual([403, 'ERR_BLOCKED_SENDER']);
		const { id } = store.deleteMessage('118');
		for (const each of ['118', id]) {
			const refused = refusalOf(await reply(each, 'mira'));
			expect(refused).toEqual([403, 'ERR_MESSAGE_ACTION_NOT_ALLOWED']);
		}
	});
});

test('Send Message is for members who are not banned, and for who is not blocked', async () => {
	const { store } = sandbox();
	const codes: string[] = [];
	const attempt = async (receiver: string, as: string) => {
		const receiverType = receiver === 'lunch' ? 'group' : 'user';
		const answer = await send({ ...HELLO, receiver, receiverType }, as);
		codes.push(answer.status === 200 ? 'sent' : errorOf(answer).code);
	};
	store.joinGroup('lunch', 'mira');
	await attempt('lunch', 'mira');
	store.banMember('lunch', 'mira');
	await attempt('lunch', 'mira');
	store.unbanMember('lunch', 'mira');
	await attempt('lunch', 'mira');
	store.block('leo', 'mira');
	await attempt('leo', 'mira');
	await attempt('mira', 'leo');
	store.unblock('leo', 'mira');
	await attempt('leo', 'mira');
	expect(codes).toEqual([
		...['sent', 'ERR_BANNED_GROUPMEMBER', 'ERR_GROUP_NOT_JOINED'],
		...['ERR_BLOCKED_SENDER', 'ERR_BLOCKED_RECEIVER', 'sent'],
	]);
});

describe('Reactions', () => {
	const path = (id: string, reaction: string) =>
		`/messages/${id}/reactions/${encodeURIComponent(reaction)}`;
	const add = (id: string, reaction: string, as?: string) =>
		call(sandbox(), path(id, reaction), { method: 'POST', as });
	const list = async (id: string, query = ''): Promise<CursorList<UserReaction>> =>
		JSON.parse((await call(sandbox(), `/messages/${id}/reactions${query}`)).text);

	test('are any text, compared by its code points', async () => {
		const long = '\u{1F44D}'.repeat(500);
		const texts = [...Object.values(REACTIONS), 'a/b', '100%', '?x=1&y#z', ' space ', '+1', long];
		for (const text of texts) expect((await add('114', text, 'leo')).status).toBe(200);
		const { data } = await list('114', '?limit=1000');
		expect(data.map(({ reaction }) => reaction)).toEqual(texts);
		for (const text of texts) {
			expect((await removeReaction(sandbox(), '114', text, 'leo')).status).toBe(200);
			const again = await removeReaction(sandbox(), '114', text, 'leo');
			expect(refusalOf(again)).toEqual([404, 'ERR_REACTION_NOT_FOUND']);
		}
		expect(sandbox().violations).toEqual([]);
	});

	test('go on where meta.next says, forwards or back', async () => {
		sandbox().setSettings({ reactionsPerPage: 2 });
		const all = (await list('109', '?limit=1000')).data;
		const seen: UserReaction[] = [];
		for (let query: string | undefined = ''; query !== undefined;) {
			const { data, meta } = await list('109', query);
			seen.push(...data);
			query = meta.next && `?affix=${meta.next.affix}&id=${meta.next.id}`;
		}
		expect(seen).toEqual(all);
		expect(all).toHaveLength(7);
		const back = await list('109', `?affix=prepend&id=${all[3].id}`);
		expect(back.data).toEqual(all.slice(1, 3));
	});
});
