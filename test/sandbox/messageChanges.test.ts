import type { ActionMessage, Message } from '../../sandbox/types';
import { call, dataOf, listOf, refusalOf, useSandbox } from './client';

const sandbox = useSandbox();

const get = (id: Message['id'], as?: string) => call(sandbox(), `/messages/${id}`, { as });
const update = (id: Message['id'], json: unknown, as?: string) =>
	call(sandbox(), `/messages/${id}`, { method: 'PUT', json, as });
const remove = (id: Message['id'], json?: unknown, as?: string) =>
	call(sandbox(), `/messages/${id}`, { method: 'DELETE', json, as });

const changed = (note: ActionMessage): Message => note.data.entities.on.entity;

describe('Update Message', () => {
	test('returns a note with an id of its own, and the changed message in it', async () => {
		const note = dataOf<ActionMessage>(
			await update('109', { data: { text: 'Aurora ships on Tuesday' }, tags: ['late'] }, 'mira'),
		);
		expect(note).toMatchObject({
			conversationId: 'group_all-hands',
			sender: 'mira',
			category: 'action',
			type: 'message',
			data: {
				action: 'edited',
				entities: {
					by: { entity: { uid: 'mira', name: 'Mira Halden' }, entityType: 'user' },
					for: { entity: { guid: 'all-hands' }, entityType: 'group' },
					on: { entityType: 'message' },
				},
			},
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
		expect(dataOf<ActionMessage>(await get(note.id))).toEqual(note);
	});

	test('changes what is given: the metadata, or the caption of an image', async () => {
		const note = dataOf<ActionMessage>(await update('109', { data: { metadata: { a: 1 } } }));
		expect(changed(note).data).toMatchObject({
			text: 'Aurora ships on Monday. Thank you all!',
			metadata: { a: 1 },
		});
		expect(note.sender).toBe('app_system');
		const image = dataOf<ActionMessage>(await update('117', { data: { text: 'Second light' } }));
		expect(changed(image)).toMatchObject({ type: 'image', data: { text: 'Second light' } });
		expect(changed(image).data.attachments).toHaveLength(1);
	});

	test('keeps the reactions', async () => {
		await update('109', { data: { text: 'x' } });
		expect(sandbox().store.reactions('109')).toHaveLength(3);
	});

	test.each<[string, object, string | undefined, number, string]>([
		['999', { tags: [] }, undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
		['109', { data: { text: 'x' } }, 'jonas', 403, 'ERR_MESSAGE_NOT_A_SENDER'],
		['109', { data: { text: 'x' } }, 'ext_sam-99', 403, 'ERR_MESSAGE_NO_ACCESS'],
		['109', { data: { text: 'x' } }, 'nobody', 404, 'ERR_UID_NOT_FOUND'],
		['109', { data: { text: ' ' } }, undefined, 400, 'ERR_EMPTY_MESSAGE_TEXT'],
		['109', {}, undefined, 400, 'ERR_BAD_REQUEST'],
	])('of %s with %j as %s is refused', async (id, body, as, status, code) => {
		const before = sandbox().store.message('109')?.text;
		expect(refusalOf(await update(id, body, as))).toEqual([status, code]);
		expect(sandbox().store.message('109')?.text).toBe(before);
	});

	test('of a deleted message, or of a note, is not allowed', async () => {
		const note = dataOf<ActionMessage>(await remove('109'));
		for (const id of ['109', note.id]) {
			expect(refusalOf(await update(id, { data: { text: 'x' } }))).toEqual([
				403,
				'ERR_MESSAGE_ACTION_NOT_ALLOWED',
			]);
		}
	});
});

describe('Delete Message', () => {
	test('marks it, and shows nothing of what it said', async () => {
		const note = dataOf<ActionMessage>(await remove('109', undefined, 'mira'));
		expect(note.data.action).toBe('deleted');
		const deleted = dataOf<Message>(await get('109'));
		expect(changed(note)).toEqual(deleted);
		expect(deleted).toMatchObject({ deletedAt: expect.any(Number), deletedBy: 'mira' });
		expect(Object.keys(deleted.data)).toEqual(['entities']);
		expect(
			sandbox()
				.store.messages()
				.some(({ id }) => id === '109'),
		).toBe(true);
	});

	test('a second time is only allowed for good', async () => {
		await remove('109');
		expect(refusalOf(await remove('109'))).toEqual([403, 'ERR_MESSAGE_ACTION_NOT_ALLOWED']);
		expect((await remove('109', { permanent: true })).status).toBe(200);
		expect(refusalOf(await remove('109'))).toEqual([404, 'ERR_MESSAGE_ID_NOT_FOUND']);
	});

	test('for good removes it', async () => {
		const note = dataOf<ActionMessage>(await remove('109', { permanent: true }));
		expect(changed(note)).toMatchObject({ id: '109', deletedBy: 'app_system' });
		expect(refusalOf(await get('109'))).toEqual([404, 'ERR_MESSAGE_ID_NOT_FOUND']);
	});

	test('for good can be answered with success alone', async () => {
		sandbox().setSettings({ permanentResponse: 'success' });
		const answer = dataOf(await remove('109', { permanent: true }));
		expect(answer).toEqual({ success: true, message: expect.stringContaining('109') });
	});

	test.each([
		[false, 200],
		[true, 404],
	])('without a body is permanent: %s', async (permanentDefault, status) => {
		sandbox().setSettings({ permanentDefault });
		await remove('109');
		expect((await get('109')).status).toBe(status);
		await remove('108', { permanent: false });
		expect((await get('108')).status).toBe(200);
	});

	test.each([
		['999', undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
		['109', 'jonas', 403, 'ERR_MESSAGE_NOT_A_SENDER'],
		['109', 'ext_sam-99', 403, 'ERR_MESSAGE_NO_ACCESS'],
	])('of %s as %s is refused', async (id, as, status, code) => {
		expect(refusalOf(await remove(id, undefined, as))).toEqual([status, code]);
		expect(sandbox().store.message('109')?.deletedAt).toBeUndefined();
	});
});

test('what can be seen takes a while, when the service needs one', async () => {
	sandbox().setSettings({ accessDelay: 3 });
	const { id } = sandbox().store.sendMessage({
		sender: 'mira',
		receiver: 'all-hands',
		text: 'New',
	});
	expect(refusalOf(await get(id, 'mira'))).toEqual([403, 'ERR_MESSAGE_NO_ACCESS']);
	expect((await get(id)).status).toBe(200);
	sandbox().setSettings({ accessDelay: 0 });
	expect((await get(id, 'mira')).status).toBe(200);
});

test('ids can be numbers, wherever they are', async () => {
	sandbox().setSettings({ messageIds: 'number' });
	expect(dataOf<Message>(await get('120'))).toMatchObject({ id: 120 });
	expect(dataOf<Message>(await get('119'))).toMatchObject({ parentId: 118 });
	const note = dataOf<ActionMessage>(await update('109', { data: { metadata: { id: '7' } } }));
	expect([typeof note.id, changed(note).id]).toEqual(['number', 109]);
	expect(changed(note).data.metadata).toEqual({ id: '7' });
	const reactions = dataOf(await call(sandbox(), '/messages/109/reactions'));
	expect(reactions).toContainEqual(
		expect.objectContaining({ id: expect.any(Number), messageId: 109 }),
	);
});

test('Get Message can carry the reactions, and mark those of the user', async () => {
	sandbox().setSettings({ reactionsInMessages: true });
	const { data } = dataOf<Message>(await get('109', 'jonas'));
	expect(data.reactions).toContainEqual({ reaction: 'shipped', count: 1, reactedByMe: true });
	const list = listOf(await call(sandbox(), '/groups/all-hands/messages'));
	expect(JSON.stringify(list.data)).toContain('"reactions":[{');
});
