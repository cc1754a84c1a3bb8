import { fitting } from '../../scripts/mutation/coverage';
import { mutantsOf, mutated } from '../../scripts/mutation/mutants';
import { sample } from '../../scripts/mutation/sample';
import type { TestFile } from '../../scripts/mutation/tests';

/** The file with each of its mutants. */
function allOf(code: string): string[] {
	return mutantsOf('dist/nodes/a.js', code).map((mutant) => mutated(code, mutant));
}

test.each([
	['a < b;', ['(a <= b);', '(a >= b);', ';']],
	['a && b;', ['(a || b);', ';']],
	['a ?? b;', ['(a);', '(b);', ';']],
	['await send();', ['await undefined;']],
	[
		'f = () => { return 5; };',
		['f = () => { };', 'f = () => { return; };', 'f = () => { return 6; };', ';'],
	],
	['const a = b?.c;', ['const a = b.c;']],
	['const a = b?.[0];', ['const a = b[0];', 'const a = b?.[1];']],
	['const a = f?.();', ['const a = f();']],
	[
		'const a = [1, ...b].sort();',
		[
			'const a = ([1, ...b]);',
			'const a = [...b, 1].sort();',
			'const a = [1, ...[]].sort();',
			'const a = [2, ...b].sort();',
		],
	],
	['const a = b.some(c);', ['const a = b.every(c);']],
	['const a = /^\\d$/g;', ['const a = /\\d$/g;', 'const a = /^\\d/g;']],
	[
		'const a = { b, ...c };',
		['const a = { ...{}, ...c };', 'const a = { ...c, b };', 'const a = { b, ...{} };'],
	],
	['if (a) throw b;', ['if (true) throw b;', 'if (false) throw b;', 'if (a) ;']],
	['const a = `of ${b}`;', ['const a = ``;']],
	['const a = !b;', ['const a = (b);']],
	['a++;', [';', 'a--;']],
])('breaks %s in each way', (code, expected) => {
	expect(allOf(code).sort()).toEqual([...expected].sort());
});

test.each([
	"'use strict';",
	'Object.defineProperty(exports, "__esModule", { value: true });',
	'exports.a = exports.b = void 0;',
	"const a = require('./a');",
	'(0, a.b)(c);',
	'var __importDefault = (this && this.__importDefault) || 0;',
	"const a = Symbol('a');",
	'const f = () => { return undefined; };',
])('leaves alone what the compiler wrote, and what would change nothing: %s', (code) => {
	const changed = allOf(code).filter((mutant) => !/^;|=> { };$/.test(mutant));
	expect(changed).toEqual([]);
});

test('breaks a chain of operators without a change of their order', () => {
	expect(allOf('const a = b && c || d;')).toEqual([
		'const a = (b && c && d);',
		'const a = (b || c) || d;',
	]);
});

describe('the sample', () => {
	const code = Array.from({ length: 50 }, (_, index) => `const a${index} = ${index} + b;`).join(
		'\n',
	);
	const mutants = mutantsOf('dist/nodes/a.js', code);

	test('is the same for a seed, and another for another', () => {
		expect(sample(mutants, 10, 7)).toEqual(sample(mutants, 10, 7));
		expect(sample(mutants, 10, 7)).not.toEqual(sample(mutants, 10, 8));
	});

	test('has no mutant twice, and all when there are no more', () => {
		const drawn = sample(mutants, 1_000, 7);
		expect(drawn).toHaveLength(mutants.length);
		expect(new Set(drawn).size).toBe(mutants.length);
	});

	test('seldom breaks texts that only a snapshot sees', () => {
		const texts = mutantsOf(
			'dist/nodes/a.js',
			code.replaceAll(/const (\w+) = .*/g, "x({\ndescription: '$1' });"),
		);
		const isShown = ({ before }: { before: string }) => before.startsWith("'");
		expect(sample([...mutants, ...texts], 20, 7).filter(isShown).length).toBeLessThan(5);
	});
});

test('Test files are tried as long as they fit into the time, but one at least', () => {
	const files = [1, 2, 30].map((milliseconds) => ({ milliseconds }) as TestFile);
	const fits = (longestMs: number) => fitting(files, longestMs).length;
	expect([0, 1, 2, 3, 32, 33].map(fits)).toEqual([1, 1, 1, 2, 2, 3]);
});
