import type { RateWindowOptions } from '../sandbox/server';

/** One list of groups, or one request per item: Get a message, or remove a member. */
export type Work = 'groups' | 'messages' | 'removals';

/**
 * Names of the compared programs:
 * - `before`: another build of our node, from `--against`
 * - `floor`: n8n's request helper with 60 requests at the same time
 */
export const CONTENDERS = {
	ours: 'CometChat node',
	before: 'CometChat node, the other build',
	httpRequest: 'HTTP Request',
	floor: "n8n's request helper",
};

export type Contender = keyof typeof CONTENDERS;

/** Work on a service with a fixed latency. */
export interface Case {
	name: string;
	work: Work;
	/** Number of groups in the list, or number of items. */
	size: number;
	latencyMs: number;
	contenders: Contender[];
	/** Rate limit of the service, which then uses TLS. */
	limit?: RateWindowOptions;
	/** Search text that shortens the list for the warm-up. */
	searchKey?: string;
}

/** Input of a contender's process. */
export interface Job {
	contender: Contender;
	run: Case;
	baseUrl: string;
	apiKey: string;
	/** Message IDs to get, or UIDs of the members to remove. */
	ids: string[];
}

/** Resources that one run used. */
export interface Measurement {
	ms: number;
	/** CPU time of all threads in the process. */
	cpuMs: number;
	/** Maximum resident memory of the process. */
	peakMb: number;
	/** Maximum number of connections open at the same time. */
	connections: number;
	requests: number;
	/** Number of requests that the rate limit refused. */
	refused: number;
}

/** Measurements of a contender in each round of a case. */
export interface Outcome {
	run: Case;
	contender: Contender;
	rounds: Measurement[];
}

function createCase(work: Work, size: number, latencyMs: number): Case {
	const name = `${size.toLocaleString('en-US')} ${work}, ${latencyMs} ms`;
	const contenders: Contender[] = ['ours', 'httpRequest'];
	if (work === 'messages') contenders.push('floor');
	return { name, work, size, latencyMs, contenders };
}

/** Gets from a service with a rate limit. The helper ignores rate limits, so it can't take part. */
function createLimited(
	size: number,
	title: string,
	limit: RateWindowOptions,
	contenders: Contender[] = ['ours'],
): Case {
	const base = createCase('messages', size, 80);
	return { ...base, name: `${base.name}, TLS, ${title}`, limit, contenders };
}

/** The free plan's 500 requests per minute, on a clock that runs twenty times as fast. */
const FREE_PLAN: RateWindowOptions = { requests: 500, ms: 3_000 };

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
	createCase('removals', 2_000, 20),
	// 20,000 requests per minute, in windows of a second so that a run spans several windows
	createLimited(2_000, '333 a second', { requests: 333, ms: 1_000, rateHeaders: 'x-rate-limit' }, [
		'ours',
		'httpRequest',
	]),
	createLimited(1_510, '500 in 3 s, all headers', { ...FREE_PLAN, rateHeaders: 'x-ratelimit' }, [
		'ours',
	]),
	createLimited(1_510, '500 in 3 s, Retry-After alone', FREE_PLAN),
];

/** Minimum time that the rate limit allows for a case, in milliseconds. */
export const minimumMs = ({ size, latencyMs, limit }: Case): number =>
	limit ? (Math.ceil(size / limit.requests) - 1) * limit.ms + latencyMs : latencyMs;

/** Maximum page size of the service's list of groups. */
export const PER_PAGE = 1_000;

/** GUID of the group whose members are removed. */
export const CROWD = 'crowd';
