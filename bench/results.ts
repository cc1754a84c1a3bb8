import { ALONE, BESIDE, FREE, LIFE, leastMs, type Case, type Contender } from './cases';

/** What one run took. */
export interface Measurement {
	ms: number;
	/** Time on the CPU, of all threads of the process */
	cpuMs: number;
	/** Memory of the process (resident set) once everything is loaded and tried out once */
	idleMb: number;
	/** The most memory while the work was done */
	peakMb: number;
	/** The most that were open at once */
	connections: number;
	requests: number;
	/** Requests that the rate limit refused */
	refused: number;
	/** When the sends beside the work were done: one user's, and another's */
	sendsMs: number;
	othersMs: number;
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
export function median(numbers: number[]): number {
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
			idleMb: of('idleMb'),
			peakMb: of('peakMb'),
			connections: of('connections'),
			requests: of('requests'),
			refused: of('refused'),
			sendsMs: of('sendsMs'),
			othersMs: of('othersMs'),
		};
	};
}

/** Something that has to hold in one run of the benchmark: a figure that is no larger. */
interface Mark {
	name: string;
	atMost: number;
	figure(of: Lookup): number;
}

const LIST = '100,000 groups, 20 ms';
const GETS = '2,000 messages, 20 ms';

const ofLeast = (run: Case, atMost: number): Mark => ({
	name: `${run.name}: time, of the least that the limit allows`,
	atMost,
	figure: (of) => of(run.name, 'ours').ms / leastMs(run.size, run),
});

const refused = ({ name }: Case, atMost: number): Mark => ({
	name: `${name}: refused, of all requests`,
	atMost,
	figure: (of) => of(name, 'ours').refused / of(name, 'ours').requests,
});

export const MARKS: Mark[] = [
	{
		name: `${LIST}: time, of HTTP Request's`,
		atMost: 0.33,
		figure: (of) => of(LIST, 'ours').ms / of(LIST, 'httpRequest').ms,
	},
	{
		name: `${LIST}: time, of the undici Pool's`,
		atMost: 1.5,
		figure: (of) => of(LIST, 'ours').ms / of(LIST, 'floor').ms,
	},
	{
		name: `${LIST}: time, of that for 10,000 groups`,
		atMost: 11,
		figure: (of) => of(LIST, 'ours').ms / of('10,000 groups, 20 ms', 'ours').ms,
	},
	{
		name: `${GETS}: time, of HTTP Request's`,
		atMost: 0.9,
		figure: (of) => of(GETS, 'ours').ms / of(GETS, 'httpRequest').ms,
	},
	{
		name: `${GETS}: peak memory, of HTTP Request's`,
		atMost: 0.9,
		figure: (of) => of(GETS, 'ours').peakMb / of(GETS, 'httpRequest').peakMb,
	},
	{
		name: `${GETS}: memory above that of the idle process, of HTTP Request's`,
		atMost: 0.9,
		figure: (of) => {
			const [ours, its] = [of(GETS, 'ours'), of(GETS, 'httpRequest')];
			return (ours.peakMb - ours.idleMb) / (its.peakMb - its.idleMb);
		},
	},
	{
		name: `${GETS}: connections open at once`,
		atMost: 64,
		figure: (of) => of(GETS, 'ours').connections,
	},
	...LIFE.flatMap((run) => [ofLeast(run, 1.1), refused(run, 0.02)]),
	ofLeast(FREE.headers, 1.1),
	refused(FREE.headers, 0.01),
	ofLeast(FREE.retryAfter, 1.15),
	refused(FREE.retryAfter, 0.08),
	ofLeast(FREE.nothing, 1.6),
	{
		name: `${BESIDE.name}: time of the messages, of that without the sends`,
		atMost: 1.5,
		figure: (of) => of(BESIDE.name, 'ours').ms / of(ALONE.name, 'ours').ms,
	},
	{
		name: `${BESIDE.name}: time of the sends, of the least that the limit allows`,
		atMost: 1.2,
		figure: (of) => of(BESIDE.name, 'ours').sendsMs / leastMs(75, BESIDE),
	},
	{
		// They fit into one window, so they need not wait for a second one
		name: `${BESIDE.name}: time of 25 sends of another user, of a window`,
		atMost: 1,
		figure: (of) => of(BESIDE.name, 'ours').othersMs / BESIDE.limit.windowMs,
	},
];

export interface CheckedMark {
	name: string;
	atMost: number;
	/** NaN when what it is made of was not measured */
	figure: number;
	reached: boolean;
}

/** Compares the marks with what was measured. A mark without a figure is not reached. */
export function checkMarks(lookup: Lookup): CheckedMark[] {
	return MARKS.map(({ name, atMost, figure: of }) => {
		const figure = of(lookup);
		return { name, atMost, figure, reached: figure <= atMost };
	});
}
