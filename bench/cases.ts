/** What is asked of a contender: one list, or one request per item. */
export type Work = 'groups' | 'messages' | 'sends' | 'reactions';

/** The rate limit of a case: so many requests in each window, aligned to the clock. */
export interface Limit {
	requests: number;
	/** Milliseconds */
	windowMs: number;
}

/** One piece of work against a service that waits so long before each answer. */
export interface Case {
	work: Work;
	/** Groups in the list, or messages to get one by one */
	size: number;
	latencyMs: number;
	/** Only groups that are found by it: for a trial before the work */
	searchKey?: string;
	/** Over TLS, and with a rate limit that the responses tell of, as the real service has it */
	limit?: Limit;
}

/**
 * Who does the work. `httpRequest` gives one item per page of groups; `httpRequestSplit` goes on to
 * one item per group, as our node does. `oursComputed` is our node with an expression that n8n has to
 * evaluate, and `requestHelper` a node that does nothing but that and the request.
 */
export type Contender =
	'ours' | 'oursComputed' | 'httpRequest' | 'httpRequestSplit' | 'requestHelper' | 'floor';

export const CONTENDER_NAMES: Record<Contender, string> = {
	ours: 'CometChat node',
	oursComputed: 'CometChat node, computed ID',
	httpRequest: 'HTTP Request',
	httpRequestSplit: 'HTTP Request + Split Out',
	requestHelper: "n8n's request helper",
	floor: 'undici Pool',
};

/** Contenders of a case, in the order of the first round. */
export function contendersOf({ work, limit }: Case): Contender[] {
	if (work === 'groups') return ['ours', 'httpRequest', 'httpRequestSplit', 'floor'];
	// Nothing that takes no notice of the limit gets through
	if (limit) return ['ours', 'httpRequest'];
	return ['ours', 'httpRequest', 'oursComputed', 'requestHelper', 'floor'];
}

/** The least time that a rate limit allows for the work, in milliseconds. */
export function leastMs({ size, latencyMs, limit }: Case): number {
	if (!limit) return latencyMs;
	// The work begins with a window, and what is sent in it is at once there
	return (Math.ceil(size / limit.requests) - 1) * limit.windowMs + latencyMs;
}

const cross = (work: Work, sizes: number[], latencies: number[]): Case[] =>
	sizes.flatMap((size) => latencies.map((latencyMs) => ({ work, size, latencyMs })));

/** The service's 20,000 requests a minute, in windows of a second, so that a run meets several. */
const LIMIT: Limit = { requests: 333, windowMs: 1_000 };

/** As it is in life: TLS, 80 ms, a rate limit of 20,000 a minute. */
export const LIFE: Case[] = (['messages', 'sends', 'reactions'] as const).map((work) => ({
	work,
	size: 2_000,
	latencyMs: 80,
	limit: LIMIT,
}));

/** Every case of a full run, or the few that the marks need and that take seconds. */
export function casesOf(quick: boolean): Case[] {
	return quick
		? [
				...cross('groups', [10_000, 100_000], [20]),
				...cross('messages', [2_000], [20]),
				...LIFE.slice(0, 1),
			]
		: [
				...cross('groups', [1_000, 10_000, 100_000], [0, 20, 100]),
				...cross('messages', [100, 2_000, 10_000], [0, 20]),
				...LIFE,
			];
}

export function caseName({ work, size, latencyMs, limit }: Case): string {
	const limited = limit ? `, TLS, ${limit.requests} a second` : '';
	return `${size.toLocaleString('en-US')} ${work}, ${latencyMs} ms${limited}`;
}

/** Groups asked for per page: the most that the service gives. */
export const PER_PAGE = 1_000;
