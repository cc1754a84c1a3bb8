import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../../../nodes/CometChat/errors/inputError';
import {
	choicesOf,
	convert,
	isEmpty,
	toChoice,
	toFlag,
	toInteger,
	toList,
	toObject,
	toText,
} from '../../../../nodes/CometChat/operation/values';

/** The InputError that a call throws. */
function refusalOf(call: () => unknown): InputError {
	try {
		call();
	} catch (error) {
		if (error instanceof InputError) return error;
		throw error;
	}
	throw new Error('nothing was refused');
}

describe('isEmpty', () => {
	test.each([[undefined], [null], [''], [' \t\n '], [[]], [['', null, [undefined]]]])(
		'%j was left empty',
		(value) => expect(isEmpty(value)).toBe(true),
	);

	test.each([[0], [false], ['0'], [{}], [['', 'a']], [NaN]])('%j was filled in', (value) =>
		expect(isEmpty(value)).toBe(false),
	);
});

describe('toText', () => {
	test('a text stays exactly as it was typed', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
				fc.pre(text.length <= 1_000);
				expect(toText('Name', text)).toBe(text);
			}),
		);
	});

	test('a number becomes its digits', () => {
		expect(toText('Message ID', 501)).toBe('501');
		expect(toText('Message ID', -1.5)).toBe('-1.5');
		expect(toText('Message ID', 2n ** 70n)).toBe('1180591620717411303424');
		expect(toText('Message ID', Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
	});

	test('a whole number that lost digits on its way is refused, with what to do', () => {
		const error = refusalOf(() => toText('Message ID', 2 ** 53));
		expect(error.message).toBe("'Message ID' is a number too large to be exact");
		expect(error.description).toContain("'Message ID' as text");
	});

	test.each([
		[NaN, 'null'],
		[Infinity, 'null'],
		[true, 'true'],
		[{ a: 1 }, '{"a":1}'],
		[[1], '[1]'],
	])('%p is no text, and the message shows it', (value, shown) => {
		expect(refusalOf(() => toText('Name', value)).message).toBe(
			`'Name' must be text, but it is ${shown}`,
		);
	});

	test('what has no JSON is shown by its type', () => {
		expect(refusalOf(() => toText('Name', undefined)).message).toContain('it is undefined');
		expect(refusalOf(() => toText('Name', Symbol('s'))).message).toContain('it is symbol');
	});

	test('a long wrong value is shown cut, not whole', () => {
		const { message } = refusalOf(() => toText('Name', { text: 'x'.repeat(500) }));
		expect(message.length).toBeLessThan(120);
		expect(message).toMatch(/…$/);
	});

	test('the longest text passes and one more character does not', () => {
		expect(toText('Search Key', 'x'.repeat(1_000))).toHaveLength(1_000);
		expect(refusalOf(() => toText('Search Key', 'x'.repeat(1_000 + 1))).message).toBe(
			`'Search Key' is longer than 1000 characters`,
		);
	});

	test.each(['\ud83d', 'a\udc4d', '\udc4d\ud83d'])('half a character in %j is refused', (text) => {
		const error = refusalOf(() => toText('Reaction', text));
		expect(error.message).toBe("'Reaction' contains an incomplete emoji");
		expect(error.description).toContain('pass it on whole');
	});
});

describe('toFlag', () => {
	test('true and false count as booleans and as texts', () => {
		expect([true, 'true'].map((value) => toFlag('Return All', value))).toEqual([true, true]);
		expect([false, 'false'].map((value) => toFlag('Return All', value))).toEqual([false, false]);
	});

	test.each([['yes'], [1], [0], [null], [''], ['TRUE']])('%j is neither', (value) => {
		expect(refusalOf(() => toFlag('Return All', value)).message).toMatch(
			/^'Return All' must be true or false, but it is /,
		);
	});
});

