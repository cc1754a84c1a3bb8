import fc from 'fast-check';

import {
	MIN_SECRET_LENGTH,
	REDACTED,
	redactor,
} from '../../../../nodes/CometChat/transport/redact';

const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

/** Keys without asterisks: a key made of what stands in its place cannot be told from it. */
const secret = fc
	.string({ unit: fc.constantFrom(...'abcXYZ0189-_.+$^(|?[\\/ %"&<'), minLength: 8, maxLength: 30 })
	.filter((text) => text.trim().length >= MIN_SECRET_LENGTH);

const htmlEscaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** JSON values with the secret strewn about, in names and in texts. */
function jsonWith(word: string) {
	const text = fc
		.tuple(
			fc.string(),
			fc.constantFrom(
				'',
				word,
				word.trim(),
				word.toUpperCase(),
				encodeURIComponent(word),
				htmlEscaped(word),
				JSON.stringify(word),
			),
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
				for (const form of [key.trim(), encodeURIComponent(key.trim()), htmlEscaped(key.trim())]) {
					expect(texts.filter((text) => text.includes(form))).toEqual([]);
				}
			}),
			{ numRuns: 500 },
		);
	});

	test('what does not hold the key is returned as it is', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				fc.pre(!JSON.stringify(value).includes(KEY));
				expect(redactor(KEY)(value)).toBe(value);
			}),
		);
	});

	test('what holds the key is copied, and stays as it was', () => {
		const original = { message: KEY, list: [KEY, 1, null], other: { deep: true } };
		expect(redactor(KEY)(original)).toEqual({
			message: REDACTED,
			list: [REDACTED, 1, null],
			other: { deep: true },
		});
		expect(original).toEqual({ message: KEY, list: [KEY, 1, null], other: { deep: true } });
		expect(redactor(KEY)({ [`x${KEY}y`]: 1 })).toEqual({ [`x${REDACTED}y`]: 1 });
	});

	test('the key is found in any case, and with the white space it was pasted with', () => {
		const redact = redactor(' a long key+/ ');
		expect(redact('<A LONG KEY+/>')).toBe(`<${REDACTED}>`);
		expect(redact('< a long key+/ >')).toBe(`<${REDACTED}>`);
		expect(redact('a long key+/a long key+/')).toBe(`${REDACTED}${REDACTED}`);
	});

	test('the key is found percent-encoded, HTML-escaped and JSON-escaped', () => {
		const redact = redactor(`k<e>y&"with'all\\`);
		expect(redact(`[${encodeURIComponent(`k<e>y&"with'all\\`).toLowerCase()}]`)).toBe(
			`[${REDACTED}]`,
		);
		expect(redact('[k&lt;e&gt;y&amp;&quot;with&#39;all\\]')).toBe(`[${REDACTED}]`);
		expect(redact(`[k<e>y&\\"with'all\\\\]`)).toBe(`[${REDACTED}]`);
	});

	test('the key is found in Base64, wherever it stands in the text', () => {
		const keys = fc.string({ unit: fc.constantFrom(...'abcdef0123456789'), minLength: 8 });
		fc.assert(
			fc.property(keys, fc.string({ unit: 'binary-ascii' }), fc.string(), (key, before, after) => {
				const encoded = Buffer.from(`${before}${key}${after}`).toString('base64');
				const shown = String(redactor(key)(encoded));
				expect(shown).toContain(REDACTED);
				fc.pre(!`${before}${after}`.includes(key));
				for (const part of shown.split(REDACTED)) {
					for (const start of [0, 1, 2, 3]) {
						expect(Buffer.from(part.slice(start), 'base64').toString('latin1')).not.toContain(key);
					}
				}
			}),
			{ numRuns: 300 },
		);
		for (const before of ['', '1', '12', '123']) {
			const encoded = Buffer.from(`${before}${KEY}:`).toString('base64');
			const kept = String(redactor(KEY)(`Basic ${encoded}.`)).replace(REDACTED, '');
			expect(kept.length).toBeLessThanOrEqual('Basic .'.length + 4 + 8);
		}
	});

	test('a key of digits only may be a number', () => {
		expect(redactor(12345678)('key 12345678 refused')).toBe(`key ${REDACTED} refused`);
	});

	test('a key that cannot be percent-encoded, and one beyond ASCII, are still taken out', () => {
		expect(redactor('long key\ud800')('my long key\ud800!')).toBe(`my ${REDACTED}!`);
		expect(redactor('schlüssel')('mein Schlüssel!')).toBe(`mein ${REDACTED}!`);
	});

	test('a key that is too short to be sent garbles no message', () => {
		const value = { text: 'a message of 1234567' };
		expect(redactor('1234567')(value)).toBe(value);
		expect(redactor(' 1234567 ')(value)).toBe(value);
		expect(redactor('12345678')('12345678')).toBe(REDACTED);
	});

	test('what is deeper than any response is cut off, and nothing overflows', () => {
		let deep: unknown = { at: KEY };
		for (let depth = 0; depth < 20_000; depth++) deep = [deep];
		const shown = JSON.stringify(redactor(KEY)({ deep, near: KEY }));
		expect(shown).not.toContain(KEY);
		expect(shown).toContain('…');
		expect(shown).toContain(`"near":"${REDACTED}"`);
		let harmless: unknown = {};
		for (let depth = 0; depth < 20_000; depth++) harmless = { harmless };
		expect(redactor(KEY)(harmless)).toBe(harmless);
	});

	test('what is as deep as a response may be is kept', () => {
		let deep: unknown = 'x';
		for (let depth = 0; depth < 99; depth++) deep = [deep];
		expect(redactor(KEY)([deep, KEY])).toEqual([deep, REDACTED]);
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
