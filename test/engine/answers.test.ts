import type { IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import {
	AS_TOOL,
	NODE,
	errorOf,
	get,
	itemsOf,
	list,
	removeReaction,
	run,
	useSandbox,
} from './harness';
import { json, withRecorder } from './recorder';

const sandbox = useSandbox();

const message = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation,
	...more,
});

const group = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'group',
	operation,
	...more,
});

const respondWith = (status: number, body: unknown) =>
	sandbox().setFaults([{ effect: { status: { status, body } } }]);

const errorBody = (code: string, said = 'Words of the service') => ({
	error: { code, message: said },
});

describe('A response with status 200', () => {
	const CASES: Array<[string, INodeParameters]> = [
		['List groups', list()],
		['Get message', get('101')],
		['Send message', message('send', { groupId: 'lunch', text: 'Hello' })],
		['Delete group', group('delete', { groupId: 'lunch' })],
	];

	test.each(CASES)(
		'that holds an error is one, in the words of the service: %s',
		async (_, parameters) => {
			respondWith(200, errorBody('ERR_GROUP_NO_CLEARANCE'));
			const { message: said, description } = await errorOf(sandbox(), parameters);
			expect(said).toBe("The user's role in the group does not allow this");
			expect(description).toContain('Words of the service (ERR_GROUP_NO_CLEARANCE)');
			expect(sandbox().log).toHaveLength(1);
		},
	);

	test('that holds an error as a text is one, in its words', async () => {
		respondWith(200, { error: 'Words of the service', data: { id: '1' } });
		for (const [, parameters] of CASES) {
			const { description } = await errorOf(sandbox(), parameters);
			expect(description).toContain('Words of the service');
			expect(description).not.toContain('credential');
		}
	});

	test.each<[string, INodeParameters]>([
		['Delete group', group('delete', { groupId: 'lunch' })],
		['Remove member', group('removeMember', { groupId: 'lunch', userId: 'leo' })],
		['Delete message', message('delete', { messageId: '101', permanent: true })],
	])(
		'that says in its data that it was not done is an error in its words: %s',
		async (_, parameters) => {
			const data = [
				{ success: false, message: 'Words of the service' },
				{ success: 'false', message: 'Words of the service' },
				{ error: { message: 'Words of the service' } },
			];
			for (const [index, output] of ['raw', 'simplified', 'raw'].entries()) {
				respondWith(200, { data: data[index] });
				const error = await errorOf(sandbox(), { ...parameters, output });
				expect(`${error.message} ${error.description}`).toContain('Words of the service');
			}
		},
	);
});

describe('What the service itself says', () => {
	const CREDENTIAL = /Base URL|App ID|API Key|Region|credential/;

	test.each([
		[400, 'ERR_NEW'],
		[403, 'ERR_NEW'],
		[404, 'ERR_NEW'],
		[404, 'ERR_REACTION_NOT_FOUND'],
		[401, 'ERR_GROUP_NOT_JOINED'],
		[409, 'ERR_NEW'],
	])('never blames the credential: %d %s', async (status, code) => {
		respondWith(status, errorBody(code));
		for (const parameters of [get('101'), list(), removeReaction('101', '👍', 'mira')]) {
			const error = await errorOf(sandbox(), parameters);
			expect(`${error.message} ${error.description}`).not.toMatch(CREDENTIAL);
			expect(error.description).toContain(`Words of the service (${code})`);
		}
	});

	test('blames the address where it is not CometChat that answers', async () => {
		respondWith(404, '<html>Not here</html>');
		const { description } = await errorOf(sandbox(), get('101'));
		expect(description).toMatch(/'Base URL'/);
	});
});

describe('A time limit', () => {
	const sentOf = async (parameters: INodeParameters, settings = {}) => {
		const sent: IHttpRequestOptions[] = [];
		const onRequest = (request: IHttpRequestOptions) => void sent.push(request);
		await itemsOf(sandbox(), parameters, { onRequest, settings });
		return sent[0];
	};

	test.each([
		['the node', {}],
		["an agent's tool", AS_TOOL],
	])('left out leaves room for another attempt within Max Wait: %s', async (_, settings) => {
		const { timeout } = await sentOf(get('101'), settings);
		expect(timeout).toBeGreaterThanOrEqual(10_000);
		// Max Wait is 300 seconds
		expect(timeout).toBeLessThanOrEqual(150_000);
	});

	test('of the user is taken as it is', async () => {
		expect(await sentOf(get('101', { requestOptions: { timeout: 200_000 } }))).toMatchObject({
			timeout: 200_000,
		});
	});
});

describe("List messages with 'Sent Before' alone", () => {
	test.each<[string, INodeParameters]>([
		['a group', { groupId: 'lunch' }],
		['the whole app', { messagesOf: 'app' }],
	])('sends a From of 0, without which the service ignores it: %s', async (_, parameters) => {
		const filters = { toTimestamp: 1_760_000_000 };
		await itemsOf(sandbox(), message('list', { ...parameters, filters }));
		expect(sandbox().log[0].query).toMatchObject({ fromTimestamp: '0', toTimestamp: '1760000000' });
	});

	test('leaves a From that was set as it is', async () => {
		const filters = { fromTimestamp: 5, toTimestamp: 1_760_000_000 };
		await itemsOf(sandbox(), message('list', { groupId: 'lunch', filters }));
		expect(sandbox().log[0].query).toMatchObject({ fromTimestamp: '5', toTimestamp: '1760000000' });
	});
});

describe('A number', () => {
	const BIG = '12345678901234567890';

	test.each<[string, INodeParameters]>([
		[
			'Metadata',
			group('update', { groupId: 'lunch', updateFields: { metadata: `{"id": ${BIG}}` } }),
		],
		[
			'Metadata',
			group('update', { groupId: 'lunch', updateFields: { metadata: `{"a": [{"b": -${BIG}}]}` } }),
		],
		[
			'Custom Data',
			message('send', {
				groupId: 'lunch',
				messageType: 'custom',
				customType: 'x',
				customData: `{"id": ${BIG}}`,
			}),
		],
	])(
		'of more digits than JavaScript keeps is sent exactly or refused: %s',
		async (label, parameters) => {
			await withRecorder(
				(response) => json(response, 200, { data: { guid: 'lunch', id: '1' } }),
				async (recorder) => {
					const { error } = await run(recorder, parameters);
					const [sent] = recorder.requests;
					if (sent === undefined) expect(error?.message).toMatch(new RegExp(`^'${label}' `));
					else expect(sent.body).toContain(BIG);
				},
			);
		},
	);

	test('of fewer digits, or as text, is sent as it is', async () => {
		const metadata = `{"a": 9007199254740991, "b": "${BIG}", "c": 0.1, "d": 1e3}`;
		const parameters = group('update', { groupId: 'lunch', updateFields: { metadata } });
		await withRecorder(
			(response) => json(response, 200, { data: { guid: 'lunch' } }),
			async (recorder) => {
				await itemsOf(recorder, parameters);
				expect(JSON.parse(recorder.requests[0].body ?? '')).toEqual({
					metadata: { a: 9_007_199_254_740_991, b: BIG, c: 0.1, d: 1_000 },
				});
			},
		);
	});

	test("may have more digits than JavaScript keeps in 'Message ID'", async () => {
		const { items } = await run(sandbox(), get(BIG), { onError: 'continueRegularOutput' });
		expect(items(NODE)[0].json.error).toContain('No message has this ID');
		expect(sandbox().log[0].path).toBe(`/v3/messages/${BIG}`);
	});
});
