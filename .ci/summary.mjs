/**
 * Sums up Jest's results. Usage: node .ci/summary.mjs <path of a JSON report, without ".json"> …
 *
 * Prints retried tests, and as the last line "N passed, N failed". Fails if a test failed, a report is missing or
 * empty, or more tests were retried than a busy machine explains.
 */
import { readFileSync } from 'node:fs';

/** Maximum number of tests that may have passed only in a second attempt. */
const MAX_RETRIED = 2;

let passed = 0;
let failed = 0;
const retried = [];
for (const path of process.argv.slice(2)) {
	try {
		const report = JSON.parse(readFileSync(`${path}.json`, 'utf8'));
		const { numPassedTests, numFailedTests, numFailedTestSuites, numTotalTests } = report;
		passed += numPassedTests;
		failed += numFailedTests || (numFailedTestSuites > 0 || numTotalTests === 0 ? 1 : 0);
		const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
		retried.push(...tests.filter(({ invocations }) => invocations > 1));
	} catch (error) {
		console.log(`No test result: ${error.message}`);
		failed += 1;
	}
}
for (const { fullName, status } of retried) console.log(`Retried, then ${status}: ${fullName}`);
if (retried.length > MAX_RETRIED) {
	console.log(`${retried.length} tests were retried, at most ${MAX_RETRIED} may be`);
	failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
