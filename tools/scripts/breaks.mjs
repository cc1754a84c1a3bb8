import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

/**
 * Breaks random lines of dist/ in the current folder, one at a time, and counts the breaks that jest notices.
 * `jest --findRelatedTests` can't select the tests, because n8n's engine loads the built files by path.
 * Instead, one run with coverage records the lines that each test file reaches.
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

/** Replacements for an operator between two values. */
const OPERATORS = new Map([
	[SyntaxKind.EqualsEqualsEqualsToken, '!=='],
	[SyntaxKind.ExclamationEqualsEqualsToken, '==='],
	[SyntaxKind.LessThanToken, '<='],
	[SyntaxKind.LessThanEqualsToken, '<'],
	[SyntaxKind.GreaterThanToken, '>='],
	[SyntaxKind.GreaterThanEqualsToken, '>'],
	[SyntaxKind.PlusToken, '-'],
	[SyntaxKind.MinusToken, '+'],
	[SyntaxKind.AsteriskToken, '/'],
	[SyntaxKind.SlashToken, '*'],
	[SyntaxKind.AmpersandAmpersandToken, '||'],
	[SyntaxKind.BarBarToken, '&&'],
	[SyntaxKind.QuestionQuestionToken, '&&'],
]);

/** Replacements for an expression or a statement that depend on its kind alone. */
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

/** Lines that the compiler adds, and texts of the editor. */
const LEFT_OUT =
	/^\s*("use strict"|Object\.defineProperty\(exports|exports\.|.*\brequire\(|(displayName|description|placeholder|hint|action|notice): ["'`])/;

/** @returns {Iterable<[node: ts.Node, replacement: string]>} */
function* replacementsOf(node) {
	const replacement = REPLACEMENTS.get(node.kind);
	if (replacement && node.getText().replace(/\s/g, '').length > 2) yield [node, replacement];
	if (ts.isNumericLiteral(node)) yield [node, `(${node.text} + 1)`];
	if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
		yield [node, node.operand.getText()];
	if (ts.isBinaryExpression(node) && OPERATORS.has(node.operatorToken.kind))
		yield [node.operatorToken, OPERATORS.get(node.operatorToken.kind)];
	if (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)) yield [node, ';'];
	if (ts.isConditionalExpression(node) || ts.isIfStatement(node) || ts.isWhileStatement(node)) {
		const condition = ts.isConditionalExpression(node) ? node.condition : node.expression;
		yield* [
			[condition, 'true'],
			[condition, 'false'],
		];
	}
	if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) yield [node.body, 'undefined'];
	for (const child of node.getChildren()) yield* replacementsOf(child);
}

/** @returns {Break[]} lines are counted from 1 */
function breaksOf(path) {
	const text = readFileSync(path, 'utf8');
	const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const lines = text.split('\n');
	return [...replacementsOf(source)]
		.map(([node, replacement]) => {
			const start = node.getStart();
			const end = node.getEnd();
			const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
			return { path, line: lineAt(start), lastLine: lineAt(end), start, end, replacement };
		})
		.filter(({ line }) => !LEFT_OUT.test(lines[line - 1]));
}

/** Draws lines, and one break for each line: the same ones for the same seed. */
function draw(breaks) {
	const digest = (...parts) =>
		createHash('sha256')
			.update(JSON.stringify([options.seed, parts]))
			.digest('hex');
	const byLine = Map.groupBy(breaks, ({ path, line }) => digest(path, line));
	return [...byLine.keys()]
		.sort()
		.slice(0, Number(options.count))
		.map((line) => {
			const order = ({ start, end, replacement }) => digest(start, end, replacement);
			return byLine.get(line).sort((a, b) => (order(a) < order(b) ? -1 : 1))[0];
		});
}

const folder = mkdtempSync(join(tmpdir(), 'breaks-'));

/** Runs jest. @returns whether the tests pass within the time limit */
function pass(args, timeout, env = {}) {
	const command = ['node_modules/jest/bin/jest.js', '--ci', '--silent', ...args];
	const options = { stdio: 'ignore', timeout, env: { ...process.env, ...env } };
	return spawnSync(process.execPath, command, { ...options, killSignal: 'SIGKILL' }).status === 0;
}

/** @returns {Array<{ file: string, ms: number, lines: Record<string, number[]> }>} */
function recordCoverage() {
	const out = join(folder, 'coverage.jsonl');
	const hooks = join(import.meta.dirname, 'breaksReporter.cjs');
	const args = ['--coverage', '--coverageThreshold={}', `--coverageDirectory=${folder}`];
	writeFileSync(out, '');
	if (!pass([...args, `--reporters=${hooks}`], 3_600_000, { BREAKS_COVERAGE: out }))
		throw new Error('The tests fail before anything is broken');
	return readFileSync(out, 'utf8')
		.trim()
		.split('\n')
		.map((row) => JSON.parse(row));
}

/** Whether all tests pass that run a line of the break: first those most likely to notice it. */
function survives({ path, line, lastLine }, tests) {
	const isInside = (each) => each >= line && each <= lastLine;
	const module = basename(path).split('.')[0];
	const isLikely = ({ file }) => file.includes('structure.test') || file.includes(`/${module}`);
	const running = tests
		.filter(({ lines }) => lines[path]?.some(isInside))
		.sort((a, b) => isLikely(b) - isLikely(a) || a.ms - b.ms);
	// Most breaks are noticed by the first files, and jest takes seconds to start
	for (const part of [running.slice(0, 4), running.slice(4, 16), running.slice(16)]) {
		const limitMs = 60_000 + 5 * part.reduce((sum, { ms }) => sum + ms, 0);
		const args = ['--bail', '--runInBand', '--runTestsByPath', ...part.map(({ file }) => file)];
		if (part.length > 0 && !pass(args, limitMs)) return false;
	}
	return true;
}

const drawn = draw(globSync('dist/**/*.js').flatMap(breaksOf));
const started = Date.now();
const tests = recordCoverage();
let noticed = 0;
for (const drawnBreak of drawn) {
	const { path, line, start, end, replacement } = drawnBreak;
	const text = readFileSync(path, 'utf8');
	writeFileSync(path, text.slice(0, start) + replacement + text.slice(end));
	try {
		const isNoticed = !survives(drawnBreak, tests);
		if (isNoticed) noticed++;
		const change = `${text.slice(start, end)} → ${replacement}`.replace(/\s+/g, ' ');
		console.log(
			`${isNoticed ? 'noticed    ' : 'NOT NOTICED'}  ${path}:${line}  ${change.slice(0, 160)}`,
		);
	} finally {
		writeFileSync(path, text);
	}
}
rmSync(folder, { recursive: true });
const minutes = Math.round((Date.now() - started) / 60_000);
console.log(`${noticed} of ${drawn.length} noticed, --seed ${options.seed}, ${minutes} minutes`);
process.exitCode = noticed < 0.95 * drawn.length ? 1 : 0;
