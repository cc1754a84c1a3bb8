import fc from 'fast-check';

import { REDACTED, redactor } from '../../../../nodes/CometChat/transport/redact';

const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

/** Keys without asterisks: a key made of what stands in its place cannot be told from it. */
const secret = fc
	.string({ unit: fc.constantFrom(...'abcXYZ0189-_.+$^(|?[\\/ %"'), minLength: 1, maxLength: 30 })
	.filter((text) => text.trim() !== '');

/** JSON values with the secret strewn about, in names and in texts. */
function jsonWith(word: string) {
	const text = fc
		.tuple(
			fc.string(),
			fc.constantFrom('', word, word.trim(), encodeURIComponent(word)),
			fc.string(),
		)
		.map((parts) => parts.join(''));
	const { value } = fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 4 },
			text,
			fc.integer(),
			fc.constantFrom(null, true),
			fc.array(tie('value'), { maxLength: 4 }),
			fc.dictionary(text, tie('value'), { maxKeys: 4 }),
		),
	}));
	return value;
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

describe('redactor', () => {
	test('the key survives in no text and no name of any JSON value', () => {
		const cases = secret.chain((key) => fc.tuple(fc.constant(key), jsonWith(key)));
		fc.assert(
			fc.property(cases, ([key, value]) => {
				const texts = textsIn(redactor(key)(value));
				for (const form of [key, key.trim(), encodeURIComponent(key)]) {
					expect(texts.filter((text) => text.includes(form))).toEqual([]);
				}
			}),
			{ numRuns: 500 },
		);
	});

	test('what does not hold the key comes out equal, as a copy', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				fc.pre(!JSON.stringify(value).includes(KEY));
				expect(JSON.stringify(redactor(KEY)(value))).toBe(JSON.stringify(value));
			}),
		);
		const original = { message: KEY, list: [KEY] };
		expect(redactor(KEY)(original)).toEqual({ message: REDACTED, list: [REDACTED] });
		expect(original).toEqual({ message: KEY, list: [KEY] });
	});

	test('the key is found in any case, percent-encoded, and with the white space it was pasted with', () => {
		const redact = redactor(' a key+/ ');
		expect(redact('<A KEY+/>')).toBe(`<${REDACTED}>`);
		expect(redact('<a%20key%2b%2f>')).toBe(`<${REDACTED}>`);
		expect(redact('< a key+/ >')).toBe(`<${REDACTED}>`);
	});

	test('a key of digits only may be a number', () => {
		expect(redactor(12345)('key 12345 refused')).toBe(`key ${REDACTED} refused`);
	});

	test('a key that cannot be percent-encoded is still taken out', () => {
		expect(redactor('key\ud800')('my key\ud800!')).toBe(`my ${REDACTED}!`);
	});

	test.each([[undefined], [null], [''], ['  '], [{}]])(
		'%j is no key: nothing is changed',
		(key) => {
			const value = { text: ' a  b ' };
			expect(redactor(key)(value)).toBe(value);
		},
	);

	test('a name like __proto__ stays a name', () => {
		const value: unknown = JSON.parse(`{"__proto__": {"echo": "${KEY}"}}`);
		expect(JSON.stringify(redactor(KEY)(value))).toBe(`{"__proto__":{"echo":"${REDACTED}"}}`);
	});
});
