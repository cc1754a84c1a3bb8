import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../../../nodes/CometChat/types';
import { InputError } from '../../../nodes/CometChat/errors/inputError';
import { pollingProperties } from '../../../nodes/CometChat/pollingTrigger/properties';
import { resources } from '../../../nodes/CometChat/resources';
import { webhookFields } from '../../../nodes/CometChat/webhookTrigger/properties';
import { convertValue } from '../../../nodes/CometChat/request/convert';
import { readRequest } from '../../../nodes/CometChat/request/request';
import { choicesOf, isLeaf, listPlaces, type Place } from '../../fields';

/** The node's and the triggers' fields, each with a name such as "List groups: filters.tags". */
const PLACES = [
	...resources.flatMap(({ operations }) => operations),
	{ action: 'Polling trigger', fields: pollingProperties },
	{ action: 'Webhook trigger', fields: webhookFields },
].flatMap(({ action, fields }) =>
	listPlaces(fields)
		.filter(isLeaf)
		.map((place) => ({ ...place, name: `${action}: ${place.path.join('.')}` })),
);

/** Fields that occur in several operations are tested once. */
const DISTINCT = [
	...new Map(PLACES.map((place) => [JSON.stringify(place.field), place])).values(),
].map((place): [string, Place] => [place.name, place]);

const takesList = ({ type, typeOptions }: Field) =>
	type === 'multiOptions' || typeOptions?.multipleValues === true;

/** Returns a valid value of a field, as text. */
function sampleOf(field: Field): string {
	const { name, type } = field;
	const [choice] = choicesOf(field);
	if (choice !== undefined) return String(choice.value);
	if (type === 'json') return '{"a":1}';
	if (type === 'dateTime') return '2026-01-31T08:00:00Z';
	if (type === 'number') return '7';
	if (type === 'boolean') return 'true';
	return name === 'email' ? 'ann@example.com' : 'sample';
}

/**
 * Reads a value as a top-level optional field, and returns the checked value.
 *
 * @param isExpression true if the value comes from an expression
 */
function readField({ field }: Place, value: unknown, isExpression = true): unknown {
	const reader = {
		read: () => value,
		isExpression: () => isExpression,
		isTool: false,
		timezone: 'Europe/Berlin',
	};
	const { send } = field.routing ?? {};
	// Without its relations to other fields, which have their own test
	const alone: Field = {
		...{ ...field, displayOptions: undefined, needs: undefined, excludes: undefined },
		routing: send && { send },
		options: choicesOf(field).map(({ value: choice }) => ({ name: String(choice), value: choice })),
	};
	return readRequest({ fields: [alone] }, reader).values[field.name];
}

/** Returns the value, or the error that names the field. Any other error fails the test. */
function outcomeOf(place: Place, value: unknown, isExpression = true): unknown {
	try {
		return readField(place, value, isExpression);
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		expect((error as Error).message).toContain(`'${place.field.displayName}'`);
		return error;
	}
}

const isLuxon = (iso: string) => ({
	isLuxonDateTime: true,
	toMillis: () => Date.parse(iso),
	toJSON: () => iso,
});

