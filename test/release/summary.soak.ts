import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'cometchat-summary-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A Jest report of tests that passed, some of them only when they were retried. */
const reportOf = (passed: number, failed = 0, retried = 0) => ({
	...{ numPassedTests: passed, numFailedTests: failed, numFailedTestSuites: 0 },
	numTotalTests: passed + failed,
	testResults: [
		{
			assertionResults: Array.from({ length: passed }, (_, n) => ({
				...{ fullName: `test ${n}`, status: 'passed', invocations: n < retried ? 2 : 1 },
			})),
		},
	],
});

/** Sums up reports, and returns the exit code and the output's lines. */
function summarize(reports: Record<string, object | undefined>) {
	for (const [name, report] of Object.entries(reports)) {
		if (report) writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
	}
	const paths = Object.keys(reports).map((name) => join(folder, name));
	const args = [join(ROOT, '.ci/summary.mjs'), ...paths];
	const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	return { status, lines: stdout.trim().split('\n') };
}

test('the last line of CI sums up all reports', () => {
	const { status, lines } = summarize({ unit: reportOf(5), e2e: reportOf(3) });
	expect([status, lines.at(-1)]).toEqual([0, '8 passed, 0 failed']);
});

test.each<[string, object | undefined, string]>([
	['a failed test', reportOf(1, 2), '6 passed, 2 failed'],
	['a file that does not load', { ...reportOf(1), numFailedTestSuites: 1 }, '6 passed, 1 failed'],
	['no tests', reportOf(0), '5 passed, 1 failed'],
	['no report', undefined, '5 passed, 1 failed'],
])('%s fails CI', (_, report, last) => {
	const { status, lines } = summarize({ unit: reportOf(5), e2e: report });
	expect([status, lines.at(-1)]).toEqual([1, last]);
});

test('two retried tests are printed, and a third one fails CI', () => {
	const { status, lines } = summarize({ e2e: reportOf(3, 0, 2) });
	expect([status, ...lines]).toEqual([
		...[0, 'Retried, then passed: test 0', 'Retried, then passed: test 1'],
		'3 passed, 0 failed',
	]);
	const more = summarize({ e2e: reportOf(3, 0, 3) });
	expect([more.status, more.lines.at(-1)]).toEqual([1, '3 passed, 1 failed']);
});

test('the files that run nightly exist', () => {
	const files: Record<string, string> = createRequire(__filename)('../nightly.cjs');
	for (const file of Object.keys(files)) expect(existsSync(join(ROOT, 'test', file))).toBe(true);
});
