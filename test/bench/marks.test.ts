import { casesOf, contendersOf } from '../../bench/cases';
import type { Measurement } from '../../bench/job';
import { MARKS, checkMarks } from '../../bench/marks';
import type { Outcome } from '../../bench/statistics';
import { lookupIn } from '../../bench/statistics';
import { measured } from './measured';

/** Every contender of the quick cases with the same figures, ours with its own. */
function outcomes(ours: Partial<Measurement>, rivals: Partial<Measurement>): Outcome[] {
	return casesOf(true).flatMap((run) =>
		contendersOf(run).map((contender): Outcome => {
			const figures = measured(contender === 'ours' ? ours : rivals);
			return { run, contender, rounds: [figures] };
		}),
	);
}

const RIVAL = { ms: 1_000, baselineMb: 200, peakMb: 400, peakConnections: 2_000 };

describe('the marks', () => {
	test('are all reached by a node that is a little better than each asks for', () => {
		const ours = { ms: 329, baselineMb: 200, peakMb: 359, peakConnections: 64 };
		const checked = checkMarks(lookupIn(outcomes(ours, RIVAL)));
		expect(checked.filter(({ reached }) => !reached)).toEqual([]);
	});

	test('are missed where a figure is a little larger than allowed', () => {
		const ours = { ms: 331, baselineMb: 200, peakMb: 381, peakConnections: 65 };
		const checked = checkMarks(lookupIn(outcomes(ours, RIVAL)));
		expect(checked.filter(({ reached }) => !reached).map(({ figure }) => figure)).toEqual([
			0.331, 0.9525, 0.905, 65,
		]);
	});

	test('are not reached without figures', () => {
		const checked = checkMarks(lookupIn([]));
		expect(checked).toHaveLength(MARKS.length);
		expect(checked.every(({ reached, figure }) => !reached && figure === undefined)).toBe(true);
	});
});
