import { writeSync } from 'node:fs';
import { relative } from 'node:path';

/** The pipe that tests.ts reads. */
const PIPE = 3;

/**
 * Tells of each test file, in JSON lines: when it starts, when the first of its tests fails, and
 * when it ends, then with the statements of the built files that it ran.
 */
export default class Reporter {
	#root;

	constructor({ rootDir }) {
		this.#root = rootDir;
	}

	#tell(event, test, more = {}) {
		const line = JSON.stringify({ event, test: relative(this.#root, test.path), ...more });
		writeSync(PIPE, `${line}\n`);
	}

	onTestFileStart(test) {
		this.#tell('start', test);
	}

	onTestCaseResult(test, { status, fullName }) {
		if (status === 'failed') this.#tell('failure', test, { name: fullName });
	}

	onTestFileResult(test, { numFailingTests, testExecError, perfStats, coverage = {} }) {
		const hits = Object.values(coverage).map(({ path, statementMap, s }) => ({
			path: relative(this.#root, path),
			statements: Object.entries(statementMap).map(([id, { start, end }]) => [
				start.line,
				start.column,
				end.line,
				end.column,
				Number(s[id] > 0),
			]),
		}));
		const passed = numFailingTests === 0 && testExecError === undefined;
		this.#tell('end', test, { passed, milliseconds: perfStats.runtime, hits });
	}
}
