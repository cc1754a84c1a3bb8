import { call, messageOf } from '../sandbox/client';
import { errorOf, get, jsonOf, removeReaction, run, useSandbox, wire } from './harness';

const sandbox = useSandbox({
	// Who was refused once may see the message from then on
	onRequest({ status }) {
		if (status === 403) sandbox().setSettings({ accessDelay: 0 });
	},
});

/** A message and its reactions as the service keeps them. */
const reactionsOf = (id: string) => [...(sandbox().store.messages.get(id)?.reactions ?? [])];

describe('Get', () => {
	test('returns the message that a direct request returns', async () => {
		const ids = sandbox()
			.store.messages.all()
			.map(({ id }) => id);
		const items = await jsonOf(sandbox(), get('={{ $json.id }}'), {
			input: ids.map((id) => ({ id })),
		});
		const direct = await Promise.all(ids.map((id) => call(sandbox(), `/messages/${id}`)));
		expect(items).toEqual(direct.map(messageOf));
		expect(sandbox().violations).toEqual([]);
	});

	test('takes an ID as a number', async () => {
		const [message] = await jsonOf(sandbox(), get('={{ 101 }}'));
		expect(message.id).toBe('101');
		expect(wire(sandbox())).toEqual(['GET /messages/101']);
	});
});

describe('Remove Reaction', () => {
	test.each([
		['a heart with U+FE0F', '102', '\u2764\uFE0F', 'mira'],
		['a heart without U+FE0F', '102', '\u2764', 'mira'],
		['an emoji without a skin tone', '108', '👍', 'jonas'],
		['an emoji with a skin tone', '108', '👍🏽', 'aisha'],
		['a composed letter', '111', 'caf\u00E9', 'yuki'],
		['a decomposed letter', '111', 'cafe\u0301', 'yuki'],
	])('takes away %s and leaves its look-alikes', async (_, id, reaction, uid) => {
		const before = reactionsOf(id);
		const [message] = await jsonOf(sandbox(), removeReaction(id, reaction, uid));
		const expected = before
			.map(([text, uids]): [string, string[]] => [
				text,
				text === reaction ? uids.filter((other) => other !== uid) : uids,
			])
			.filter(([, uids]) => uids.length > 0);
		expect(reactionsOf(id)).toEqual(expected);
		expect(message.data).toHaveProperty(
			'reactions',
			expected.map(([text, uids]) => ({
				reaction: text,
				count: uids.length,
				...(uids.includes(uid) ? { reactedByMe: true } : {}),
			})),
		);
	});
});

describe('A message that the user may not see', () => {
	const own = { resource: 'message', output: 'raw', onBehalfOf: 'mira' };

	test.each([
		['get', {}],
		['update', { updateFields: { text: 'Later' } }],
		['delete', {}],
		['addReaction', { reaction: '👍' }],
		['listReactions', {}],
	])('was just sent, perhaps: %s waits for it, and does its work once', async (operation, more) => {
		sandbox().setSettings({ accessDelay: 3_600 });
		const { id } = sandbox().store.sendMessage({ sender: 'mira', receiver: 'lunch', text: 'Hi' });
		sandbox().store.joinGroup('lunch', 'mira');
		const parameters = { ...own, operation, messageId: id, ...more };
		const { error } = await run(sandbox(), parameters);
		expect(error).toBeUndefined();
		const statuses = sandbox().log.map(({ status }) => status);
		expect(statuses).toEqual([403, 200]);
	});

	test('is not asked for again with one attempt', async () => {
		await errorOf(sandbox(), get('101', { onBehalfOf: 'tomas', options: { maxTries: 1 } }));
		expect(sandbox().log).toHaveLength(1);
	});
});
