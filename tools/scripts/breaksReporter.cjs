const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');

/** Reports to breaks.mjs: appends a row for each test file with the lines of dist/ that it runs. */
module.exports = class {
	onTestFileResult({ path: file }, { coverage = {}, perfStats, testResults }) {
		for (const { fullName, status } of testResults)
			if (status === 'failed') console.error(`Failed before anything is broken: ${fullName}`);
		const lines = Object.values(coverage).map((covered) => [
			relative('', covered.path),
			linesRun(covered),
		]);
		const row = { file, ms: perfStats.runtime, lines: Object.fromEntries(lines) };
		appendFileSync(process.env.BREAKS_COVERAGE, `${JSON.stringify(row)}\n`);
	}
};

/** Lines whose innermost statement ran, and the parameters of functions that ran. Declaring a function runs neither. */
function linesRun({ s: counts, statementMap, f: calls, fnMap }) {
	const height = ([, { start, end }]) => end.line - start.line;
	const outerFirst = (a, b) => height(b) - height(a) || counts[a[0]] - counts[b[0]];
	const isRun = [];
	for (const [id, { start, end }] of Object.entries(statementMap).sort(outerFirst))
		for (let line = start.line; line <= end.line; line++) isRun[line] = counts[id] > 0;
	for (const [id, { decl, loc }] of Object.entries(fnMap))
		for (let { line } = decl.start; line <= loc.start.line; line++) isRun[line] ||= calls[id] > 0;
	return isRun.flatMap((value, line) => (value ? [line] : []));
}
