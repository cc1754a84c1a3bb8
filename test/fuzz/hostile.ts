import * as fc from 'fast-check';

/** Strings that could change a request's URL or headers, or that JavaScript converts in surprising ways. */
const TEXTS = [
	'',
	' ',
	'.',
	'..',
	'/',
	'\\',
	'../groups',
	'501/reactions/x',
	'501/../../groups',
	'%2e%2e',
	'%2E%2e%2F',
	'..%2f..%2fgroups',
	'%',
	'%00',
	'\0',
	'?apikey=x',
	'501?perPage=1000',
	'501#x',
	'501;x=1',
	'a\r\nX-Injected: 1',
	'\r\n\r\nDELETE /v3/groups HTTP/1.1',
	'http://127.0.0.1:9/v3',
	'@127.0.0.1',
	'{messageId}',
	'{{ $json }}',
	'=1+1',
	'#️⃣',
	'👩‍💻',
	'👍🏽',
	'\u00e9',
	'e\u0301',
	'٣',
	'\ud83d',
	'\udc4d',
	'\u2028',
	'．．',
	'undefined',
	'null',
	'NaN',
	'[object Object]',
	'__proto__',
	'constructor',
	'-1',
	'1e9',
	'1,2',
	'2026-02-31',
	'2026-01-31T08:00:00Z',
	'1700000000',
	'1700000000000',
	'x'.repeat(1_000),
	'x'.repeat(1_001),
	'\u00e9'.repeat(5_000),
];

const NUMBERS = [
	0,
	-0,
	-1,
	1,
	50,
	100_001,
	Number.MAX_SAFE_INTEGER + 2,
	Number.MIN_VALUE,
	1_700_000_000,
	NaN,
	Infinity,
];

const OTHERS: unknown[] = [
	undefined,
	null,
	true,
	false,
	[],
	['..'],
	['a', 'b/c'],
	{},
	{ toString: '..' },
	JSON.parse('{"__proto__": {"path": "/groups"}}'),
	{ constructor: { prototype: { url: '/groups' } } },
	{ length: 1, 0: '..' },
	{ toMillis: 5 },
	new Date(NaN),
	new Date(8.64e15),
];

/** Any UTF-16 code unit, including control characters and unpaired surrogates. */
const anyCodeUnit = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

/** Unusual values that a workflow or an AI agent may pass to the node. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
	{
		weight: 2,
		arbitrary: fc
			.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS))
			.map((t) => t.join('')),
	},
	{ weight: 2, arbitrary: fc.string({ unit: anyCodeUnit, maxLength: 8 }) },
	{ weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 10 }) },
	{ weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
	{ weight: 1, arbitrary: fc.double() },
	{ weight: 2, arbitrary: fc.constantFrom(...OTHERS) },
	{ weight: 1, arbitrary: fc.anything({ maxDepth: 2 }) },
);
