import { REDACTED, createRedactor } from '../../../nodes/CometChat/helpers/redact';
import { KEY } from '../context';

test('copies a value without the key, including property names', () => {
	const original = { message: KEY, list: [KEY, 1, null], other: { deep: true }, [`x${KEY}y`]: 1 };
	const before = structuredClone(original);
	expect(createRedactor(KEY)(original)).toEqual({
		message: REDACTED,
		list: [REDACTED, 1, null],
		other: { deep: true },
		[`x${REDACTED}y`]: 1,
	});
	expect(original).toEqual(before);
	const own: unknown = JSON.parse(`{"__proto__": {"echo": "${KEY}"}}`);
	expect(JSON.stringify(createRedactor(KEY)(own))).toBe(`{"__proto__":{"echo":"${REDACTED}"}}`);
});

test('returns a value that does not contain the key unchanged', () => {
	const value = { a: [KEY.slice(1), { b: null }, 5], [KEY.slice(0, -1)]: true };
	expect(createRedactor(KEY)(value)).toBe(value);
});

test.each<[string, unknown]>([
	['with white space around it', ` ${KEY}\n`],
	['as a number', 12345678],
	['with characters that JSON escapes', '"f00d\\cafe"'],
])('removes a key %s', (_, key) => {
	const sent = String(key).trim();
	expect(createRedactor(key)(`[${sent}][${sent}]`)).toBe(`[${REDACTED}][${REDACTED}]`);
});

test.each([[undefined], [null], [''], [{}], ['1234567'], [' 1234567 ']])(
	'removes nothing for the missing or short key %j',
	(key) => {
		const value = { text: ' a  b 1234567 undefined null [object Object]' };
		expect(createRedactor(key)(value)).toBe(value);
	},
);
