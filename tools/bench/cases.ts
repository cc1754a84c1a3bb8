import type { CallKind, RateLimitForm } from '../sandbox/server';

/** What is asked of a contender: one list, or one request per item. */
export type Work = 'groups' | 'messages' | 'sends' | 'removals';

/**
 * Programs that do the work:
 * - `computed`: our node with an expression that n8n has to evaluate
 * - `before`: another build of our node
 * - `floor`: n8n's request helper with 60 requests at once, and nothing else
 */
export type Contender = 'ours' | 'before' | 'computed' | 'httpRequest' | 'floor';

export const CONTENDER_NAMES: Record<Contender, string> = {
	ours: 'CometChat node',
	before: 'CometChat node, the other build',
	computed: 'CometChat node, computed ID',
	httpRequest: 'HTTP Request',
	floor: "n8n's request helper",
};

/** So many requests in each window, aligned to the clock. */
export interface Limit extends RateLimitForm {
	requests: number;
	windowMs: number;
	/** The only calls that it counts; those of the kind `send` for each sender alone */
	kind?: CallKind;
}

/** One piece of work against a service that waits so long before each answer. */
export interface Case {
	/** No other case has it. */
	name: string;
	work: Work;
	/** Groups in the list, or items */
	size: number;
	latencyMs: number;
	contenders: Contender[];
	tls?: boolean;
	limit?: Limit;
	/** Only groups that are found by it: for a trial before the work */
	searchKey?: string;
}

/** Where the service listens, and what it holds. */
export interface Service {
	baseUrl: string;
	apiKey: string;
	messageIds: string[];
	groupIds: string[];
}

/** What a process is to do. */
export interface Job {
	service: Service;
	contender: Contender;
	run: Case;
}

function plain(work: Work, size: number, latencyMs: number): Case {
	const name = `${size.toLocaleString('en-US')} ${work}, ${latencyMs} ms`;
	const contenders: Contender[] = ['ours', 'httpRequest'];
	if (work === 'messages') contenders.push('computed', 'floor');
	return { name, work, size, latencyMs, contenders };
}

const cross = (work: Work, sizes: number[], latencies: number[]): Case[] =>
	sizes.flatMap((size) => latencies.map((latencyMs) => plain(work, size, latencyMs)));

/** CometChat's 20,000 requests a minute, in windows of a second, so that a run meets several. */
const SECONDS: Limit = { requests: 333, windowMs: 1_000, rateHeaders: 'x-rate-limit' };

/** As it is in life: TLS, 80 ms, a rate limit of 20,000 a minute. */
export const LIFE = (['messages', 'sends'] as const).map((work): Case => ({
	...plain(work, 2_000, 80),
	name: `2,000 ${work}, 80 ms, TLS, 333 a second`,
	tls: true,
	limit: SECONDS,
	// Nothing that takes no notice of the limit gets through
	contenders: ['ours', 'httpRequest'],
}));

/** A user of the sample data who acts. */
export const SENDER = 'mira';

/** CometChat's windows of a minute, on a clock that runs twenty times as fast. */
const WINDOW_MS = 3_000;

/** The free plan: three windows full, and a few requests in a fourth. */
function free(told: string, form: RateLimitForm): Case {
	return {
		...plain('messages', 1_510, 80),
		name: `1,510 messages, 80 ms, TLS, 500 in 3 s, ${told}`,
		tls: true,
		limit: { requests: 500, windowMs: WINDOW_MS, ...form },
		contenders: ['ours'],
	};
}

/** By what a response says of the limit. */
export const FREE = {
	headers: free('all headers', { rateHeaders: 'x-ratelimit' }),
	retryAfter: free('Retry-After alone', {}),
	nothing: free('no header', { retryAfter: 'none' }),
};

/** Members of one group, of whom each is another one. */
export const REMOVALS = plain('removals', 2_000, 20);

export const CASES: Case[] = [
	...cross('groups', [1_000, 10_000, 100_000], [0, 20, 100]),
	...cross('messages', [100, 2_000, 10_000], [0, 20]),
	plain('sends', 2_000, 20),
	REMOVALS,
	...LIFE,
	...Object.values(FREE),
];

/** The least time that the rate limit allows for so many requests, in milliseconds. */
export function leastMs(requests: number, { latencyMs, limit }: Case): number {
	if (!limit) return latencyMs;
	// The work begins with a window, and what is sent in it is at once there
	return (Math.ceil(requests / limit.requests) - 1) * limit.windowMs + latencyMs;
}

/** Groups asked for per page: the most that the service gives. */
export const PER_PAGE = 1_000;

/** The group whose members are removed. */
export const CROWD = 'crowd';

export const memberOf = (index: number): string => `member-${index}`;

/** Groups that messages go to, and messages that are read. */
export const TARGETS = 200;
