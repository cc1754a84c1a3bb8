import type { IDataObject } from 'n8n-workflow';

import { CASES } from './cases';
import { findLeaks } from './findLeaks';
import {
	CONTINUE,
	NODE,
	errorOf,
	itemsOf,
	jsonOf,
	refusalOf,
	run,
	useSandbox,
	wire,
} from './harness';
import { isObject } from '../../nodes/CometChat/helpers/json';
import { getRowType, listColumnNamesShownIfFilled } from '../../nodes/CometChat/output/columns';
import { DECLARED, OPERATIONS, WAYS, isSentOnce, type OperationCase } from './operations';
import { KEY, anything, json, responding, withRecorder, type Reply } from './recorder';

/** The sandbox's time in Unix seconds. A fixed time keeps the snapshots stable. */
const NOW = 1_760_000_000;

const sandbox = useSandbox({ now: () => NOW });

/** Replaces the sandbox's port, which differs in each run. */
const withoutPort = (json: IDataObject): IDataObject =>
	JSON.parse(JSON.stringify(json).replaceAll(sandbox().url, 'http://sandbox'));

test('Each operation has an example', () => {
	expect(Object.keys(CASES).sort()).toEqual(DECLARED.map(({ key }) => key).sort());
});

describe.each(WAYS)('Through %s,', (_, settings) => {
	test.each(OPERATIONS)(
		'$name sends its requests with only the given values',
		async (operation) => {
			await withRecorder(anything, async (recorder) => {
				await run(recorder, operation.parameters, { ...CONTINUE, settings });
				const [{ method, url, headers, body }, ...others] = recorder.requests;
				expect(others.map((other) => `${other.method} ${other.url}`)).toEqual(operation.then ?? []);
				expect(`${method} ${url}`).toBe(operation.wire);
				expect(body === undefined ? undefined : JSON.parse(body)).toEqual(operation.body);
				expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
				expect(headers.apikey).toBe(KEY);
				expect(headers.onbehalfof).toBe(operation.uid);
				const names = Object.keys(headers).filter((name) => name !== 'content-length');
				expect(names.sort()).toEqual(
					[
						...['accept', 'accept-encoding', 'apikey', 'connection', 'host', 'user-agent'],
						...(body === undefined ? [] : ['content-type']),
						...(operation.uid === undefined ? [] : ['onbehalfof']),
					].sort(),
				);
			});
		},
	);

	test.each(OPERATIONS)(
		'$name matches the contract on each path, and returns items paired with the input',
		async ({ paths, returns }) => {
			for (const path of paths) {
				sandbox().reset();
				const rule = { id: 'words', name: 'Words', action: 'blockMessage' } as const;
				const blocked = { messageId: '107', rule, reason: 'Contains "quote"', createdAt: NOW };
				sandbox().store.moderation.block(blocked);
				const items = await itemsOf(sandbox(), path.parameters, { settings });
				expect(sandbox().violations).toEqual([]);
				expect(wire(sandbox())[0]).toBe(path.wire);
				if (returns === 'one') expect(items).toHaveLength(1);
				else if (returns === 'each')
					expect(items).toHaveLength([path.parameters.uids].flat().length);
				else if (path === paths[0]) expect(items.length).toBeGreaterThan(1);
				for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
			}
		},
	);

	test.each(OPERATIONS)('$name removes the API key from items', async ({ parameters }) => {
		const reply = responding({
			[KEY]: `Bearer ${KEY}`,
			moderators: { noor: { message: KEY } },
			data: { attachments: [{ url: `https://example.com/${KEY}`, name: KEY }] },
			leo: { message: KEY },
			carla: { message: KEY },
			accepted: { carla: { message: KEY } },
		});
		await withRecorder(reply, async (recorder) => {
			const raw = { ...parameters, output: 'raw' };
			const result = await run(recorder, raw, { ...CONTINUE, settings });
			expect(JSON.stringify(result.items(NODE))).toContain('**********');
			expect(findLeaks(result.run, KEY)).toEqual([]);
		});
	});
});

