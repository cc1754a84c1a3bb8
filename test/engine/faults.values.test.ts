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

const sandbox = useSandbox();

describe('White space', () => {
	test.each([['a line break', '101\n']])('around a message ID is left out: %s', async (_, id) => {
		const parameters = get(`={{ ${JSON.stringify(id)} }}`);
		expect(await itemsOf(sandbox(), parameters)).toHaveLength(1);
		expect(wire(sandbox())).toEqual(['GET /messages/101']);
	});

	test('around a reaction is kept', async () => {
		await run(sandbox(), removeReaction('101', '={{ " x\\n" }}', 'mira'));
		expect(wire(sandbox())).toEqual(['DELETE /messages/101/reactions/%20x%0A']);
	});
});

test.each([
	['n8n', 'DateTime.fromISO("2025-08-04T10:00:00.5Z").toUTC()'],
	['JavaScript', 'new Date("2025-08-04T10:00:00.5Z")'],
])('A date of %s alone in a text field is its ISO text', async (_, date) => {
	const parameters = { resource: 'message', operation: 'send', groupId: 'lunch' };
	const [{ json }] = await itemsOf(sandbox(), { ...parameters, text: `={{ ${date} }}` });
	expect(json.text).toBe('2025-08-04T10:00:00.500Z');
});

describe('A UID or GUID', () => {
	const FIELDS: Array<[string, (id: string) => INodeParameters]> = [
		['Group', (groupId) => ({ resource: 'group', operation: 'get', groupId })],
		['Group ID (GUID)', (guid) => ({ resource: 'group', operation: 'create', guid, name: 'x' })],
		['User ID (UID)', (uid) => ({ resource: 'user', operation: 'create', uid, name: 'x' })],
		['User', (userId) => ({ resource: 'user', operation: 'deactivate', userId })],
		['On Behalf Of', (onBehalfOf) => get('101', { onBehalfOf })],
		[
			'User Names or IDs',
			(uid) => ({ resource: 'group', operation: 'addMembers', groupId: 'lunch', uids: [uid] }),
		],
		[
			'Sender',
			(sender) => ({
				resource: 'message',
				operation: 'list',
				groupId: 'lunch',
				filters: { sender },
			}),
		],
	];

	test.each(FIELDS)(
		'that can be none is refused before anything is sent: %s',
		async (label, of) => {
			for (const id of [
				'a b',
				'a/b',
				'c?',
				'ä',
				'😀',
				'x'.repeat(101),
				'a\nb',
				'a\tb',
				'%20',
				'.',
			]) {
				const { message } = await errorOf(sandbox(), of(`={{ ${JSON.stringify(id)} }}`));
				const expected = `'${label}' can have only letters, digits, "-" and "_", at most 100`;
				expect(message.startsWith(expected)).toBe(true);
			}
			expect(sandbox().log).toEqual([]);
		},
	);
});

describe('A date', () => {
	/** What is sent for a value of Updated At in a workflow with this time zone. */
	async function sentFor(updatedAt: INodeParameters[string], timezone: string): Promise<number> {
		await itemsOf(sandbox(), list({ limit: 1, filters: { updatedAt } }), {
			workflow: { executionOrder: 'v1', timezone },
		});
		return Number(sandbox().log.at(-1)?.query.updatedAt);
	}

	const at = (iso: string) => Date.parse(iso) / 1000;

	const TAKEN: Array<[string, INodeParameters[string], string]> = [
		['of the picker', '2025-08-04T10:00:00', '2025-08-04T10:00:00+05:30'],
		[
			'of n8n in the zone of the workflow',
			'={{ DateTime.fromISO("2025-08-04T10:00:00") }}',
			'2025-08-04T10:00:00+05:30',
		],
		['of JavaScript', '={{ new Date("2025-08-04T10:00:00Z") }}', '2025-08-04T10:00:00Z'],
	];

	test.each(TAKEN)('may be one %s', async (_, updatedAt, iso) => {
		expect(await sentFor(updatedAt, 'Asia/Kolkata')).toBe(at(iso));
	});
});

describe('Values of JavaScript:', () => {
	test('a BigInt is taken where digits are', async () => {
		expect(await jsonOf(sandbox(), get('={{ BigInt("101") }}'))).toMatchObject([{ id: '101' }]);
		const limited = list({ limit: '={{ BigInt(3) }}', options: { perPage: '={{ BigInt(2) }}' } });
		expect(await itemsOf(sandbox(), limited)).toHaveLength(3);
	});

	test('a circular object is refused by the name of its field', async () => {
		const circular = '={{ (() => { const o = {}; o.o = o; return o; })() }}';
		const { message } = await errorOf(sandbox(), get('101', { onBehalfOf: circular }));
		expect(message).toMatch(/^'On Behalf Of' is an object without end/);
	});
});

describe('A value that must not be sent', () => {
	const options = { maxTries: 0 };

	test('says so when its field is in the Settings', async () => {
		const { message, description } = await errorOf(sandbox(), get('101', { options }));
		expect(message).toMatch(/^'Max Attempts' must be/);
		expect(description).toMatch(/(^|\. )'Max Attempts' is in the node's Settings\.$/);
	});

	test('does not say so when it is among the parameters', async () => {
		const { message, description } = await errorOf(sandbox(), {
			resource: 'user',
			operation: 'create',
			uid: 'ada',
			name: 'Ada',
			options,
		});
		expect(message).toMatch(/^'Max Attempts' must be/);
		expect(String(description)).not.toContain('Settings');
	});
});

describe("n8n's own errors", () => {
	test('keep what they say about the expression', async () => {
		const { message, context } = await errorOf(sandbox(), get("={{ $('Nowhere').item.json.id }}"));
		expect(message).toMatch(/Nowhere|node/);
		expect(context).toMatchObject({ itemIndex: 0, runIndex: 0 });
		expect(Object.keys(context).length).toBeGreaterThan(2);
		expect(sandbox().log).toEqual([]);
	});

	test('name the field whose expression is broken', async () => {
		const { message } = await errorOf(sandbox(), get('={{ $json. }}'));
		expect(message).toMatch(/^'Message ID' has a broken expression: invalid syntax/);
	});
});
