import { REACTIONS } from '../../sandbox/data/messages';
import type { ActionMessage, CursorList, Message, UserReaction } from '../../sandbox/types';
import {
	call,
	dataOf,
	errorOf,
	messageOf,
	refusalOf,
	removeReaction,
	useSandbox,
	type CallOptions,
} from './client';

const sandbox = useSandbox();

const get = (id: Message['id'], as?: string) => call(sandbox(), `/messages/${id}`, { as });
const send = (json: unknown, as?: string) =>
	call(sandbox(), '/messages', { method: 'POST', json, as });
const change = async (
	method: CallOptions['method'],
	id: Message['id'],
	json?: unknown,
	as?: string,
) => dataOf<ActionMessage>(await call(sandbox(), `/messages/${id}`, { method, json, as }));

const changed = (note: ActionMessage): Message => note.data.entities.on.entity;

const HELLO = { receiver: 'all-hands', receiverType: 'group', data: { text: 'Hello' } };

test('every sample message keeps to the contract', async () => {
	const messages = sandbox().store.messages();
	expect(messages.length).toBeGreaterThanOrEqual(12);
	for (const { id } of messages) expect((await get(id)).status).toBe(200);
	expect(sandbox().violations).toEqual([]);
});

test('Get Message shows a message to those who may see it', async () => {
	for (const as of ['mira', 'Jonas']) expect((await get('101', as)).status).toBe(200);
	expect((await get('109', 'ext_sam-99')).status).toBe(403);
	sandbox().store.joinGroup('all-hands', 'ext_sam-99');
	expect((await get('109', 'ext_sam-99')).status).toBe(200);
});

describe('Send Message', () => {
	test('stores what is sent, and who is mentioned', async () => {
		const body = { ...HELLO, data: { text: 'Hello <@uid:leo> & <@uid:nobody>' } };
		const message = messageOf(await send(body, 'MIRA'));
		expect(message).toMatchObject({ ...body, sender: 'mira' });
		expect(Object.keys(message.data.mentions ?? {})).toEqual(['leo']);
		expect(dataOf(await get(message.id))).toEqual(message);
		const toUser = { ...HELLO, receiver: 'Leo', receiverType: 'user' };
		const conversationId = 'app_system_user_leo';
		expect(messageOf(await send(toUser))).toMatchObject({ sender: 'app_system', conversationId });
	});

	test('is for members who are not banned, and for who is not blocked', async () => {
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
});

test('Update Message changes what is given, and leaves the rest', async () => {
	const body = { data: { text: 'Aurora ships on Tuesday' }, tags: ['late'] };
	const note = await change('PUT', '109', body, 'mira');
	expect(note.id).not.toBe('109');
	const { metadata } = sandbox().store.message('109') ?? {};
	expect(changed(note)).toMatchObject({
		id: '109',
		data: { ...body.data, metadata },
		tags: ['late'],
	});
	expect(dataOf(await get('109'))).toEqual(changed(note));
	expect(dataOf(await get(note.id))).toEqual(note);
	expect(sandbox().store.reactions('109')).toHaveLength(3);
	const image = changed(await change('PUT', '117', { data: { text: 'Second light' } }));
	expect(image).toMatchObject({ type: 'image', data: { attachments: [{}] } });
});

describe('Delete Message', () => {
	test('marks it, shows nothing of what it said, and is allowed once', async () => {
		const note = await change('DELETE', '109', undefined, 'mira');
		const deleted = messageOf(await get('109'));
		expect(changed(note)).toEqual(deleted);
		expect(deleted).toMatchObject({ deletedAt: expect.any(Number), deletedBy: 'mira' });
		expect(Object.keys(deleted.data)).toEqual(['entities']);
		const isRefused = [403, 'ERR_MESSAGE_ACTION_NOT_ALLOWED'];
		for (const id of ['109', note.id]) {
			for (const [method, json] of [['PUT', { data: { text: 'x' } }], ['DELETE']] as const) {
				const answer = await call(sandbox(), `/messages/${id}`, { method, json });
				expect(refusalOf(answer)).toEqual(isRefused);
			}
		}
		const reaction = { method: 'POST', as: 'mira' } as const;
		const answer = await call(sandbox(), '/messages/109/reactions/ok', reaction);
		expect(refusalOf(answer)).toEqual(isRefused);
	});

	test('for good removes it, also one that was deleted', async () => {
		await change('DELETE', '109');
		const note = await change('DELETE', '109', { permanent: true });
		expect(changed(note)).toMatchObject({ id: '109', deletedBy: 'app_system' });
		const again = await call(sandbox(), '/messages/109', { method: 'DELETE' });
		expect(refusalOf(again)).toEqual([404, 'ERR_MESSAGE_ID_NOT_FOUND']);
	});
});

describe('Reactions', () => {
	const path = (id: string, reaction: string) =>
		`/messages/${id}/reactions/${encodeURIComponent(reaction)}`;
	const add = (id: string, reaction: string, as?: string) =>
		call(sandbox(), path(id, reaction), { method: 'POST', as });
	const list = async (id: string, query = ''): Promise<CursorList<UserReaction>> =>
		JSON.parse((await call(sandbox(), `/messages/${id}/reactions${query}`)).text);

	test('count each user once, and mark those of the user', async () => {
		for (const [as, count] of [
			['mira', 1],
			['mira', 1],
			['priya', 2],
		] as const) {
			const { data } = messageOf(await add('109', 'ok', as));
			expect(data.reactions).toContainEqual({ reaction: 'ok', count, reactedByMe: true });
		}
	});

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

	test('are listed in the order in which they were made, all or of one kind', async () => {
		await add('110', 'seen', 'mira');
		const { data } = await list('110');
		expect(data.map(({ reaction, uid }) => `${reaction} ${uid}`)).toEqual([
			...['\u{1F440} jonas', '\u{1F440} leo', 'ack yuki', 'seen mira'],
		]);
		expect(dataOf(await call(sandbox(), path('110', '\u{1F440}')))).toEqual(data.slice(0, 2));
		expect(dataOf(await call(sandbox(), path('110', 'nothing')))).toEqual([]);
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
