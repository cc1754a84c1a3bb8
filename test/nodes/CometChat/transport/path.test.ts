import fc from 'fast-check';

import { InputError } from '../../../../nodes/CometChat/transport/input';
import { expandPath, pathSegment } from '../../../../nodes/CometChat/transport/path';

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

function refusedOr<T>(call: () => T): T | InputError {
	try {
		return call();
	} catch (error) {
		if (error instanceof InputError) return error;
		throw error;
	}
}

describe('pathSegment', () => {
	test('any value is refused or comes back as exactly one segment of the URL', () => {
		fc.assert(
			fc.property(anyText, anyText, (id, reaction) => {
				const path = refusedOr(
					() => `/messages/${pathSegment('ID', id)}/reactions/${pathSegment('Reaction', reaction)}`,
				);
				if (path instanceof InputError) return;
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

	test('only what no segment can carry is refused', () => {
		fc.assert(
			fc.property(anyText, (text) => {
				const refused = refusedOr(() => pathSegment('ID', text)) instanceof InputError;
				const cannot =
					text.trim() === '' || text === '.' || text === '..' || /\p{Surrogate}/u.test(text);
				expect(refused).toBe(cannot);
			}),
			{ numRuns: 1_000 },
		);
	});

	test.each([[undefined], [null], [''], ['  '], [[]]])(
		'%j is nothing that could be addressed',
		(value) => {
			expect(() => pathSegment('Message ID', value)).toThrow(
				expect.objectContaining({
					message: '"Message ID" is empty',
					advice: 'Fill in "Message ID".',
				}),
			);
		},
	);

	test.each(['.', '..'])('"%s" would be resolved away and hit another endpoint', (dots) => {
		expect(() => pathSegment('Reaction', dots)).toThrow(
			expect.objectContaining({
				message: `"Reaction" must not be "${dots}"`,
				advice: expect.stringContaining('address'),
			}),
		);
	});

	test('code points are never normalised', () => {
		const [composed, decomposed] = ['\u00e9', 'e\u0301'];
		expect(pathSegment('Reaction', composed)).toBe('%C3%A9');
		expect(pathSegment('Reaction', decomposed)).toBe('e%CC%81');
		expect(pathSegment('Reaction', '#\ufe0f\u20e3')).toBe('%23%EF%B8%8F%E2%83%A3');
	});

	test('a number is its digits, and an object is refused', () => {
		expect(pathSegment('Message ID', 501)).toBe('501');
		expect(() => pathSegment('Message ID', { id: 5 })).toThrow(InputError);
	});
});

describe('expandPath', () => {
	test('fills each name in braces with its encoded value', () => {
		const values: Record<string, unknown> = { messageId: 5, reaction: '👍/$&' };
		const path = expandPath('/messages/{messageId}/reactions/{reaction}', (name) => ({
			field: name,
			value: values[name],
		}));
		expect(path).toBe('/messages/5/reactions/%F0%9F%91%8D%2F%24%26');
	});

	test('braces in a value are not filled again', () => {
		const path = expandPath('/messages/{messageId}', () => ({ field: 'ID', value: '{messageId}' }));
		expect(path).toBe('/messages/%7BmessageId%7D');
	});

	test('a path without names stays as it is, and a refusal names the field', () => {
		expect(expandPath('/groups', () => ({ field: 'ID', value: 1 }))).toBe('/groups');
		expect(() => expandPath('/a/{b}', () => ({ field: 'The B', value: '..' }))).toThrow(/"The B"/);
	});
});
