import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { InputError } from '../../../nodes/CometChat/errors/describedErrors';
import { executeItem } from '../../../nodes/CometChat/run/item';
import { ChangeOutcomesOfRun } from '../../../nodes/CometChat/calls/outcomes';
import { SharedRunState } from '../../../nodes/CometChat/run/run';
import { StoppedError } from '../../../nodes/CometChat/transport/failure';
import { KEY, mockRequests, findOperation, createRunContext, type Respond } from '../context';

const credentials = { apiKey: KEY, region: 'us', appId: 'app' };

interface Setup {
	operation: [resource: string, operation: string];
	parameters: INodeParameters;
	settings?: Partial<INode>;
	/** Error thrown when the credential is read */
	credentialError?: Error;
	run?: SharedRunState;
}

const createRun = (signal?: AbortSignal) => new SharedRunState(new ChangeOutcomesOfRun(), signal);

/** Executes an operation for the item at index 3. */
async function execute(
	respond: Respond,
	{ operation, parameters, settings, credentialError, run = createRun() }: Setup,
): Promise<INodeExecutionData[]> {
	const context = mockRequests(createRunContext({ credentials, settings }), respond);
	if (credentialError) context.getCredentials = async () => await Promise.reject(credentialError);
	const values: INodeParameters = { output: 'raw', ...parameters };
	return await executeItem(run, findOperation(...operation), {
		index: 3,
		context,
		reader: {
			read: (name, fallback) => values[name] ?? fallback,
			readSaved: () => undefined,
			isTool: false,
			timezone: 'UTC',
		},
	}).finally(run.limiter.stop);
}

const catchError = async (
	respond: Respond,
	setup: Setup,
): Promise<Error & { description?: string }> =>
	await execute(respond, setup).then(
		() => new Error('The item succeeded'),
		(error: unknown) => Object(error),
	);

test('reports an unreadable credential', async () => {
	const setup: Setup = {
		...{ operation: ['message', 'get'], parameters: { messageId: '5' } },
		credentialError: new Error('There are none'),
	};
	expect(await catchError(() => ({}), setup)).toMatchObject({
		message: 'There are none',
		context: { itemIndex: 3 },
	});
});

const CONTINUE = { onError: 'continueRegularOutput' } as const;

test.each([{}, CONTINUE])(
	'throws the error itself after a canceled execution: %j',
	async (settings) => {
		const run = createRun(AbortSignal.abort());
		const setup: Setup = { operation: ['message', 'get'], parameters: {}, settings, run };
		expect(await catchError(() => ({}), setup)).toBeInstanceOf(InputError);
		const parameters = { messageId: '5' };
		expect(await catchError(() => ({}), { ...setup, parameters })).toBeInstanceOf(StoppedError);
	},
);

test('a failed change ends its turn', async () => {
	const run = createRun();
	const items = await execute(() => ({ statusCode: 404 }), {
		operation: ['message', 'removeReaction'],
		parameters: { messageId: '5', reaction: 'a', onBehalfOf: 'ann' },
		settings: CONTINUE,
		run,
	});
	expect(items).toHaveLength(1);
	await run.turns.reserveTurn(['5 ann']).ready;
});

test.each([
	[['a'], 'Items fetched before the error: 1'],
	[['a', 'b'], 'Items fetched before the error: 2'],
])('reports whether earlier items are kept or lost: %j', async (guids, words) => {
	const failOnSecondPage: Respond = ({ qs }) =>
		Object(qs).page === 1
			? { data: guids.map((guid) => ({ guid })), meta: { pagination: { total_pages: 2 } } }
			: { statusCode: 403 };
	const setup: Setup = {
		operation: ['group', 'list'],
		parameters: { returnAll: true },
	};
	const { description } = await catchError(failOnSecondPage, setup);
	expect(description).toContain(
		` ${words} (lost). To keep such items, set 'On Error' to 'Continue' in `,
	);
	const kept = await execute(failOnSecondPage, { ...setup, settings: CONTINUE });
	expect(kept.slice(0, -1).map(({ json }) => json)).toEqual(guids.map((guid) => ({ guid })));
	expect(kept.at(-1)?.json.error).toMatch(new RegExp(` ${words} \\(kept\\)\\.$`));
});

