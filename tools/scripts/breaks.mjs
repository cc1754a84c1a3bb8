import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

/**
 * Breaks random lines of dist/, one at a time, and counts the breaks that a test notices.
 * `jest --findRelatedTests` can't select the tests, because n8n's engine loads the built files by path.
 * Instead, a run with coverage records the lines that each test file reaches.
 * Usage: npm run breaks -- [--count 60] [--seed TEXT]
 */

const { values: options } = parseArgs({
	options: {
		count: { type: 'string', default: '60' },
		seed: { type: 'string', default: String(Date.now()) },
	},
});

/** @typedef {{ path: string, line: number, lastLine: number, start: number, end: number, replacement: string }} Break */

const { SyntaxKind } = ts;

/** Operators between two values. Each operator is replaced by the other one of its pair. */
const OPERATOR_PAIRS = ['=== !==', '< <=', '> >=', '+ -', '* /', '&& ||', '?? &&'].map((pair) =>
	pair.split(' '),
);

const swapOperator = (operator) =>
	OPERATOR_PAIRS.find((pair) => pair.includes(operator))?.find((each) => each !== operator);

/** Replacements by the kind of an expression or statement. */
const REPLACEMENTS = new Map([
	[SyntaxKind.TrueKeyword, 'false'],
	[SyntaxKind.FalseKeyword, 'true'],
	[SyntaxKind.StringLiteral, '""'],
	[SyntaxKind.TemplateExpression, '``'],
	[SyntaxKind.ArrayLiteralExpression, '[]'],
	[SyntaxKind.ObjectLiteralExpression, '({})'],
	[SyntaxKind.Block, '{}'],
	[SyntaxKind.ThrowStatement, ';'],
]);

