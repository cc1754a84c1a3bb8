import { type Envelope, type Webhook } from '../../sandbox/server';
import type { ActionMessage, Group, Message, User, UserReaction } from '../../sandbox/types';
import { call, dataOf, useSandbox } from './client';
import { startReceiver, type Receiver } from './receiver';

const sandbox = useSandbox();
let receiver: Receiver;

beforeEach(async () => {
	receiver = await startReceiver();
});
afterEach(() => receiver.close());

const listen = (more: Partial<Webhook> = {}) =>
	sandbox().webhooks.set([{ url: receiver.url, ...more }]);

/** What was delivered, once everything is. */
async function delivered(): Promise<Envelope[]> {
	await sandbox().webhooks.idle();
	return receiver.received.map(({ body }) => body);
}

/** The data of the one delivery of a trigger. */
async function dataOfOnly<Data>(trigger: string): Promise<Data> {
	const found = (await delivered()).filter((envelope) => envelope.trigger === trigger);
	expect(found).toHaveLength(1);
	return found[0].data as Data;
}

const api = async (
	method: 'POST' | 'PUT' | 'DELETE',
	path: string,
	json?: unknown,
	as?: string,
) => {
	const answer = await call(sandbox(), path, { method, json, as });
	expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
	return answer;
};

describe('a delivery', () => {
	test('is a POST of the envelope, as JSON', async () => {
		listen({ name: 'my-hook' });
		await api('POST', '/messages/109/reactions/ok', undefined, 'leo');
		await delivered();
		expect(receiver.received).toHaveLength(1);
		const [{ method, path, headers, body }] = receiver.received;
		expect([method, path]).toEqual(['POST', '/webhook/chat']);
		expect(headers['content-type']).toBe('application/json');
		expect(headers).not.toHaveProperty('authorization');
		expect(body).toEqual({
			trigger: 'message_reaction_added',
			data: expect.any(Object),
			appId: sandbox().appId,
			region: 'us',
			webhook: 'my-hook',
		});
	});

	test('carries Basic authentication when there is a user', async () => {
		listen({ username: 'hook', password: 'secret1' });
		sandbox().store.addReaction('109', 'leo', 'ok');
		await delivered();
		const expected = `Basic ${Buffer.from('hook:secret1').toString('base64')}`;
		expect(receiver.received[0].headers.authorization).toBe(expected);
	});

	test('is made for the chosen triggers only', async () => {
		listen({ triggers: ['message_edited', 'group_deleted'] });
		sandbox().store.editMessage('109', { text: 'x' });
		sandbox().store.addReaction('109', 'leo', 'ok');
		sandbox().store.deleteGroup('lunch');
		const triggers = (await delivered()).map(({ trigger }) => trigger);
		expect(triggers).toEqual(['message_edited', 'group_deleted']);
	});

	test('is noted with its outcome, and can be repeated', async () => {
		listen();
		sandbox().store.addReaction('109', 'leo', 'ok');
		await delivered();
		const [delivery] = sandbox().webhooks.deliveries;
		expect(delivery).toMatchObject({ url: receiver.url, attempt: 1, status: 200 });
		expect(delivery.body).toEqual(receiver.received[0].body);
		sandbox().webhooks.repeat(delivery.id);
		const [first, second] = await delivered();
		expect(second).toEqual(first);
		expect(() => sandbox().webhooks.repeat(999)).toThrow(RangeError);
	});

	test('is not made after a reset, nor for what happened without a webhook', async () => {
		sandbox().store.addReaction('109', 'leo', 'ok');
		listen();
		sandbox().reset();
		sandbox().store.addReaction('109', 'leo', 'ok');
		expect(await delivered()).toEqual([]);
		expect(sandbox().webhooks.list).toEqual([]);
	});
});

