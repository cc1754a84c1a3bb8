import type { Message } from '../../sandbox/types';
import { call, dataOf, errorOf, refusalOf, useSandbox } from './client';

const sandbox = useSandbox();

const send = (json: unknown, as?: string) =>
	call(sandbox(), '/messages', { method: 'POST', json, as });
const get = (id: Message['id']) => call(sandbox(), `/messages/${id}`);

const TO_GROUP = { receiver: 'all-hands', receiverType: 'group' };
const HELLO = { ...TO_GROUP, data: { text: 'Hello' } };

describe('Send Message', () => {
	test('to a group returns the message, which is there from then on', async () => {
		const now = Math.floor(Date.now() / 1000);
		const message = dataOf<Message>(
			await send(
				{
					...TO_GROUP,
					category: 'message',
					type: 'text',
					data: { text: 'Hello <@uid:leo> & <@uid:nobody>', metadata: { a: [1] } },
					tags: ['news'],
					muid: 'mine-1',
				},
				'MIRA',
			),
		);
		expect(message).toMatchObject({
			muid: 'mine-1',
			conversationId: 'group_all-hands',
			sender: 'mira',
			...TO_GROUP,
			category: 'message',
			type: 'text',
			tags: ['news'],
			data: {
				text: 'Hello <@uid:leo> & <@uid:nobody>',
				metadata: { a: [1] },
				entities: {
					sender: { entity: { uid: 'mira' }, entityType: 'user' },
					receiver: { entity: { guid: 'all-hands' }, entityType: 'group' },
				},
			},
		});
		expect(Object.keys(message.data.mentions ?? {})).toEqual(['leo']);
		expect(message.sentAt - now).toBeLessThanOrEqual(2);
		expect(Number(message.id)).toBeGreaterThan(116);
		expect(dataOf(await get(message.id))).toEqual(message);
	});

	test('to a user, by the system when nobody is named', async () => {
		const message = dataOf(
			await send({ receiver: 'Leo', receiverType: 'user', data: { text: 'Hi' } }),
		);
		expect(message).toMatchObject({
			sender: 'app_system',
			receiver: 'leo',
			conversationId: 'app_system_user_leo',
			type: 'text',
			category: 'message',
		});
		expect(message).not.toHaveProperty('tags');
	});

	test('with attachments, by their URLs', async () => {
		const attachments = [
			{
				url: 'https://x.example/a.png',
				name: 'a.png',
				mimeType: 'image/png',
				extension: 'png',
				size: '9',
			},
			{ url: 'https://x.example/b.png' },
		];
		const body = { ...TO_GROUP, type: 'image', data: { attachments, text: 'Look' } };
		expect(dataOf(await send(body))).toMatchObject({ type: 'image', data: body.data });
	});

	test('of a kind of its own', async () => {
		const data = { customData: { id: '7', deep: { list: [1, null] } }, metadata: { b: 1 } };
		const message = dataOf(
			await send({ ...TO_GROUP, category: 'custom', type: 'my.ticket', data }),
		);
		expect(message).toMatchObject({ category: 'custom', type: 'my.ticket', data });
	});

	test.each<[string, object, number, string]>([
		['nothing', {}, 400, 'ERR_EMPTY_RECEIVER'],
		[
			'an empty receiver',
			{ ...HELLO, receiver: '', receiverType: 'user' },
			400,
			'ERR_EMPTY_RECEIVER',
		],
		['no receiverType', { ...HELLO, receiverType: undefined }, 400, 'ERR_INVALID_RECEIVER_TYPE'],
		[
			'another receiverType',
			{ ...HELLO, receiverType: 'channel' },
			400,
			'ERR_INVALID_RECEIVER_TYPE',
		],
		['an unknown group', { ...HELLO, receiver: 'nowhere' }, 404, 'ERR_GUID_NOT_FOUND'],
		[
			'an unknown user',
			{ ...HELLO, receiver: 'nobody', receiverType: 'user' },
			404,
			'ERR_UID_NOT_FOUND',
		],
		['no text', { ...TO_GROUP, data: {} }, 400, 'ERR_EMPTY_MESSAGE_TEXT'],
		['a blank text', { ...TO_GROUP, data: { text: ' \n' } }, 400, 'ERR_EMPTY_MESSAGE_TEXT'],
		['no attachments', { ...HELLO, type: 'image' }, 400, 'ERR_INVALID_MEDIA_MESSAGE'],
		[
			'an attachment without URL',
			{ ...HELLO, type: 'file', data: { attachments: [{ name: 'a' }] } },
			400,
			'ERR_INVALID_MEDIA_MESSAGE',
		],
		['an unknown type', { ...HELLO, type: 'smell' }, 400, 'ERR_INVALID_MESSAGE_DATA'],
		[
			'no custom data',
			{ ...HELLO, category: 'custom', type: 'x', data: { customData: {} } },
			400,
			'ERR_EMPTY_CUSTOM_DATA',
		],
		[
			'no type of custom data',
			{ ...HELLO, category: 'custom', data: { customData: { a: 1 } } },
			400,
			'ERR_INVALID_MESSAGE_DATA',
		],
		[
			'more than 10 KB of metadata',
			{ ...HELLO, data: { text: 'x', metadata: { a: 'x'.repeat(10_240) } } },
			400,
			'ERR_INVALID_MESSAGE_DATA',
		],
		[
			'a text that is too long',
			{ ...TO_GROUP, data: { text: 'x'.repeat(65_537) } },
			400,
			'ERR_BAD_REQUEST',
		],
		['a field that does not exist', { ...HELLO, reply: '101' }, 400, 'ERR_BAD_REQUEST'],
	])('with %s is refused, and nothing is sent', async (_, body, status, code) => {
		const before = sandbox().store.messageCount;
		expect(refusalOf(await send(body))).toEqual([status, code]);
		expect(sandbox().store.messageCount).toBe(before);
	});

	test('is for members, who are not banned', async () => {
		const toLunch = { ...HELLO, receiver: 'lunch' };
		expect(refusalOf(await send(toLunch, 'mira'))).toEqual([403, 'ERR_GROUP_NOT_JOINED']);
		sandbox().store.joinGroup('lunch', 'mira');
		expect((await send(toLunch, 'mira')).status).toBe(200);
		sandbox().store.banMember('lunch', 'mira');
		expect(refusalOf(await send(toLunch, 'mira'))).toEqual([403, 'ERR_BANNED_GROUPMEMBER']);
		sandbox().store.unbanMember('lunch', 'mira');
		expect(refusalOf(await send(toLunch, 'mira'))).toEqual([403, 'ERR_GROUP_NOT_JOINED']);
	});

	test('does not reach who has blocked the sender', async () => {
		const toLeo = { receiver: 'leo', receiverType: 'user', data: { text: 'Hi' } };
		sandbox().store.block('leo', 'mira');
		expect(refusalOf(await send(toLeo, 'mira'))).toEqual([403, 'ERR_BLOCKED_SENDER']);
		expect(refusalOf(await send({ ...toLeo, receiver: 'mira' }, 'leo'))).toEqual([
			403,
			'ERR_BLOCKED_RECEIVER',
		]);
		sandbox().store.unblock('leo', 'mira');
		expect((await send(toLeo, 'mira')).status).toBe(200);
	});

	test('a muid may be repeated, or not, by the same sender', async () => {
		const body = { ...HELLO, muid: 'order-7' };
		const ids = [await send(body, 'mira'), await send(body, 'mira')].map(
			(answer) => dataOf<Message>(answer).id,
		);
		expect(new Set(ids).size).toBe(2);
		sandbox().setSettings({ repeatedMuid: 'refuse' });
		const refused = await send(body, 'mira');
		expect(refusalOf(refused)).toEqual([409, 'ERR_MUID_ALREADY_EXISTS']);
		expect(errorOf(refused).message).toContain('order-7');
		expect((await send(body, 'jonas')).status).toBe(200);
	});

	test('gives each message its own id when many are sent at once', async () => {
		const answers = await Promise.all(Array.from({ length: 40 }, () => send(HELLO, 'mira')));
		expect(new Set(answers.map((answer) => dataOf<Message>(answer).id)).size).toBe(40);
	});
});
