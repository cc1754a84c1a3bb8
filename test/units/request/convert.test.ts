import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../../nodes/CometChat/errors/describedErrors';
import {
	listOptionValuesOfField,
	convertFieldValue,
	toInteger,
} from '../../../nodes/CometChat/request/convert';
import { joinCheckedForQuery, toDistinctTexts } from '../../../nodes/CometChat/request/lists';
import {
	isNullishOrBlankOrEmptyList,
	toTextWithinLimit,
} from '../../../nodes/CometChat/request/texts';

const refusal = (message: string, description?: string) =>
	expect.objectContaining({ constructor: InputError, message, description });

test('recognizes empty values', () => {
	const empty = [undefined, null, '', ' \t\n ', [], ['', null, [undefined]]];
	const filled = [0, false, '0', {}, ['', 'a'], NaN];
	expect([...empty, ...filled].map(isNullishOrBlankOrEmptyList)).toEqual([
		...empty.map(() => true),
		...filled.map(() => false),
	]);
});

describe('A text', () => {
	test('is unchanged, or made from the digits of a number or the ISO 8601 format of a date', () => {
		const text = ' 👍🏽 #️⃣ e\u0301\u0000,\n';
		expect(toTextWithinLimit('Name', text)).toBe(text);
		const texts = [501, -1.5, new Date(0)].map((each) => toTextWithinLimit('ID', each));
		expect(texts).toEqual(['501', '-1.5', '1970-01-01T00:00:00.000Z']);
		expect(toTextWithinLimit('ID', Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
		expect(() => toTextWithinLimit('ID', 2 ** 53)).toThrow(
			refusal(
				"'ID' is a number that is too large to be exact",
				"Give 'ID' as text, so that every digit is kept.",
			),
		);
	});

	test.each<[unknown, string, string | undefined]>([
		[NaN, 'NaN', undefined],
		[new Date(NaN), 'an object', 'Use one of its fields.'],
		[Infinity, 'Infinity', undefined],
		[undefined, 'undefined', undefined],
		[Symbol('s'), 'symbol', undefined],
		[null, 'null', undefined],
		[{ id: '71', name: 'a' }, 'an object', 'Use one of its fields, e.g. name.'],
		[[1], '[1]', "Give one value, not a list. To join the values of a list, use .join(', ')."],
	])('cannot be made from %p', (value, shown, advice) => {
		expect(() => toTextWithinLimit('Name', value)).toThrow(
			refusal(`'Name' must be text, but it is ${shown}`, advice),
		);
	});

	test('can have 65,536 characters', () => {
		const longest = 'a'.repeat(65_536);
		expect(toTextWithinLimit('Text', longest)).toBe(longest);
		expect(() => toTextWithinLimit('Text', `${longest}a`)).toThrow(
			expect.objectContaining({
				message: "'Text' is longer than 65536 characters: it has 65537",
			}),
		);
	});

	test('must contain complete characters', () => {
		for (const text of ['\ud83d', 'a\udc4d', '\udc4d\ud83d']) {
			expect(() => toTextWithinLimit('Reaction', text)).toThrow(
				expect.objectContaining({ message: "'Reaction' contains an incomplete emoji" }),
			);
		}
	});
});

describe('A whole number', () => {
	test('is accepted within its range, as a number or as digits', () => {
		fc.assert(
			fc.property(fc.integer(), fc.nat(), fc.nat(), (number, below, above) => {
				const [min, max] = [number - below, number + above];
				expect(toInteger('Limit', number, min, max)).toBe(number);
				expect(toInteger('Limit', ` ${number} `, min, max)).toBe(number);
				for (const wrong of [min - 1, max + 1]) {
					expect(() => toInteger('Limit', wrong, min, max)).toThrow(
						`'Limit' must be a whole number from ${min} to ${max}, but it is ${wrong}`,
					);
				}
			}),
		);
		expect(() => toInteger('Limit', 0, 1)).toThrow(
			refusal("'Limit' must be a whole number of at least 1, but it is 0"),
		);
	});

	test('cannot be made from fractions and other values', () => {
		for (const value of [1.5, '1.5', '1e3', '0x10', '', null, true, NaN, Infinity, [5], '٣']) {
			expect(() => toInteger('Page', value, 0, 9)).toThrow(/^'Page' must be a whole number from/);
		}
	});
});

describe('A list of texts', () => {
	test.each([
		[['ann', 'bob']],
		[[['ann', 'bob']]],
		['["ann","bob"]'],
		[['["ann","bob"]']],
		['ann\nbob'],
		[' ann , bob,ann'],
		[' ann,bob,'],
		['ann,\nbob ,'],
	])('has each text once, given %j', (value) => {
		expect(toDistinctTexts('Tags', value)).toEqual(['ann', 'bob']);
	});

	test('keeps the brackets of its entries', () => {
		expect(toDistinctTexts('Tags', ['[1]', '[2024]', '[]', 'vip'])).toEqual([
			'[1]',
			'[2024]',
			'[]',
			'vip',
		]);
		expect(toDistinctTexts('Tags', '["[1]", 2]')).toEqual(['[1]', '2']);
	});

	test('may contain booleans only if they stand for texts', () => {
		expect(toDistinctTexts('Choices', [true, false], { takesBooleans: true })).toEqual([
			'true',
			'false',
		]);
		expect(toDistinctTexts('Choices', '[true, false]', { takesBooleans: true })).toEqual([
			'true',
			'false',
		]);
		expect(() => toDistinctTexts('Choices', true, { takesBooleans: true })).toThrow('must be text');
		expect(() => toDistinctTexts('User Names or IDs', [true])).toThrow('must be text');
	});

	test('may be long, and its texts may contain commas', () => {
		const entries = Array.from({ length: 300 }, (_, i) => `entry-${i}`);
		expect(toDistinctTexts('Tags', entries.join(','))).toEqual(entries);
		expect(toDistinctTexts('Tags', ['a,b', ' c '])).toEqual(['a,b', 'c']);
	});

	test('is refused if its JSON is broken, and as a filter if a text contains a comma', () => {
		for (const broken of ['["ann", "bob"', "['ann', 'bob']"]) {
			expect(() => toDistinctTexts('Tags', broken)).toThrow("'Tags' is not valid JSON: ");
		}
		expect(() => joinCheckedForQuery('Tags', ['a', 'b,c'])).toThrow(
			refusal(
				`'Tags' contains "b,c", which has a comma`,
				'CometChat separates values by commas, so it cannot search for a value that contains one.',
			),
		);
	});
});

describe('The value of a field', () => {
	const convert = (
		type: INodeProperties['type'],
		more: Partial<INodeProperties>,
		value: unknown,
	) => {
		const field = { displayName: 'The Field', name: 'field', type, default: '', ...more };
		return convertFieldValue(value, field, 'Europe/Berlin');
	};

	const options = [
		{ name: 'One', value: 1 },
		{ name: 'Two', value: 'two' },
	];

	const several = { typeOptions: { multipleValues: true } };

	type ValueRow = [INodeProperties['type'], Partial<INodeProperties>, unknown, unknown];

	test.each<ValueRow>([
		...[true, ' TRUE ', 'yes', 'YES', 1, '1'].map((value): ValueRow => [
			'boolean',
			{},
			value,
			true,
		]),
		...[false, 'False\n', 'no', 0, '0'].map((value): ValueRow => ['boolean', {}, value, false]),
		['json', {}, '{"a": 1}', { a: 1 }],
		['json', {}, { a: 1, b: undefined, c: new Date(0) }, { a: 1, c: '1970-01-01T00:00:00.000Z' }],
		[
			'json',
			{},
			'{"a": 9007199254740991, "b": "9007199254740993"}',
			{ a: 2 ** 53 - 1, b: '9007199254740993' },
		],
		['multiOptions', { options }, 'two, 1', ['two', '1']],
		['number', { typeOptions: { minValue: 1, maxValue: 9 } }, '9', 9],
		['number', {}, '-9007199254740991', Number.MIN_SAFE_INTEGER],
		['options', { options }, 1, '1'],
		['options', { options }, ' TWO\n', 'two'],
		['resourceLocator', {}, ' ann\n', 'ann'],
		['string', {}, ' ann\n', 'ann'],
		['string', { typeOptions: { rows: 3 } }, ' ann\n', ' ann\n'],
		['string', { typeOptions: { loadOptionsMethod: 'getUsers' } }, 'ann', ['ann']],
		['options', { typeOptions: { loadOptionsMethod: 'getRoles' } }, ' Support ', 'Support'],
		['string', several, '[draft]', ['[draft]']],
		['string', several, ['a,b', ' c\nd'], ['a,b', 'c', 'd']],
		['multiOptions', { options }, '["Two", 1]', ['two', '1']],
	])('of type %s with %j is converted from %j to %j', (type, more, value, expected) => {
		expect(convert(type, more, value)).toEqual(expected);
	});

	test('has a type with a converter', () => {
		expect(() => convert('color', {}, '#ffffff')).toThrow('Fields of type color have no value');
	});

	test.each<[INodeProperties['type'], Partial<INodeProperties>, unknown, string]>([
		['boolean', {}, {}, 'must be true or false, but it is {}'],
		['boolean', {}, 'x'.repeat(99), `must be true or false, but it is "${'x'.repeat(59)}…`],
		['dateTime', {}, 'soon', 'must be a date since 1970, but it is "soon"'],
		['json', {}, new Date(0), 'must be a JSON object, but it is "1970-01-01T00:00:00.000Z"'],
		['json', {}, '[1]', 'must be a JSON object, but it is [1]'],
		['json', {}, 5, 'must be a JSON object, but it is 5'],
		[
			'json',
			{},
			'{"a": [{"b": 9007199254740993}]}',
			'contains a number that is too large to be exact, under a.0.b',
		],
		['json', {}, '{"a": -1e400}', 'contains a number that is too large to be exact, under a'],
		['multiOptions', { options }, ['two', 'three'], 'must be one of 1, two, but it is "three"'],
		[
			'number',
			{ typeOptions: { minValue: 1 } },
			0,
			'must be a whole number of at least 1, but it is 0',
		],
		[
			'number',
			{ typeOptions: { minValue: 1, maxValue: 9 } },
			10,
			'must be a whole number from 1 to 9, but it is 10',
		],
		['options', { options }, 'One', 'must be one of 1, two, but it is "One"'],
		['options', { options }, true, 'must be one of 1, two, but it is true'],
		['options', { options }, ['two'], 'must be text, but it is ["two"]'],
		['resourceLocator', {}, true, 'must be text, but it is true'],
		['string', several, [{}], 'must be text, but it is an object'],
	])('of type %s with %j cannot be %p', (type, more, value, problem) => {
		expect(() => convert(type, more, value)).toThrow(
			expect.objectContaining({ constructor: InputError, message: `'The Field' ${problem}` }),
		);
	});

	test('lists its options without its inner fields', () => {
		const inner = { displayName: 'B', name: 'b', type: 'string' as const, default: '' };
		expect(
			listOptionValuesOfField({ ...inner, options: [{ name: 'One', value: 1 }, inner] }),
		).toEqual(['1']);
		expect(listOptionValuesOfField(inner)).toEqual([]);
	});
});
