import type { RateWindowOptions } from '../sandbox/server';

/** Kind of work to measure: listing groups, or getting a message per item. */
export type Work = 'groups' | 'messages';

/**
 * Names of the programs being compared, including:
 * - `before`: another build of our node, passed with `--against`
 * - `routing`: our node's description, run by n8n's RoutingNode instead of our runner
 */
export const CONTENDERS = {
	ours: 'CometChat node',
	before: 'CometChat node, base build',
	httpRequest: 'HTTP Request',
	routing: "n8n's RoutingNode",
};

export type Contender = keyof typeof CONTENDERS;

/** A benchmark case: work to do against a service with a fixed latency. */
export interface Case {
	name: string;
	work: Work;
	/** Number of groups to list, or number of input items. */
	size: number;
	latencyMs: number;
	/** Number of runs at the same time. Each run does the whole work. Defaults to 1. */
	runs?: number;
	contenders: Contender[];
	/** The service's rate limit. Services with a rate limit also use TLS. */
	limit?: RateWindowOptions;
	/** Search string that filters the groups during the warm-up, to keep the list short. */
	searchKey?: string;
}

/** Input for a contender's process. */
export interface Job {
	contender: Contender;
	run: Case;
	baseUrl: string;
	apiKey: string;
	/** IDs of the messages to get. */
	ids: string[];
}

/** Time and resources used by a single run. */
export interface Measurement {
	ms: number;
	/** CPU time used by all threads in the process, in milliseconds. */
	cpuMs: number;
	/** The process's peak resident memory, in megabytes. */
	peakMb: number;
	/** Maximum number of simultaneous connections. */
	connections: number;
	requests: number;
	/** Number of requests rejected by the rate limit. */
	refused: number;
}

/** A contender's measurements in each round of a case. */
export interface Outcome {
	run: Case;
	contender: Contender;
	rounds: Measurement[];
}

function createCase(work: Work, size: number, latencyMs: number): Case {
	const name = `${size.toLocaleString('en-US')} ${work}, ${latencyMs} ms`;
	return { name, work, size, latencyMs, contenders: ['ours', 'httpRequest'] };
}

/** Creates a case that gets messages from a service with a rate limit. */
function createLimited(
	size: number,
	title: string,
	limit: RateWindowOptions,
	contenders: Contender[] = ['ours'],
): Case {
	const base = createCase('messages', size, 80);
	return { ...base, name: `${base.name}, TLS, ${title}`, limit, contenders };
}

/** The free plan's limit of 500 requests per minute, sped up by a factor of 20. */
const FREE_PLAN: RateWindowOptions = { requests: 500, ms: 3_000 };

/** The paid plans' limit of 20,000 requests per minute. */
const PAID_PLAN: RateWindowOptions = { requests: 20_000, ms: 60_000, rateHeaders: 'x-rate-limit' };

/** A limit that many runs reach at the same time. */
const MANY_RUNS: RateWindowOptions = { requests: 300, ms: 1_000, rateHeaders: 'x-ratelimit' };

export const CASES: Case[] = [
	...[1_000, 10_000, 100_000].flatMap((size) => [
		createCase('groups', size, 0),
		createCase('groups', size, 20),
		createCase('groups', size, 100),
	]),
	...[100, 2_000, 10_000].flatMap((size) => [
		createCase('messages', size, 0),
		createCase('messages', size, 20),
	]),
	{ ...createCase('messages', 500, 20), contenders: ['ours', 'routing'] },
	// A whole minute, because the headers' whole seconds would distort a shorter window
	createLimited(21_000, '20,000 a minute', PAID_PLAN, ['ours', 'httpRequest']),
	createLimited(1_510, '500 in 3 s, all headers', { ...FREE_PLAN, rateHeaders: 'x-ratelimit' }),
	createLimited(1_510, '500 in 3 s, Retry-After alone', FREE_PLAN),
	{ ...createLimited(150, '40 runs, 300 a second', MANY_RUNS), runs: 40 },
];

/** Computes the minimum time in which a case can finish under its rate limit, in milliseconds. */
export const minimumMs = ({ size, runs = 1, latencyMs, limit }: Case): number =>
	limit ? (Math.ceil((size * runs) / limit.requests) - 1) * limit.ms + latencyMs : latencyMs;

/** Maximum page size when listing groups. */
export const PER_PAGE = 1_000;