describe.each(OPERATIONS)('$name', (operation) => {
	const { parameters, returns, changeWords } = operation;

	const raw = { ...parameters, output: 'raw' };

	test('returns the data of the response with Output → Raw', async () => {
		const [first] = await jsonOf(sandbox(), raw);
		expect(withoutPort(first)).toMatchSnapshot();
	});

	test('returns few columns by default, without objects', async () => {
		const items = await jsonOf(sandbox(), parameters);
		const columns = Object.keys(items[0]);
		const optional = DECLARED.filter(({ key }) => key === operation.key).flatMap((declared) =>
			listColumnNamesShownIfFilled(getRowType(declared.operation)),
		);
		const isInEachRow = (name: string) => !optional.includes(name);
		// Reports and reactions add their own columns to a message
		expect(columns.length).toBeLessThanOrEqual(columns.includes('reason') ? 18 : 17);
		if (!/reaction|moderate/.test(operation.name)) expect(columns.length).toBeLessThanOrEqual(14);
		for (const item of items) {
			expect(Object.keys(item).filter(isInEachRow)).toEqual(columns.filter(isInEachRow));
			expect(Object.values(item).filter(isObject)).toEqual([]);
		}
		expect(items[0]).toMatchSnapshot();
	});

	test('returns columns and fields of the entity with Output → Selected Fields', async () => {
		const [row] = await jsonOf(sandbox(), parameters);
		sandbox().reset();
		const fields = [...Object.keys(row), 'toString', 'nothing.inside'];
		const items = await jsonOf(sandbox(), { ...parameters, output: 'fields', fields });
		expect(items[0]).toEqual({ ...row, toString: null, nothing: { inside: null } });
	});

	test(`${returns === 'many' ? 'returns whole responses' : 'is refused'} with Output → Pages`, async () => {
		const pages = { ...parameters, output: '={{ "pages" }}' };
		if (returns === 'many') {
			expect(await jsonOf(sandbox(), pages)).toEqual([
				expect.objectContaining({ data: expect.any(Array), meta: expect.any(Object) }),
			]);
		} else {
			const { message } = await refusalOf(sandbox(), pages);
			expect(message).toMatch(
				/^'Output' must be one of simplified, raw, fields, but it is "pages"/,
			);
		}
	});

	test('names the entity that an empty response lacks', async () => {
		// An empty object is an empty list, and confirms a deletion
		const data = returns === 'many' || operation.wire.startsWith('DELETE ') ? 'none' : {};
		const empty: Reply = (response) => json(response, 200, { data });
		await withRecorder(empty, async (recorder) => {
			const { items } = await run(recorder, parameters, CONTINUE);
			const { error, reason = error } = items(NODE)[0].json;
			expect(/contains no [a-z ]*/.exec(String(reason))?.[0]).toMatchSnapshot();
		});
	});

	test('reports a possible change if the connection closes before the response', async () => {
		sandbox().setFaults([{ effect: { cutAfter: true } }]);
		const once = { ...parameters, requestOptions: { maxTries: 1 } };
		const { message, description } = await errorOf(sandbox(), once);
		expect(`${message}. ${description}`).toContain(
			changeWords
				? `CometChat may already have ${changeWords.done}. Check ${changeWords.placeToCheck} before you run this item again. The connection closed`
				: 'The connection closed before the response was complete. Try again later. ',
		);
		expect(sandbox().log).toHaveLength(1);
	});
});

// Runs all operations at the same time, because each operation waits before its retry
test.each([
	[429, 'which is not an attempt', { maxTries: 1 }, () => 2],
	[
		503,
		'unless it could make a change twice',
		{},
		(operation: OperationCase) => (isSentOnce(operation) ? 1 : 2),
	],
])(
	'Each operation is sent again after status %i, %s',
	async (status, _when, requestOptions, times) => {
		const refusedOnce: Reply = (response, request, number) =>
			number === 1 ? json(response, status, {}) : anything(response, request, number);
		const sent = OPERATIONS.map(
			async ({ parameters }) =>
				await withRecorder(refusedOnce, async (recorder) => {
					await run(recorder, { ...parameters, requestOptions });
					return recorder.requests.map(({ method, url }) => `${method} ${url}`);
				}),
		);
		const expected = OPERATIONS.map((operation) => [
			...Array(times(operation)).fill(operation.wire),
			...(operation.then ?? []),
		]);
		expect(await Promise.all(sent)).toEqual(expected);
	},
);
