import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { InputError } from '../../../../nodes/CometChat/errors/inputError';
import { executeSingleItem, executeItem } from '../../../../nodes/CometChat/run/item';
import { Outcomes } from '../../../../nodes/CometChat/results/outcomes';
import { ItemResults } from '../../../../nodes/CometChat/run/itemResults';
import { Run } from '../../../../nodes/CometChat/run/run';
import type { Operation } from '../../../../nodes/CometChat/description/types';
import { StoppedError } from '../../../../nodes/CometChat/transport/limiter';
import { KEY, mockRequests, findOperation, createRunContext, type Respond } from '../context';

const get = findOperation('message', 'get');

const credentials = { apiKey: KEY, region: 'us', appId: 'app' };

interface Setup {
	operation?: Operation;
	parameters?: INodeParameters;
	node?: Partial<INode>;
	run?: Run;
	/** Throws in place of the credentials */
	withoutCredentials?: Error;
}

const runs: Run[] = [];

afterEach(() => runs.splice(0).forEach(({ limiter }) => limiter.stop()));

function newRun(signal?: AbortSignal): Run {
	runs.push(new Run(new Outcomes(), signal));
	return runs[runs.length - 1];
}

/** Carries an operation out for the item with the index 3. */
async function execute(respond: Respond, setup: Setup = {}): Promise<INodeExecutionData[]> {
	const { operation = get, node: settings = {} } = setup;
	const parameters: INodeParameters = {
		output: 'raw',
		...(setup.parameters ?? { messageId: '5' }),
	};
	const context = mockRequests(createRunContext({ credentials, settings }), respond);
	const { withoutCredentials } = setup;
	if (withoutCredentials)
		context.getCredentials = async () => await Promise.reject(withoutCredentials);
	return await executeItem(setup.run ?? newRun(), operation, {
		index: 3,
		context,
		reader: { read: (name, fallback) => parameters[name] ?? fallback, parameters, timezone: 'UTC' },
	});
}

const errorOf = async (
	respond: Respond,
	setup?: Setup,
): Promise<Error & { description?: string }> =>
	await execute(respond, setup).then(
		() => new Error('nothing failed'),
		(error: Error) => error,
	);

const jsonOf = async (respond: Respond, setup?: Setup): Promise<IDataObject[]> =>
	(await execute(respond, setup)).map(({ json }) => json);

const continuing: Partial<INode> = { onError: 'continueRegularOutput' };

const toErrorOutput: Partial<INode> = { onError: 'continueErrorOutput' };

const refusing: Respond = () => ({ statusCode: 404, error: { code: 'ERR_MSG_NOT_FOUND' } });

test('an error without credentials is still told, and does not hold the key where they can be read', async () => {
	const withoutCredentials = new Error('There are none');
	expect(await errorOf(refusing, { withoutCredentials })).toMatchObject({
		message: 'There are none',
		context: { itemIndex: 3 },
	});
	const typed = { messageId: '5', output: KEY };
	expect((await errorOf(refusing, { parameters: typed })).message).toMatch(/ but it is "\*{10}"$/);
});

test('an item that fails stops the run, unless that continues', async () => {
	const [stopping, going] = [newRun(), newRun()];
	await errorOf(refusing, { run: stopping });
	await jsonOf(refusing, { run: going, node: continuing });
	expect([stopping.limiter.stopped, going.limiter.stopped]).toEqual([true, false]);
});

test('when the user stops the execution, no error is made of it', async () => {
	const cancel = new AbortController();
	cancel.abort();
	const run = newRun(cancel.signal);
	for (const node of [{}, continuing]) {
		expect(await errorOf(refusing, { run, node })).toBeInstanceOf(StoppedError);
		const parameters = { messageId: '' };
		expect(await errorOf(refusing, { run, node, parameters })).toBeInstanceOf(InputError);
	}
});

test('as a tool, a run that the user stopped returns nothing, and what fails is thrown', async () => {
	const cancel = new AbortController();
	const parameters: INodeParameters = { messageId: '5' };
	const alone = async (messageId: string) =>
		await executeSingleItem(
			get,
			{
				index: 0,
				context: createRunContext({ credentials, signal: cancel.signal }),
				reader: {
					read: (name, fallback) => Object({ ...parameters, messageId })[name] ?? fallback,
					parameters,
					timezone: 'UTC',
				},
			},
			{},
		);
	await expect(alone('..')).rejects.toThrow(`'Message ID' must not be ".."`);
	cancel.abort();
	expect(await alone('5')).toEqual([]);
});

test('what only reads waits for no change', async () => {
	const run = newRun();
	const { end } = run.turns.take(['5 ann']);
	expect(await jsonOf(() => ({ data: { id: '5' } }), { run })).toEqual([{ id: '5' }]);
	end();
});

