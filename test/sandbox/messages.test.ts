import { REACTIONS } from '../../sandbox/data/messages';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { call, errorOf, messageOf, removeReaction } from './client';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => {
	const answers = sandbox.violations.filter((text) => text.includes('answered'));
	sandbox.reset();
	expect(answers).toEqual([]);
});
afterAll(() => sandbox.close());

describe('Get Message', () => {
	test('answers a message between two users', async () => {
		const answer = await call(sandbox, '/messages/102');
		expect(answer.status).toBe(200);
		expect(messageOf(answer)).toEqual({
			id: '102',
			conversationId: 'jonas_user_mira',
			sender: 'jonas',
			receiverType: 'user',
			receiver: 'mira',
			category: 'message',
			type: 'text',
			data: {
				text: 'Yes, all of them.',
				entities: {
					sender: {
						entity: {
							uid: 'jonas',
							name: 'Jonas Wirt',
							status: 'offline',
							role: 'default',
							createdAt: 1_704_096_300,
						},
						entityType: 'user',
					},
					receiver: {
						entity: {
							uid: 'mira',
							name: 'Mira Halden',
							avatar: 'https://assets.example.com/users/mira.png',
							status: 'offline',
							role: 'default',
							createdAt: 1_704_096_000,
							conversationId: 'jonas_user_mira',
						},
						entityType: 'user',
					},
				},
			},
			sentAt: 1_754_040_420,
			updatedAt: 1_754_040_420,
		});
	});

	test('answers a message to a group', async () => {
		const message = messageOf(await call(sandbox, '/messages/108'));
		expect(message).toMatchObject({
			conversationId: 'group_all-hands',
			receiverType: 'group',
			receiver: 'all-hands',
			data: { entities: { receiver: { entityType: 'group', entity: { guid: 'all-hands' } } } },
		});
	});

	test('answers every sample message, without reactions, as the contract says', async () => {
		const messages = sandbox.store.messages();
		expect(messages.length).toBeGreaterThanOrEqual(12);
		for (const { id } of messages) {
			const message = messageOf(await call(sandbox, `/messages/${id}`));
			expect(message.id).toBe(id);
			expect(message.data).not.toHaveProperty('reactions');
		}
		expect(sandbox.violations).toEqual([]);
		expect(messages.some(({ metadata }) => metadata !== undefined)).toBe(true);
	});

	test.each(['999', '0101', '101.0', '1%2F2', 'constructor'])('does not find %s', async (id) => {
		const answer = await call(sandbox, `/messages/${id}`);
		expect(answer.status).toBe(404);
		expect(errorOf(answer).code).toBe('ERR_MESSAGE_ID_NOT_FOUND');
	});

	test.each([
		['101', 'mira', 200],
		['101', 'Jonas', 200],
		['101', 'tomas', 403],
		['109', 'yuki', 200],
		['109', 'ext_sam-99', 403],
	])('shows %s to %s with %i', async (id, as, status) => {
		const answer = await call(sandbox, `/messages/${id}`, { as });
		expect(answer.status).toBe(status);
		if (status === 403) expect(errorOf(answer).code).toBe('ERR_MESSAGE_NO_ACCESS');
	});

	test('shows a group message to a user once that user has joined', async () => {
		sandbox.store.joinGroup('all-hands', 'ext_sam-99');
		expect((await call(sandbox, '/messages/109', { as: 'ext_sam-99' })).status).toBe(200);
	});

	test.each(['nobody', 'old-account'])('does not know the user %s', async (as) => {
		const answer = await call(sandbox, '/messages/101', { as });
		expect(answer.status).toBe(404);
		expect(errorOf(answer).code).toBe('ERR_UID_NOT_FOUND');
	});
});

