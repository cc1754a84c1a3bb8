import {
	listRefusalQuotes,
	prefixReasonWithEntries,
	readRefusalOfResponseOrEmpty,
} from '../../../nodes/CometChat/errors/refusal';

const readWords = (body: unknown) => readRefusalOfResponseOrEmpty({ body });

const readDetails = (details: unknown) => readWords({ error: { details } }).details;

test.each<[unknown, object]>([
	[
		{ error: { code: 'ERR_X', message: ' No. ', devMessage: 'Dev', details: 'Why', source: 'x' } },
		{ code: 'ERR_X', message: 'No.', devMessage: 'Dev', details: 'Why' },
	],
	[{ error: { code: 42 } }, { code: '42' }],
	[{ error: 'Bad', message: 'No.' }, { message: 'No.' }],
	[{ error: 'Bad' }, { message: 'Bad' }],
	[{ error: {}, message: 'No.' }, { message: 'No.' }],
	[
		{ code: 'E', message: 'No.' },
		{ code: 'E', message: 'No.' },
	],
	[{ data: { success: false, code: 'E', message: 'No.' } }, { code: 'E', message: 'No.' }],
	[{ data: { success: 'false', message: 'No.' } }, { message: 'No.' }],
	[{ data: { error: { code: 'E', message: 'No.' } } }, { code: 'E', message: 'No.' }],
	[{ data: { error: 'No.' } }, { message: 'No.' }],
	[{ data: { success: true, message: 'Yes.' }, message: 'No.' }, { message: 'No.' }],
	[' Service Unavailable\n', { message: 'Service Unavailable' }],
])('reads %j as %j', (body, expected) => expect(readWords(body)).toEqual(expected));

test.each([
	...[undefined, null, '', 5, [], [{ message: 'x' }], {}, { error: null }, { error: ' ' }],
	{ error: { code: '', message: {}, devMessage: [], details: null } },
	...['  <html><body>Gateway</body></html>', '{"broken": ', ' ['],
])('finds no words in %j', (body) => expect(readWords(body)).toEqual({}));

test.each<[unknown, string | undefined]>([
	[
		{ limit: ['must be a number', 'must be small'], b: 'x' },
		'limit: must be a number, must be small; b: x',
	],
	[{ a: null, b: 5, toString: 1, valueOf: false }, 'a; b: 5; toString: 1; valueOf: false'],
	[7, '7'],
	[{}, undefined],
	[
		['The name is too long', 'The icon must be a URL'],
		'The name is too long; The icon must be a URL',
	],
	[[{ field: 'name', message: 'is too long' }], 'field: name; message: is too long'],
	[{ data: { text: ['is empty', { deep: [[['x']]] }] } }, 'data: text: is empty, deep: x'],
	[{ a: [[[[[[['deep']]]]]]] }, 'a: deep'],
	[{ a: [[[[[[[['too deep']]]]]]]] }, 'a'],
	[{ a: [[[[[[[[['too deep']]]]]]]]] }, 'a'],
	[true, undefined],
])('formats the details %j as %j', (details, text) => expect(readDetails(details)).toBe(text));

const CODE = 'ERR_UID_NOT_FOUND';

/** 17 words, so that three more words are 15 % of 20 words. */
const KNOWN = Array.from('abcdefghijklmnopq').join(' ');

test.each<[string, string | undefined, string | undefined, string[]]>([
	['The UID leo does not exist.', 'The UID leo does not exist.', undefined, []],
	['The UID leo does not exist.', 'the UID "leo" does not exist', undefined, []],
	['The UID leo does not exist.', 'The UID leo does not exist.', 'The UID leo does not exist', []],
	['The UID leo does not exist, please create a user', 'The UID leo does not exist', undefined, []],
	['The limit is 100', 'The limit is 200', undefined, ['The limit is 200']],
	[
		'No.',
		'The UID leo does not exist',
		'uid: is wrong',
		['uid: is wrong', 'The UID leo does not exist'],
	],
	['No.', undefined, 'uid: is wrong', ['uid: is wrong']],
	[KNOWN, undefined, `${KNOWN} x y z`, []],
	[KNOWN, undefined, `${KNOWN} 9`, [`${KNOWN} 9`]],
	[KNOWN, undefined, `${KNOWN} w x y z`, [`${KNOWN} w x y z`]],
])('quotes each text once: %j, %j, %j', (message, devMessage, details, others) => {
	const [first, ...rest] = listRefusalQuotes({ code: CODE, message, devMessage, details });
	expect(first).toBe(`${message.replace(/\.$/, '')} (${CODE})`);
	expect(rest).toEqual(others);
});

test('names the role, the scope and the action of a refused permission', () => {
	const params = { action: 'group.update', role: 'default', scope: 'participant', guid: 'lunch' };
	const refuse = (code: string) => readWords({ error: { code, params } }).details;
	expect(refuse('ERR_PERMISSION_DENIED')).toBe(
		'action: group.update; role: default; scope: participant',
	);
	expect(refuse('ERR_X')).toBeUndefined();
});

test('quotes the longer text if the developer message contains the message', () => {
	const message = 'The request is not valid.';
	const devMessage = 'The request is not valid: the field name has more than 100 characters.';
	expect(listRefusalQuotes({ code: CODE, message, devMessage })).toEqual([
		`${devMessage.replace(/\.$/, '')} (${CODE})`,
	]);
	expect(listRefusalQuotes({ devMessage })).toEqual([devMessage]);
	expect(listRefusalQuotes({})).toEqual([]);
});

test.each([
	['leo', 'The user LEO is banned', 'The user LEO is banned'],
	['leo', 'The owner leo stays', 'The owner leo stays'],
	['leo', 'The user leonie is banned', 'leo: The user leonie is banned'],
	['user', 'No such user', 'user: No such user'],
	['(', 'No such user', '(: No such user'],
])('names %s once in: %s', (uid, reason, expected) => {
	expect(prefixReasonWithEntries([uid], reason)).toBe(expected);
});

test.each([
	[10, 'u8, and u9: No'],
	[11, 'u9, and 1 more: No'],
])('names at most ten of %i UIDs: %s', (count, end) => {
	const uids = Array.from({ length: count }, (_, index) => `u${index}`);
	expect(prefixReasonWithEntries(uids, 'No')).toMatch(new RegExp(`^u0, u1, .*${end}$`));
});

test('names all users with the same reason, even if the reason names one of them', () => {
	const reason = 'The user leo does not exist.';
	expect(prefixReasonWithEntries(['leo', 'noor'], reason)).toBe(`leo and noor: ${reason}`);
});

test('cuts each text to 1,000 characters', () => {
	const [long, cut] = ['x'.repeat(1_001), `${'x'.repeat(1_000)}…`];
	const all = { code: long, message: long, devMessage: long, details: long };
	expect(readWords({ error: all })).toEqual({
		code: cut,
		message: cut,
		devMessage: cut,
		details: cut,
	});
	expect(readWords(long)).toEqual({ message: cut });
	expect(readDetails({ a: long })).toHaveLength(1_001);
	expect(readWords('x'.repeat(1_000)).message).toHaveLength(1_000);
});
