import type { Occurrence } from './events';
import type { Place } from './groupList';

/**
 * How far the trigger has come, by the service's clock alone: ours may be ahead or behind. It is kept
 * in the workflow's static data, so it holds plain JSON.
 */
export interface Cursor {
	/** Unix seconds up to which everything was returned */
	time: number;
	/** GUID, time and version of what was returned at that time, shortly before, or later */
	seen: Array<[guid: string, at: number, version: string]>;
	/** Where to go on in the list; undefined for its beginning */
	place?: Place;
	/** Set while the list is read in several polls */
	pass?: Pass;
}

/** One way through the list, which may take several polls. */
export interface Pass {
	/** Milliseconds since 1970, by our clock */
	startedAt: number;
	/** Unix seconds, by the service's clock: a time at which the pass had not begun yet */
	time: number;
	/** What is there already starts no workflow */
	isFirst?: boolean;
	/** The service does not sort the list as asked for */
	isUnsorted?: boolean;
}

/**
 * Seconds before the cursor's time that are looked at again: more may follow in that very second,
 * and a change may become visible a little late.
 */
export const OVERLAP = 5;

/** Seconds by which the service's clock may be ahead of ours. */
const MAX_AHEAD = 86_400;

/**
 * Whether the cursor may follow a time. One far ahead of our clock is a wrong entry: a cursor there
 * would hide everything until then.
 */
export function isCredible(time: number): boolean {
	return time <= Date.now() / 1000 + MAX_AHEAD;
}

/** The first second that is looked at again. */
export function windowStart({ time }: Pick<Cursor, 'time'>): number {
	return Math.max(0, time - OVERLAP);
}

/**
 * The value for `updatedAt` that brings everything from the window on, whether the service takes it
 * as "after" or as "from": one second less. Undefined when everything is wanted.
 */
export function sinceOf(cursor: Cursor): number | undefined {
	const since = windowStart(cursor) - 1;
	return since > 0 ? since : undefined;
}

/**
 * Tells what has not been returned yet. What is older than what was returned of the same group comes
 * from a part of the service that lags behind, unless that had a wrong time.
 */
export function freshness(cursor: Cursor): (occurrence: Occurrence) => boolean {
	const start = windowStart(cursor);
	const seen = new Map(cursor.seen.map(([guid, at, version]) => [guid, { at, version }]));
	return ({ guid, at, version }) => {
		const last = seen.get(guid);
		if (at < start || version === last?.version) return false;
		return last === undefined || at >= last.at || !isCredible(last.at);
	};
}

/**
 * What is remembered after some occurrences were returned, or were met again without a time. The
 * service may list a group without a time as long as the window is where it was: what is met in it
 * is remembered until the window has moved on twice.
 */
export function remembered(cursor: Cursor, met: Iterable<Occurrence>): Cursor['seen'] {
	const start = windowStart(cursor);
	const seen = new Map(cursor.seen.map((entry) => [entry[0], entry]));
	for (const { guid, at, version } of met) seen.set(guid, [guid, at, version]);
	return [...seen.values()].filter(([, at]) => at >= start);
}
