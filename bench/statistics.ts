import type { Case, Contender } from './cases';
import { caseName } from './cases';
import type { Measurement } from './job';

/** What a contender took in each round of a case. A contender that failed once has no median. */
export interface Outcome {
	run: Case;
	contender: Contender;
	rounds: Measurement[];
	/** What a run that failed said */
	failure?: string;
}

/**
 * The middle one of some numbers; of two in the middle, their mean.
 *
 * @throws RangeError when there are none
 */
export function median(numbers: number[]): number {
	if (numbers.length === 0) throw new RangeError('Nothing has no median');
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of each figure over the rounds, each by itself. */
export function medianOf(rounds: Measurement[]): Measurement {
	const of = (key: keyof Measurement): number => median(rounds.map((round) => round[key]));
	return {
		ms: of('ms'),
		cpuMs: of('cpuMs'),
		baselineMb: of('baselineMb'),
		peakMb: of('peakMb'),
		connections: of('connections'),
		peakConnections: of('peakConnections'),
		peakInFlight: of('peakInFlight'),
		requests: of('requests'),
		refused: of('refused'),
	};
}

/** Looks up the medians of a contender; undefined when it did not run or did not finish. */
export type Lookup = (run: Case, contender: Contender) => Measurement | undefined;

export function lookupIn(outcomes: Outcome[]): Lookup {
	const medians = new Map(
		outcomes
			.filter(({ failure, rounds }) => failure === undefined && rounds.length > 0)
			.map(({ run, contender, rounds }) => [`${caseName(run)} ${contender}`, medianOf(rounds)]),
	);
	return (run, contender) => medians.get(`${caseName(run)} ${contender}`);
}
