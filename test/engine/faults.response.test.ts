import type { INodeParameters } from 'n8n-workflow';

import { NODE, errorOf, get, itemsOf, jsonOf, list, run, useSandbox } from './harness';
import { leaksIn } from './errors.texts';
import { OPERATIONS, WAYS } from './operations';
import { json, responding, withRecorder } from './recorder';

const sandbox = useSandbox();

const INPUT = ['101', '102', '103'].map((id) => ({ id }));

const GET_EACH = get('={{ $json.id }}');

const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Errors of a service that are no errors as it documents them. */
const ODD: Array<[string, string, RegExp]> = [
	[
		'details whose names every object has',
		'{"error":{"details":{"x":{"toString":1}}}}',
		/x: \{"toString":1\}/,
	],
	['details as a list', '{"error":{"details":["one",{"two":2}]}}', /one; \{"two":2\}/],
	[
		'nested details',
		'{"error":{"message":"No.","details":{"a":{"b":["c"]}}}}',
		/a: \{"b":\["c"\]\}/,
	],
	['an error that is text', '{"error":"Only words"}', /CometChat replied: Only words\.$/],
	[
		'a message beside no error',
		'{"message":"Only a message"}',
		/CometChat replied: Only a message\.$/,
	],
	['plain text', 'Only text', /CometChat replied: Only text\.$/],
	[
		'a code that is a number',
		'{"error":{"code":17,"message":"No"}}',
		/CometChat replied: No \(17\)\.$/,
	],
	[
		'a code that every object has',
		'{"error":{"code":"constructor"}}',
		/CometChat replied: constructor\.$/,
	],
	['an error that is null', '{"error":null}', /with status 422 and JSON of another shape\.$/],
	['an error that is a list', '{"error":[1]}', /with status 422 and JSON of another shape\.$/],
	['a lone number', '5', /CometChat replied/],
	['JSON 20,000 deep', deep(20_000), /CometChat replied/],
	[
		'details 20,000 deep',
		`{"error":{"message":"No","details":${deep(20_000)}}}`,
		/CometChat replied: No/,
	],
	[
		'a name that would change the prototype',
		'{"error":{"__proto__":{"message":"x"},"message":"y"}}',
		/: y\.$/,
	],
	['half a character', '{"error":{"message":"\\ud83d"}}', /CometChat replied: /],
];

describe.each(WAYS)('An odd error of the service, through %s,', (_, settings) => {
	test.each(ODD)('leaves the good items alone, and is quoted: %s', async (__, body, quoted) => {
		await withRecorder(
			(response, request, number) => {
				if (!request.url.endsWith('/102')) return responding({})(response, request, number);
				response.writeHead(422, { 'content-type': 'application/json' });
				response.end(body);
			},
			async (recorder) => {
				const result = await run(recorder, GET_EACH, {
					input: INPUT,
					onError: 'continueRegularOutput',
					settings,
				});
				const items = result.items(NODE);
				expect(items.map(({ json: { id }, pairedItem }) => [id, pairedItem])).toEqual([
					['101', { item: 0 }],
					[undefined, { item: 1 }],
					['101', { item: 2 }],
				]);
				const error = String(items[1].json.error);
				expect(error).toMatch(/^CometChat did not carry out the request/);
				expect(error).toMatch(quoted);
				expect(error).not.toContain('[object Object]');
				const { message } = await errorOf(recorder, GET_EACH, { input: INPUT, settings });
				expect(message).toMatch(/^CometChat did not carry out the request/);
			},
		);
	});

	test('of 2 MB is quoted in part', async () => {
		const words = 'x'.repeat(2_000_000);
		for (const body of [words, { error: { message: words, details: { a: words } } }]) {
			sandbox().setFaults([{ effect: { status: { status: 400, body } } }]);
			const { description } = await errorOf(sandbox(), get('101'), { settings });
			expect(description?.length).toBeGreaterThan(1_000);
			expect(description?.length).toBeLessThan(3_000);
		}
	});
});

/** What an operation looks for in a response. */
const MISSING: Record<string, string> = {
	'List groups': 'list of groups',
	'Add members to group': 'member',
	'Create group': 'group',
	'Delete group': 'confirmation',
	'Get group': 'group',
	'List members of group': 'list of members',
	'Remove member from group': 'confirmation',
	'Update group': 'group',
	'Get message': 'message',
	'Remove reaction from message': 'message',
	'Add reaction to message': 'message',
	'Delete message': 'message',
	'List messages': 'list of messages',
	'List reactions to message': 'list of reactions',
	'Send message': 'message',
	'Update message': 'message',
};

