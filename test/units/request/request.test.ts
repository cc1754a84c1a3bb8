import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { InputError } from '../../../nodes/CometChat/errors/describedErrors';
import { getLabelsByFieldName } from '../../../nodes/CometChat/request/fieldTree';
import { buildRequestFromParameters } from '../../../nodes/CometChat/request/request';
import { toRequestPolicy } from '../../../nodes/CometChat/request/requestPolicy';
import type { ParameterReader } from '../../../nodes/CometChat/request/parameterReader';
import type { Field, ParameterValues } from '../../../nodes/CometChat/types';
import { createReader, type Parameters } from './reader';

/** Builds the request for an operation that has the given fields. */
const read = (fields: Field[], parameters: Parameters, routing?: INodePropertyRouting) =>
	buildRequestFromParameters({ fields, routing }, createReader(parameters));

const field = (name: string, type: INodeProperties['type'], more: Partial<Field> = {}): Field => ({
	displayName: `The ${name}`,
	name,
	type,
	default: '',
	...more,
});

const inQuery = (property: string) => ({ routing: { send: { type: 'query' as const, property } } });

const inBody = (property: string, value?: string) => ({
	routing: { send: { type: 'body' as const, property, value } },
});

const several = { typeOptions: { multipleValues: true } };

const collection = (name: string, options: Field[], more: Partial<Field> = {}) =>
	field(name, 'collection', { default: {}, options, ...more });

const kind = field('kind', 'options', {
	default: 'x',
	options: ['x', 'y'].map((value) => ({ name: value, value })),
});

const refusal = (message: string, description?: string) =>
	expect.objectContaining({ constructor: InputError, message, description });

describe('The request', () => {
	test('omits an empty JSON object, but rejects an empty list in its place', () => {
		const json = [field('a', 'json', inBody('a'))];
		const { request } = read(json, { a: '{}' });
		expect(request).toEqual({ method: 'GET', path: '', query: {}, headers: {} });
		expect(() => read(json, { a: [] })).toThrow("'The a' must be a JSON object, but it is []");
	});

	test("adds a field's query values, unless the user sets them", () => {
		const to = field('to', 'number', {
			routing: { ...inQuery('to').routing, request: { qs: { from: 0 } } },
		});
		const from = field('from', 'string', inQuery('from'));
		expect(read([to, from], { to: 9 }).request.query).toEqual({ to: 9, from: 0 });
		expect(read([to, from], { to: 9, from: '5' }).request.query).toEqual({ to: 9, from: '5' });
		expect(read([from, to], { to: 9, from: '5' }).request.query).toEqual({ to: 9, from: '5' });
	});

	test('is checked after all fields were read', () => {
		const check = ({ a, b }: ParameterValues) => {
			if (a !== undefined && b === undefined) throw new InputError('B', 'is empty, but A needs it');
		};
		const operation = { fields: [field('a', 'string'), field('b', 'string')], check };
		expect(() => buildRequestFromParameters(operation, createReader({ a: '1' }))).toThrow(
			"'B' is empty, but A",
		);
		expect(buildRequestFromParameters(operation, createReader({ a: '1', b: '2' })).values).toEqual({
			a: '1',
			b: '2',
		});
	});
});

