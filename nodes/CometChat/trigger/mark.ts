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

/** Tells what has not been given yet. */
export function freshness(mark: Mark): (occurrence: Occurrence) => boolean {
	const start = windowStart(mark);
	const given = new Map(mark.seen.map(([guid, , version]) => [guid, version]));
	return ({ guid, at, version }) => at >= start && given.get(guid) !== version;
}

/** Oldest first: what is left out when there are too many is not older than what was given. */
export function oldestFirst(a: Occurrence, b: Occurrence): number {
	return a.at - b.at;
}

/**
 * The mark after these occurrences were given.
 *
 * @param time of the latest occurrence that is behind us now
 */
export function advance(mark: Mark, given: Occurrence[], time: number): Mark {
	const next: Mark = { time: Math.max(mark.time, time), seen: [] };
	const start = windowStart(next);
	const seen = new Map(mark.seen.map((entry) => [entry[0], entry]));
	for (const { guid, at, version } of given) seen.set(guid, [guid, at, version]);
	next.seen = [...seen.values()].filter(([, at]) => at >= start);
	return next;
}
