import { REACTIONS } from '../../sandbox/data/messages';
import { call, messageOf } from '../sandbox/client';
import { errorOf, get, jsonOf, removeReaction, run, useSandbox, wire } from './harness';

const sandbox = useSandbox();

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

	test('sends On Behalf Of when it is set', async () => {
		await jsonOf(sandbox(), get('101', { onBehalfOf: ' mira ' }));
		expect(sandbox().log[0].headers.onbehalfof).toBe('mira');
	});

	test.each(['', '  '])('sends no header when On Behalf Of is %j', async (onBehalfOf) => {
		await jsonOf(sandbox(), get('101', { onBehalfOf }));
		expect(sandbox().log[0].headers).not.toHaveProperty('onbehalfof');
	});

	test('refuses a number that has lost digits', async () => {
		const { message, description } = await errorOf(sandbox(), get('={{ 12345678901234567890 }}'));
		expect(message).toBe("'Message ID' is a number too large to be exact");
		expect(description).toBe("Give 'Message ID' as text, so that every digit is kept.");
		expect(sandbox().log).toEqual([]);
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
		['a keycap', '105', REACTIONS.keycapHash, 'yuki'],
		['a family joined by ZWJ', '106', REACTIONS.family, 'carla'],
		['a heart with U+FE0F', '102', REACTIONS.heart, 'mira'],
		['a heart without U+FE0F', '102', REACTIONS.heartAsText, 'mira'],
		['an emoji without a skin tone', '108', REACTIONS.thumbsUp, 'jonas'],
		['an emoji with a skin tone', '108', REACTIONS.thumbsUpMediumSkin, 'aisha'],
		['a composed letter', '111', REACTIONS.composed, 'yuki'],
		['a decomposed letter', '111', REACTIONS.decomposed, 'yuki'],
		['a flag', '105', REACTIONS.flagIndia, 'tomas'],
		['a percent sign', '104', '100%', 'priya'],
		['a slash', '104', 'a/b', 'leo'],
		['a question mark and a hash', '104', '?x=1&y#z', 'priya'],
		['a space', '112', 'with space', 'yuki'],
		['a semicolon', '112', 'semi;colon', 'yuki'],
		['a plus sign', '112', '+1', 'noor'],
		['Chinese characters', '115', '了解', 'yuki'],
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

	test('keeps outer spaces: the reaction is sent as typed', async () => {
		sandbox().store.addReaction('101', 'mira', ' ok ');
		await jsonOf(sandbox(), removeReaction('101', ' ok ', 'mira'));
		expect(wire(sandbox())).toEqual(['DELETE /messages/101/reactions/%20ok%20']);
		expect(reactionsOf('101').map(([reaction]) => reaction)).not.toContain(' ok ');
	});

	test('is seen by a second client: the reaction cannot be removed again', async () => {
		const path = `/messages/101/reactions/${encodeURIComponent(REACTIONS.thumbsUp)}`;
		await jsonOf(sandbox(), removeReaction('101', REACTIONS.thumbsUp, 'mira'));
		expect((await call(sandbox(), path, { method: 'DELETE', as: 'mira' })).status).toBe(404);
		const other = await call(sandbox(), path, { method: 'DELETE', as: 'jonas' });
		expect(messageOf(other).data.reactions).toEqual([
			{ reaction: ':+1:', count: 1, reactedByMe: true },
		]);
	});

	test('marks what the user still has made with reactedByMe', async () => {
		const [message] = await jsonOf(sandbox(), removeReaction('102', REACTIONS.heart, 'mira'));
		expect(message.data).toMatchObject({
			reactions: [
				{ reaction: REACTIONS.heart, count: 1 },
				{ reaction: REACTIONS.heartAsText, count: 1, reactedByMe: true },
			],
		});
	});

	test('takes ID, reaction and user as numbers', async () => {
		sandbox().store.addReaction('101', 'mira', '7');
		await jsonOf(sandbox(), removeReaction('={{ 101 }}', '={{ 7 }}', 'mira'));
		expect(wire(sandbox())).toEqual(['DELETE /messages/101/reactions/7']);
	});

	test('sends no body', async () => {
		await jsonOf(sandbox(), removeReaction('101', ':+1:', 'jonas'));
		expect(sandbox().log[0].headers['content-length'] ?? '0').toBe('0');
		expect(sandbox().violations).toEqual([]);
	});
});

describe('What no path can carry is refused before anything is sent', () => {
	const WRONG: Array<[string, string, string]> = [
		['empty', '={{ "" }}', 'is empty'],
		['blank', '   ', 'is empty'],
		['undefined', '={{ undefined }}', 'is empty'],
		['a field that the item does not have', '={{ $json.nothing }}', 'is empty'],
		['null', '={{ null }}', 'is empty'],
		['a dot', '.', 'must not be "."'],
		['two dots', '..', 'must not be ".."'],
		['half an emoji', '={{ "\\ud83d" }}', 'contains an incomplete emoji'],
		['the other half', '={{ "x\\udc4d" }}', 'contains an incomplete emoji'],
		['a list', '={{ [1, 2] }}', 'must be text'],
		['an object', '={{ ({ id: 1 }) }}', 'must be text'],
		['true', '={{ true }}', 'must be text'],
		['too long', 'x'.repeat(1_001), 'is longer than 1000 characters'],
	];
	test.each(WRONG)('Reaction: %s', async (_, value, problem) => {
		const error = await errorOf(sandbox(), removeReaction('101', value, 'mira'));
		expect(error.name).toBe('NodeOperationError');
		expect(error.message.startsWith(`'Reaction' ${problem}`)).toBe(true);
		expect(error.context.itemIndex).toBe(0);
		expect(sandbox().log).toEqual([]);
	});

	test.each([
		['Message ID', get('={{ [1, 2] }}'), 'must be text'],
		['Message ID', get('={{ "" }}'), 'is empty'],
		['On Behalf Of', get('101', { onBehalfOf: '={{ ["mira"] }}' }), 'must be text'],
		['Reacted By', removeReaction('101', 'x', ' '), 'is empty'],
	])('%s: %#', async (label, parameters, problem) => {
		const { message } = await errorOf(sandbox(), parameters);
		expect(message.startsWith(`'${label}' ${problem}`)).toBe(true);
		expect(sandbox().log).toEqual([]);
	});

	test.each([
		['Message ID', get('')],
		['Message ID', removeReaction('', 'x', 'mira')],
		['Reaction', removeReaction('101', '', 'mira')],
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
		sandbox().setSettings({ accessDelay: 0.3 });
		const { id } = sandbox().store.sendMessage({ sender: 'mira', receiver: 'lunch', text: 'Hi' });
		sandbox().store.joinGroup('lunch', 'mira');
		const parameters = { ...own, operation, messageId: id, ...more };
		const { error } = await run(sandbox(), parameters);
		expect(error).toBeUndefined();
		const statuses = sandbox().log.map(({ status }) => status);
		expect(statuses).toEqual([...statuses.slice(1).map(() => 403), 200]);
		expect(statuses.length).toBeGreaterThan(1);
	});

	test('is not asked for again with one attempt', async () => {
		await errorOf(sandbox(), get('101', { onBehalfOf: 'tomas', options: { maxTries: 1 } }));
		expect(sandbox().log).toHaveLength(1);
	});
});
