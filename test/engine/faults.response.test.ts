import { NODE, get, itemsOf, run } from './harness';
import { OPERATIONS } from './operations';
import { json, responding, withRecorder } from './recorder';

const GET_EACH = get('={{ $json.id }}');

const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Errors of a service that are no errors as it documents them. */
const ODD: Array<[string, string, RegExp]> = [
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
