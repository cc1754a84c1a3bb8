import type { INodeParameters } from 'n8n-workflow';

import {
	errorOf,
	get,
	itemsOf,
	jsonOf,
	list,
	removeReaction,
	run,
	useSandbox,
	wire,
} from './harness';
import { OPERATIONS, WAYS, fieldsOf } from './operations';
import { anything, withRecorder } from './recorder';

const sandbox = useSandbox();

describe.each(WAYS)('White space, through %s,', (_, settings) => {
	test.each([
		['spaces', ' 101 '],
		['a line break', '101\n'],
		['a tab and a carriage return', '\t101\r\n'],
		['a no-break space', '\u00a0101\u00a0'],
	])('around a message ID is left out: %s', async (__, id) => {
		const parameters = get(`={{ ${JSON.stringify(id)} }}`);
		expect(await itemsOf(sandbox(), parameters, { settings })).toHaveLength(1);
		expect(wire(sandbox())).toEqual(['GET /messages/101']);
	});

	test.each([
		['On Behalf Of', get('101', { onBehalfOf: '={{ " mira\\n" }}' }), 'GET /messages/101'],
		[
			'Group',
			{ resource: 'group', operation: 'get', groupId: '={{ "\\tall-hands \\n" }}' },
			'GET /groups/all-hands',
		],
		[
			'User',
			{
				resource: 'group',
				operation: 'removeMember',
				groupId: 'watercooler',
				userId: '={{ "leo\\n" }}',
			},
			'DELETE /groups/watercooler/members/leo',
		],
	])('around %s is left out', async (__, parameters, line) => {
		expect(await itemsOf(sandbox(), parameters, { settings })).toHaveLength(1);
		expect(wire(sandbox())).toEqual([line]);
		expect([undefined, 'mira']).toContain(sandbox().log[0].headers.onbehalfof);
	});

	test('around a reaction is kept', async () => {
		await run(sandbox(), removeReaction('101', '={{ " x\\n" }}', 'mira'), { settings });
		expect(wire(sandbox())).toEqual(['DELETE /messages/101/reactions/%20x%0A']);
	});

	test.each(['a b', 'a/b', 'c?', 'ä', 'x'.repeat(101), 'a\nb', '%20', '.'])(
		'and what else no UID or GUID has is refused before anything is sent: %j',
		async (id) => {
			const value = `={{ ${JSON.stringify(id)} }}`;
			const rows: Array<[string, INodeParameters]> = [
				['Group', { resource: 'group', operation: 'get', groupId: value }],
				['GUID', { resource: 'group', operation: 'create', guid: value, name: 'x' }],
				['On Behalf Of', get('101', { onBehalfOf: value })],
				['UIDs', { resource: 'group', operation: 'addMembers', groupId: 'lunch', uids: [value] }],
				[
					'Sender',
					{ resource: 'message', operation: 'list', groupId: 'lunch', filters: { sender: value } },
				],
			];
			for (const [label, parameters] of rows) {
				const { message } = await errorOf(sandbox(), parameters, { settings });
				const expected = `'${label}' can have only letters, digits, "-" and "_", at most 100`;
				expect(message.startsWith(expected)).toBe(true);
			}
			expect(sandbox().log).toEqual([]);
		},
	);
});

const EMPTY: Array<[string, string]> = [
	['empty text', '={{ "" }}'],
	['blank text', '={{ " \\n" }}'],
	['null', '={{ null }}'],
	['undefined', '={{ undefined }}'],
	['an empty list', '={{ [] }}'],
	['a field that is not there', '={{ $json.nothing }}'],
];

/** Of n8n, or fields on whose value n8n itself decides which others are required. */
const NOT_EMPTIED = [
	...['resource', 'operation', 'requestOptions'],
	...['type', 'receiverType', 'messageType', 'messagesOf'],
];

describe.each(WAYS)('An empty value, through %s,', (_, settings) => {
	test.each(EMPTY)(
		'is as good as none in every field that is not required: %s',
		async (__, nothing) => {
			for (const operation of OPERATIONS) {
				const { parameters } = operation;
				const emptied: INodeParameters = { ...parameters };
				for (const field of fieldsOf(operation)) {
					if (field.required || field.name in parameters) continue;
					if (NOT_EMPTIED.includes(field.name)) continue;
					if (field.type !== 'collection') emptied[field.name] = nothing;
					else {
						const inner = (field.options ?? []).filter((option) => 'type' in option);
						emptied[field.name] = Object.fromEntries(inner.map(({ name }) => [name, nothing]));
					}
				}
				await withRecorder(anything, async (recorder) => {
					const { error } = await run(recorder, emptied, {
						settings,
						onError: 'continueRegularOutput',
					});
					expect(error).toBeUndefined();
					const [{ method, url, headers, body }, ...others] = recorder.requests;
					expect(others).toEqual([]);
					expect(`${method} ${url}`).toBe(operation.wire);
					expect(headers.onbehalfof).toBe(operation.uid);
					expect(body === undefined ? undefined : JSON.parse(body)).toEqual(operation.body);
				});
			}
		},
	);

	test.each(EMPTY)('in the options of a request leaves the defaults: %s', async (__, nothing) => {
		sandbox().setFaults([{ match: { nth: [1] }, effect: { status: { status: 503 } } }]);
		const options = { maxTries: nothing, maxWait: nothing, page: nothing, perPage: nothing };
		expect(await itemsOf(sandbox(), list({ limit: nothing, options }), { settings })).toHaveLength(
			46,
		);
		expect(wire(sandbox())).toEqual(Array(2).fill('GET /groups?page=1&perPage=50'));
	});
});