test('a change gives its turn back, whatever became of it', async () => {
	const run = newRun();
	const setup: Setup = {
		operation: findOperation('message', 'removeReaction'),
		parameters: { messageId: '5', reaction: 'a', onBehalfOf: 'ann' },
		node: continuing,
		run,
	};
	await execute(refusing, setup);
	await execute(refusing, { ...setup, withoutCredentials: new Error('There are none') });
	await new Promise(setImmediate);
	const { ready, end } = run.turns.take(['5 ann']);
	expect(ready).toBeUndefined();
	end();
	// It has its place: what was done is not done again
	expect(await jsonOf(() => ({ data: { id: '5' } }), setup)).toEqual([{ id: '5' }]);
	expect(await jsonOf(() => ({ data: { id: '6' } }), setup)).toEqual([{ id: '5' }]);
});

test.each([
	[['a'], 'The item fetched before this is'],
	[['a', 'b'], 'The 2 items fetched before this are'],
])('what becomes of what came before is said: %j', async (guids, words) => {
	const breakingOff: Respond = ({ qs }) =>
		Object(qs).page === 1
			? { data: guids.map((guid) => ({ guid })), meta: { pagination: { total_pages: 2 } } }
			: { statusCode: 403 };
	const setup: Setup = {
		operation: findOperation('group', 'list'),
		parameters: { returnAll: true },
	};
	const { description } = await errorOf(breakingOff, setup);
	expect(description).toContain(` ${words} lost: to keep what was fetched, set 'On Error' in `);
	const kept = await jsonOf(breakingOff, { ...setup, node: continuing });
	expect(kept.slice(0, -1)).toEqual(guids.map((guid) => ({ guid })));
	expect(kept.at(-1)?.error).toMatch(new RegExp(` ${words} kept\\.$`));
});

describe('a list that is sent in batches', () => {
	const refusal = { error: { code: 'ERR_UID_NOT_FOUND', message: 'No such user.' } };
	const reason = 'No such user (ERR_UID_NOT_FOUND)';

	/** Adds everyone but those whose UID begins with "x"; no batch after the first one. */
	const adding: Respond = ({ body }) => {
		const { participants }: { participants: string[] } = Object(body);
		if (participants.includes('late')) return { statusCode: 500 };
		const results = participants.map((uid) => [uid, uid.startsWith('x') ? refusal : true]);
		return { data: { participants: Object.fromEntries(results) } };
	};

	const setup = (uids: string[], node?: Partial<INode>): Setup => ({
		operation: findOperation('group', 'addMembers'),
		parameters: { groupId: 'g', uids },
		node,
	});

	const numbered = (count: number, letter = 'x') =>
		Array.from({ length: count }, (_, index) => `${letter}${index}`);

	test('names ten that failed, and the number of the others', async () => {
		const twelve = await errorOf(adding, setup(numbered(12)));
		expect(twelve.message).toBe('12 of 12 users could not be added');
		expect(twelve.description).toMatch(
			/^x0, x1, .*, x9, and 2 more: No such user \(ERR_UID_NOT_FOUND\)\.$/,
		);
		const ten = await errorOf(adding, setup(numbered(10)));
		expect(ten.description).toMatch(/^x0, .*, x8, and x9: No such user [^.]+\.$/);
	});

	test('counts 200,000 entries that failed in the same way within seconds', () => {
		const context = createRunContext({ credentials });
		const reader = { read: () => undefined, parameters: {}, timezone: 'UTC' };
		const results = new ItemResults(setup([]).operation ?? get, { index: 0, context, reader });
		results.add(numbered(200_000).map((entry) => ({ entity: {}, entry, failure: reason })));
		expect(() => results.getItems()).toThrow('200,000 of 200,000 users could not be added');
	}, 10_000);

	test('does not count one that was alone', async () => {
		const alone = await errorOf(adding, setup(numbered(1)));
		expect(alone.message).toBe('The user could not be added');
		expect(alone.description).toContain(`x0: ${reason}.`);
	});

	test('does not name again who is named in the reason', async () => {
		const naming: Respond = () => ({
			data: { participants: { ann: { error: { message: 'The UID ANN does not exist.' } } } },
		});
		expect(await jsonOf(naming, setup(['ann'], toErrorOutput))).toEqual([
			{ error: 'The UID ANN does not exist.' },
		]);
	});

	test('fails with the error of the batches where all of them failed, else with those that failed', async () => {
		const { message } = await errorOf(adding, setup(['late']));
		expect(message).toBe('CometChat may already have added the members');
		const some = await errorOf(adding, setup([...numbered(25, 'a'), 'late']));
		expect(some.message).toBe('1 of 26 users may have been added');
		expect(some.description).toMatch(
			/^late: CometChat may already have added the members\. .* 25 succeeded\.$/,
		);
	});
});
