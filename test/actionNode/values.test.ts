import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { choicesOf, listPlaces, setAtPath } from '../fields';
import { CONTINUE, NODE, get, refusalOf, run, useSandbox } from './harness';
import { fieldsOf, OPERATIONS, REQUIRED } from './operations';
import { anything, withRecorder } from './recorder';

const sandbox = useSandbox();

/** Field names, including names with a special meaning in JavaScript. */
const NAMES = ['v', 'length', 'toString', 'constructor', '__proto__', 'valueOf'];

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

const PATHS = ['v', 'v.v', 'v.length', 'length', 'toString', 'v.valueOf'];

/** Runs the node against a recorder, and returns the recorded requests and the node's output. */
async function runRecorded(input: IDataObject[], parameters: INodeParameters) {
	return await withRecorder(anything, async (recorder) => {
		const result = await run(recorder, parameters, { ...CONTINUE, input });
		const sent = recorder.requests.map(({ url, headers, body }) => [url, headers.onbehalfof, body]);
		// Advice repeats the user's expression, with the parentheses that this test adds
		const items = JSON.stringify(result.items(NODE)).replace(/\(*(\$json[\w.]+)\)*/g, '$1');
		return { sent: sent.map(String).sort(), items: JSON.parse(items) as unknown };
	});
}

/** Adds parentheses to expressions, so that n8n's evaluator handles them instead of the node. */
const withParentheses = (parameters: INodeParameters) =>
	JSON.parse(
		JSON.stringify(parameters).replace(/\{\{ (\$json[\w.]+) \}\}/g, '{{ ($1) }}'),
	) as INodeParameters;

describe.each(PATHS)('An expression with only the field %s', (path) => {
	const field = `={{ $json.${path} }}`;
	const guid = { __rl: true, mode: 'guid', value: 'all-hands' };

	test.each<[string, INodeParameters]>([
		['a text field', { text: field, groupId: guid, onBehalfOf: 'noor' }],
		['a resource locator', { text: 'Hi', groupId: { ...guid, value: field }, onBehalfOf: 'noor' }],
		[
			'a collection',
			{ text: 'Hi', groupId: guid, onBehalfOf: 'noor', additionalFields: { muid: field } },
		],
	])("returns the same as n8n's evaluator in %s", async (_, changes) => {
		const parameters = { resource: 'message', operation: 'send', ...changes };
		await fc.assert(
			fc.asyncProperty(fc.array(json, { minLength: 1, maxLength: 15 }), async (input) => {
				expect(await runRecorded(input as IDataObject[], parameters)).toEqual(
					await runRecorded(input as IDataObject[], withParentheses(parameters)),
				);
			}),
			{ numRuns: 3 },
		);
	});
});

test('a circular object is refused with the name of its field', async () => {
	const circular = '={{ (() => { const o = {}; o.o = o; return o; })() }}';
	const { message } = await refusalOf(sandbox(), get('101', { onBehalfOf: circular }));
	expect(message).toContain("'On Behalf Of' has a broken expression");
});

/** Optional fields, each with a value of another field that hides the optional field. */
const HIDDEN = OPERATIONS.flatMap((operation) => {
	const fields = fieldsOf(operation);
	const optional = listPlaces(fields).filter(({ field, path }) => {
		const { type, required } = field;
		// A field with an alternative is required unless an expression chooses
		const isText =
			!required && !('alternative' in field) && !['boolean', 'number', 'options'].includes(type);
		return path.length === 2 || (path.length === 1 && isText);
	});
	return optional.flatMap(({ field, path }) =>
		Object.entries(field.displayOptions?.show ?? {}).flatMap(([name, allowed = []]) => {
			const chooser = fields.find((each) => each.name === name.replace(/^\//, ''));
			if (chooser && 'ignoresHidden' in chooser) return [];
			if (chooser?.type !== 'options' || ['resource', 'operation'].includes(chooser.name))
				return [];
			const choices = choicesOf(chooser);
			const showing = choices.filter(({ value }) => allowed.includes(value as string));
			const hiding = choices.filter((choice) => !showing.includes(choice));
			return hiding.map(({ value }) => ({
				name: `${operation.name}: ${field.displayName}, ${chooser.displayName} ${value}`,
				operation,
				...{ field, path, chooser },
				choices: showing.map((choice) => choice.name).join(' or '),
				value: String(value),
			}));
		}),
	);
});

test('Some choices hide optional fields', () => expect(HIDDEN.length).toBeGreaterThan(5));

test.each(HIDDEN)(
	'A field hidden by an expression is rejected: $name',
	async ({ operation, field: { type, displayName }, path, chooser, choices, value }) => {
		const given = type === 'boolean' ? true : type === 'options' ? 'user' : 'mira';
		const parameters = {
			...REQUIRED,
			...structuredClone(operation.parameters),
			[chooser.name]: `={{ "${value}" }}`,
		};
		setAtPath(parameters, path, given);
		const { message: sentence, description } = await refusalOf(sandbox(), parameters);
		expect(sentence).toBe(`'${displayName}' requires '${chooser.displayName}' to be ${choices}`);
		expect(description).toContain(`Clear '${displayName}', or change '${chooser.displayName}'.`);
	},
);

test('A page is allowed without effect if an expression turns on Return All, which hides the page', async () => {
	const parameters = { resource: 'group', operation: 'list', options: { page: 3, perPage: 2 } };
	const result = await run(sandbox(), { ...parameters, returnAll: '={{ true }}' });
	expect(result.items(NODE)).toHaveLength(sandbox().store.groups.count);
});

test.each(['={{ $json.none }} ', '={{ $json.none }}\n', '= {{ $json.none }}', '={{ $json.none }}'])(
	'A filter is refused if its expression finds nothing, so that it does not list everything: %j',
	async (searchKey) => {
		const parameters = { resource: 'group', operation: 'list', filters: { searchKey } };
		const { message: sentence } = await refusalOf(sandbox(), parameters);
		expect(sentence).toBe("'Name or GUID Contains' is empty: its expression returned no value");
	},
);

test('A filter is left out if its expression returns a blank text', async () => {
	const parameters = {
		resource: 'group',
		operation: 'list',
		filters: { searchKey: '={{ "  " }}' },
	};
	await run(sandbox(), parameters);
	expect(sandbox().log.at(-1)?.url).not.toContain('searchKey');
});

test('New Scope and the type of a new group have no default if their expressions return nothing', async () => {
	const member = { resource: 'group', groupId: 'makers', userId: 'mira', scope: '={{ null }}' };
	const created = {
		resource: 'group',
		operation: 'create',
		guid: 'a',
		name: 'A',
		type: '={{ "" }}',
		password: 'x',
	};
	for (const [parameters, label] of [
		[{ ...member, operation: 'changeScope' }, 'New Scope'],
		[created, 'Type'],
	] as const) {
		const { message: sentence } = await refusalOf(sandbox(), parameters);
		expect(sentence).toBe(`'${label}' is empty: its expression returned no value`);
	}
});
