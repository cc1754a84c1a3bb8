import fc from 'fast-check';

import {
	toNumberOrNaN,
	valueToText,
	getOwnProperty,
	mergeDeeply,
	setFieldAtPath,
} from '../../../nodes/CometChat/helpers/json';

const parse = (text: string) => JSON.parse(text) as object;

const circular: unknown[] = [];
circular.push(circular);

test.each<[unknown, string]>([
	[undefined, ''],
	[null, ''],
	['a', 'a'],
	[0, '0'],
	[false, 'false'],
	[10n, '10'],
	[Symbol('a'), 'Symbol(a)'],
	[['a', 1], '["a",1]'],
	[{ toString: 'a', valueOf: 1 }, '{"toString":"a","valueOf":1}'],
	[Object.create(null), '{}'],
	[circular, 'object'],
	[{ a: 10n }, 'object'],
	[Object.assign(() => 1, { toString: 1 }), 'function'],
])('converts %p to the text %p', (value, text) => {
	expect(valueToText(value)).toBe(text);
});

test('converts any value to text and to a number without throwing', () => {
	const key = fc.constantFrom('toString', 'valueOf', 'constructor', 'toJSON', '__proto__', 'a');
	const limits = { maxDepth: 3, maxKeys: 3 };
	const { tree } = fc.letrec((tie) => ({
		tree: fc.oneof(
			limits,
			fc.anything(limits),
			fc.dictionary(key, tie('tree'), { ...limits, noNullPrototype: false }),
		),
	}));
	fc.assert(
		fc.property(tree, (value) => {
			expect(typeof valueToText(value)).toBe('string');
			expect(typeof toNumberOrNaN(value)).toBe('number');
		}),
	);
});

test.each<[unknown, number]>([
	['5', 5],
	[5.5, 5.5],
	['', 0],
	['x', NaN],
	[[5], NaN],
	[{ valueOf: 5 }, NaN],
	[null, NaN],
	[true, NaN],
])('converts %j to the number %d', (value, number) => {
	expect(toNumberOrNaN(value)).toBe(number);
});

test('looks up only own names', () => {
	const names = ['a', 'constructor', '__proto__', 'toString'];
	expect(names.map((name) => getOwnProperty<unknown>({ a: 1 }, name))).toEqual([1, ...Array(3)]);
});

test.each(['__proto__', 'constructor', 'toString'])(
	'sets and merges the key %s like any other',
	(key) => {
		const target = {};
		setFieldAtPath(target, `${key}.${key}`, 1);
		setFieldAtPath(target, `${key}.a`, 2);
		const expected = `{"${key}":{"${key}":1,"a":2}}`;
		expect([JSON.stringify(target), Object.getPrototypeOf(target)]).toEqual([
			expected,
			Object.prototype,
		]);
		const merged = mergeDeeply(parse(expected), parse(`{"${key}":{"b":3}}`));
		expect(JSON.stringify(merged)).toBe(`{"${key}":{"${key}":1,"a":2,"b":3}}`);
		expect(JSON.stringify(mergeDeeply({}, parse(`{"${key}":{"b":3}}`)))).toBe(`{"${key}":{"b":3}}`);
	},
);
