import type { Case, Contender } from './cases';
import { LIFE, caseName, leastMs } from './cases';
import type { Measurement } from './job';
import type { Lookup } from './statistics';

/** Something that has to hold in one run of the benchmark. */
export interface Mark {
	name: string;
	/** The figure has to be no larger */
	atMost: number;
	/** Undefined when what it is made of was not measured */
	figure: (lookup: Lookup) => number | undefined;
}

const MANY_GROUPS: Case = { work: 'groups', size: 100_000, latencyMs: 20 };
const FEWER_GROUPS: Case = { work: 'groups', size: 10_000, latencyMs: 20 };
const MESSAGES: Case = { work: 'messages', size: 2_000, latencyMs: 20 };

const quotient = (over?: number, under?: number): number | undefined =>
	over === undefined || under === undefined ? undefined : over / under;

const against =
	(run: Case, rival: Contender, figure: (measured: Measurement) => number) =>
	(lookup: Lookup): number | undefined => {
		const ours = lookup(run, 'ours');
		const theirs = lookup(run, rival);
		return quotient(ours && figure(ours), theirs && figure(theirs));
	};

export const MARKS: Mark[] = [
	{
		name: '100,000 groups at 20 ms: time, of HTTP Request',
		atMost: 0.33,
		figure: against(MANY_GROUPS, 'httpRequest', ({ ms }) => ms),
	},
	{
		name: '100,000 groups at 20 ms: time, of the undici Pool',
		atMost: 1.5,
		figure: against(MANY_GROUPS, 'floor', ({ ms }) => ms),
	},
	{
		name: '100,000 groups at 20 ms: time, of 10,000 groups',
		atMost: 11,
		figure: (lookup) => quotient(lookup(MANY_GROUPS, 'ours')?.ms, lookup(FEWER_GROUPS, 'ours')?.ms),
	},
	{
		name: '2,000 messages at 20 ms: time, of HTTP Request',
		atMost: 0.9,
		figure: against(MESSAGES, 'httpRequest', ({ ms }) => ms),
	},
	{
		name: '2,000 messages at 20 ms: peak memory of the process, of HTTP Request',
		atMost: 0.9,
		figure: against(MESSAGES, 'httpRequest', ({ peakMb }) => peakMb),
	},
	{
		name: '2,000 messages at 20 ms: memory above that of the idle process, of HTTP Request',
		atMost: 0.9,
		figure: against(MESSAGES, 'httpRequest', ({ peakMb, baselineMb }) => peakMb - baselineMb),
	},
	{
		name: '2,000 messages at 20 ms: connections open at once',
		atMost: 64,
		figure: (lookup) => lookup(MESSAGES, 'ours')?.peakConnections,
	},
	...LIFE.flatMap((run): Mark[] => [
		{
			name: `${caseName(run)}: time, of the least that the limit allows`,
			atMost: 1.1,
			figure: (lookup) => quotient(lookup(run, 'ours')?.ms, leastMs(run)),
		},
		{
			name: `${caseName(run)}: requests that were refused, of all`,
			atMost: 0.02,
			figure: (lookup) => {
				const ours = lookup(run, 'ours');
				return quotient(ours?.refused, ours?.requests);
			},
		},
	]),
];

export interface CheckedMark extends Pick<Mark, 'name' | 'atMost'> {
	figure?: number;
	reached: boolean;
}

/** Compares the marks with what was measured. A mark without a figure is not reached. */
export function checkMarks(lookup: Lookup): CheckedMark[] {
	return MARKS.map(({ name, atMost, figure }) => {
		const value = figure(lookup);
		return { name, atMost, figure: value, reached: value !== undefined && value <= atMost };
	});
}
