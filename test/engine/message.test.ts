import { REACTIONS } from '../../sandbox/data/messages';
import { call, messageOf } from '../sandbox/client';
import { errorOf, get, jsonOf, removeReaction, run, useSandbox, wire } from './harness';

const sandbox = useSandbox({
	// Who was refused once may see the message from then on
	onRequest({ status }) {
		if (status === 403) sandbox().setSettings({ accessDelay: 0 });
	},
});

/** A message and its reactions as the service keeps them. */
const reactionsOf = (id: string) => [...(sandbox().store.message(id)?.reactions ?? [])];

describe('Get', () => {
	test('returns the message that a direct request returns', async () => {
		const ids = sandbox()
			.store.messages()
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
	test('removes every reaction of the sample data, and nothing else', async () => {
		const made = sandbox()
			.store.messages()
			.flatMap(({ id, reactions }) =>
				[...reactions].flatMap(([reaction, uids]) => uids.map((uid) => ({ id, reaction, uid }))),
			);
		const special = [...Object.values(REACTIONS), '100%', 'a/b', '?x=1&y#z', 'with space'];
		expect(made.map(({ reaction }) => reaction)).toEqual(expect.arrayContaining(special));
		const items = await jsonOf(
			sandbox(),
			removeReaction('={{ $json.id }}', '={{ $json.reaction }}', '={{ $json.uid }}'),
			{ input: made },
		);
		expect(items.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
		expect(
			sandbox()
				.store.messages()
				.flatMap(({ reactions }) => [...reactions]),
		).toEqual([]);
		expect([...sandbox().log.map(({ path }) => path)].sort()).toEqual(
			made
				.map(({ id, reaction }) => `/v3/messages/${id}/reactions/${encodeURIComponent(reaction)}`)
				.sort(),
		);
		expect(sandbox().violations).toEqual([]);
	});

	test.each([
		['a heart with U+FE0F', '102', REACTIONS.heart, 'mira'],
		['a heart without U+FE0F', '102', REACTIONS.heartAsText, 'mira'],
		['an emoji without a skin tone', '108', REACTIONS.thumbsUp, 'jonas'],
		['an emoji with a skin tone', '108', REACTIONS.thumbsUpMediumSkin, 'aisha'],
		['a composed letter', '111', REACTIONS.composed, 'yuki'],
		['a decomposed letter', '111', REACTIONS.decomposed, 'yuki'],
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

describe('What no path can carry is refused before anything is sent', () => {
	const WRONG: Array<[string, string, string]> = [
		['a field that the item does not have', '={{ $json.nothing }}', 'is empty'],
		['two dots', '..', 'must not be ".."'],
		['half an emoji', '={{ "\\ud83d" }}', 'contains an incomplete emoji'],
	];
	test.each(WRONG)('Reaction: %s', async (_, value, problem) => {
		const error = await errorOf(sandbox(), removeReaction('101', value, 'mira'));
		expect(error.name).toBe('NodeOperationError');
		expect(error.message.startsWith(`'Reaction' ${problem}`)).toBe(true);
		expect(error.context.itemIndex).toBe(0);
		expect(sandbox().log).toEqual([]);
	});

	test.each([
		['Message ID', removeReaction('', 'x', 'mira')],
		['Reacted By', removeReaction('101', 'x', '')],
	])('n8n itself does not run a node whose %s was left empty', async (field, parameters) => {
		await expect(run(sandbox(), parameters)).rejects.toThrow(`"${field}" is required`);
		expect(sandbox().log).toEqual([]);
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
