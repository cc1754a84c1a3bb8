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

const TO_GROUP = { receiver: 'all-hands', receiverType: 'group' };
const HELLO = { ...TO_GROUP, data: { text: 'Hello' } };

describe('Get Message', () => {
	test('answers every sample message as the contract says, those of groups too', async () => {
		const messages = sandbox().store.messages();
		expect(messages.length).toBeGreaterThanOrEqual(12);
		for (const { id, receiverType, receiver } of messages) {
			const message = messageOf(await get(id));
			expect(message).toMatchObject({ id, receiver, receiverType });
			expect(message.data).not.toHaveProperty('reactions');
			const { entity, entityType } = message.data.entities.receiver;
			const guid = receiverType === 'group' ? { guid: receiver } : { uid: receiver };
			expect([entity, entityType]).toMatchObject([guid, receiverType]);
		}
		expect(sandbox().violations).toEqual([]);
	});

	test('shows a message to those who may see it, at once or after a while', async () => {
		for (const as of ['mira', 'Jonas']) expect((await get('101', as)).status).toBe(200);
		expect((await get('109', 'ext_sam-99')).status).toBe(403);
		sandbox().store.joinGroup('all-hands', 'ext_sam-99');
		expect((await get('109', 'ext_sam-99')).status).toBe(200);
		sandbox().setSettings({ accessDelay: 3 });
		const { id } = messageOf(await send(HELLO, 'mira'));
		expect(refusalOf(await get(id, 'mira'))).toEqual([403, 'ERR_MESSAGE_NO_ACCESS']);
		expect((await get(id)).status).toBe(200);
		sandbox().setSettings({ accessDelay: 0 });
		expect((await get(id, 'mira')).status).toBe(200);
	});

	test('can carry the reactions, and mark those of the user', async () => {
		sandbox().setSettings({ reactionsInMessages: true });
		const { data } = messageOf(await get('109', 'jonas'));
		expect(data.reactions).toContainEqual({ reaction: 'shipped', count: 1, reactedByMe: true });
	});
});

