import { FREE, LIFE, REMOVALS, leastMs, type Case, type Contender } from './cases';

/** What one run took. */
export interface Measurement {
	ms: number;
	/** Time on the CPU, of all threads of the process */
	cpuMs: number;
	/** The most memory of the process (resident set) while the work was done */
	peakMb: number;
	/** The most that were open at once */
	connections: number;
	requests: number;
	/** Requests that the rate limit refused */
	refused: number;
}

/** What a contender took in each round of a case. */
export interface Outcome {
	run: Case;
	contender: Contender;
	rounds: Measurement[];
	/** What a run that failed said */
	failure?: string;
}

/** The middle one of some numbers; of two in the middle, their mean; of none, NaN. */
function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The medians of a contender in the case of that name, each by itself. */
export type Lookup = (name: string, contender: Contender) => Measurement;

/** What was not measured, or failed in a round, has NaN for each figure. */
export function lookupIn(outcomes: Outcome[]): Lookup {
	return (name, contender) => {
		const found = outcomes.find((one) => one.run.name === name && one.contender === contender);
		const rounds = found?.failure === undefined ? (found?.rounds ?? []) : [];
		const of = (key: keyof Measurement): number => median(rounds.map((round) => round[key]));
		return {
			ms: of('ms'),
			cpuMs: of('cpuMs'),
			peakMb: of('peakMb'),
			connections: of('connections'),
			requests: of('requests'),
			refused: of('refused'),
		};
	};
}

/** Something that has to hold in one run of the benchmark: a figure that is no larger. */
export interface Mark {
	name: string;
	atMost: number;
	/** NaN when what it is made of was not measured: then it is not reached */
	figure: number;
	reached: boolean;
}

const LIST = '100,000 groups, 20 ms';
const GETS = '2,000 messages, 20 ms';
const FAST_GETS = '2,000 messages, 0 ms';

/** Compares with the marks what was measured. */
export function checkMarks(lookup: Lookup): Mark[] {
	const ours = (name: string) => lookup(name, 'ours');
	const its = (name: string) => lookup(name, 'httpRequest');
	const floor = (name: string) => lookup(name, 'floor').ms;
	const mark = (name: string, atMost: number, figure: number): Mark => {
		return { name, atMost, figure, reached: figure <= atMost };
	};
	const ofLeast = (run: Case, atMost: number): Mark => {
		const figure = ours(run.name).ms / leastMs(run.size, run);
		return mark(`${run.name}: time, of the least that the limit allows`, atMost, figure);
	};
	const refused = ({ name }: Case, atMost: number): Mark => {
		const figure = ours(name).refused / ours(name).requests;
		return mark(`${name}: refused, of all requests`, atMost, figure);
	};
	const list = ours(LIST);
	const gets = ours(GETS);
	const removals = ours(REMOVALS.name);
	return [
		mark(`${LIST}: time, of HTTP Request's`, 0.33, list.ms / its(LIST).ms),
		mark(`${LIST}: time, of that for 10,000`, 11, list.ms / ours('10,000 groups, 20 ms').ms),
		mark(`${GETS}: time, of HTTP Request's`, 0.9, gets.ms / its(GETS).ms),
		mark(`${GETS}: time, of n8n's request helper`, 1.15, gets.ms / floor(GETS)),
		mark(`${FAST_GETS}: time, of n8n's request helper`, 1.4, ours(FAST_GETS).ms / floor(FAST_GETS)),
		mark(`${GETS}: peak memory, of HTTP Request's`, 0.9, gets.peakMb / its(GETS).peakMb),
		mark(`${GETS}: connections open at once`, 64, gets.connections),
		mark(`${REMOVALS.name}: time, of HTTP Request's`, 0.9, removals.ms / its(REMOVALS.name).ms),
		...LIFE.flatMap((run) => [ofLeast(run, 1.1), refused(run, 0.02)]),
		ofLeast(FREE.headers, 1.1),
		refused(FREE.headers, 0.01),
		ofLeast(FREE.retryAfter, 1.15),
		refused(FREE.retryAfter, 0.08),
		ofLeast(FREE.nothing, 1.6),
	];
}