describe('On a further try with an invalid value, the error says', () => {
	/** Executes an item with valid parameters, then again with an empty required parameter. */
	const failTwice = async (
		respond: Respond,
		operation: Setup['operation'],
		parameters: INodeParameters,
		emptied: string,
	) => {
		const outcomes = new ChangeOutcomesOfRun();
		const createTry = () => new SharedRunState(outcomes, undefined);
		const settings: Partial<INode> = { onError: 'continueRegularOutput' };
		await execute(respond, { operation, parameters, settings, run: createTry() });
		const changed = { ...parameters, [emptied]: '' };
		return await catchError(respond, { operation, parameters: changed, run: createTry() });
	};

	const SEND = { receiverType: 'group', groupId: 'lunch', messageType: 'text', text: 'Hello' };
	const ADD = { groupId: 'g', uids: Array.from({ length: 30 }, (_, index) => `u${index}`) };
	const fail: Respond = () => ({ statusCode: 500 });

	/** Adds the users of the first batch. The second batch fails. */
	const addFirst: Respond = ({ body }) => {
		const { participants }: { participants: string[] } = JSON.parse(String(body));
		if (participants.length < 25) return { statusCode: 500 };
		return { data: { participants: Object.fromEntries(participants.map((uid) => [uid, true])) } };
	};

	test.each<[string, Respond, Setup['operation'], INodeParameters, string]>([
		['possibly completed', fail, ['message', 'send'], SEND, 'text'],
		['possibly completed', fail, ['message', 'delete'], { messageId: '5' }, 'messageId'],
		['completed', () => ({ data: { id: 5 } }), ['message', 'send'], SEND, 'text'],
		['partly completed (25 of 30, possibly 30)', addFirst, ['group', 'addMembers'], ADD, 'groupId'],
	])('that the item was %s', async (state, ...setup) => {
		const { message, description } = await failTwice(...setup);
		expect(message).toMatch(/^'.*' is empty/);
		expect(description).toContain(`The item itself was ${state}.`);
	});
});

describe('A list sent in batches', () => {
	const refusal = { error: { code: 'ERR_UID_NOT_FOUND', message: 'No such user.' } };

	/** Adds only users whose UID doesn't start with "x". A batch that contains "late" fails. */
	const addUsers: Respond = ({ body }) => {
		const { participants }: { participants: string[] } = JSON.parse(String(body));
		if (participants.includes('late')) return { statusCode: 500 };
		const results = participants.map((uid) => [uid, uid.startsWith('x') ? refusal : true]);
		return { data: { participants: Object.fromEntries(results) } };
	};

	const createUids = (count: number, letter = 'x') =>
		Array.from({ length: count }, (_, index) => `${letter}${index}`);

	const NO_USER = 'No such user \\(ERR_UID_NOT_FOUND\\)';

	test.each([
		[createUids(1), 'The user could not be added', `^x0: ${NO_USER}\\.`],
		[createUids(10), '10 of 10 users could not be added', `^x0, .*, x8, and x9: ${NO_USER}\\.$`],
		[
			createUids(12),
			'12 of 12 users could not be added',
			`^x0, x1, .*, x9, and 2 more: ${NO_USER}\\.$`,
		],
		[['late'], 'CometChat may already have added the members', '^Check '],
		[
			[...createUids(25, 'a'), 'late'],
			'1 of 26 users may not have been added',
			'^late: CometChat may already have added the members\\. .* 25 succeeded\\.$',
		],
	])(
		'names up to ten failed entries, or the error of all batches: %j',
		async (uids, ...expected) => {
			const { message, description } = await catchError(addUsers, {
				operation: ['group', 'addMembers'],
				parameters: { groupId: 'g', uids },
			});
			expect([message, description]).toEqual([expected[0], expect.stringMatching(expected[1])]);
		},
	);
});
