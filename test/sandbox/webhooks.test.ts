import { type Envelope, type Webhook } from '../../sandbox/server';
import type { ActionMessage, Message, User } from '../../sandbox/types';
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

const react = (reaction = 'ok') => sandbox().store.addReaction('109', 'leo', reaction);

/** What was delivered, once everything is. */
async function delivered(): Promise<Envelope[]> {
	await sandbox().webhooks.idle();
	return receiver.received.map(({ body }) => body);
}

const triggers = async () => (await delivered()).map(({ trigger }) => trigger);

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
	test('is a POST of the envelope, as JSON, with Basic authentication when there is a user', async () => {
		listen({ name: 'my-hook' });
		react();
		await delivered();
		listen({ username: 'hook', password: 'secret1' });
		react('seen');
		await delivered();
		const [{ method, path, headers, body }, authorized] = receiver.received;
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
		const expected = `Basic ${Buffer.from('hook:secret1').toString('base64')}`;
		expect(authorized.headers.authorization).toBe(expected);
	});

	test('is made for the chosen triggers only', async () => {
		listen({ triggers: ['group_deleted'] });
		react();
		sandbox().store.deleteGroup('lunch');
		expect(await triggers()).toEqual(['group_deleted']);
	});

	test('is noted with its outcome, and can be repeated', async () => {
		listen();
		react();
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
		react();
		listen();
		sandbox().reset();
		react();
		expect(await delivered()).toEqual([]);
		expect(sandbox().webhooks.list).toEqual([]);
	});
});

describe('messages', () => {
	beforeEach(() => listen());

	test('sent: the whole message, as it was answered; also a mention', async () => {
		const data = { text: 'Hi <@uid:leo>' };
		const body = { receiver: 'all-hands', receiverType: 'group', data, tags: ['a'] };
		const sent = dataOf<Message>(await api('POST', '/messages', body, 'mira'));
		for (const trigger of ['message_sent', 'user_mentioned']) {
			expect(await dataOfOnly(trigger)).toEqual({ message: sent });
		}
	});

	test('sent in a thread: with the message that they reply to', async () => {
		await api('POST', '/messages/118/thread', { data: { text: 'Hi' } }, 'mira');
		const { message } = await dataOfOnly<{ message: Message }>('message_sent');
		expect(message).toMatchObject({ parentId: '118', receiver: 'project-aurora' });
	});

	const edit = async () => await api('PUT', '/messages/109', { data: { text: 'Later' } }, 'mira');
	const remove = async () => await api('DELETE', '/messages/109', undefined, 'mira');

	test('edited, deleted: a note, without what a deleted message said', async () => {
		const note = dataOf<ActionMessage>(await edit());
		await remove();
		const edited = await dataOfOnly<{ message: ActionMessage }>('message_edited');
		expect(edited.message).toMatchObject({ id: note.id, data: { action: 'edited' } });
		expect(edited.message.data.entities).toMatchObject({
			on: { entity: { id: '109', data: { text: 'Later' }, editedBy: 'mira' } },
			by: { entity: { uid: 'mira' }, entityType: 'user' },
		});
		const { message } = await dataOfOnly<{ message: ActionMessage }>('message_deleted');
		expect(message.data.entities.on.entity).toEqual({
			id: '109',
			conversationId: 'group_all-hands',
			deletedAt: expect.any(Number),
			deletedBy: 'mira',
		});
	});

	test('edited, deleted: or the message itself', async () => {
		sandbox().setSettings({ changeEvents: 'message' });
		await edit();
		await remove();
		const edited = { id: '109', category: 'message', data: { text: 'Later' } };
		expect(await dataOfOnly('message_edited')).toMatchObject({ message: edited });
		const deleted = await dataOfOnly<{ message: Message }>('message_deleted');
		expect(deleted.message).toMatchObject({ id: '109', deletedBy: 'mira' });
		expect(deleted.message.data).not.toHaveProperty('text');
	});

	test('edited, deleted: their notes are sent, too, where the service does so', async () => {
		sandbox().setSettings({ changesSent: true });
		await edit();
		await remove();
		const sent = 'message_sent';
		expect(await triggers()).toEqual(['message_edited', sent, sent, sent, 'message_deleted', sent]);
		const [, { data }] = await delivered();
		expect(data.message).toMatchObject({ category: 'action' });
	});

	test('with reactions: who reacted how, and nothing of the group', async () => {
		for (const method of ['POST', 'POST', 'DELETE'] as const)
			await api(method, '/messages/109/reactions/ok', undefined, 'leo');
		const added = await dataOfOnly('message_reaction_added');
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
	beforeEach(() => listen());

	test('created, given to another owner, updated, deleted: with who changed it last', async () => {
		await api('POST', '/groups', { guid: 'club', name: 'Club', owner: 'leo' });
		await api('PUT', '/groups/club', { owner: 'mira' });
		const leo = expect.objectContaining({ uid: 'leo', name: 'Leo Brandt' });
		expect(await dataOfOnly('group_created')).toEqual({
			group: expect.objectContaining({ guid: 'club', owner: 'leo', createdAt: expect.any(Number) }),
			members: { leo },
		});
		const changed = { updatedAt: expect.any(Number), updatedBy: 'app_system' };
		expect(await dataOfOnly('group_owner_transferred')).toMatchObject({
			group: { owner: 'mira', oldOwner: 'leo', ...changed },
		});
		await api('PUT', '/groups/club', { name: 'The Club' }, 'mira');
		expect(await dataOfOnly('group_updated')).toEqual({
			group: expect.objectContaining({ name: 'The Club', ...changed, updatedBy: 'mira' }),
		});
		await api('DELETE', '/groups/club');
		expect(await dataOfOnly('group_deleted')).toEqual({
			group: expect.objectContaining({ guid: 'club', ...changed, updatedBy: 'mira' }),
		});
	});

	test('created by a user: as this user sees it', async () => {
		await api('POST', '/groups', { guid: 'club', name: 'Club' }, 'mira');
		const created = await dataOfOnly<{ group: object; members: object }>('group_created');
		expect(created.group).toMatchObject({ owner: 'mira', hasJoined: true, scope: 'admin' });
		expect(created.group).not.toHaveProperty('updatedBy');
		expect(created.members).toMatchObject({ mira: { uid: 'mira' } });
	});

	test('created by the app: it owns them', async () => {
		await api('POST', '/groups', { guid: 'club', name: 'Club' });
		const { group, members } = await dataOfOnly<{ group: object; members: object }>(
			'group_created',
		);
		expect(group).toMatchObject({ owner: 'app_system', membersCount: 0 });
		expect(group).not.toHaveProperty('hasJoined');
		expect(members).toEqual({});
	});

	test('members: those it happened to, in one delivery, and by whom', async () => {
		const { store } = sandbox();
		await api('POST', '/groups/lunch/members', { participants: ['mira', 'leo', 'yuki'] }, 'leo');
		await api('DELETE', '/groups/lunch/members/mira', undefined, 'leo');
		store.changeScope('lunch', 'yuki', 'moderator', 'leo');
		store.banMember('lunch', 'yuki', 'leo');
		store.unbanMember('lunch', 'yuki', 'leo');
		store.joinGroup('lunch', 'yuki');
		store.joinGroup('lunch', 'yuki');
		store.leaveGroup('lunch', 'yuki');
		const told = (await delivered()).map(({ trigger, data }) => {
			const { members, by } = data as { members: object; by?: User };
			return [trigger, Object.keys(members).join(), by?.uid];
		});
		expect(told).toEqual([
			['group_member_added', 'mira,yuki', 'leo'],
			['group_member_kicked', 'mira', 'leo'],
			['group_member_scope_changed', 'yuki', 'leo'],
			['group_member_banned', 'leo', 'leo'],
			['group_member_unbanned', 'leo', 'leo'],
			['group_member_joined', 'yuki', undefined],
			['group_member_left', 'yuki', undefined],
		]);
		expect(await dataOfOnly('group_member_scope_changed')).toMatchObject({
			group: { guid: 'lunch' },
			members: { yuki: { scope: 'moderator', oldScope: 'participant' } },
		});
	});
});

describe('to order', () => {
	test.each<[Partial<Webhook>, number[]]>([
		[{ copies: 2 }, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]],
		[{ reversed: 3 }, [2, 1, 0, 4, 3]],
	])('%j', async (more, expected) => {
		listen({ triggers: ['message_reaction_added'], ...more });
		for (let n = 0; n < 5; n++) react(String(n));
		const data = (await delivered()).map((envelope) => envelope.data);
		expect(data).toMatchObject(expected.map((n) => ({ reaction: { reaction: String(n) } })));
	});

	test('of the older kind, which knows messages only', async () => {
		listen({ kind: 'older' });
		react();
		sandbox().store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'Hi' });
		const data = { sender: 'leo', category: 'message' };
		expect(await delivered()).toMatchObject([{ trigger: 'after_message', data }]);
	});
});

