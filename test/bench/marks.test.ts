import { casesOf, contendersOf } from '../../bench/cases';
import type { Measurement } from '../../bench/job';
import { MARKS, checkMarks } from '../../bench/marks';
import type { Outcome } from '../../bench/statistics';
import { lookupIn } from '../../bench/statistics';
import { measured } from './measured';

/** Every contender of all cases with the same figures, ours with its own. */
function outcomes(ours: Partial<Measurement>, rivals: Partial<Measurement>): Outcome[] {
	return casesOf(false).flatMap((run) =>
		contendersOf(run).map((contender): Outcome => {
			const figures = measured(contender === 'ours' ? ours : rivals);
			return { run, contender, rounds: [figures] };
		}),
	);
}

const RIVAL = { ms: 1_000, baselineMb: 200, peakMb: 400, peakConnections: 2_000 };

describe('the marks', () => {
	test('are all reached by a node that is a little better than each asks for', () => {
		const ours = {
			...{ ms: 329, baselineMb: 200, peakMb: 359, peakConnections: 64 },
			...{ requests: 100, refused: 2 },
		};
		const checked = checkMarks(lookupIn(outcomes(ours, RIVAL)));
		expect(checked.filter(({ reached }) => !reached)).toEqual([]);
	});

	test('are missed where a figure is a little larger than allowed', () => {
		const ours = {
			...{ ms: 331, baselineMb: 200, peakMb: 381, peakConnections: 65 },
			...{ requests: 100, refused: 3 },
		};
		const checked = checkMarks(lookupIn(outcomes(ours, RIVAL)));
		expect(checked.filter(({ reached }) => !reached).map(({ figure }) => figure)).toEqual([
			0.331, 0.9525, 0.905, 65, 0.03, 0.03, 0.03,
		]);
	});

	test('are missed by a time above the least that the limit allows', () => {
		const ours = { ms: 6_700, requests: 100, peakMb: 1 };
		const rivals = { ms: 100_000, peakMb: 1_000, baselineMb: 1 };
		const checked = checkMarks(lookupIn(outcomes(ours, rivals)));
		const missed = checked.filter(({ reached }) => !reached).map(({ name }) => name);
		expect(missed).toHaveLength(3);
		for (const name of missed) expect(name).toMatch(/of the least that the limit allows$/);
	});

	test('are not reached without figures', () => {
		const checked = checkMarks(lookupIn([]));
		expect(checked).toHaveLength(MARKS.length);
		expect(checked.every(({ reached, figure }) => !reached && figure === undefined)).toBe(true);
	});
});