describe('Remove Reaction', () => {
	test('answers the message with what is left, and marks what the user still has', async () => {
		const answer = await removeReaction(sandbox, '102', REACTIONS.heart, 'mira');
		expect(answer.status).toBe(200);
		expect(messageOf(answer)).toMatchObject({ id: '102', data: { text: 'Yes, all of them.' } });
		expect(messageOf(answer).data.reactions).toEqual([
			{ reaction: REACTIONS.heart, count: 1 },
			{ reaction: REACTIONS.heartAsText, count: 1, reactedByMe: true },
		]);
	});

	test('has an effect that lasts', async () => {
		expect((await removeReaction(sandbox, '101', ':+1:', 'jonas')).status).toBe(200);
		const again = await removeReaction(sandbox, '101', ':+1:', 'jonas');
		expect(again.status).toBe(404);
		expect(errorOf(again).code).toBe('ERR_REACTION_NOT_FOUND');
		sandbox.store.addReaction('101', 'jonas', ':+1:');
		expect((await removeReaction(sandbox, '101', ':+1:', 'jonas')).status).toBe(200);
	});

	test('answers an empty list when none is left', async () => {
		const answer = await removeReaction(sandbox, '103', '\u{1F440}', 'leo');
		expect(messageOf(answer).data.reactions).toEqual([]);
	});

	test('takes nothing from another user', async () => {
		expect((await removeReaction(sandbox, '101', ':+1:', 'mira')).status).toBe(404);
		expect(sandbox.store.reactions('101')).toContainEqual({ reaction: ':+1:', count: 1 });
	});

	test('finds every sample reaction by its percent-encoded form', async () => {
		for (const { id, reactions } of sandbox.store.messages()) {
			for (const [reaction, uids] of [...reactions]) {
				for (const uid of [...uids]) {
					const answer = await removeReaction(sandbox, id, reaction, uid);
					expect([reaction, answer.status]).toEqual([reaction, 200]);
				}
			}
			expect(sandbox.store.reactions(id)).toEqual([]);
		}
		expect(sandbox.violations).toEqual([]);
	});

	test.each([
		['102', 'jonas', REACTIONS.heartAsText],
		['108', 'aisha', REACTIONS.thumbsUp],
		['111', 'felix', REACTIONS.composed],
		['105', 'tomas', '#'],
		['106', 'carla', '\u{1F468}'],
	])('compares code points: message %s, %s, %s is another reaction', async (id, uid, reaction) => {
		const before = sandbox.store.reactions(id);
		expect((await removeReaction(sandbox, id, reaction, uid)).status).toBe(404);
		expect(sandbox.store.reactions(id)).toEqual(before);
	});

	test('needs onBehalfOf, and says so in the details', async () => {
		const answer = await removeReaction(sandbox, '101', ':+1:');
		expect(answer.status).toBe(400);
		expect(errorOf(answer)).toMatchObject({
			code: 'ERR_BAD_REQUEST',
			details: { onBehalfOf: ['is required'] },
		});
		expect(sandbox.violations).toHaveLength(1);
	});

	test('refuses a user who cannot see the message, and does nothing', async () => {
		sandbox.store.addReaction('101', 'tomas', 'x');
		const answer = await removeReaction(sandbox, '101', 'x', 'tomas');
		expect(answer.status).toBe(403);
		expect(sandbox.store.reactions('101')).toContainEqual({ reaction: 'x', count: 1 });
	});

	test('does not find a reaction whose slash is not encoded', async () => {
		const answer = await call(sandbox, '/messages/104/reactions/a/b', {
			method: 'DELETE',
			as: 'priya',
		});
		expect(errorOf(answer).code).toBe('ERR_API_NOT_FOUND');
		expect((await removeReaction(sandbox, '104', 'a/b', 'priya')).status).toBe(200);
	});

	test('takes a reaction of many code points', async () => {
		const reaction = '\u{1F44D}'.repeat(500);
		sandbox.store.addReaction('101', 'mira', reaction);
		expect((await removeReaction(sandbox, '101', reaction, 'mira')).status).toBe(200);
	});
});