/** Lines from the compiler, and texts of the editor. */
const IGNORED_LINE =
	/^\s*("use strict"|Object\.defineProperty\(exports|exports\.|.*\brequire\(|(displayName|description|placeholder|hint|action|notice): ["'`])/;

/** @returns {Iterable<[node: ts.Node, replacement: string]>} */
function* replacementsOf(node) {
	const replacement = REPLACEMENTS.get(node.kind);
	if (replacement && node.getText().replace(/\s/g, '').length > 2) yield [node, replacement];
	if (ts.isNumericLiteral(node)) yield [node, `(${node.text} + 1)`];
	if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
		yield [node, node.operand.getText()];
	const operator = ts.isBinaryExpression(node) && swapOperator(node.operatorToken.getText());
	if (operator) yield [node.operatorToken, operator];
	if (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)) yield [node, ';'];
	if (ts.isConditionalExpression(node) || ts.isIfStatement(node) || ts.isWhileStatement(node)) {
		const condition = ts.isConditionalExpression(node) ? node.condition : node.expression;
		yield [condition, 'true'];
		yield [condition, 'false'];
	}
	if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) yield [node.body, 'undefined'];
	for (const child of node.getChildren()) yield* replacementsOf(child);
}

/** @returns {Break[]} lines are counted from 1 */
function breaksOf(path) {
	const text = readFileSync(path, 'utf8');
	const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const lines = text.split('\n');
	return (
		[...replacementsOf(source)]
			.map(([node, replacement]) => {
				const start = node.getStart();
				const end = node.getEnd();
				const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
				return { path, line: lineAt(start), lastLine: lineAt(end), start, end, replacement };
			})
			.filter(({ start, end, replacement }) => text.slice(start, end) !== replacement)
			// `(0, module.name)` is the compiler's form of an imported function in a call
			.filter(({ start }) => !text.startsWith('0, ', start))
			.filter(({ line }) => !IGNORED_LINE.test(lines[line - 1]))
	);
}

/** Draws random breaks. The same seed draws the same breaks. */
function draw(breaks) {
	const digest = (each) => hash('sha256', JSON.stringify([options.seed, each]));
	const sorted = breaks.map((each) => [digest(each), each]).sort();
	return sorted.slice(0, Number(options.count)).map(([, each]) => each);
}

const folder = mkdtempSync(join(tmpdir(), 'breaks-'));

/** Runs jest. @returns true if the tests pass within the time limit */
function runTests(args, timeout, env = {}, errors = 'ignore') {
	const command = ['node_modules/jest/bin/jest.js', '--ci', '--silent', ...args];
	const options = { stdio: ['ignore', 'ignore', errors], timeout, env: { ...process.env, ...env } };
	return spawnSync(process.execPath, command, { ...options, killSignal: 'SIGKILL' }).status === 0;
}

/** @returns {Array<{ file: string, ms: number, lines: Record<string, number[]> }>} */
function recordCoverage() {
	const out = join(folder, 'coverage.jsonl');
	const hooks = join(import.meta.dirname, 'breaksReporter.cjs');
	const args = ['--coverage', '--coverageThreshold={}', `--coverageDirectory=${folder}`];
	writeFileSync(out, '');
	if (!runTests([...args, `--reporters=${hooks}`], 3_600_000, { BREAKS_COVERAGE: out }, 'inherit'))
		throw new Error('The tests fail before anything is broken');
	return readFileSync(out, 'utf8')
		.trim()
		.split('\n')
		.map((row) => JSON.parse(row));
}

/** Numbers of breaks that each test file has noticed. */
const noticedBy = new Map();

/** Counts the breaks of a run's failed test files. A run that was stopped has none. */
function countFailures(output) {
	if (!existsSync(output)) return;
	const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
	for (const { name, status } of testResults)
		if (status === 'failed') noticedBy.set(name, (noticedBy.get(name) ?? 0) + 1);
	rmSync(output);
}

/** True if all tests pass that run a line of the break. */
function survives({ path, line, lastLine }, tests) {
	const isInside = (each) => each >= line && each <= lastLine;
	const area = basename(dirname(path));
	// Test files that are fast, named like the broken area, and have noticed other breaks run first
	const weightOf = ({ file, ms }) =>
		((file.includes(area) ? 4 : 1) * (1 + (noticedBy.get(file) ?? 0))) / (ms + 500);
	const related = tests
		.filter(({ lines }) => lines[path]?.some(isInside))
		.sort((a, b) => weightOf(b) - weightOf(a));
	const output = join(folder, 'results.json');
	// Most breaks fail in the first test files, and jest takes seconds to start
	const environment = `--testEnvironment=${join(import.meta.dirname, 'breaksEnvironment.cjs')}`;
	const report = ['--json', `--outputFile=${output}`];
	const args = ['--bail', '--runInBand', environment, ...report, '--runTestsByPath'];
	const parts = [[0, 3], [3, 11], [11, 35], [35]];
	for (const part of parts.map(([start, end]) => related.slice(start, end))) {
		if (part.length === 0) continue;
		const limitMs = 60_000 + 5 * part.reduce((sum, { ms }) => sum + ms, 0);
		const isPassed = runTests([...args, ...part.map(({ file }) => file)], limitMs);
		countFailures(output);
		if (!isPassed) return false;
	}
	return true;
}

const drawn = draw(globSync('dist/**/*.js').flatMap(breaksOf));
const tests = recordCoverage();
let noticed = 0;
for (const drawnBreak of drawn) {
	const { path, line, start, end, replacement } = drawnBreak;
	const text = readFileSync(path, 'utf8');
	writeFileSync(path, text.slice(0, start) + replacement + text.slice(end));
	try {
		const isNoticed = !survives(drawnBreak, tests);
		if (isNoticed) noticed++;
		const change = `${text.slice(start, end)} → ${replacement}`.replace(/\s+/g, ' ').slice(0, 160);
		console.log(`${isNoticed ? 'noticed    ' : 'NOT NOTICED'}  ${path}:${line}  ${change}`);
	} finally {
		writeFileSync(path, text);
	}
}
rmSync(folder, { recursive: true });
console.log(`${noticed} of ${drawn.length} noticed, --seed ${options.seed}`);
process.exitCode = noticed < 0.95 * drawn.length ? 1 : 0;
