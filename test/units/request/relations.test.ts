import type {
	Field,
	Operation,
	FieldRelations,
	ParameterValues,
} from '../../../nodes/CometChat/types';
import { InputError } from '../../../nodes/CometChat/errors/describedErrors';
import { pollingProperties } from '../../../nodes/CometChat/pollingTrigger/properties';
import { resources } from '../../../nodes/CometChat/resources';
import {
	addRelationHintsToFields,
	checkFieldRelations,
} from '../../../nodes/CometChat/request/relations';
import { choicesOf, listPlaces } from '../../fields';

/** Lists the relations that an operation's fields and their choices declare, e.g. "Type excludes Types". */
function listRelations(fields: Field[]): string[] {
	const all = listPlaces(fields).map(({ field }) => field);
	const labelOf = (name: string) => all.find((field) => field.name === name)?.displayName;
	const listOf = (label: string, { needs = [], excludes = [] }: FieldRelations) => [
		...needs.map((name) => `${label} needs ${labelOf(name)}`),
		...excludes.map((name) => `${label} excludes ${labelOf(name)}`),
	];
	return all.flatMap((field) => [
		...listOf(field.displayName, field),
		...choicesOf(field).flatMap((choice) => listOf(`${field.displayName}: ${choice.name}`, choice)),
	]);
}

const OPERATIONS: Array<Pick<Operation, 'action' | 'fields'>> = [
	...resources.flatMap(({ operations }) => operations),
	{ action: 'Poll', fields: pollingProperties },
];

test('Fields declare their relations', () => {
	const all = OPERATIONS.flatMap(({ action, fields }) =>
		listRelations(fields).map((relation) => `${action}: ${relation}`),
	);
	expect(all.sort().join('\n')).toMatchSnapshot();
});

const field = (name: string, more: Partial<Field> = {}): Field => ({
	...{ displayName: name.toUpperCase(), name, type: 'string', default: '' },
	...more,
});

const FIELDS = [
	field('all', {
		type: 'collection',
		options: [
			field('a', { needs: ['b'], excludes: ['c', 'd'] }),
			...['b', 'c', 'd'].map((name) => field(name)),
		],
	}),
	field('kind', {
		type: 'multiOptions',
		options: [
			{ name: 'X', value: 'x', needs: ['b'] },
			{ name: 'Y', value: 'y', excludes: ['b'] },
		] as Field['options'],
	}),
];

const EXCLUDED = 'Use only one of them.';

test.each<[ParameterValues, string, string]>([
	[{ a: '1' }, "'B' is empty, but 'A' requires it", "Fill in 'B', or remove 'A'."],
	[{ a: '1', b: '2', d: '3' }, "'A' can't be combined with 'D'", EXCLUDED],
	[{ kind: 'x' }, "'B' is empty, but 'KIND: X' requires it", "Fill in 'B', or remove 'KIND: X'."],
	[{ kind: ['y'], b: '2' }, "'KIND: Y' can't be combined with 'B'", EXCLUDED],
])('rejects %j: %s', ({ kind, ...all }, message, description) => {
	expect(() => checkFieldRelations(FIELDS, { kind, all })).toThrow(
		expect.objectContaining({ constructor: InputError, message, description }),
	);
});

test.each<ParameterValues>([
	{ a: '1', b: '2' },
	{ kind: 'x', b: '2' },
	{ kind: ['y'], c: '3' },
	...['', null, undefined, [], {}, false].flatMap((empty) => [
		{ a: empty, c: '3' },
		{ a: '1', b: '2', c: empty },
	]),
])('accepts %j', ({ kind, ...all }) => {
	expect(() => checkFieldRelations(FIELDS, { kind, all })).not.toThrow();
});

test('Relations of a hidden collection do not concern a field with the same name', () => {
	const collection = (label: string, kind: string) =>
		field('filters', {
			type: 'collection',
			displayOptions: { show: { kind: [kind] } },
			options: [
				field('in', { displayName: `${label} In`, needs: ['text'] }),
				field('text', { displayName: `${label} Text` }),
			],
		});
	const fields = [field('kind'), collection('Group', 'group'), collection('User', 'user')];
	expect(() => checkFieldRelations(fields, { kind: 'user', filters: { in: 'name' } })).toThrow(
		"'User Text' is empty, but 'User In' requires it",
	);
	const hints = addRelationHintsToFields(fields).flatMap(({ options = [] }) =>
		options.map((option) => ('hint' in option ? option.hint : undefined)),
	);
	expect(hints).toEqual(['Requires Group Text', undefined, 'Requires User Text', undefined]);
});

test('A key of a JSON value is no field', () => {
	const fields = [...FIELDS, field('json', { type: 'json' })];
	const check = (values: ParameterValues) => () => checkFieldRelations(fields, values);
	expect(check({ all: { a: '1' }, json: { b: '2' } })).toThrow("'B' is empty");
	expect(check({ all: { a: '1', b: '2' }, json: { c: '3' } })).not.toThrow();
});

test('Fields have a hint that names the fields they need or exclude', () => {
	const [{ options = [] }] = addRelationHintsToFields(FIELDS);
	expect(options.map((option) => ('hint' in option ? option.hint : undefined))).toEqual([
		'Requires B. Not together with C or D',
		...[undefined, 'Not together with A', 'Not together with A'],
	]);
});
