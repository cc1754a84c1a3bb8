import type { INodeParameters } from 'n8n-workflow';

import { leaksIn } from './errors.texts';
import { NODE, errorOf, get, itemsOf, jsonOf, list, run, useSandbox } from './harness';
import { OPERATIONS } from './operations';
import { json, responding, withRecorder } from './recorder';

const sandbox = useSandbox();

const GET_EACH = get('={{ $json.id }}');

const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Errors of a service that are no errors as it documents them. */
const ODD: Array<[string, string, RegExp]> = [
	[
		'details whose names every object has',
		'{"error":{"details":{"x":{"toString":1}}}}',
		/x: \{"toString":1\}/,
	],
	['plain text', 'Only text', /CometChat replied: Only text\.?$/],
	[
		'a code that is a number',
		'{"error":{"code":17,"message":"No"}}',
		/CometChat replied: No \(17\)\.?$/,
	],
	['an error that is null', '{"error":null}', /with status 422 and JSON of another shape\.?$/],
	['JSON 20,000 deep', deep(20_000), /CometChat replied/],
	[
		'a name that would change the prototype',
		'{"error":{"__proto__":{"message":"x"},"message":"y"}}',
		/: y/,
	],
	['half a character', '{"error":{"message":"\\ud83d"}}', /CometChat replied: /],
];

describe('An odd error of the service', () => {
	test.each(ODD)('leaves the good items alone, and is quoted: %s', async (_, body, quoted) => {
		await withRecorder(
			(response, request, number) => {
				if (!request.url.endsWith('/102')) return responding({})(response, request, number);
				response.writeHead(422, { 'content-type': 'application/json' });
				response.end(body);
			},
			async (recorder) => {
				const items = await itemsOf(recorder, GET_EACH, {
					input: ['101', '102', '103'].map((id) => ({ id })),
					onError: 'continueRegularOutput',
				});
				expect(items.map(({ json: { id }, pairedItem }) => [id, pairedItem])).toEqual([
					['101', { item: 0 }],
					[undefined, { item: 1 }],
					['101', { item: 2 }],
				]);
				const error = String(items[1].json.error);
				expect(error).toMatch(/^CometChat did not carry out the request/);
				expect(error).toMatch(quoted);
				expect(error).not.toContain('[object Object]');
			},
		);
	});

	test('of 2 MB is quoted in part', async () => {
		const words = 'x'.repeat(2_000_000);
		for (const body of [words, { error: { message: words, details: { a: words } } }]) {
			sandbox().setFaults([{ effect: { status: { status: 400, body } } }]);
			const { description } = await errorOf(sandbox(), get('101'));
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
	'List members of group': 'list of members',
	'Get message': 'message',
	'List messages': 'list of messages',
	'List reactions to message': 'list of reactions',
};

describe('A response without anything in it', () => {
	const cases = OPERATIONS.filter(({ name }) => name in MISSING);

	test.each(cases)('is no empty item: $name', async ({ name, parameters, returns }) => {
		const many = returns === 'many';
		for (const data of [many ? [{}] : {}, many ? { id: '1' } : [{ id: '1' }]]) {
			await withRecorder(
				(response) => json(response, 200, { data }),
				async (recorder) => {
					const { items } = await run(recorder, parameters, { onError: 'continueRegularOutput' });
					for (const item of items(NODE)) {
						expect(item.json.error).toContain(
							`CometChat's response contains no ${MISSING[name]}. `,
						);
					}
					expect(items(NODE).length).toBeGreaterThan(0);
				},
			);
		}
	});
});

describe('The key', () => {
	const cases = OPERATIONS.filter(({ name }) => ['List groups', 'Update message'].includes(name));

	test.each(['plain', 'percent', 'base64', 'html'] as const)(
		'in a response of success is in no item: %s',
		async (form) => {
			sandbox().setFaults([{ effect: { echoKeyInItem: form } }]);
			for (const { parameters } of cases) {
				for (const output of ['raw', 'simplified']) {
					const items = await itemsOf(sandbox(), { ...parameters, output });
					expect(leaksIn(items, sandbox().apiKey)).toEqual([]);
					if (output === 'raw') expect(JSON.stringify(items)).toContain('**********');
				}
			}
		},
	);

	test('that is too short to be kept out is refused before anything is sent', async () => {
		const short = { apiKey: 'a', baseUrl: sandbox().baseUrl };
		const { message } = await errorOf(short, get('101'));
		expect(message).toMatch(
			/^'REST API Key' in the CometChat credential has fewer than 8 characters/,
		);
		expect(sandbox().log).toEqual([]);
	});
});

/** Pages of a service that makes them no longer than a cap, and says so or not. */
const SERVICES: Array<[string, object]> = [
	['says the right numbers', {}],
	['says no total_pages', { totalPagesShown: 'missing' }],
	['says both as if pages were as asked for', { totalPagesShown: 'asked', perPageShown: 'asked' }],
	[
		'says nothing at all',
		{ totalPagesShown: 'missing', perPageShown: 'missing', totalShown: 'missing' },
	],
	['says the next page and no per_page', { totalPages: 'next', perPageShown: 'missing' }],
];

describe('A service that caps its pages', () => {
	const members: INodeParameters = {
		resource: 'group',
		operation: 'listMembers',
		groupId: 'all-hands',
		returnAll: true,
	};

	test.each(SERVICES)('and %s, returns everything, and what Limit asks for', async (_, shown) => {
		const all = sandbox()
			.store.groups()
			.map(({ guid }) => guid);
		for (const maxPerPage of [7, 23, 46]) {
			sandbox().setSettings({ ...shown, maxPerPage });
			const items = await jsonOf(sandbox(), list({ returnAll: true }));
			expect(items.map(({ guid }) => String(guid)).sort()).toEqual([...all].sort());
		}
		sandbox().setSettings({ ...shown, maxPerPage: 10 });
		for (const limit of [9, 10, 11, 45]) {
			const items = await jsonOf(sandbox(), list({ limit }));
			expect(new Set(items.map(({ guid }) => guid)).size).toBe(limit);
		}
		sandbox().setSettings({ ...shown, maxPerPage: 3 });
		const uids = (await jsonOf(sandbox(), members)).map(({ uid }) => String(uid));
		const known = sandbox().store.group('all-hands')?.members ?? [];
		expect(uids.sort()).toEqual(known.map(({ uid }) => uid).sort());
	});
});
