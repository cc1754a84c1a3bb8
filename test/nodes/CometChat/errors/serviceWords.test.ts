import { prefixUids, readServiceWords } from '../../../../nodes/CometChat/errors/serviceWords';

const wordsOf = (body: unknown) => readServiceWords({ statusCode: 400, headers: {}, body });

const detailsOf = (details: unknown) => wordsOf({ error: { details } }).details;

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
])('of %j these are the words: %j', (body, expected) => expect(wordsOf(body)).toEqual(expected));

test.each([
	...[undefined, null, '', 5, [], [{ message: 'x' }], {}, { error: null }, { error: ' ' }],
	{ error: { code: '', message: {}, devMessage: [], details: null } },
	...['  <html><body>Gateway</body></html>', '{"broken": ', ' ['],
])('there are no words in %j', (body) => expect(wordsOf(body)).toEqual({}));

test.each<[unknown, string | undefined]>([
	[
		{ limit: ['must be a number', 'must be small'], b: 'x' },
		'limit: must be a number, must be small; b: x',
	],
	[['first', 'second'], 'first; second'],
	[[{ field: 'a', issue: 'b' }], '{"field":"a","issue":"b"}'],
	[{ a: [{ b: 1 }, 'c'], d: { e: ['f'] } }, 'a: [{"b":1},"c"]; d: {"e":["f"]}'],
	[{ a: null, b: 5, c: undefined }, 'a: null; b: 5; c:'],
	[{ x: { toString: 1 }, toString: 1 }, 'x: {"toString":1}; toString: 1'],
	[7, '7'],
	[{}, undefined],
	[true, undefined],
])('the details %j are read as %j', (details, text) => expect(detailsOf(details)).toBe(text));

test.each([
	['leo', 'The user LEO is banned', 'The user LEO is banned'],
	['leo', 'The owner leo stays', 'The owner leo stays'],
	['leo', 'The user leonie is banned', 'leo: The user leonie is banned'],
	['user', 'No such user', 'user: No such user'],
	['(', 'No such user', '(: No such user'],
])('%s is named once in: %s', (uid, reason, expected) => {
	expect(prefixUids([uid], reason)).toBe(expected);
});

test('each text is quoted up to a length that people read', () => {
	const [long, cut] = ['x'.repeat(1_001), `${'x'.repeat(1_000)}…`];
	const all = { code: long, message: long, devMessage: long, details: long };
	expect(wordsOf({ error: all })).toEqual({
		code: cut,
		message: cut,
		devMessage: cut,
		details: cut,
	});
	expect(wordsOf(long)).toEqual({ message: cut });
	expect(detailsOf([{ a: long }])).toHaveLength(1_001);
	expect(wordsOf('x'.repeat(1_000)).message).toHaveLength(1_000);
});