describe('An empty field', () => {
	/**
	 * Builds a request with an empty body field. Returns the request body, or the error message and
	 * description.
	 */
	const readEmpty = (more: Partial<Field>, empty: unknown, isExpression = true) => {
		const operation = { fields: [field('a', 'string', { ...inBody('a'), ...more })] };
		try {
			return buildRequestFromParameters(
				operation,
				createReader({ a: empty }, isExpression ? ['a'] : []),
			).request.body;
		} catch (error) {
			const { message, description } = Object(error);
			return `${message}. ${description}`;
		}
	};

	const NO_VALUE =
		"'The a' is empty: its expression returned no value. Check the field names in its expression, and that the fields have values.";

	const TO_ACT_AS_APP = `${NO_VALUE} To act as the app itself, clear 'The a'.`;

	const TO_OMIT = `${NO_VALUE} To leave 'The a' out, give null or an empty text.`;

	const TO_REMOVE = "'The a' is empty. Fill in 'The a', or remove it.";

	test.each<[Partial<Field>, unknown, unknown, unknown]>([
		[{}, undefined, undefined, TO_OMIT],
		[{ required: true }, "'The a' is empty. Fill in 'The a'.", NO_VALUE, NO_VALUE],
		[{ whenEmpty: 'unset' }, { unset: ['a'] }, { unset: ['a'] }, TO_OMIT],
		[{ whenEmpty: 'send' }, { a: [] }, { a: [] }, TO_OMIT],
		[{ whenEmpty: 'refuseExpression' }, undefined, TO_ACT_AS_APP, TO_ACT_AS_APP],
		[{ whenEmpty: 'refuseFixed' }, TO_REMOVE, undefined, TO_OMIT],
	])('with %j, typed: %j, null or "": %j, undefined: %j', (more, typed, empty, missing) => {
		expect(readEmpty(more, '', false)).toEqual(typed);
		expect(readEmpty(more, '')).toEqual(empty);
		expect(readEmpty(more, null)).toEqual(empty);
		expect(readEmpty({ ...more, type: 'resourceLocator' }, { mode: 'id', value: '' })).toEqual(
			empty,
		);
		expect(readEmpty(more, undefined)).toEqual(missing);
		expect(readEmpty({ ...more, ...several }, ['x', undefined])).toEqual(missing);
	});

	test.each<NonNullable<Field['whenEmpty']>>(['unset', 'send'])(
		'of a tool changes nothing, also with whenEmpty: %s',
		(whenEmpty) => {
			const operation = { fields: [field('a', 'string', { ...inBody('a'), whenEmpty })] };
			for (const empty of ['', null, undefined]) {
				const reader = { ...createReader({ a: empty }, ['a']), isTool: true };
				expect(buildRequestFromParameters(operation, reader).request.body).toBeUndefined();
			}
		},
	);

	test('may be a list that contains only commas', () => {
		const tags = field('a', 'string', { ...several, required: true });
		expect(() => read([tags], { a: ' , ' })).toThrow(
			refusal("'The a' is empty", "Fill in 'The a'."),
		);
		expect(read([tags], { a: ' ,b ' }).values).toEqual({ a: ['b'] });
	});

	test('in a collection follows its own rules', () => {
		const inner = [
			field('one', 'string', { ...inBody('one'), whenEmpty: 'unset' }),
			field('two', 'string', { ...inBody('two'), whenEmpty: 'unset' }),
			field('three', 'string', inBody('three')),
		];
		const operation = { fields: [collection('all', inner, { required: true })] };
		const readWith = (given: Parameters) =>
			buildRequestFromParameters(operation, createReader({ all: given }));
		const { request, values } = readWith({ one: '', two: ' ' });
		expect(request.body).toEqual({ unset: ['one', 'two'] });
		expect(values).toEqual({ all: {} });
		expect(() => readWith({ three: '' })).toThrow(
			refusal("'The all' is empty", 'Add at least one field.'),
		);
		expect(() => readWith({ one: '1', three: undefined })).toThrow(
			"'The three' is empty: its expression returned no value",
		);
		expect(readWith({ one: '1', three: '' }).request.body).toEqual({ one: '1' });
	});
});

test('a filled field may replace the path', () => {
	const longer = { request: { url: '/m/{id}/r/{reaction}' } };
	const fields = [field('id', 'string'), field('reaction', 'string', { routing: longer })];
	const url = { request: { url: '/m/{id}/r' } };
	expect(read(fields, { id: '5' }, url).request.path).toBe('/m/5/r');
	expect(read(fields, { id: '5/6', reaction: ' a#' }, url).request.path).toBe('/m/5%2F6/r/a%23');
	expect(() => read(fields, { id: '..' }, url)).toThrow(
		refusal(`'The id' must not be ".."`, 'It would change the URL of the request.'),
	);
});

