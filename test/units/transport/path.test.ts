import fc from 'fast-check';

import { expandPath, findSegmentProblem } from '../../../nodes/CometChat/transport/path';

const TEMPLATE = '/messages/{messageId}/reactions/{reaction}';

/** Arbitrary strings, many of which contain characters with a special meaning in URL paths. */
const anyText = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 20 }),
	fc.string({ unit: fc.constantFrom(...Array.from('./\\%2eEf#?;@:\t $&{}')), maxLength: 8 }),
);

test('encodes each accepted text as exactly one segment', () => {
	fc.assert(
		fc.property(anyText, anyText, (messageId, reaction) => {
			fc.pre([messageId, reaction].every((text) => findSegmentProblem(text) === undefined));
			const url = new URL(`https://host/v3${expandPath(TEMPLATE, { messageId, reaction })}`);
			expect([url.host, url.search, url.hash]).toEqual(['host', '', '']);
			expect(url.pathname.split('/').map(decodeURIComponent)).toEqual([
				...['', 'v3', 'messages', messageId, 'reactions', reaction],
			]);
		}),
		{ numRuns: 300 },
	);
});

test('keeps code points without normalizing them', () => {
	const paths = ['\u00e9', 'e\u0301', '#\ufe0f\u20e3'].map((text) =>
		expandPath('/{a}', { a: text }),
	);
	expect(paths).toEqual(['/%C3%A9', '/e%CC%81', '/%23%EF%B8%8F%E2%83%A3']);
});

test.each([
	['', 'is empty'],
	['.', 'must not be "."'],
	['..', 'must not be ".."'],
	...['...', '%2e%2e', ' ', '/', '. '].map((text): [string, undefined] => [text, undefined]),
])('checks the segment %j: %s', (text, problem) => expect(findSegmentProblem(text)).toBe(problem));

test('keeps a path without placeholders', () => {
	expect(expandPath('/groups', {})).toBe('/groups');
});
