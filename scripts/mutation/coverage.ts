import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

import type { Mutant } from './mutants';
import { ROOT } from './project';
import type { Copy } from './project';
import type { Statement, TestFile } from './tests';
import { runAll } from './tests';

const CACHE = join(ROOT, '.cache/mutation/coverage.json');

/** A test file, and the content of all that its result rests on. */
interface Entry extends TestFile {
	/** Digests by path: the test, what it imports, and the built files that it loaded. */
	inputs: Record<string, string>;
}

function digestOf(root: string, path: string): string {
	const file = join(root, path);
	return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : '';
}

/** @returns the path of the module that this import means, when it is one of the project's sources */
function resolved(root: string, from: string, specifier: string): string | undefined {
	if (!specifier.startsWith('.')) return undefined;
	const base = join(root, dirname(from), specifier);
	const file = [base, `${base}.ts`, join(base, 'index.ts')].find(
		(candidate) => existsSync(candidate) && statSync(candidate).isFile(),
	);
	return file && relative(root, file);
}

/** The file and all that it imports. Of the published sources the built files count: they are hits. */
function sourcesOf(root: string, path: string, found = new Set<string>()): Set<string> {
	if (found.has(path) || /^(nodes|credentials)\//.test(path)) return found;
	found.add(path);
	if (!path.endsWith('.ts')) return found;
	const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'));
	for (const { fileName } of importedFiles) {
		const imported = resolved(root, path, fileName);
		if (imported !== undefined) sourcesOf(root, imported, found);
	}
	return found;
}

function inputsOf(root: string, { test, hits }: TestFile): Record<string, string> {
	const paths = [...sourcesOf(root, test), ...hits.map(({ path }) => path)];
	return Object.fromEntries(paths.map((path) => [path, digestOf(root, path)]));
}

function isFresh(root: string, { inputs }: Entry): boolean {
	return Object.entries(inputs).every(([path, digest]) => digestOf(root, path) === digest);
}

function readCache(): Entry[] {
	return existsSync(CACHE) ? (JSON.parse(readFileSync(CACHE, 'utf8')) as Entry[]) : [];
}

function writeCache(entries: Entry[]): void {
	mkdirSync(dirname(CACHE), { recursive: true });
	writeFileSync(CACHE, JSON.stringify(entries));
}

function testFiles(root: string): string[] {
	return globSync('test/**/*.test.ts', {
		cwd: root,
		exclude: (path) => /^test\/(e2e|compat)$/.test(path),
	}).sort();
}

/**
 * Which statements of the built files each test file runs. What is known from earlier runs, and has
 * not changed since, is not run again.
 *
 * @returns the test files that pass
 */
export async function coverageOf(copy: Copy, log: (text: string) => void): Promise<TestFile[]> {
	const all = testFiles(copy.root);
	const known = readCache().filter(
		(entry) => all.includes(entry.test) && isFresh(copy.root, entry),
	);
	// One that fails may have met a busy machine: it gets another attempt
	for (let attempt = 1; attempt <= 2; attempt++) {
		const missing = all.filter((path) => !known.some(({ test }) => test === path));
		if (missing.length === 0) break;
		log(`Finding out what ${missing.length} of ${all.length} test files run`);
		await runAll(copy, missing, (file) => {
			if (!file.passed) return;
			known.push({ ...file, inputs: inputsOf(copy.root, file) });
			writeCache(known);
		});
	}
	for (const path of all.filter((path) => !known.some(({ test }) => test === path))) {
		log(`Leaving out ${path}: it fails with nothing broken`);
	}
	return known;
}

/** Whether the position (line and column, as everywhere in coverage) is in the statement. */
function holds(
	[startLine, startColumn, endLine, endColumn]: Statement,
	line: number,
	column: number,
) {
	return (
		(line > startLine || (line === startLine && column >= startColumn)) &&
		(line < endLine || (line === endLine && column < endColumn))
	);
}

/** Whether the innermost of these statements around the mutant ran. */
function runs(statements: Statement[], { line, column }: Mutant): boolean {
	// Statements come from the outside in, except that some come twice
	const around = statements.filter((statement) => holds(statement, line, column));
	const size = (statement: Statement) =>
		(statement[2] - statement[0]) * 10_000 + statement[3] - statement[1];
	const innermost = around.sort((a, b) => size(a) - size(b)).at(0);
	// Outside of all statements, e.g. in the default of a parameter, it counts as run
	return innermost === undefined || innermost[4] === 1;
}

/** @returns the test files that run the mutant, the fastest first */
export function testsOf(mutant: Mutant, files: TestFile[]): TestFile[] {
	return files
		.filter(({ hits }) =>
			hits.some(({ path, statements }) => path === mutant.path && runs(statements, mutant)),
		)
		.sort((a, b) => a.milliseconds - b.milliseconds);
}

/** @returns the first of the test files, as long as all of them together take no longer; one at least */
export function fitting(files: TestFile[], longestMs: number): TestFile[] {
	let total = 0;
	return files.filter(({ milliseconds }, index) => {
		total += milliseconds;
		return index === 0 || total <= longestMs;
	});
}
