import { REDACTED, createRedactor } from '../../../../nodes/CometChat/transport/redact';
import { KEY } from '../context';

test('what holds the key is copied without it, names too, and stays as it was', () => {
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

test('what does not hold the key is returned as it is', () => {
	const value = { a: [KEY.slice(1), { b: null }, 5], [KEY.slice(0, -1)]: true };
	expect(createRedactor(KEY)(value)).toBe(value);
});

test.each<[string, unknown]>([
	['although it was pasted with white space', ` ${KEY}\n`],
	['as a number', 12345678],
	['with characters that JSON escapes', '"f00d\\cafe"'],
])('the key is found %s', (_, key) => {
	const sent = String(key).trim();
	expect(createRedactor(key)(`[${sent}][${sent}]`)).toBe(`[${REDACTED}][${REDACTED}]`);
});

test.each([[undefined], [null], [''], [{}], ['1234567'], [' 1234567 ']])(
	'%j is no key, or too short to be one: nothing is changed',
	(key) => {
		const value = { text: ' a  b 1234567' };
		expect(createRedactor(key)(value)).toBe(value);
	},
);
