import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { leaksIn } from './errors.texts';
import { NODE, errorOf, itemsOf, jsonOf, run, useSandbox, wire } from './harness';
import { OPERATIONS, OPERATIONS_IN_BOTH_WAYS, labelsOf } from './operations';
import { anything, responding, withRecorder } from './recorder';

const sandbox = useSandbox();

/** How long ending may take; what is being waited for takes a minute. */
const AT_ONCE_MS = 2_000;

test('There are sixteen operations', () => {
	expect(OPERATIONS).toHaveLength(16);
});

describe.each(OPERATIONS_IN_BOTH_WAYS)('%s, through %s,', (_name, _way, operation, settings) => {
	const { parameters, returns, columns, change } = operation;

	const withOptions = (options: INodeParameters) => ({ ...parameters, options });

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

	test('keeps to the contract, and returns raw what the service sent', async () => {
		const items = await itemsOf(sandbox(), parameters, { settings });
		expect(sandbox().violations).toEqual([]);
		expect(wire(sandbox())[0]).toBe(operation.wire);
		if (returns === 'one') expect(items).toHaveLength(1);
		else expect(items.length).toBeGreaterThan(1);
		for (const item of items) {
			expect(item).toEqual({
				json: expect.objectContaining(operation.raw),
				pairedItem: { item: 0 },
			});
		}
	});

	test('Simplified has its columns, at most ten, none of them an object or a list', async () => {
		const items = await jsonOf(sandbox(), { ...parameters, output: 'simplified' }, { settings });
		expect(columns.length).toBeLessThanOrEqual(10);
		for (const item of items) {
			expect(columns).toEqual(expect.arrayContaining(Object.keys(item)));
			expect(Object.values(item).map((value) => typeof value)).not.toContain('object');
		}
		const names = new Set(items.flatMap((item) => Object.keys(item)));
		expect([...names].sort()).toEqual([...columns].sort());
	});

	test('Selected Fields has what was named, as far as it is there', async () => {
		const [raw] = await jsonOf(sandbox(), parameters, { settings });
		const [name] = Object.keys(raw);
		sandbox().reset();
		const fields = [name, 'toString', 'nothing.inside', 'hasOwnProperty'];
		const items = await jsonOf(
			sandbox(),
			{ ...parameters, output: 'fields', fields },
			{ settings },
		);
		expect(items[0]).toEqual({ [name]: raw[name] });
	});

	test(`Pages is ${returns === 'many' ? 'the whole response' : 'refused'}`, async () => {
		const pages = { ...parameters, output: '={{ "pages" }}' };
		if (returns === 'many') {
			const [page, ...others] = await jsonOf(sandbox(), pages, { settings });
			expect(others).toEqual([]);
			expect(page).toMatchObject({ data: expect.any(Array), meta: expect.any(Object) });
		} else {
			const { message } = await errorOf(sandbox(), pages, { settings });
			expect(message).toMatch(
				/^'Output' must be one of raw, fields, simplified, but it is "pages"/,
			);
			expect(sandbox().log).toEqual([]);
		}
	});

	test('is sent again after the rate limit refused it, and done once', async () => {
		sandbox().setFaults([{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 0 } } }]);
		const items = await itemsOf(sandbox(), withOptions({ maxTries: 1 }), { settings });
		expect(items.length).toBeGreaterThan(0);
		expect(
			sandbox()
				.log.slice(0, 2)
				.map(({ status }) => status),
		).toEqual([429, 200]);
		if (change) expect(sandbox().log).toHaveLength(2);
	});

	test.each([502, 503, 504])(
		`${change ? 'is not sent' : 'is sent'} again after status %i`,
		async (status) => {
			sandbox().setFaults([{ match: { nth: [1] }, effect: { status: { status } } }]);
			const result = await run(sandbox(), parameters, { settings });
			expect(result.error === undefined).toBe(change === undefined);
			if (change) expect(sandbox().log).toHaveLength(1);
			else expect(wire(sandbox()).slice(0, 2)).toEqual([operation.wire, operation.wire]);
		},
	);

	test('says what may have been done when the connection is cut', async () => {
		sandbox().setFaults([{ effect: { cutAfter: true } }]);
		const { message, description } = await errorOf(sandbox(), withOptions({ maxTries: 1 }), {
			settings,
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

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'fails for each item, with its pairing and input, on %s',
		async (onError) => {
			sandbox().setFaults([{ effect: { html: true } }]);
			const input = [{ a: 1 }, { a: 2 }];
			const result = await run(sandbox(), parameters, { input, onError, settings });
			expect(result.error).toBeUndefined();
			const isErrorOutput = onError === 'continueErrorOutput';
			expect(result.items(NODE, isErrorOutput ? 1 : 0)).toEqual(
				input.map((json, item) => ({
					json: {
						...(isErrorOutput ? json : {}),
						error: expect.stringMatching(/CometChat sent a web page \(HTML\) with status 200/),
					},
					pairedItem: { item },
				})),
			);
			if (isErrorOutput) expect(result.items(NODE)).toEqual([]);
		},
	);

	test('keeps the key out of items, where the service repeats it', async () => {
		const key = '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c';
		const reply = responding({ [key]: `Bearer ${key}`, moderators: { noor: { message: key } } });
		await withRecorder(reply, async (recorder) => {
			expect(recorder.apiKey).toBe(key);
			const result = await run(recorder, parameters, {
				settings,
				onError: 'continueRegularOutput',
			});
			expect(result.items(NODE).length).toBeGreaterThan(0);
			expect(JSON.stringify(result.items(NODE))).toContain('**********');
			expect(leaksIn(result.run, key)).toEqual([]);
		});
	});

	test('ends at once when the execution is stopped during a wait', async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 60 } } }]);
		const stop = new AbortController();
		const running = run(sandbox(), parameters, { settings, signal: stop.signal });
		while (sandbox().log.length === 0) await wait(5);
		await wait(50);
		const stoppedAt = performance.now();
		stop.abort();
		const { run: data } = await running;
		expect(performance.now() - stoppedAt).toBeLessThan(AT_ONCE_MS);
		expect(data.status).toBe('canceled');
		await wait(50);
		expect(sandbox().log).toHaveLength(1);
	});
});

describe.each(
	OPERATIONS.map((operation): [string, typeof operation] => [operation.name, operation]),
)('%s', (_, operation) => {
	test('has a label for each of its parameters', () => {
		const labels = labelsOf(operation);
		const { resource, operation: name, ...rest } = operation.parameters;
		expect([resource, name]).toEqual([expect.any(String), expect.any(String)]);
		for (const key of Object.keys(rest)) expect(labels).toHaveProperty(key);
	});
});
