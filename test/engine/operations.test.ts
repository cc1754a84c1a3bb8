import { CASES } from './cases';
import { leaksIn } from './errors.texts';
import { NODE, errorOf, itemsOf, jsonOf, run, useSandbox, wire } from './harness';
import { DECLARED, OPERATIONS, OPERATIONS_IN_BOTH_WAYS, type OperationCase } from './operations';
import { anything, json, responding, withRecorder, type Reply } from './recorder';

/** What is made here is made then, in Unix seconds: items are compared with those of before. */
const NOW = 1_760_000_000;

const sandbox = useSandbox({ now: () => NOW });

test('Each operation has a case, and each case is of an operation', () => {
	const keys = DECLARED.map(({ key }) => key);
	const missing = DECLARED.filter(({ key }) => !(key in CASES));
	const spare = Object.keys(CASES).filter((key) => !keys.includes(key));
	expect([
		...missing.map(({ key, file }) => `test/engine/cases.ts has no '${key}', as in ${file}`),
		...spare.map((key) => `test/engine/cases.ts has '${key}', which the node has not`),
	]).toEqual([]);
});

describe.each(OPERATIONS_IN_BOTH_WAYS)('%s, through %s,', (_name, _way, operation, settings) => {
	const { parameters, returns } = operation;

	test('sends exactly one request, with nothing in it but what was set', async () => {
		await withRecorder(anything, async (recorder) => {
			await run(recorder, parameters, { settings, onError: 'continueRegularOutput' });
			const [{ method, url, headers, body }, ...others] = recorder.requests;
			expect(others).toEqual([]);
			expect(`${method} ${url}`).toBe(operation.wire);
			expect(body === undefined ? undefined : JSON.parse(body)).toEqual(operation.body);
			expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
			expect(headers.apikey).toBe(recorder.apiKey);
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
	});

	test('keeps to the contract, and returns items that belong to the input', async () => {
		const items = await itemsOf(sandbox(), parameters, { settings });
		expect(sandbox().violations).toEqual([]);
		expect(wire(sandbox())[0]).toBe(operation.wire);
		if (returns === 'one') expect(items).toHaveLength(1);
		else expect(items.length).toBeGreaterThan(1);
		for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
	});

	test('keeps the key out of items, where the service repeats it', async () => {
		const key = '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c';
		const reply = responding({
			[key]: `Bearer ${key}`,
			moderators: { noor: { message: key } },
			leo: { message: key },
			carla: { message: key },
		});
		await withRecorder(reply, async (recorder) => {
			expect(recorder.apiKey).toBe(key);
			const raw = { ...parameters, output: 'raw' };
			const result = await run(recorder, raw, { settings, onError: 'continueRegularOutput' });
			expect(result.items(NODE).length).toBeGreaterThan(0);
			expect(JSON.stringify(result.items(NODE))).toContain('**********');
			expect(leaksIn(result.run, key)).toEqual([]);
		});
	});
});

describe.each(OPERATIONS)('$name', (operation) => {
	const { parameters, returns, change } = operation;

	const raw = { ...parameters, output: 'raw' };

	test('returns raw what the service sent', async () => {
		const [first] = await jsonOf(sandbox(), raw);
		expect(first).toMatchSnapshot();
	});

	test('goes to another path where a field says so', async () => {
		for (const path of operation.paths) {
			sandbox().reset();
			const rule = { id: 'words', name: 'Words', action: 'blockMessage' } as const;
			const blocked = { messageId: '107', rule, reason: 'Contains "quote"', createdAt: NOW };
			sandbox().store.moderation.block(blocked);
			await itemsOf(sandbox(), path.parameters);
			expect(wire(sandbox())[0]).toBe(path.wire);
			expect(sandbox().violations).toEqual([]);
		}
	});

	test('returns by default a table of at most 14 columns of plain values or lists of them', async () => {
		const items = await jsonOf(sandbox(), parameters);
		const columns = Object.keys(items[0]);
		expect(columns.length).toBeLessThanOrEqual(14);
		for (const item of items) {
			expect(Object.keys(item)).toEqual(columns);
			const cells = Object.values(item).flat();
			expect(cells.filter((value) => typeof value === 'object' && value)).toEqual([]);
		}
		expect(items[0]).toMatchSnapshot();
	});

	test('Selected Fields has what was named, as far as it is there', async () => {
		const [sent] = await jsonOf(sandbox(), raw);
		const [name] = Object.keys(sent);
		sandbox().reset();
		const fields = [name, 'toString', 'nothing.inside', 'hasOwnProperty'];
		const items = await jsonOf(sandbox(), { ...parameters, output: 'fields', fields });
		expect(items[0]).toEqual({ [name]: sent[name] });
	});

	test(`Pages is ${returns === 'many' ? 'the whole response' : 'refused'}`, async () => {
		const pages = { ...parameters, output: '={{ "pages" }}' };
		if (returns === 'many') {
			const [page, ...others] = await jsonOf(sandbox(), pages);
			expect(others).toEqual([]);
			expect(page).toMatchObject({ data: expect.any(Array), meta: expect.any(Object) });
		} else {
			const { message } = await errorOf(sandbox(), pages);
			expect(message).toMatch(
				/^'Output' must be one of simplified, raw, fields, but it is "pages"/,
			);
			expect(sandbox().log).toEqual([]);
		}
	});

	test('says what may have been done when the connection is cut', async () => {
		sandbox().setFaults([{ effect: { cutAfter: true } }]);
		const { message, description } = await errorOf(sandbox(), {
			...parameters,
			requestOptions: { maxTries: 1 },
		});
		const short = change
			? `CometChat may already have ${change.done}`
			: 'The connection closed before the response was complete';
		expect(message).toMatch(new RegExp(`^${short}`));
		expect(description).toMatch(
			change
				? new RegExp(
						`^Check ${change.inspect} before you run this item again\\. The connection closed`,
					)
				: /^Try again later\. /,
		);
		expect(sandbox().log).toHaveLength(1);
	});
});

// All at the same time, because each of them waits
test.each([
	[429, 'always, and that is no attempt', { maxTries: 1 }, () => 2],
	[503, 'when it changes nothing', {}, ({ change }: OperationCase) => (change ? 1 : 2)],
])(
	'Each operation is sent again after status %i %s',
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
		const expected = OPERATIONS.map((operation) => Array(times(operation)).fill(operation.wire));
		expect(await Promise.all(sent)).toEqual(expected);
	},
);
