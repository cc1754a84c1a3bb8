import fc from 'fast-check';

import { serviceWordsOf } from '../../../../nodes/CometChat/errors/serviceWords';

const wordsOf = (body: unknown) => serviceWordsOf({ statusCode: 400, headers: {}, body });

const detailsOf = (details: unknown) => wordsOf({ error: { details } }).details;

describe('what the service says', () => {
	test.each<[string, unknown, object]>([
		[
			'an error with all its parts',
			{
				error: { code: 'ERR_X', message: ' No. ', devMessage: 'Dev', details: 'Why', source: 'x' },
			},
			{ code: 'ERR_X', message: 'No.', devMessage: 'Dev', details: 'Why' },
		],
		['an error with a code only', { error: { code: 'ERR_X' } }, { code: 'ERR_X' }],
		['a code that is a number', { error: { code: 42 } }, { code: '42' }],
		['an error that is a text', { error: 'No.' }, { message: 'No.' }],
		['an error and a message beside it', { error: {}, message: 'No.' }, { message: 'No.' }],
		['a text and a message beside it', { error: 'Bad', message: 'No.' }, { message: 'No.' }],
		['a message', { message: 'No.' }, { message: 'No.' }],
		['a code and a message', { code: 'E', message: 'No.' }, { code: 'E', message: 'No.' }],
		['plain text', ' Service Unavailable\n', { message: 'Service Unavailable' }],
		['an error that is a number', { error: 5 }, { message: '5' }],
	])('is read from %s', (_, body, expected) => expect(wordsOf(body)).toEqual(expected));

	test.each([
		[undefined],
		[null],
		[''],
		[5],
		[[]],
		[[{ message: 'x' }]],
		[{}],
		[{ error: null }],
		[{ error: [] }],
		[{ error: ' ' }],
		[{ error: { code: '', message: {}, devMessage: [], details: null } }],
		['  <html><body>Gateway</body></html>'],
		['{"broken": '],
		[' ['],
	])('is nothing in %j', (body) => expect(wordsOf(body)).toEqual({}));
});

describe('details', () => {
	test.each<[unknown, string | undefined]>([
		[{ limit: ['must be a number', 'must be small'] }, 'limit: must be a number, must be small'],
		[{ a: 'is wrong', b: ['x'] }, 'a: is wrong; b: x'],
		[['first', 'second'], 'first; second'],
		[[{ field: 'a', issue: 'b' }], '{"field":"a","issue":"b"}'],
		[{ a: { b: ['c'] } }, 'a: {"b":["c"]}'],
		[{ a: [{ b: 1 }, 'c'] }, 'a: [{"b":1},"c"]'],
		[{ a: [1, true, 'x'] }, 'a: 1, true, x'],
		[{ a: null, b: 5, c: undefined }, 'a: null; b: 5; c:'],
		['only a text', 'only a text'],
		[7, '7'],
		[{}, undefined],
		[[], undefined],
		[' ', undefined],
		[true, undefined],
	])('%j is read as %j', (details, text) => expect(detailsOf(details)).toBe(text));

	test('that would break a conversion to text do not', () => {
		expect(detailsOf({ x: { toString: 1 } })).toBe('x: {"toString":1}');
		expect(detailsOf({ toString: 1, valueOf: 'a' })).toBe('toString: 1; valueOf: a');
		expect(detailsOf([{ toString: 1 }])).toBe('{"toString":1}');
	});

	test('that are too deep for a text are left out of it', () => {
		let deep: unknown = 'x';
		for (let depth = 0; depth < 20_000; depth++) deep = [deep];
		expect(detailsOf({ near: 'y', deep })).toBe('near: y; deep: …');
		let body: unknown = {};
		for (let depth = 0; depth < 20_000; depth++) body = { error: body };
		expect(wordsOf(body)).toEqual({});
	});
});

describe('each text', () => {
	const long = 'x'.repeat(2_000_000);

	test('is quoted up to a length that people read', () => {
		const cut = `${'x'.repeat(1_000)}…`;
		expect(
			wordsOf({ error: { code: long, message: long, devMessage: long, details: long } }),
		).toEqual({ code: cut, message: cut, devMessage: cut, details: cut });
		expect(wordsOf(long)).toEqual({ message: cut });
		expect(detailsOf({ a: [long] })).toHaveLength(1_001);
		expect(detailsOf([{ a: long }])).toHaveLength(1_001);
		expect(wordsOf('x'.repeat(1_000)).message).toHaveLength(1_000);
	});

	test('is a text, and never throws, whatever the service sends', () => {
		fc.assert(
			fc.property(fc.oneof(fc.jsonValue(), fc.record({ error: fc.jsonValue() })), (body) => {
				const json: unknown = JSON.parse(JSON.stringify(body));
				for (const text of Object.values(wordsOf(json))) {
					expect(typeof text).toBe('string');
					expect(String(text).trim()).not.toBe('');
					expect(String(text)).not.toContain('[object');
				}
			}),
			{ numRuns: 500 },
		);
	});
});