describe('toInteger', () => {
	test('every whole number in the range passes, as number and as digits', () => {
		fc.assert(
			fc.property(fc.integer(), fc.nat(), fc.nat(), (number, below, above) => {
				const [min, max] = [number - below, number + above];
				expect(toInteger('Limit', number, min, max)).toBe(number);
				expect(toInteger('Limit', ` ${number} `, min, max)).toBe(number);
			}),
		);
	});

	test('every number outside the range is refused, and the message names the range', () => {
		fc.assert(
			fc.property(fc.integer(), fc.integer({ min: 1, max: 1_000_000 }), (min, gap) => {
				const max = min + 10;
				for (const number of [min - gap, max + gap]) {
					expect(refusalOf(() => toInteger('Limit', number, min, max)).message).toBe(
						`'Limit' must be a whole number from ${min} to ${max}, but it is ${number}`,
					);
				}
			}),
		);
	});

	test('a large whole number of JavaScript counts while it is exact', () => {
		expect(toInteger('Limit', 5n, 1)).toBe(5);
		expect(refusalOf(() => toInteger('Limit', 2n ** 53n, 1)).message).toBe(
			"'Limit' must be a whole number of at least 1, but it is 9007199254740992n",
		);
	});

	test('without an upper bound the message names only the lower one', () => {
		expect(refusalOf(() => toInteger('Limit', 0, 1, Number.MAX_SAFE_INTEGER)).message).toBe(
			"'Limit' must be a whole number of at least 1, but it is 0",
		);
	});

	test.each([
		[1.5],
		['1.5'],
		['1e3'],
		['0x10'],
		[''],
		[null],
		[true],
		[NaN],
		[Infinity],
		[[5]],
		['٣'],
	])('%p is no whole number', (value) => {
		expect(refusalOf(() => toInteger('Page', value, 0, 2000)).message).toMatch(
			/^'Page' must be a whole number/,
		);
	});
});

describe('toChoice', () => {
	test('an allowed value passes', () => {
		expect(toChoice('Affix', 'append', ['append', 'prepend'])).toBe('append');
	});

	test('any other one is refused, and the message names all that are allowed', () => {
		expect(refusalOf(() => toChoice('Affix', 'Append', ['append', 'prepend'])).message).toBe(
			`'Affix' must be one of append, prepend, but it is "Append"`,
		);
	});
});

describe('toList', () => {
	const entry = fc
		.string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
		.map((text) => text.replaceAll(',', '').trim())
		.filter((text) => text !== '');

	test('a list and one text with commas mean the same', () => {
		fc.assert(
			fc.property(fc.array(entry, { maxLength: 8 }), (texts) => {
				expect(toList('Tags', texts)).toEqual(texts);
				expect(toList('Tags', texts.join(' , '))).toEqual(texts);
				expect(toList('Tags', [texts.join(',')])).toEqual(texts);
			}),
		);
	});

	test('empty entries disappear and numbers become texts', () => {
		expect(toList('Tags', ['', null, ' a ', 'b,,c,', 7])).toEqual(['a', 'b', 'c', '7']);
		expect(toList('Tags', undefined)).toEqual([]);
	});

	test('each entry must be one of the allowed ones', () => {
		const allowed = ['public', 'private'];
		expect(toList('Types', 'public,private', { allowed })).toEqual(allowed);
		expect(refusalOf(() => toList('Types', 'public,secret', { allowed })).message).toBe(
			`'Types' must be one of public, private, but it is "secret"`,
		);
	});

	test('each entry has its own length, not one text of many', () => {
		const entries = Array.from({ length: 300 }, (_, i) => `entry-${i}`);
		expect(toList('Tags', entries.join(','))).toEqual(entries);
		expect(refusalOf(() => toList('Tags', `a,${'x'.repeat(1_001)}`)).message).toBe(
			"'Tags' is longer than 1000 characters",
		);
	});

	test('an entry that is no text is refused', () => {
		expect(refusalOf(() => toList('Tags', [{ name: 'a' }])).message).toContain('{"name":"a"}');
	});
});

describe('toObject', () => {
	test('an object passes as it is, and its JSON as the same', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
				const json = JSON.stringify(object);
				expect(JSON.stringify(toObject('Metadata', json))).toBe(json);
				expect(toObject('Metadata', object)).toBe(object);
			}),
		);
	});

	test.each([['{"a": 1'], ["{'a': 1}"], ['a'], ['']])('%j is not JSON', (value) => {
		expect(refusalOf(() => toObject('Metadata', value))).toMatchObject({
			message: "'Metadata' is not valid JSON",
			description: 'Enter a JSON object, e.g. {"key": "value"}.',
		});
	});

	test.each([['[1]'], ['5'], ['null'], ['"a"']])('%s is JSON, but no object', (value) => {
		expect(refusalOf(() => toObject('Metadata', value))).toMatchObject({
			message: "'Metadata' must be a JSON object",
			description: 'Enter a JSON object, e.g. {"key": "value"}.',
		});
	});

	test.each([
		[[1], '[1]'],
		[5, '5'],
		[true, 'true'],
		[10n, '10n'],
	])('%p is neither text nor object', (value, shown) => {
		expect(refusalOf(() => toObject('Metadata', value)).message).toBe(
			`'Metadata' must be a JSON object, but it is ${shown}`,
		);
	});

	test('what is too deep to be shown is refused by its type', () => {
		let deep: unknown[] = [];
		for (let depth = 0; depth < 20_000; depth++) deep = [deep];
		expect(refusalOf(() => toObject('Metadata', deep)).message).toBe(
			"'Metadata' must be a JSON object, but it is object",
		);
	});
});