describe.each(WAYS)('A response without anything in it, through %s,', (_, settings) => {
	test.each(OPERATIONS)('is no empty item: $name', async ({ name, parameters, returns }) => {
		const body = { data: returns === 'many' ? [{}] : {} };
		await withRecorder(
			(response) => json(response, 200, body),
			async (recorder) => {
				const result = await run(recorder, parameters, {
					settings,
					onError: 'continueRegularOutput',
				});
				const [item, ...others] = result.items(NODE);
				expect(others).toEqual([]);
				expect(item.json.error).toContain(`CometChat's response contains no ${MISSING[name]}. `);
			},
		);
	});
});

describe.each(WAYS)('The key in a response of success, through %s,', (_, settings) => {
	test.each(['plain', 'percent', 'base64', 'html'] as const)('is in no item: %s', async (form) => {
		sandbox().setFaults([{ effect: { echoKeyInItem: form } }]);
		for (const { parameters, returns } of OPERATIONS) {
			for (const output of ['raw', 'simplified']) {
				sandbox().store.reset();
				const items = await itemsOf(sandbox(), { ...parameters, output }, { settings });
				expect(leaksIn(items, sandbox().apiKey)).toEqual([]);
				// Add Members makes its items itself
				if (output === 'raw' && returns !== 'each')
					expect(JSON.stringify(items)).toContain('**********');
			}
		}
	});

	test('that is too short to be kept out is refused before anything is sent', async () => {
		const short = { apiKey: 'a', baseUrl: sandbox().baseUrl };
		const { message } = await errorOf(short, get('101'), { settings });
		expect(message).toMatch(
			/^'REST API Key' in the CometChat credential has fewer than 8 characters/,
		);
		expect(sandbox().log).toEqual([]);
	});
});

/** Pages of a service that has so many groups, and makes its pages no longer than the cap. */
const SERVICES: Array<[string, object]> = [
	['says the right numbers', {}],
	['says no per_page', { perPageShown: 'missing' }],
	['says the per_page that was asked for', { perPageShown: 'asked' }],
	['says no total_pages', { totalPagesShown: 'missing' }],
	['says neither', { totalPagesShown: 'missing', perPageShown: 'missing' }],
	['says total_pages as if pages were as asked for', { totalPagesShown: 'asked' }],
	['says both as if pages were as asked for', { totalPagesShown: 'asked', perPageShown: 'asked' }],
	[
		'says nothing but the total',
		{ totalPagesShown: 'missing', perPageShown: 'missing', totalShown: 'right' },
	],
	[
		'says nothing at all',
		{ totalPagesShown: 'missing', perPageShown: 'missing', totalShown: 'missing' },
	],
	['says total_pages as the next page', { totalPages: 'next' }],
	['says the next page and no per_page', { totalPages: 'next', perPageShown: 'missing' }],
];

describe.each(WAYS)('A service that caps its pages, through %s,', (_, settings) => {
	const large = useSandbox({ groups: 3_454, validate: false });

	test.each(SERVICES)('and %s, returns all of its 3,500 groups', async (__, shown) => {
		for (const maxPerPage of [300, 999, 500]) {
			large().setSettings({ ...shown, maxPerPage });
			const items = await jsonOf(large(), list({ returnAll: true }), { settings });
			expect(new Set(items.map(({ guid }) => guid)).size).toBe(3_500);
			expect(items).toHaveLength(3_500);
		}
	});

	test.each(SERVICES)('and %s, returns what Limit asks for', async (__, shown) => {
		large().setSettings({ ...shown, maxPerPage: 100 });
		for (const limit of [99, 100, 101, 1_050]) {
			const items = await jsonOf(large(), list({ limit }), { settings });
			expect(new Set(items.map(({ guid }) => guid)).size).toBe(limit);
		}
	});

	test.each(SERVICES)('and %s, returns all members of a group', async (__, shown) => {
		large().setSettings({ ...shown, maxPerPage: 3 });
		const parameters: INodeParameters = {
			resource: 'group',
			operation: 'listMembers',
			groupId: 'all-hands',
			returnAll: true,
		};
		const items = await jsonOf(large(), parameters, { settings });
		const members = large().store.group('all-hands')?.members ?? [];
		expect(items.map(({ uid }) => uid).sort()).toEqual(members.map(({ uid }) => uid).sort());
	});
});
