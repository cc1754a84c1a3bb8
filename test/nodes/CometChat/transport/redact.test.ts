import fc from 'fast-check';

import { REDACTED, redactor } from '../../../../nodes/CometChat/transport/redact';
import { KEY } from '../context';

test('what holds the key is copied without it, names too, and stays as it was', () => {
	const original = { message: KEY, list: [KEY, 1, null], other: { deep: true }, [`x${KEY}y`]: 1 };
	const before = structuredClone(original);
	expect(redactor(KEY)(original)).toEqual({
		message: REDACTED,
		list: [REDACTED, 1, null],
		other: { deep: true },
		[`x${REDACTED}y`]: 1,
	});
	expect(original).toEqual(before);
	const own: unknown = JSON.parse(`{"__proto__": {"echo": "${KEY}"}}`);
	expect(JSON.stringify(redactor(KEY)(own))).toBe(`{"__proto__":{"echo":"${REDACTED}"}}`);
});

test('what does not hold the key is returned as it is', () => {
	const value = { a: [KEY.slice(1), { b: null }, 5], [KEY.slice(0, -1)]: true };
	expect(redactor(KEY)(value)).toBe(value);
});

const ODD = ` k<e>y&"with'all\\.*+?^$\{}()|[]/ `;

test.each<[string, unknown, string]>([
	['in any case', KEY, KEY.toUpperCase()],
	['without the white space it was pasted with', ODD, ODD.trim()],
	['with it', ODD, ODD],
	['percent-encoded', ODD, encodeURIComponent(ODD.trim()).toLowerCase()],
	['HTML-escaped', `<>&"'abc`, '&lt;&gt;&amp;&quot;&#39;abc'],
	['JSON-escaped', ODD, JSON.stringify(ODD.trim()).slice(1, -1)],
	['beyond ASCII', 'schlüssel', 'Schlüssel'],
	['although it cannot be percent-encoded', 'long key\ud800', 'long key\ud800'],
	['as a number', 12345678, '12345678'],
])('the key is found %s', (_, key, form) => {
	expect(redactor(key)(`[${form}][${form}]`)).toBe(`[${REDACTED}][${REDACTED}]`);
});

test('the key is found in Base64, wherever it stands in the text', () => {
	const keys = fc.string({ unit: fc.constantFrom(...'abcdef0123456789'), minLength: 8 });
	fc.assert(
		fc.property(keys, fc.string({ unit: 'binary-ascii' }), (key, before) => {
			const encoded = Buffer.from(`${before}${key}:after`).toString('base64');
			expect(redactor(key)(encoded)).toContain(REDACTED);
		}),
	);
	for (const before of ['', '1', '12', '123']) {
		const encoded = Buffer.from(`${before}${KEY}:`).toString('base64');
		const kept = redactor(KEY)(encoded).replace(REDACTED, '');
		// A character at each end holds a part of the key and a part of something else
		expect(kept.length).toBeLessThanOrEqual(Math.ceil((before.length * 4) / 3) + 6);
	}
});

test.each([[undefined], [null], [''], [{}], ['1234567'], [' 1234567 ']])(
	'%j is no key, or too short to be one: nothing is changed',
	(key) => {
		const value = { text: ' a  b 1234567' };
		expect(redactor(key)(value)).toBe(value);
	},
);

test('what is as deep as a response may be is kept; what is deeper is cut off, and nothing overflows', () => {
	const nested = (depth: number, inner: unknown) =>
		Array.from({ length: depth }).reduce<unknown>((value) => [value], inner);
	expect(redactor(KEY)([nested(99, 'x'), KEY])).toEqual([nested(99, 'x'), REDACTED]);
	const shown = JSON.stringify(redactor(KEY)({ deep: nested(20_000, KEY), near: KEY }));
	expect(shown).toMatch(new RegExp(`^{"deep":\\[+"…"\\]+,"near":"\\*{10}"}$`));
	const harmless = nested(20_000, {});
	expect(redactor(KEY)(harmless)).toBe(harmless);
});
