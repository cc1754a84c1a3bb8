import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { InputError } from '../../../nodes/CometChat/errors/inputError';
import { executeSingleItem, executeItem } from '../../../nodes/CometChat/run/item';
import { Outcomes } from '../../../nodes/CometChat/calls/outcomes';
import { Run } from '../../../nodes/CometChat/run/run';
import type { Operation } from '../../../nodes/CometChat/types';
import { StoppedError } from '../../../nodes/CometChat/transport/failure';
import { KEY, mockRequests, findOperation, createRunContext, type Respond } from '../context';

const get = findOperation('message', 'get');

const credentials = { apiKey: KEY, region: 'us', appId: 'app' };

interface Setup {
	operation?: Operation;
	parameters?: INodeParameters;
	node?: Partial<INode>;
	run?: Run;
	/** Error thrown when the credential is read */
	credentialError?: Error;
}

const runs: Run[] = [];

afterEach(() => runs.splice(0).forEach(({ limiter }) => limiter.stop()));

function createRun(signal?: AbortSignal): Run {
	runs.push(new Run(new Outcomes(), signal));
	return runs[runs.length - 1];
}

/** Executes an operation for the item at index 3. */
async function execute(respond: Respond, setup: Setup = {}): Promise<INodeExecutionData[]> {
	const { operation = get, node: settings = {} } = setup;
	const parameters: INodeParameters = {
		output: 'raw',
		...(setup.parameters ?? { messageId: '5' }),
	};
	const context = mockRequests(createRunContext({ credentials, settings }), respond);
	const { credentialError } = setup;
	if (credentialError) context.getCredentials = async () => await Promise.reject(credentialError);
	return await executeItem(setup.run ?? createRun(), operation, {
		index: 3,
		context,
		reader: {
			read: (name, fallback) => parameters[name] ?? fallback,
			isExpression: () => false,
			isTool: false,
			timezone: 'UTC',
		},
	});
}

const catchError = async (
	respond: Respond,
	setup?: Setup,
): Promise<Error & { description?: string }> =>
	await execute(respond, setup).then(
		() => new Error('The item succeeded'),
		(error: unknown) => Object(error),
	);

const executeJson = async (respond: Respond, setup?: Setup): Promise<IDataObject[]> =>
	(await execute(respond, setup)).map(({ json }) => json);

const continueOnError: Partial<INode> = { onError: 'continueRegularOutput' };

const refuse: Respond = () => ({ statusCode: 404, error: { code: 'ERR_MSG_NOT_FOUND' } });

test('reports an unreadable credential, and removes a readable key from errors', async () => {
	const credentialError = new Error('There are none');
	expect(await catchError(refuse, { credentialError })).toMatchObject({
		message: 'There are none',
		context: { itemIndex: 3 },
	});
	const typed = { messageId: '5', output: KEY };
	expect((await catchError(refuse, { parameters: typed })).message).toMatch(/ but it is "\*{10}"$/);
});

test('stops the run after a failed item, unless the node continues on errors', async () => {
	const [stopping, going] = [createRun(), createRun()];
	await catchError(refuse, { run: stopping });
	await executeJson(refuse, { run: going, node: continueOnError });
	expect([stopping.limiter.stopped, going.limiter.stopped]).toEqual([true, false]);
});

test('throws a StoppedError if the user canceled the execution', async () => {
	const cancel = new AbortController();
	cancel.abort();
	const run = createRun(cancel.signal);
	for (const node of [{}, continueOnError]) {
		expect(await catchError(refuse, { run, node })).toBeInstanceOf(StoppedError);
		const parameters = { messageId: '' };
		expect(await catchError(refuse, { run, node, parameters })).toBeInstanceOf(InputError);
	}
});

test('as a tool, throws errors, but returns nothing if the user canceled the execution', async () => {
	const cancel = new AbortController();
	const parameters: INodeParameters = { messageId: '5' };
	const executeAsTool = async (messageId: string) =>
		await executeSingleItem(
			get,
			{
				index: 0,
				context: createRunContext({ credentials, signal: cancel.signal }),
				reader: {
					read: (name, fallback) => Object({ ...parameters, messageId })[name] ?? fallback,
					isExpression: () => false,
					isTool: false,
					timezone: 'UTC',
				},
			},
			{},
		);
	await expect(executeAsTool('..')).rejects.toThrow(`'Message ID' must not be ".."`);
	cancel.abort();
	expect(await executeAsTool('5')).toEqual([]);
});

test('reads without waiting for a change', async () => {
	const run = createRun();
	const { end } = run.turns.take(['5 ann']);
	expect(await executeJson(() => ({ data: { id: '5' } }), { run })).toEqual([{ id: '5' }]);
	end();
});

test('a failed change ends its turn, and a completed change is not repeated', async () => {
	const run = createRun();
	const setup: Setup = {
		operation: findOperation('message', 'removeReaction'),
		parameters: { messageId: '5', reaction: 'a', onBehalfOf: 'ann' },
		node: continueOnError,
		run,
	};
	await execute(refuse, setup);
	await execute(refuse, { ...setup, credentialError: new Error('There are none') });
	await new Promise(setImmediate);
	const { ready, end } = run.turns.take(['5 ann']);
	await ready;
	end();
	expect(await executeJson(() => ({ data: { id: '5' } }), setup)).toEqual([{ id: '5' }]);
	expect(await executeJson(() => ({ data: { id: '6' } }), setup)).toEqual([{ id: '5' }]);
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
		operation: findOperation('group', 'list'),
		parameters: { returnAll: true },
	};
	const { description } = await catchError(failOnSecondPage, setup);
	expect(description).toContain(
		` ${words} (lost). To keep such items, set 'On Error' to 'Continue' in `,
	);
	const kept = await executeJson(failOnSecondPage, { ...setup, node: continueOnError });
	expect(kept.slice(0, -1)).toEqual(guids.map((guid) => ({ guid })));
	expect(kept.at(-1)?.error).toMatch(new RegExp(` ${words} \\(kept\\)\\.$`));
});

describe('A list sent in batches', () => {
	const refusal = { error: { code: 'ERR_UID_NOT_FOUND', message: 'No such user.' } };

	/** Adds only users whose UID doesn't start with "x". A batch that contains "late" fails. */
	const addUsers: Respond = ({ body }) => {
		const { participants }: { participants: string[] } = Object(body);
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
			const operation = findOperation('group', 'addMembers');
			const { message, description } = await catchError(addUsers, {
				operation,
				parameters: { groupId: 'g', uids },
			});
			expect([message, description]).toEqual([expected[0], expect.stringMatching(expected[1])]);
		},
	);
});
