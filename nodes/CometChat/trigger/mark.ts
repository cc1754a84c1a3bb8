import type { Occurrence } from './events';

/**
 * How far the trigger has come, by the service's clock alone: ours may be ahead or behind.
 * It is kept in the workflow's static data, so it holds plain JSON.
 */
export interface Mark {
	/** Unix seconds: the latest occurrence that was seen */
	time: number;
	/** GUID, time and version of what was given at the mark's time or shortly before */
	seen: Array<[guid: string, at: number, version: string]>;
}

/**
 * Seconds before the mark that are looked at again: more may follow in the mark's own second, and
 * a change may become visible a little late.
 */
export const OVERLAP = 5;

/** Seconds by which the service's clock may be ahead of ours. */
const MAX_AHEAD = 86_400;

/**
 * Whether the mark may follow a time. One far ahead of our clock is a wrong entry: a mark there
 * would hide everything until then.
 */
export function isCredible(time: number): boolean {
	return time <= Date.now() / 1000 + MAX_AHEAD;
}

/** The first second that is looked at again. */
export function windowStart(mark: Mark): number {
	return Math.max(0, mark.time - OVERLAP);
}

/**
 * The value for `updatedAt` that brings everything from the window on, whether the service takes it
 * as "after" or as "from": one second less. Undefined when everything is wanted.
 */
export function sinceOf(mark: Mark): number | undefined {
	const since = windowStart(mark) - 1;
	return since > 0 ? since : undefined;
}

/**
 * Tells what has not been given yet. What is older than what was given of the same group comes from
 * a part of the service that lags behind.
 */
export function freshness(mark: Mark): (occurrence: Occurrence) => boolean {
	const start = windowStart(mark);
	const given = new Map(mark.seen.map(([guid, at, version]) => [guid, { at, version }]));
	return ({ guid, at, version }) => {
		const last = given.get(guid);
		return at >= start && (last === undefined || (at >= last.at && version !== last.version));
	};
}

/** What one search brought. */
export interface Found {
	/** What is wanted, oldest first, at most as many as one poll hands over */
	occurrences: Occurrence[];
	/** Unix seconds up to which nothing was left out */
	time: number;
	/** GUIDs of the groups that the service listed without saying when they changed */
	untimed: ReadonlySet<string>;
}

/**
 * The mark after what was found was given. A group whose time is not known is remembered as long as
 * the service lists it: it may be later than it seems.
 */
export function advance(mark: Mark, { occurrences, time, untimed }: Found): Mark {
	const next: Mark = { time: Math.max(mark.time, time), seen: [] };
	const start = windowStart(next);
	const seen = new Map(mark.seen.map((entry) => [entry[0], entry]));
	for (const { guid, at, version } of occurrences) seen.set(guid, [guid, at, version]);
	next.seen = [...seen.values()].filter(([guid, at]) => at >= start || untimed.has(guid));
	return next;
}