describe('messages', () => {
	beforeEach(() => listen());

	test('sent: the whole message', async () => {
		const body = {
			receiver: 'all-hands',
			receiverType: 'group',
			data: { text: 'Hi' },
			tags: ['a'],
		};
		const sent = dataOf<Message>(await api('POST', '/messages', { ...body, muid: 'm-1' }, 'mira'));
		const { message } = await dataOfOnly<{ message: Message }>('message_sent');
		expect(message).toEqual(sent);
		expect(message).toMatchObject({ muid: 'm-1', tags: ['a'], data: { text: 'Hi' } });
	});

	test('sent in a thread: with the message that they reply to', async () => {
		await api('POST', '/messages/118/thread', { data: { text: 'Hi' } }, 'mira');
		const { message } = await dataOfOnly<{ message: Message }>('message_sent');
		expect(message).toMatchObject({ parentId: '118', receiver: 'project-aurora' });
	});

	test('that mention somebody: also a mention', async () => {
		sandbox().store.sendMessage({ sender: 'mira', receiver: 'lunch', text: 'Hi <@uid:leo>' });
		const { message } = await dataOfOnly<{ message: Message }>('user_mentioned');
		expect(message.data.mentions).toMatchObject({ leo: { uid: 'leo', name: 'Leo Brandt' } });
		await dataOfOnly('message_sent');
	});

	test('edited: a note, with the message and who did it inside', async () => {
		await api('PUT', '/messages/109', { data: { text: 'Later' } }, 'mira');
		const { message } = await dataOfOnly<{ message: ActionMessage }>('message_edited');
		expect(message).toMatchObject({
			category: 'action',
			data: {
				action: 'edited',
				entities: {
					on: { entity: { id: '109', data: { text: 'Later' }, editedBy: 'mira' } },
					by: { entity: { uid: 'mira' }, entityType: 'user' },
				},
			},
		});
		expect(message.id).not.toBe('109');
	});

	test('deleted: a note, with nothing of what the message said', async () => {
		await api('DELETE', '/messages/109', undefined, 'mira');
		const { message } = await dataOfOnly<{ message: ActionMessage }>('message_deleted');
		expect(message.data.entities.on.entity).toEqual({
			id: '109',
			conversationId: 'group_all-hands',
			deletedAt: expect.any(Number),
			deletedBy: 'mira',
		});
		expect(JSON.stringify(message)).not.toContain('Aurora ships');
	});

	test('with reactions: who reacted how, and nothing of the group', async () => {
		await api('POST', '/messages/109/reactions/ok', undefined, 'leo');
		await api('POST', '/messages/109/reactions/ok', undefined, 'leo');
		await api('DELETE', '/messages/109/reactions/ok', undefined, 'leo');
		const added = await dataOfOnly<{ reaction: UserReaction }>('message_reaction_added');
		expect(added).toEqual({
			reaction: {
				id: expect.any(String),
				messageId: '109',
				reaction: 'ok',
				uid: 'leo',
				reactedAt: expect.any(Number),
				reactedBy: expect.objectContaining({ uid: 'leo', name: 'Leo Brandt' }),
			},
		});
		expect(await dataOfOnly('message_reaction_removed')).toEqual(added);
	});
});

describe('groups and members', () => {
	interface GroupData {
		group: Group & { oldOwner?: string };
		members: Record<string, User & { scope?: string; oldScope?: string }>;
		by?: User;
	}
	beforeEach(() => listen());

	test('created, updated, given to another owner, deleted', async () => {
		await api('POST', '/groups', { guid: 'club', name: 'Club', owner: 'leo' });
		await api('PUT', '/groups/club', { owner: 'mira' });
		await api('DELETE', '/groups/club');
		const created = await dataOfOnly<GroupData>('group_created');
		expect(created).toEqual({
			group: expect.objectContaining({ guid: 'club', owner: 'leo' }),
			members: { leo: expect.objectContaining({ uid: 'leo', scope: 'admin' }) },
		});
		const updated = await dataOfOnly<GroupData>('group_updated');
		expect(Object.keys(updated)).toEqual(['group']);
		const { group } = await dataOfOnly<GroupData>('group_owner_transferred');
		expect(group).toMatchObject({ owner: 'mira', oldOwner: 'leo' });
		expect((await dataOfOnly<GroupData>('group_deleted')).group.guid).toBe('club');
	});

	test('members added: those who were, in one delivery, and by whom', async () => {
		await api('POST', '/groups/lunch/members', { participants: ['mira', 'leo', 'yuki'] }, 'leo');
		const { group, members, by } = await dataOfOnly<GroupData>('group_member_added');
		expect(group).toMatchObject({ guid: 'lunch', membersCount: 3 });
		expect(Object.keys(members)).toEqual(['mira', 'yuki']);
		expect(members.yuki).toMatchObject({ uid: 'yuki', scope: 'participant' });
		expect(by?.uid).toBe('leo');
	});

	const GROUP = '/groups/all-hands';
	test.each<[string, () => unknown, string[], string | undefined]>([
		['kicked', () => api('DELETE', `${GROUP}/members/leo`, undefined, 'mira'), ['leo'], 'mira'],
		[
			'banned',
			() => api('POST', `${GROUP}/bannedusers/leo`, undefined, 'mira'),
			['leo', 'mira'],
			'mira',
		],
		['banned', () => api('POST', `${GROUP}/bannedusers/leo`), ['leo'], 'app_system'],
		['left', () => sandbox().store.leaveGroup('all-hands', 'leo'), ['leo'], undefined],
	])('member %s', async (what, act, uids, actor) => {
		await act();
		const { group, members, by } = await dataOfOnly<GroupData>(`group_member_${what}`);
		expect([group.guid, Object.keys(members)]).toEqual(['all-hands', uids]);
		expect(by?.uid).toBe(actor);
	});

	test('member unbanned, joined, with another scope', async () => {
		const { store } = sandbox();
		store.banMember('lunch', 'yuki');
		await api('DELETE', '/groups/lunch/bannedusers/yuki', undefined, 'leo');
		store.joinGroup('lunch', 'yuki');
		store.joinGroup('lunch', 'yuki');
		await api('PUT', '/groups/lunch/members/yuki', { scope: 'moderator' }, 'leo');
		const unbanned = await dataOfOnly<GroupData>('group_member_unbanned');
		expect([Object.keys(unbanned.members), unbanned.by?.uid]).toEqual([['yuki', 'leo'], 'leo']);
		expect(await dataOfOnly<GroupData>('group_member_joined')).not.toHaveProperty('by');
		const { members, by } = await dataOfOnly<GroupData>('group_member_scope_changed');
		expect(members.yuki).toMatchObject({ scope: 'moderator', oldScope: 'participant' });
		expect(by?.uid).toBe('leo');
	});
});