describe.each(DISTINCT)('%s', (_, place) => {
	const { field } = place;
	const { type, required, whenEmpty, typeOptions } = field;
	const text = sampleOf(field);
	const sample = readField(place, text);
	const fallback = ['boolean', 'number', 'options'].includes(type) ? field.default : undefined;

	test('refuses an expression that finds nothing', () => {
		expect(outcomeOf(place, undefined)).toBeInstanceOf(InputError);
		expect(String(outcomeOf(place, undefined))).toContain('its expression returned no value');
		if (takesList(field)) expect(outcomeOf(place, ['x', undefined])).toBeInstanceOf(InputError);
	});

	test('leaves null, an empty text and white space out, unless it has to have a value', () => {
		if (type === 'json') expect(outcomeOf(place, [])).toBeInstanceOf(InputError);
		for (const empty of [null, '', ' \n', ...(type === 'json' ? [] : [[]])]) {
			const outcome = outcomeOf(place, empty);
			if (required || whenEmpty === 'refuseExpression') expect(outcome).toBeInstanceOf(InputError);
			else expect(outcome).toEqual(whenEmpty === 'send' ? [] : fallback);
			if (!required) {
				expect(outcomeOf(place, empty, false)).toEqual(whenEmpty === 'send' ? [] : fallback);
			}
		}
	});

	test('reads its value with white space around it', () => {
		const padded = `  ${text}\n`;
		const isLongText = typeOptions?.rows !== undefined;
		expect(readField(place, padded)).toEqual(isLongText ? padded : sample);
		if (takesList(field)) expect(readField(place, [padded])).toEqual(sample);
	});

	test('accepts or refuses numbers, booleans, lists, JSON texts, objects and dates by name', () => {
		const others = [0, 5, -1, 1e20, NaN, true, false, ['a', 'b'], '["a","b"]', '{"a":1}', { a: 1 }];
		const dates = [new Date(0), isLuxon('2026-01-31T08:00:00.000Z')];
		for (const value of [...others, ...dates, '\ud83d', [[['a']]], Symbol('x')]) {
			outcomeOf(place, value);
		}
	});

	if (type === 'boolean') {
		test('is a switch that reads true, yes, 1, false, no and 0 in any case', () => {
			for (const value of [true, 'true', ' TRUE ', 'True', 'yes', 'YES', 1, '1']) {
				expect(convertValue(value, field, '')).toBe(true);
			}
			for (const value of [false, 'false', 'False\n', 'no', 0, '0']) {
				expect(convertValue(value, field, '')).toBe(false);
			}
			expect(outcomeOf(place, 'maybe')).toBeInstanceOf(InputError);
		});
	}

	if (type === 'options' || (type === 'multiOptions' && choicesOf(field).length > 0)) {
		test('is a choice whose values are read in any case', () => {
			for (const { value: choice } of choicesOf(field)) {
				const expected = type === 'options' ? String(choice) : [String(choice)];
				expect(readField(place, ` ${String(choice).toUpperCase()}\n`)).toEqual(expected);
			}
			expect(outcomeOf(place, 'nothing of the kind')).toBeInstanceOf(InputError);
		});
	}

	if (takesList(field)) {
		test('is a list, a JSON list, lines, or values separated by commas', () => {
			const [first = 'ann', second = 'bob'] = choicesOf(field).map(({ value }) => String(value));
			const expected = [first, second];
			for (const value of [
				expected,
				[expected],
				JSON.stringify(expected),
				[JSON.stringify(expected)],
				expected.join('\n'),
				expected.join(' , '),
				` ${expected.join(',')},`,
				`${expected.join(',\n')} ,`,
			]) {
				expect(readField(place, value)).toEqual(expected);
			}
		});
	}

	if (takesList(field)) {
		test('refuses a broken JSON list', () => {
			for (const broken of ['["ann", "bob"', "['ann', 'bob']"]) {
				expect(String(outcomeOf(place, broken))).toContain('must be a JSON list');
			}
		});
	}

	if (typeOptions?.loadOptionsMethod !== undefined || field.name === 'fields') {
		test('splits its entries at commas, because no ID or field name contains one', () => {
			expect(readField(place, ['ann, bob'])).toEqual(['ann', 'bob']);
		});
	}

	if (takesList(field) && type === 'string') {
		test('keeps entries with a comma whole, unless they are names, or refuses them in a filter', () => {
			const outcome = outcomeOf(place, ['Berlin, Germany']);
			const isFilter = field.routing?.send?.type === 'query';
			if (isFilter) expect(String(outcome)).toContain('which has a comma');
			else if (field.name === 'fields') expect(outcome).toEqual(['Berlin', 'Germany']);
			else expect(outcome).toEqual(['Berlin, Germany']);
		});
	}
});

test.each(
	DISTINCT.filter(
		([, { field }]) => field.type === 'resourceLocator' || /Id$|^uid|^guid|^muid$/.test(field.name),
	),
)('%s refuses an ID made from a missing value', (_, place) => {
	for (const broken of ['undefined', 'null', 'NaN', '[object Object]', ' undefined\n']) {
		expect(String(outcomeOf(place, broken))).toContain('which is not an ID');
	}
});

test('All fields are tested, and the list of kinds is complete', () => {
	const kinds = new Set<INodeProperties['type']>(PLACES.map(({ field }) => field.type));
	expect([...kinds].sort()).toEqual([
		...['boolean', 'dateTime', 'json', 'multiOptions', 'number', 'options', 'resourceLocator'],
		'string',
	]);
	expect(DISTINCT.length).toBeGreaterThan(100);
});