describe('Send Message', () => {
	test('to a group returns the message, which is there from then on', async () => {
		const rest = { category: 'message', type: 'text', tags: ['news'], muid: 'mine-1' };
		const data = { text: 'Hello <@uid:leo> & <@uid:nobody>', metadata: { a: [1] } };
		const message = messageOf(await send({ ...TO_GROUP, ...rest, data }, 'MIRA'));
		const sent = { ...TO_GROUP, ...rest, sender: 'mira', conversationId: 'group_all-hands' };
		expect(message).toMatchObject({ ...sent, data });
		expect(Object.keys(message.data.mentions ?? {})).toEqual(['leo']);
		expect(dataOf(await get(message.id))).toEqual(message);
	});

	test('to a user, by the system when nobody is named', async () => {
		const message = messageOf(
			await send({ receiver: 'Leo', receiverType: 'user', data: { text: 'Hi' } }),
		);
		const conversationId = 'app_system_user_leo';
		expect(message).toMatchObject({ sender: 'app_system', receiver: 'leo', conversationId });
		expect(message).not.toHaveProperty('tags');
	});

	test.each([
		[
			'image',
			undefined,
			{ attachments: [{ url: 'https://x.example/a.png', size: '9' }], text: '!' },
		],
		['my.ticket', 'custom', { customData: { id: '7', deep: { list: [1, null] } } }],
	])('of the type %s', async (type, category, data) => {
		const body = { ...TO_GROUP, type, ...(category ? { category } : {}), data };
		expect(messageOf(await send(body))).toMatchObject(body);
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

	test('a muid may be repeated, or not, by the same sender', async () => {
		const body = { ...HELLO, muid: 'order-7' };
		const ids = [await send(body, 'mira'), await send(body, 'mira')].map(
			(answer) => messageOf(answer).id,
		);
		expect(new Set(ids).size).toBe(2);
		sandbox().setSettings({ repeatedMuid: 'refuse' });
		expect(refusalOf(await send(body, 'mira'))).toEqual([400, 'ERR_MUID_ALREADY_EXISTS']);
		expect((await send(body, 'jonas')).status).toBe(200);
	});
});

describe('Update Message', () => {
	test('returns a note with an id of its own, and the changed message in it', async () => {
		const body = { data: { text: 'Aurora ships on Tuesday' }, tags: ['late'] };
		const note = await change('PUT', '109', body, 'mira');
		const by = { entity: sandbox().store.user('mira'), entityType: 'user' };
		expect(note).toMatchObject({
			conversationId: 'group_all-hands',
			sender: 'mira',
			category: 'action',
			type: 'message',
			data: { action: 'edited', entities: { by, on: { entityType: 'message' } } },
		});
		expect(note.id).not.toBe('109');
		expect(changed(note)).toMatchObject({
			id: '109',
			data: { text: 'Aurora ships on Tuesday', metadata: { pinned: true } },
			tags: ['late'],
			editedAt: expect.any(Number),
			editedBy: 'mira',
		});
		expect(dataOf(await get('109'))).toEqual(changed(note));
		expect(dataOf(await get(note.id))).toEqual(note);
		expect(sandbox().store.reactions('109')).toHaveLength(3);
	});

	test('changes what is given: the metadata, or the caption of an image', async () => {
		const { sender, ...note } = await change('PUT', '109', { data: { metadata: { a: 1 } } });
		const text = 'Aurora ships on Monday. Thank you all!';
		expect([sender, changed({ sender, ...note }).data]).toMatchObject([
			'app_system',
			{ text, metadata: { a: 1 } },
		]);
		const image = changed(await change('PUT', '117', { data: { text: 'Second light' } }));
		expect(image).toMatchObject({ type: 'image', data: { text: 'Second light' } });
		expect(image.data.attachments).toHaveLength(1);
	});
});

describe('Delete Message', () => {
	test('marks it, shows nothing of what it said, and is allowed once', async () => {
		const note = await change('DELETE', '109', undefined, 'mira');
		expect(note.data.action).toBe('deleted');
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

	test('for good removes it, also one that was deleted, and can say no more than that', async () => {
		await change('DELETE', '109');
		const note = await change('DELETE', '109', { permanent: true });
		expect(changed(note)).toMatchObject({ id: '109', deletedBy: 'app_system' });
		expect((await get('109')).status).toBe(404);
		sandbox().setSettings({ permanentResponse: 'success', permanentDefault: true });
		const success = { success: true, message: expect.stringContaining('108') };
		expect(await change('DELETE', '108')).toEqual(success);
		expect((await get('108')).status).toBe(404);
		await change('DELETE', '107', { permanent: false });
		expect((await get('107')).status).toBe(200);
	});
});

test('ids can be numbers, wherever they are', async () => {
	sandbox().setSettings({ messageIds: 'number' });
	expect(messageOf(await get('119'))).toMatchObject({ id: 119, parentId: 118 });
	const note = await change('PUT', '109', { data: { metadata: { id: '7' } } });
	expect([typeof note.id, changed(note).id]).toEqual(['number', 109]);
	expect(changed(note).data.metadata).toEqual({ id: '7' });
	const [reaction] = dataOf<UserReaction[]>(await call(sandbox(), '/messages/109/reactions'));
	expect(reaction).toMatchObject({ id: expect.any(Number), messageId: 109 });
});

describe('Reactions', () => {
	const path = (id: string, reaction: string) =>
		`/messages/${id}/reactions/${encodeURIComponent(reaction)}`;
	const add = (id: string, reaction: string, as?: string) =>
		call(sandbox(), path(id, reaction), { method: 'POST', as });
	const list = async (id: string, query = ''): Promise<CursorList<UserReaction>> =>
		JSON.parse((await call(sandbox(), `/messages/${id}/reactions${query}`)).text);

	test('count each user once, and mark those of the user', async () => {
		const ofMira = { reaction: 'ok', count: 1, reactedByMe: true };
		for (let n = 0; n < 2; n++) {
			const { data } = messageOf(await add('109', 'ok', 'mira'));
			expect(data.reactions).toContainEqual(ofMira);
		}
		const { data } = messageOf(await add('109', 'ok', 'priya'));
		expect(data.reactions).toContainEqual({ ...ofMira, count: 2 });
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

	test('that are removed leave the others', async () => {
		const answer = await removeReaction(sandbox(), '102', REACTIONS.heart, 'mira');
		expect(messageOf(answer)).toMatchObject({ id: '102', data: { text: 'Yes, all of them.' } });
		expect(messageOf(answer).data.reactions).toEqual([
			{ reaction: REACTIONS.heart, count: 1 },
			{ reaction: REACTIONS.heartAsText, count: 1, reactedByMe: true },
		]);
		const last = await removeReaction(sandbox(), '103', '\u{1F440}', 'leo');
		expect(messageOf(last).data.reactions).toEqual([]);
	});

	test('are listed with who reacted how and when, all or of one kind', async () => {
		await add('110', 'seen', 'mira');
		const { data, meta } = await list('110');
		expect(data.map(({ reaction, uid }) => `${reaction} ${uid}`)).toEqual([
			...['\u{1F440} jonas', '\u{1F440} leo', 'ack yuki', 'seen mira'],
		]);
		expect(data[3]).toEqual({
			id: expect.stringMatching(/^\d+$/),
			messageId: '110',
			reaction: 'seen',
			uid: 'mira',
			reactedAt: expect.any(Number),
			reactedBy: sandbox().store.user('mira'),
		});
		expect(meta).toEqual({ current: { limit: 100, count: 4 } });
		expect(dataOf(await call(sandbox(), path('110', '\u{1F440}')))).toEqual(data.slice(0, 2));
		expect(dataOf(await call(sandbox(), path('110', 'nothing')))).toEqual([]);
	});

	test('go on where meta.next says, or say nothing', async () => {
		sandbox().setSettings({ reactionsPerPage: 2, nextShown: 'more' });
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
		sandbox().setSettings({ nextShown: 'never' });
		expect((await list('109')).meta).toEqual({ current: { limit: 2, count: 2 } });
	});
});
