import fc from 'fast-check';
import { validateHeaderValue } from 'node:http';

import {
	CHECKS,
	COLLECTION_CHECKS,
	REQUEST_CHECKS,
	TYPED_ID_PATTERN,
	checkId,
} from '../../../../nodes/CometChat/operation/checks';
import { InputError } from '../../../../nodes/CometChat/errors/inputError';

const refusal = (message: string, description?: string) =>
	expect.objectContaining({ constructor: InputError, message, description });

describe('checkId', () => {
	test.each([
		['ann', 'ann'],
		[' cometchat-uid-1\n', 'cometchat-uid-1'],
		['A_b-9', 'A_b-9'],
		['u'.repeat(100), 'u'.repeat(100)],
		[` ${'u'.repeat(100)} `, 'u'.repeat(100)],
		[42, '42'],
	])('%j is sent as %s', (value, id) => expect(checkId(value, 'GUID')).toBe(id));

	test.each(['a b', 'a/b', 'a?', 'ü', '👍', 'a\r\napikey: b', 'a\nb', 'a\u0000', '', '..'])(
		'%j has characters that no ID has',
		(value) => {
			expect(() => checkId(value, 'GUID')).toThrow(
				refusal(`'GUID' can have only letters, digits, "-" and "_", at most 100`),
			);
		},
	);

	test('the longest ID passes, and one more character does not', () => {
		expect(() => checkId('u'.repeat(101), 'On Behalf Of')).toThrow("'On Behalf Of' can have only");
	});

	test('whatever passes is a header value, a path segment, and what the pattern of the editor takes', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string({ unit: 'binary', maxLength: 120 }),
					fc.string({ unit: fc.constantFrom(...'aZ0-_ \n/.') }),
				),
				(text) => {
					try {
						const id = String(checkId(text, 'GUID'));
						expect(id).toBe(text.trim());
						expect(new RegExp(TYPED_ID_PATTERN).test(text)).toBe(true);
						expect(encodeURIComponent(id)).toBe(id);
						expect(() => validateHeaderValue('onBehalfOf', id)).not.toThrow();
					} catch (error) {
						expect(error).toBeInstanceOf(InputError);
						expect(new RegExp(TYPED_ID_PATTERN).test(text)).toBe(text.trim() === '');
					}
				},
			),
		);
	});
});

describe('the checks by name', () => {
	test.each(['guid', 'owner', 'sender'])('%s is the ID of something', (name) => {
		expect(CHECKS[name](' a ', 'Label')).toBe('a');
		expect(() => CHECKS[name]('a b', 'Label')).toThrow("'Label' can have only letters");
	});

	test('every one of several UIDs is the ID of something', () => {
		expect(CHECKS.uids(['a', ' b '], 'UIDs')).toEqual(['a', 'b']);
		expect(() => CHECKS.uids(['a', 'b c'], 'UIDs')).toThrow("'UIDs' can have only letters");
		expect(CHECKS.uids(undefined, 'UIDs')).toBeUndefined();
	});

	test.each(['messageId', 'conversationId'])(
		'%s loses the white space around it, and nothing else',
		(name) => {
			expect(CHECKS[name](' 501\n', 'Label')).toBe('501');
			expect(CHECKS[name]('a b', 'Label')).toBe('a b');
		},
	);

	test('only true is sent for "Has Joined", because false has no effect', () => {
		expect(CHECKS.hasJoined(true, 'Has Joined')).toBe(true);
		expect(CHECKS.hasJoined(false, 'Has Joined')).toBeUndefined();
	});

	test('custom data has at least one entry', () => {
		const data = { a: undefined };
		expect(CHECKS.customData(data, 'Custom Data')).toBe(data);
		expect(() => CHECKS.customData({}, 'Custom Data')).toThrow(
			refusal("'Custom Data' has no entry", 'Enter at least one, e.g. {"key": "value"}.'),
		);
	});
});

describe('the fields of an update', () => {
	const check = COLLECTION_CHECKS.updateFields;

	test.each([
		['name', 'Name'],
		['text', 'Text'],
	])('%s cannot be changed to nothing', (name, label) => {
		for (const empty of ['', ' \n', null, undefined, []]) {
			expect(() => check({}, { [name]: empty })).toThrow(
				refusal(`'${label}' is empty`, `Fill in '${label}', or remove it.`),
			);
		}
		expect(() => check({ [name]: 'a' }, { [name]: 'a' })).not.toThrow();
		expect(() => check({}, {})).not.toThrow();
	});

	test('a group of the type Password needs one', () => {
		for (const password of [undefined, '']) {
			expect(() => check({ type: 'password', password }, {})).toThrow(
				refusal(
					"'Password' is empty",
					"Add 'Password' to the fields: a group of the type Password needs one.",
				),
			);
		}
		expect(() => check({ type: 'password', password: 'x' }, {})).not.toThrow();
		expect(() => check({ type: 'public' }, {})).not.toThrow();
	});
});

describe('what fields say together', () => {
	const check = (query: object, values: object) =>
		REQUEST_CHECKS.forEach((each) => each({ ...query }, { ...values }));

	test('"Has Joined" needs a user', () => {
		expect(() => check({ hasJoined: true }, {})).toThrow(
			refusal(
				"'On Behalf Of' is empty, but 'Has Joined' needs it",
				"Enter the UID of the user whose groups you want, or remove 'Has Joined'.",
			),
		);
		expect(() => check({ hasJoined: true }, { onBehalfOf: 'ann' })).not.toThrow();
		expect(() => check({}, {})).not.toThrow();
	});
});
