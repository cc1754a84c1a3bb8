import * as fc from 'fast-check';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { errorOf, get, itemsOf, list, message, NODE, run, useSandbox } from './harness';
import { fieldsOf, OPERATIONS } from './operations';
import { anything, withRecorder } from './recorder';

const sandbox = useSandbox();

/** Names that mean something to JavaScript, too. */
const NAMES = ['v', 'length', 'toString', 'constructor', '__proto__', 'caller', 'valueOf'];

const leaf = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 12 }),
	fc.constantFrom('', ' ', '={{ 1 + 1 }}', '{{ $json.v }}', '101', 'true', '2026-11-21'),
	fc.integer(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.boolean(),
	fc.constant(null),
	fc.array(fc.string(), { maxLength: 2 }),
);

const json = fc.dictionary(
	fc.constantFrom(...NAMES),
	fc.oneof(leaf, fc.dictionary(fc.constantFrom(...NAMES), leaf, { maxKeys: 3 })),
	{ maxKeys: 4 },
);

const PATHS = ['v', 'v.v', 'v.length', 'length', 'toString', 'caller', 'v.valueOf'];

/** What was sent for each of the items, and what became of it. */
async function outcomes(input: IDataObject[], parameters: INodeParameters) {
	return await withRecorder(anything, async (recorder) => {
		const result = await run(recorder, parameters, { input, onError: 'continueRegularOutput' });
		const sent = recorder.requests.map(({ url, headers, body }) => [url, headers.onbehalfof, body]);
		return { sent: sent.map(String).sort(), items: result.items(NODE) };
	});
}

/** The same field of the item, in words that only n8n's evaluator understands. */
const inOtherWords = (parameters: INodeParameters) =>
	JSON.parse(
		JSON.stringify(parameters).replace(/\{\{ (\$json[\w.]+) \}\}/g, '{{ ($1) }}'),
	) as INodeParameters;

describe.each(PATHS)('An expression that only names the field %s of the item', (path) => {
	const field = `={{ $json.${path} }}`;
	const guid = { __rl: true, mode: 'guid', value: 'all-hands' };

	test.each<[string, INodeParameters]>([
		['a text', { text: field, groupId: guid, onBehalfOf: 'noor' }],
		['a resource locator', { text: 'Hi', groupId: { ...guid, value: field }, onBehalfOf: 'noor' }],
		[
			'a collection',
			{ text: 'Hi', groupId: guid, onBehalfOf: 'noor', additionalFields: { muid: field } },
		],
	])("gives what n8n's evaluator gives, in %s", async (_, changes) => {
		const parameters = { resource: 'message', operation: 'send', ...changes };
		await fc.assert(
			fc.asyncProperty(fc.array(json, { minLength: 1, maxLength: 15 }), async (input) => {
				expect(await outcomes(input as IDataObject[], parameters)).toEqual(
					await outcomes(input as IDataObject[], inOtherWords(parameters)),
				);
			}),
			{ numRuns: 3 },
		);
	});
});

describe('A value that must not be sent', () => {
	const requestOptions = { maxTries: 0 };

	test('says so when its field is in the Settings', async () => {
		const { message, description } = await errorOf(sandbox(), get('101', { requestOptions }));
		expect(message).toBe("'Retry Attempts' must be a whole number from 1 to 100, but it is 0");
		expect(description).toBe("'Retry Attempts' is in the node's Settings.");
	});

	test('does not say so when its field is among the parameters', async () => {
		const { message, description } = await errorOf(sandbox(), list({ options: { page: 0 } }));
		expect(message).toBe("'Page' must be a whole number from 1 to 1000000, but it is 0");
		expect(description).toBeFalsy();
	});
});

const isField = (option: object): option is INodeProperties => 'type' in option;

/** Values that a field has to have so that n8n starts, whatever shows it. */
const REQUIRED: INodeParameters = {
	groupId: 'all-hands',
	userId: 'leo',
	text: 'x',
	password: 'x',
	customType: 'x',
	customData: '{"a": 1}',
	attachments: { attachment: [{ url: 'https://e.com/a.png' }] },
};

/** Fields that need not be there, with the choice that hides each. */
const HIDDEN = OPERATIONS.flatMap((operation) => {
	const fields = fieldsOf(operation);
	const within = fields.flatMap((field) =>
		(field.type === 'collection' ? (field.options ?? []) : [])
			.filter(isField)
			.map((inner) => ({ inner, outer: field.name })),
	);
	const alone = fields
		.filter(({ type, required }) => !required && !['boolean', 'number', 'options'].includes(type))
		.map((inner) => ({ inner, outer: undefined }));
	return [...within, ...alone].flatMap(({ inner, outer }) =>
		Object.entries(inner.displayOptions?.show ?? {}).flatMap(([path, allowed = []]) => {
			const chooser = fields.find(({ name }) => name === path.replace(/^\//, ''));
			if (chooser?.type !== 'options' || ['resource', 'operation'].includes(chooser.name))
				return [];
			const hiding = (chooser.options ?? []).flatMap((option) =>
				'value' in option && !allowed.includes(option.value as string) ? [option.value] : [],
			);
			return hiding.map((value) => ({
				name: `${operation.name}: ${inner.displayName}, ${chooser.displayName} ${value}`,
				operation,
				inner,
				outer,
				chooser,
				value: String(value),
			}));
		}),
	);
});

test('there are such fields', () => expect(HIDDEN.length).toBeGreaterThan(5));

test.each(HIDDEN)(
	'a field that an expression hides is refused by name: $name',
	async ({ operation, inner, outer, chooser, value }) => {
		const given = inner.type === 'boolean' ? true : inner.type === 'options' ? 'user' : 'mira';
		const parameters = {
			...REQUIRED,
			...operation.parameters,
			[chooser.name]: `={{ "${value}" }}`,
			...(outer ? { [outer]: { [inner.name]: given } } : { [inner.name]: given }),
		};
		const { message: said, description } = await errorOf(sandbox(), parameters);
		expect(said).toMatch(new RegExp(`^'${inner.displayName}' needs '${chooser.displayName}' → `));
		expect(description).toContain(
			`Remove '${inner.displayName}', or change '${chooser.displayName}'.`,
		);
		expect(sandbox().log).toEqual([]);
	},
);

test('the sentence names what it needs', async () => {
	const { message: said } = await errorOf(
		sandbox(),
		message('list', {
			messagesOf: '={{ "group" }}',
			groupId: 'lunch',
			userId: 'leo',
			filters: { onlyDeleted: true },
		}),
	);
	expect(said).toBe("'Only Deleted' needs 'Messages Of' → Whole App");
});

test('what the editor hides for all items has no effect, as n8n has it', async () => {
	const filters = { onlyDeleted: true };
	const parameters = message('list', { messagesOf: 'group', groupId: 'all-hands', filters });
	expect((await itemsOf(sandbox(), parameters)).length).toBeGreaterThan(0);
});

test('a field that is hidden and empty says nothing', async () => {
	const parameters = message('send', {
		...REQUIRED,
		messageType: '={{ "text" }}',
		caption: '={{ "" }}',
	});
	expect(await itemsOf(sandbox(), parameters)).toHaveLength(1);
});
