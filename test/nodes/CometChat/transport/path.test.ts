import fc from 'fast-check';

import {
	expandPath,
	namesIn,
	pathSegment,
	segmentProblem,
} from '../../../../nodes/CometChat/transport/path';

const BASE = 'https://app.api-us.cometchat.io/v3';

const SEGMENT_COUNT = new URL(`${BASE}/messages/x/reactions/y`).pathname.split('/').length;

/** Texts of all kinds, and often those that are dangerous in a path. */
const anyText = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 40 }),
	fc.string({ unit: 'grapheme', maxLength: 40 }),
	fc.string({
		unit: fc.constantFrom(
			'.',
			'/',
			'\\',
			'%',
			'2',
			'e',
			'E',
			'f',
			'#',
			'?',
			';',
			'@',
			':',
			'\t',
			' ',
		),
		maxLength: 8,
	}),
	// Halves of surrogate pairs, alone or by chance paired
	fc
		.array(fc.integer({ min: 0xd700, max: 0xe000 }), { maxLength: 4 })
		.map((units) => String.fromCharCode(...units)),
	fc.constantFrom(
		'.',
		'..',
		'...',
		'%2e%2e',
		'%2E.',
		'..;',
		'#️⃣',
		'//evil.example',
		'../..',
		'\\..\\',
	),
);

describe('pathSegment', () => {
	test('any text that a segment can carry comes back as exactly one segment of the URL', () => {
		fc.assert(
			fc.property(anyText, anyText, (id, reaction) => {
				for (const text of [id, reaction]) {
					fc.pre(segmentProblem(text) === undefined && !/\p{Surrogate}/u.test(text));
				}
				const path = expandPath('/messages/{id}/reactions/{reaction}', {
					id: pathSegment(id),
					reaction: pathSegment(reaction),
				});
				const url = new URL(`${BASE}${path}`);
				expect(url.host).toBe('app.api-us.cometchat.io');
				expect(url.search + url.hash + url.username).toBe('');
				const segments = url.pathname.split('/');
				expect(segments).toHaveLength(SEGMENT_COUNT);
				expect(segments.map(decodeURIComponent)).toEqual([
					'',
					'v3',
					'messages',
					id,
					'reactions',
					reaction,
				]);
			}),
			{ numRuns: 2_000 },
		);
	});

	test('code points are never normalised', () => {
		const [composed, decomposed] = ['\u00e9', 'e\u0301'];
		expect(pathSegment(composed)).toBe('%C3%A9');
		expect(pathSegment(decomposed)).toBe('e%CC%81');
		expect(pathSegment('#\ufe0f\u20e3')).toBe('%23%EF%B8%8F%E2%83%A3');
	});
});

describe('segmentProblem', () => {
	test.each([
		['', 'is empty'],
		['.', 'must not be "."'],
		['..', 'must not be ".."'],
	])('%j would hit another endpoint: %s', (text, problem) => {
		expect(segmentProblem(text)).toBe(problem);
		expect(new URL(`${BASE}/messages/5/reactions/${text}`).pathname).not.toMatch(/[^/]\/[^/]*\.$/);
	});

	test.each(['...', '%2e%2e', ' ', '/', '..;', 'a', '. '])('%j can be a segment', (text) => {
		expect(segmentProblem(text)).toBeUndefined();
	});
});

describe('expandPath', () => {
	test('fills each name in braces with its segment', () => {
		const template = '/messages/{messageId}/reactions/{reaction}';
		expect(namesIn(template)).toEqual(['messageId', 'reaction']);
		const reaction = pathSegment('👍/$&');
		expect(expandPath(template, { messageId: '5', reaction })).toBe(
			'/messages/5/reactions/%F0%9F%91%8D%2F%24%26',
		);
	});

	test('braces in a segment are not filled again', () => {
		const segments = { messageId: pathSegment('{messageId}') };
		expect(expandPath('/messages/{messageId}', segments)).toBe('/messages/%7BmessageId%7D');
	});

	test('a path without names stays as it is', () => {
		expect(namesIn('/groups')).toEqual([]);
		expect(expandPath('/groups', { groups: 'x' })).toBe('/groups');
	});
});