describe('The display options', () => {
	test.each<[INodeProperties['displayOptions'], boolean]>([
		[undefined, true],
		[{ show: { kind: ['x'] } }, true],
		[{ show: { kind: ['y', 'x'] } }, true],
		[{ show: { kind: ['y'] } }, false],
		[{ show: { '/kind': ['y'] } }, false],
		[{ hide: { kind: ['x'] } }, false],
		[{ hide: { '/kind': ['x'] } }, false],
		[{ hide: { kind: ['y'] } }, true],
		[{ show: { kind: ['x'] }, hide: { kind: ['x'] } }, false],
		// Conditions on the resource and operation are ignored
		[{ show: { kind: ['x'], resource: ['group'] } }, true],
		[{ show: { kind: ['y'], resource: ['group'] } }, false],
		[{ hide: { resource: ['group'] } }, true],
	])('%j show and read a field: %j', (displayOptions, isShown) => {
		const names: string[] = [];
		const fields = [kind, field('a', 'string', { required: true, displayOptions })];
		const recording: ParameterReader['read'] = (name, fallback) => {
			names.push(name);
			return name === 'a' ? '1' : fallback;
		};
		const { values } = buildRequestFromParameters(
			{ fields },
			{ ...createReader({}), read: recording },
		);
		expect(names).toEqual(isShown ? ['kind', 'a'] : ['kind']);
		expect('a' in values).toBe(isShown);
	});
});

describe('A collection', () => {
	const fields = [
		collection('filters', [
			field('text', 'string', inQuery('text')),
			field('flag', 'boolean', { default: true, ...inQuery('flag') }),
			field('only', 'boolean', { ...inQuery('only'), check: (value) => value || undefined }),
		]),
	];

	test.each<[unknown, object]>([
		['{"text": "a"}', { text: 'a' }],
		[{ only: false, text: 'a' }, { text: 'a' }],
		[{ perPage: ' ' }, {}],
		['', {}],
		[null, {}],
	])('with %j sends %j', (filters, sent) => {
		const { request, values } = read(fields, { filters });
		expect(request.query).toEqual(sent);
		expect(values).toEqual({ filters: sent });
	});

	test.each(['perPage', 'toString', '__proto__'])('rejects the unknown field %s', (name) => {
		const filters = Object.fromEntries([[name, 'x']]);
		expect(() => read(fields, { filters })).toThrow(
			refusal(`'${name}' is not one of the fields of 'The filters'`),
		);
	});

	test('is checked as a whole, with its label', () => {
		const check = jest.fn((value: unknown) => value);
		read([{ ...fields[0], check }], { filters: { text: 'a' } });
		expect(check.mock.calls).toEqual([[{ text: 'a' }, 'The filters']]);
	});
});

test.each<[unknown, number, number, number]>([
	[undefined, 60_000, 6, 300_000],
	[{}, 60_000, 6, 300_000],
	[{ timeout: 1, maxTries: 1, maxWait: 0 }, 1, 1, 0],
	[{ maxTries: 100, maxWait: 86_400 }, 60_000, 100, 86_400_000],
])(
	'reads the request options %j as %i ms per attempt and %i attempts within %i ms',
	(options, timeoutMs, maxAttempts, maxWaitMs) => {
		expect(toRequestPolicy(options)).toEqual({ timeoutMs, maxAttempts, maxWaitMs });
	},
);

test('lists the labels of fields, including fields in collections', () => {
	const choice = { ...field('b', 'options'), options: [{ name: 'X', value: 'x' }] };
	const collection = {
		...field('c', 'collection'),
		options: [field('d', 'string')],
	};
	expect(getLabelsByFieldName([field('a', 'string'), choice, collection])).toEqual({
		...{ a: 'The a', b: 'The b' },
		...{ c: 'The c', d: 'The d' },
	});
});
