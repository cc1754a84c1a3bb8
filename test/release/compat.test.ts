import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RELEASES, UNINSTALLABLE, isFailure, type Outcome } from '../compat/versions';

const [{ n8n: known }] = UNINSTALLABLE;

test.each<[Outcome, string, boolean]>([
	['pass', '2.40.7', false],
	['fail', '2.40.7', true],
	['fail', known, true],
	['not tested', '2.40.7', true],
	['not tested', known, false],
])('A release of n8n with the outcome "%s" (%s) fails the run: %p', (outcome, n8n, expected) => {
	expect(isFailure({ n8n, outcome })).toBe(expected);
});

test('Each release of n8n that may stay untested is one that is tried, with a reason and a date', () => {
	for (const { n8n, reason, tried } of UNINSTALLABLE) {
		expect(RELEASES.map((release) => release.n8n)).toContain(n8n);
		expect(reason).not.toBe('');
		expect(new Date(tried).toISOString().slice(0, 10)).toBe(tried);
	}
});

test('The latest results contain no release that fails, or stays untested without a reason', () => {
	const file = join(__dirname, '../compat/results.json');
	const results: Array<{ n8n: string; outcome: Outcome }> = JSON.parse(readFileSync(file, 'utf8'));
	expect(results.filter(isFailure)).toEqual([]);
});