describe('convert', () => {
	const destination = { maxLength: 1_000, joinsByComma: true, timezone: 'Europe/Berlin' };

	const field = (type: INodeProperties['type'], more: Partial<INodeProperties> = {}) => ({
		displayName: 'The Field',
		name: 'field',
		type,
		default: '',
		...more,
	});

	const options = [
		{ name: 'One', value: 1 },
		{ name: 'Two', value: 'two' },
	];

	test.each<[INodeProperties['type'], Partial<INodeProperties>, unknown, unknown]>([
		['boolean', {}, 'true', true],
		['dateTime', {}, '2026-01-31T09:00:00', 1_769_846_400],
		['json', {}, '{"a": 1}', { a: 1 }],
		['multiOptions', { options }, ['two', 1], ['two', '1']],
		['multiOptions', { options }, 'two, 1', ['two', '1']],
		['number', { typeOptions: { minValue: 1, maxValue: 9 } }, '9', 9],
		['number', {}, '-9007199254740991', Number.MIN_SAFE_INTEGER],
		['options', { options }, 1, '1'],
		['options', { options }, 'two', 'two'],
		['resourceLocator', {}, ' ann\n', 'ann'],
		['string', {}, ' ann\n', ' ann\n'],
		['string', {}, 5, '5'],
		['string', { typeOptions: { multipleValues: true } }, ' a, b ', ['a', 'b']],
	])('a field of type %s with %j takes %j as %j', (type, more, value, expected) => {
		expect(convert(value, field(type, more), destination)).toEqual(expected);
	});

	test.each<[INodeProperties['type'], Partial<INodeProperties>, unknown]>([
		['boolean', {}, 'yes'],
		['dateTime', {}, 'soon'],
		['json', {}, '[]'],
		['multiOptions', { options }, ['two', 'three']],
		['number', { typeOptions: { minValue: 1 } }, 0],
		['number', { typeOptions: { maxValue: 9 } }, 10],
		['options', { options }, 'One'],
		['resourceLocator', {}, true],
		['string', {}, {}],
		['string', { typeOptions: { multipleValues: true } }, [{}]],
	])('a field of type %s with %j refuses %j under its label', (type, more, value) => {
		expect(() => convert(value, field(type, more), destination)).toThrow(InputError);
		expect(() => convert(value, field(type, more), destination)).toThrow("'The Field'");
	});

	test('a JSON field takes an object as it is sent, and none that JSON cannot hold', () => {
		const json = field('json');
		expect(convert({ a: 1, b: undefined, c: new Date(0) }, json, destination)).toEqual({
			a: 1,
			c: '1970-01-01T00:00:00.000Z',
		});
		const circular: Record<string, unknown> = {};
		circular.self = circular;
		for (const value of [circular, new Date(0), { toJSON: () => undefined }]) {
			expect(() => convert(value, json, destination)).toThrow("'The Field' must be a JSON object");
		}
	});

	test('how long a text may be is up to where it goes', () => {
		const short = { ...destination, maxLength: 3 };
		expect(convert('abc', field('string'), short)).toBe('abc');
		expect(() => convert('abcd', field('string'), short)).toThrow('longer than 3 characters');
	});

	test('where lists are not joined by commas, an entry may hold one', () => {
		const several = field('string', { typeOptions: { multipleValues: true } });
		const inBody = { ...destination, joinsByComma: false };
		expect(convert(['a,b', ' c '], several, inBody)).toEqual(['a,b', 'c']);
		expect(convert(['a,b', ' c '], several, destination)).toEqual(['a', 'b', 'c']);
		expect(convert('a,b', several, inBody)).toEqual(['a', 'b']);
	});

	test('a field of a type that holds no value is a mistake in the description', () => {
		expect(() => convert('x', field('notice'), destination)).toThrow('field of type notice');
	});
});

test('choicesOf gives the values of the options, and nothing for what else is in a list', () => {
	const property = { displayName: 'A', name: 'a', type: 'options' as const, default: '' };
	const inner = { displayName: 'B', name: 'b', type: 'string' as const, default: '' };
	expect(choicesOf({ ...property, options: [{ name: 'One', value: 1 }, inner] })).toEqual(['1']);
	expect(choicesOf(property)).toEqual([]);
});
