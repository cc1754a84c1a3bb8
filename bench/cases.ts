/** What is asked of a contender. */
export type Work = 'groups' | 'messages';

/** One piece of work against a service that waits so long before each answer. */
export interface Case {
	work: Work;
	/** Groups in the list, or messages to get one by one */
	size: number;
	latencyMs: number;
	/** Only groups that are found by it: for a trial before the work */
	searchKey?: string;
}

/**
 * Who does the work. `httpRequest` gives one item per page of groups; `httpRequestSplit` goes on to
 * one item per group, as our node does.
 */
export type Contender = 'ours' | 'httpRequest' | 'httpRequestSplit' | 'floor';

export const CONTENDER_NAMES: Record<Contender, string> = {
	ours: 'CometChat node',
	httpRequest: 'HTTP Request',
	httpRequestSplit: 'HTTP Request + Split Out',
	floor: 'undici Pool',
};

/** Contenders of a case, in the order of the first round. */
export function contendersOf({ work }: Case): Contender[] {
	return work === 'groups'
		? ['ours', 'httpRequest', 'httpRequestSplit', 'floor']
		: ['ours', 'httpRequest', 'floor'];
}

const cross = (work: Work, sizes: number[], latencies: number[]): Case[] =>
	sizes.flatMap((size) => latencies.map((latencyMs) => ({ work, size, latencyMs })));

/** Every case of a full run, or the few that the marks need and that take seconds. */
export function casesOf(quick: boolean): Case[] {
	return quick
		? [...cross('groups', [10_000, 100_000], [20]), ...cross('messages', [2_000], [20])]
		: [
				...cross('groups', [1_000, 10_000, 100_000], [0, 20, 100]),
				...cross('messages', [100, 2_000, 10_000], [0, 20]),
			];
}

export function caseName({ work, size, latencyMs }: Case): string {
	return `${size.toLocaleString('en-US')} ${work}, ${latencyMs} ms`;
}

/** Groups asked for per page: the most that the service gives. */
export const PER_PAGE = 1_000;
