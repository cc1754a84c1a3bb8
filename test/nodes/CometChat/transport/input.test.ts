import fc from 'fast-check';
import { validateHeaderValue } from 'node:http';

import {
	InputError,
	MAX_TEXT,
	MAX_UID,
	isEmpty,
	toChoice,
	toFlag,
	toInteger,
	toList,
	toText,
	toUid,
} from '../../../../nodes/CometChat/transport/input';

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

describe('InputError', () => {
	test('its message is a sentence that begins with the label in quotes', () => {
		const error = new InputError('Message ID', 'is empty', 'Fill it in.');
		expect(error).toBeInstanceOf(Error);
		expect(error).toMatchObject({
			field: 'Message ID',
			message: '"Message ID" is empty',
			advice: 'Fill it in.',
		});
	});
});

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
				fc.pre(text.length <= MAX_TEXT);
				expect(toText('Name', text)).toBe(text);
			}),
		);
	});

	test('a number becomes its digits', () => {
		expect(toText('Message ID', 501)).toBe('501');
		expect(toText('Message ID', -1.5)).toBe('-1.5');
		expect(toText('Message ID', Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
	});

	test('a whole number that lost digits on its way is refused, with what to do', () => {
		const error = refusalOf(() => toText('Message ID', 2 ** 53));
		expect(error.message).toBe('"Message ID" is a number too large to be exact');
		expect(error.advice).toContain('"Message ID" as text');
	});

	test.each([
		[NaN, 'null'],
		[Infinity, 'null'],
		[true, 'true'],
		[{ a: 1 }, '{"a":1}'],
		[[1], '[1]'],
	])('%p is no text, and the message shows it', (value, shown) => {
		expect(refusalOf(() => toText('Name', value)).message).toBe(
			`"Name" must be text, but it is ${shown}`,
		);
	});

	test('what has no JSON is shown as JavaScript does', () => {
		expect(refusalOf(() => toText('Name', undefined)).message).toContain('it is undefined');
		expect(refusalOf(() => toText('Name', Symbol('s'))).message).toContain('it is Symbol(s)');
	});

	test('a long wrong value is shown cut, not whole', () => {
		const { message } = refusalOf(() => toText('Name', { text: 'x'.repeat(500) }));
		expect(message.length).toBeLessThan(120);
		expect(message).toMatch(/…$/);
	});

	test('the longest text passes and one more character does not', () => {
		expect(toText('Search Key', 'x'.repeat(MAX_TEXT))).toHaveLength(MAX_TEXT);
		expect(refusalOf(() => toText('Search Key', 'x'.repeat(MAX_TEXT + 1))).message).toBe(
			`"Search Key" is longer than ${MAX_TEXT} characters`,
		);
	});

	test.each(['\ud83d', 'a\udc4d', '\udc4d\ud83d'])('half a character in %j is refused', (text) => {
		const error = refusalOf(() => toText('Reaction', text));
		expect(error.message).toContain('lone surrogate');
		expect(error.advice).toContain('emoji');
	});
});

describe('toFlag', () => {
	test('true and false count as booleans and as texts', () => {
		expect([true, 'true'].map((value) => toFlag('Return All', value))).toEqual([true, true]);
		expect([false, 'false'].map((value) => toFlag('Return All', value))).toEqual([false, false]);
	});

	test.each([['yes'], [1], [0], [null], [''], ['TRUE']])('%j is neither', (value) => {
		expect(refusalOf(() => toFlag('Return All', value)).message).toMatch(
			/^"Return All" must be true or false, but it is /,
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
						`"Limit" must be a whole number from ${min} to ${max}, but it is ${number}`,
					);
				}
			}),
		);
	});

	test('without an upper bound the message names only the lower one', () => {
		expect(refusalOf(() => toInteger('Limit', 0, 1, Number.MAX_SAFE_INTEGER)).message).toBe(
			'"Limit" must be a whole number of at least 1, but it is 0',
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
			/^"Page" must be a whole number/,
		);
	});
});

describe('toChoice', () => {
	test('an allowed value passes', () => {
		expect(toChoice('Affix', 'append', ['append', 'prepend'])).toBe('append');
	});

	test('any other one is refused, and the message names all that are allowed', () => {
		expect(refusalOf(() => toChoice('Affix', 'Append', ['append', 'prepend'])).message).toBe(
			'"Affix" must be one of append, prepend, but it is "Append"',
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
		expect(toList('Types', 'public,private', ['public', 'private'])).toEqual(['public', 'private']);
		expect(refusalOf(() => toList('Types', 'public,secret', ['public'])).message).toContain(
			'"secret"',
		);
	});

	test('an entry that is no text is refused', () => {
		expect(refusalOf(() => toList('Tags', [{ name: 'a' }])).message).toContain('{"name":"a"}');
	});
});

describe('toUid', () => {
	test.each([[undefined], [null], [''], ['  ']])('%j means that nobody is named', (value) =>
		expect(toUid('On Behalf Of', value)).toBeUndefined(),
	);

	test('a UID is sent without the white space round it', () => {
		expect(toUid('On Behalf Of', ' cometchat-uid-1 ')).toBe('cometchat-uid-1');
		expect(toUid('On Behalf Of', 42)).toBe('42');
	});

	test('the longest UID passes and one more character does not', () => {
		expect(toUid('On Behalf Of', ` ${'u'.repeat(MAX_UID)} `)).toHaveLength(MAX_UID);
		expect(refusalOf(() => toUid('On Behalf Of', 'u'.repeat(MAX_UID + 1))).message).toBe(
			`"On Behalf Of" is longer than ${MAX_UID} characters`,
		);
	});

	test('whatever passes is a header value that stays within its line', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
				try {
					const uid = toUid('On Behalf Of', text);
					if (uid !== undefined) {
						expect(uid).toMatch(/^[\x20-\x7e]{1,100}$/);
						expect(() => validateHeaderValue('onBehalfOf', uid)).not.toThrow();
						expect(uid).toBe(text.trim());
					}
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
				}
			}),
		);
	});

	test.each(['a\r\napikey: b', 'a\nb', 'ü', 'a\u0000', '👍'])(
		'%j would break the header',
		(text) => {
			const error = refusalOf(() => toUid('On Behalf Of', text));
			expect(error.message).toContain('holds a line break');
			expect(error.advice).toContain('UID');
		},
	);
});