describe('to order', () => {
	/** Reacts so many times, and returns the reactions in the order in which they arrived. */
	async function react(count: number, more: Partial<Webhook>): Promise<string[]> {
		listen({ triggers: ['message_reaction_added'], ...more });
		for (let n = 0; n < count; n++) sandbox().store.addReaction('109', 'leo', String(n));
		return (await delivered()).map(
			({ data }) => (data as unknown as { reaction: UserReaction }).reaction.reaction,
		);
	}

	test('twice', async () => {
		expect(await react(2, { copies: 2 })).toEqual(['0', '0', '1', '1']);
	});

	test('out of order, with what is left over', async () => {
		expect(await react(5, { reversed: 3 })).toEqual(['2', '1', '0', '4', '3']);
	});

	test('of the older kind, which knows messages only', async () => {
		listen({ kind: 'older' });
		sandbox().store.addReaction('109', 'leo', 'ok');
		sandbox().store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'Hi' });
		expect(await delivered()).toEqual([
			{
				trigger: 'after_message',
				data: expect.objectContaining({ sender: 'leo', category: 'message' }),
				appId: sandbox().appId,
				region: 'us',
				webhook: 'sandbox',
			},
		]);
	});
});

describe('a delivery that fails', () => {
	const react = () => sandbox().store.addReaction('109', 'leo', 'ok');
	const attempts = () =>
		sandbox().webhooks.deliveries.map(({ attempt, status }) => [attempt, status]);

	test('is lost, unless it is to be repeated', async () => {
		receiver.answer = () => 500;
		listen();
		react();
		await delivered();
		expect(attempts()).toEqual([[1, 500]]);
	});

	test.each<[string, number[], number[][]]>([
		[
			'once',
			[500, 200],
			[
				[1, 500],
				[2, 200],
			],
		],
		[
			'twice',
			[401, 302, 200],
			[
				[1, 401],
				[2, 302],
				[3, 200],
			],
		],
		[
			'always',
			[204, 404, 503, 200],
			[
				[1, 204],
				[2, 404],
				[3, 503],
			],
		],
	])('%s is repeated after 10 s and 30 s', async (_, statuses, expected) => {
		receiver.answer = (nth) => statuses[nth - 1];
		listen({ retries: true, timeScale: 100 });
		react();
		await delivered();
		expect(attempts()).toEqual(expected);
		const times = sandbox().webhooks.deliveries.map(({ at }) => at);
		expect(times[1] - times[0]).toBeGreaterThanOrEqual(98);
		if (times.length > 2) expect(times[2] - times[1]).toBeGreaterThanOrEqual(298);
		expect(receiver.received.every(({ path }) => path === '/webhook/chat')).toBe(true);
	});

	test('is given up when no answer comes in time', async () => {
		receiver.answer = () => 'hang';
		listen({ timeoutMs: 80 });
		react();
		await delivered();
		expect(attempts()).toEqual([[1, 0]]);
		expect(sandbox().webhooks.deliveries[0].error).toBe('No answer within 80 ms');
		expect(sandbox().webhooks.deliveries[0].ms).toBeGreaterThanOrEqual(75);
	});
});

test.each([
	'http://example.com/hook',
	'http://10.0.0.1/hook',
	'http://127.0.0.1.example.com/hook',
	'http://user:pass@localhost/hook',
	'ftp://localhost/hook',
	'localhost:5678/hook',
	`http://localhost/${'x'.repeat(255)}`,
	'',
])('the URL %s is refused', (url) => {
	expect(() => sandbox().webhooks.set([{ url }])).toThrow(TypeError);
});

test.each([
	[{ retries: 'yes' }, 'retries'],
	[{ copies: 0 }, 'copies'],
	[{ colour: 'red' }, 'colour'],
	[{ constructor: 1 }, 'constructor'],
])('a webhook with %j is refused', (more, name) => {
	const webhook = { url: 'http://localhost:1/', ...more } as Webhook;
	expect(() => sandbox().webhooks.set([webhook])).toThrow(name);
});
