import type { INodeParameters } from 'n8n-workflow';

import {
	NODE,
	errorOf,
	get,
	itemsOf,
	list,
	removeReaction,
	run,
	useSandbox,
	message,
	group,
} from './harness';

const sandbox = useSandbox();

const respondWith = (status: number, body: unknown) =>
	sandbox().setFaults([{ effect: { status: { status, body } } }]);

const errorBody = (code: string, said = 'Words of the service') => ({
	error: { code, message: said },
});

describe('A response with status 200', () => {
	const CASES: Array<[string, INodeParameters]> = [
		['Get message', get('101')],
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
		const filters = { fromTimestamp: 1_750_000_000, toTimestamp: 1_760_000_000 };
		await itemsOf(sandbox(), message('list', { groupId: 'lunch', filters }));
		expect(sandbox().log[0].query).toMatchObject({
			fromTimestamp: '1750000000',
			toTimestamp: '1760000000',
		});
	});
});

describe('A number', () => {
	const BIG = '12345678901234567890';

	test("may have more digits than JavaScript keeps in 'Message ID'", async () => {
		const { items } = await run(sandbox(), get(BIG), { onError: 'continueRegularOutput' });
		expect(items(NODE)[0].json.error).toContain('No message has this ID');
		expect(sandbox().log[0].path).toBe(`/v3/messages/${BIG}`);
	});
});
