import { REDACTED, createSecretRedactor } from '../../../nodes/CometChat/helpers/redact';
import { KEY } from '../context';

test('copies a value without the key, including property names', () => {
	const original = { message: KEY, list: [KEY, 1, null], other: { deep: true }, [`x${KEY}y`]: 1 };
	const before = structuredClone(original);
	expect(createSecretRedactor(KEY)(original)).toEqual({
		message: REDACTED,
		list: [REDACTED, 1, null],
		other: { deep: true },
		[`x${REDACTED}y`]: 1,
	});
	expect(original).toEqual(before);
	const own: unknown = JSON.parse(`{"__proto__": {"echo": "${KEY}"}}`);
	expect(JSON.stringify(createSecretRedactor(KEY)(own))).toBe(
		`{"__proto__":{"echo":"${REDACTED}"}}`,
	);
});

test('returns a value that does not contain the key unchanged', () => {
	const value = { a: [KEY.slice(1), { b: null }, 5], [KEY.slice(0, -1)]: true };
	expect(createSecretRedactor(KEY)(value)).toBe(value);
});

test.each<[string, unknown]>([
	['with white space around it', ` ${KEY}\n`],
	['as a number', 12345678],
	['with characters that JSON escapes', '"f00d\\cafe"'],
])('removes a key %s', (_, key) => {
	const sent = String(key).trim();
	expect(createSecretRedactor(key)(`[${sent}][${sent}]`)).toBe(`[${REDACTED}][${REDACTED}]`);
});

test.each([[undefined], [null], [''], [{}], ['1234567'], [' 1234567 ']])(
	'removes nothing for the missing or short key %j',
	(key) => {
		const value = { text: ' a  b 1234567 undefined null [object Object]' };
		expect(createSecretRedactor(key)(value)).toBe(value);
	},
);

test('keeps 1,000 levels of a value that is nested too deeply for n8n', () => {
	const secret = 'rest-api-key';
	const nest = (levels: number): unknown =>
		JSON.parse(`${'{"a":['.repeat(levels / 2)}"${secret}"${']}'.repeat(levels / 2)}`);
	const countLevels = (value: unknown): number =>
		typeof value === 'object' && value !== null ? 1 + countLevels(Object.values(value)[0]) : 0;
	const redact = createSecretRedactor(secret);
	expect(countLevels(redact(nest(1_000)))).toBe(1_000);
	const limited = redact({ deep: nest(100_000), key: secret });
	expect(limited).toMatchObject({ key: REDACTED });
	expect(countLevels(limited.deep)).toBe(999);
	expect(JSON.stringify(limited)).toContain('"Nested too deeply for n8n"');
});