describe('a delivery that fails', () => {
	const attempts = () =>
		sandbox().webhooks.deliveries.map(({ attempt, status }) => [attempt, status]);

	test.each<[string, boolean, number[], number]>([
		['once is lost, unless it is to be repeated', false, [500, 200], 1],
		['once is repeated after 10 s', true, [500, 200], 2],
		['twice is repeated after 30 s more', true, [401, 302, 200], 3],
		['always is given up', true, [204, 404, 503, 200], 3],
	])('%s', async (_, retries, statuses, count) => {
		receiver.answer = (nth) => statuses[nth - 1];
		listen({ retries, timeScale: 100 });
		react();
		await delivered();
		expect(attempts()).toEqual(statuses.slice(0, count).map((status, n) => [n + 1, status]));
		const times = sandbox().webhooks.deliveries.map(({ at }) => at);
		if (count > 1) expect(times[1] - times[0]).toBeGreaterThanOrEqual(98);
		if (count > 2) expect(times[2] - times[1]).toBeGreaterThanOrEqual(298);
		expect(receiver.received.every(({ path }) => path === '/webhook/chat')).toBe(true);
	});

	test('is given up when no answer comes in time', async () => {
		receiver.answer = () => 'hang';
		listen({ timeoutMs: 80 });
		react();
		await delivered();
		expect(attempts()).toEqual([[1, 0]]);
		expect(sandbox().webhooks.deliveries[0].error).toBe('No answer within 80 ms');
	});
});

test.each<[object, string]>([
	...[
		'http://example.com/hook',
		'http://127.0.0.1.example.com/hook',
		'http://user:pass@localhost/hook',
		`http://localhost/${'x'.repeat(255)}`,
		'',
	].map((url): [object, string] => [{ url }, 'url']),
	[{ retries: 'yes' }, 'retries'],
	[{ copies: 0 }, 'copies'],
	[{ colour: 'red' }, 'colour'],
])('a webhook with %j is refused', (more, name) => {
	const webhook = { url: 'http://localhost:1/', ...more } as Webhook;
	expect(() => sandbox().webhooks.set([webhook])).toThrow(name);
});
