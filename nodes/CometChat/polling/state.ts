import { isObject } from '../transport/json';
import type { Dated } from './dated';
import type { Met } from './search';

/** How far the trigger has come: plain JSON, kept in the workflow's static data. */
export interface PollState {
	/** What it is for: another event, filter, user or app needs another state */
	purpose: string;
	/** Unix seconds, by the service's clock: all up to then was returned, but for what shows up late */
	upTo: number;
	/** What was returned and may be met again */
	returned: Array<[id: string, at: number, version: string]>;
}

/**
 * Seconds before `upTo` that are looked at again: for changes that show up late, for what happens
 * while a poll goes on (five minutes by default), and for clocks that differ by minutes.
 */
export const OVERLAP = 300;

/** The first second that is looked at. */
export function windowStart(upTo: number): number {
	return Math.max(0, upTo - OVERLAP);
}

/**
 * The state of a trigger that is new. It looks at a day before our time, so that the service's clock
 * may be behind by hours: once something happened, `upTo` follows that clock.
 */
export function firstState(purpose: string, now: number): PollState {
	return { purpose, upTo: now - 86_400, returned: [] };
}

function isReturned(value: unknown): value is PollState['returned'][number] {
	if (!Array.isArray(value)) return false;
	const [id, at, version]: unknown[] = value;
	return typeof id === 'string' && typeof at === 'number' && typeof version === 'string';
}

/** Whether a saved state can be used: somebody may have changed it, or it is of another version. */
export function isState(value: unknown): value is PollState {
	if (!isObject(value)) return false;
	const { purpose, upTo, returned } = value;
	if (typeof purpose !== 'string' || typeof upTo !== 'number') return false;
	return Array.isArray(returned) && returned.every(isReturned);
}

/** The part of a version that does not change with the time; undefined where there is none. */
const contentOf = (version = ''): string | undefined => version.split('.')[1];

/** What a poll returns, oldest first, and the state after it. */
export interface Step {
	groups: Dated[];
	state: PollState;
}

/** What decides how much a poll returns. */
export interface StepOptions {
	/** Maximum number of groups: the oldest, so that the rest follows with the next polls */
	most: number;
	/** Unix seconds by the service's clock */
	now: number;
	/** Whether a group may start the workflow; one that may not counts as returned */
	isWanted?: (group: Dated) => boolean;
}

/**
 * Finds what was not returned yet.
 *
 * `upTo` follows only times of the service that are not ahead of its clock. So a group that is dated
 * ahead hides nothing; it is remembered, so that it does not come twice. Where the whole service is
 * ahead, `upTo` is that much behind, and more is looked at again. While groups are left for the next
 * poll, `upTo` stays, so that the service lists them again. Of a list of several pages a group may have
 * slipped through: `upTo` goes no further than where two reads agree.
 *
 * A group in which the app itself changed nothing but the time starts nothing: a workflow that writes
 * the same into a group would start itself for ever.
 *
 * @param met what was found from the start of the window on; what is before it does not count
 */
export function nextStep(
	state: PollState,
	{ groups: met, isOnePage }: Met,
	{ most, now, isWanted = () => true }: StepOptions,
): Step {
	const start = windowStart(state.upTo);
	const returned = new Map(state.returned.map((entry) => [entry[0], entry]));
	const fresh = met.filter((group) => {
		const { id, at, version, byApp } = group;
		const [, lastAt = 0, lastVersion] = returned.get(id) ?? [];
		const content = contentOf(version);
		const isSame = content !== undefined && content === contentOf(lastVersion);
		// An older version comes from a part of the service that lags behind, unless the last was dated ahead
		const isOlder = at < lastAt && lastAt <= now;
		const isEcho = byApp && isSame && !isOlder;
		const isKnown = version === lastVersion || isEcho;
		// As long as the service lists a group without a time, it is remembered
		if (isKnown) returned.set(id, [id, at, version]);
		const isFresh = at >= start && !isKnown && !isOlder;
		if (isFresh && !isWanted(group)) returned.set(id, [id, at, version]);
		return isFresh && isWanted(group);
	});
	fresh.sort((a, b) => a.at - b.at);
	const groups = fresh.slice(0, most);
	for (const { id, at, version } of groups) returned.set(id, [id, at, version]);
	const hasRest = fresh.length > groups.length;
	const agreed = isOnePage || groups.length === 0 ? met : groups.slice(0, 1);
	const times = hasRest ? [] : agreed.map(({ at }) => at).filter((at) => at <= now);
	const upTo = times.reduce((latest, at) => Math.max(latest, at), state.upTo);
	const kept = [...returned.values()].filter(([, at]) => at >= start);
	return { groups, state: { ...state, upTo, returned: kept } };
}