describe.each(WAYS)('Timeout, through %s,', (_, settings) => {
	test.each([2 ** 31, -1, 1.5, 1e300])('refuses %d by its name', async (timeout) => {
		const parameters = get('101', { requestOptions: { timeout } });
		const { message } = await errorOf(sandbox(), parameters, { settings });
		expect(message).toMatch(
			/^'Timeout' must be a whole number from 1 to 2147483647, but it is [-\d.e+]+/,
		);
		expect(sandbox().log).toEqual([]);
	});

	test.each([0, 2 ** 31 - 1])('takes %d', async (timeout) => {
		const parameters = get('101', { requestOptions: { timeout } });
		expect(await itemsOf(sandbox(), parameters, { settings })).toHaveLength(1);
	});
});

describe.each(WAYS)('A date, through %s,', (_, settings) => {
	/** What is sent for a value of Updated At in a workflow with this time zone. */
	async function sentFor(updatedAt: string, timezone: string): Promise<unknown> {
		await itemsOf(sandbox(), list({ filters: { updatedAt } }), {
			settings,
			workflow: { executionOrder: 'v1', timezone },
		});
		return Number(sandbox().log[0].query.updatedAt);
	}

	test.each([
		['2026-09-06T00:00:00', 'America/Santiago'],
		['2026-09-06', 'America/Santiago'],
		['2026-09-06T00:30:00', 'America/Santiago'],
		['2026-04-04T23:30:00', 'America/Santiago'],
		['2026-03-29T02:30:00', 'Europe/Berlin'],
		['2026-10-25T02:30:00', 'Europe/Berlin'],
		['2026-03-08T02:15:00', 'America/New_York'],
		['2026-11-01T01:30:00', 'America/New_York'],
		['2026-04-05T01:45:00', 'Australia/Lord_Howe'],
		['2026-07-01T12:00:00', 'Asia/Kathmandu'],
	])(
		'around a change of the clocks is what n8n itself makes of it: %s in %s',
		async (text, zone) => {
			const plain = await sentFor(text, zone);
			sandbox().reset();
			const luxon = await sentFor(`={{ DateTime.fromISO("${text}", { zone: "${zone}" }) }}`, zone);
			expect(plain).toBe(luxon);
		},
	);

	test.each([
		['20260131', '2026-01-31T00:00:00Z'],
		['20260131T080000Z', '2026-01-31T08:00:00Z'],
		['20260131T0800', '2026-01-31T08:00:00Z'],
		['2026-01-31T08:00:00+0100', '2026-01-31T07:00:00Z'],
		['2026-01-31 08:00', '2026-01-31T08:00:00Z'],
		['1769846400', '2026-01-31T08:00:00Z'],
	])('may be %s', async (text, iso) => {
		expect(await sentFor(text, 'UTC')).toBe(Date.parse(iso) / 1000);
	});
});

describe.each(WAYS)('Values of JavaScript, through %s:', (_, settings) => {
	test('a BigInt is taken where digits are', async () => {
		const parameters = get('={{ BigInt("101") }}');
		expect(await jsonOf(sandbox(), parameters, { settings })).toMatchObject([{ id: '101' }]);
		sandbox().reset();
		const limited = list({ limit: '={{ BigInt(3) }}', options: { perPage: '={{ BigInt(2) }}' } });
		expect(await itemsOf(sandbox(), limited, { settings })).toHaveLength(3);
	});

	test('names that every object has select nothing', async () => {
		const fields = ['toString', 'valueOf.name', 'hasOwnProperty', 'data.toString', 'id'];
		const parameters = get('101', { output: 'fields', fields });
		expect(await jsonOf(sandbox(), parameters, { settings })).toEqual([{ id: '101' }]);
	});

	test.each([
		['Page', { page: Number.MAX_SAFE_INTEGER }],
		['Page', { page: 1_000_000_001 }],
		['Per Page', { perPage: Number.MAX_SAFE_INTEGER }],
	])('%s is refused by its name when it is too large: %j', async (label, options) => {
		const parameters = list({ returnAll: true, options });
		const { message } = await errorOf(sandbox(), parameters, { settings });
		expect(message).toMatch(new RegExp(`^'${label}' must be a whole number from 1 to`));
		expect(sandbox().log).toEqual([]);
	});

	test('the largest page is empty', async () => {
		const parameters = list({ returnAll: true, options: { page: 1_000_000_000 } });
		expect(await itemsOf(sandbox(), parameters, { settings })).toEqual([]);
	});

	test('a circular object is refused by the name of its field', async () => {
		const circular = '={{ (() => { const o = {}; o.o = o; return o; })() }}';
		const { message } = await errorOf(sandbox(), get(circular), { settings });
		expect(message).toMatch(/^'Message ID' is an object without end/);
	});
});

describe.each(WAYS)("n8n's own errors, through %s,", (_, settings) => {
	test('keep what they say about the expression', async () => {
		const { message, context } = await errorOf(sandbox(), get("={{ $('Nowhere').item.json.id }}"), {
			settings,
		});
		expect(message).toMatch(/Nowhere|node/);
		expect(context).toMatchObject({ itemIndex: 0, runIndex: 0 });
		expect(Object.keys(context).length).toBeGreaterThan(2);
		expect(sandbox().log).toEqual([]);
	});

	test('are redacted', async () => {
		const key = sandbox().apiKey;
		const parameters = get(`={{ (() => { throw new Error('no ${key} here') })() }}`);
		const result = await run(sandbox(), parameters, { settings });
		expect(result.error?.message).not.toContain(key);
	});
});
