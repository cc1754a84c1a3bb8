import type { IDataObject } from 'n8n-workflow';

/** What a group has to have done to start the workflow. */
export type EventName = 'groupCreated' | 'groupUpdated' | 'groupJoined';

/** A group, and when that happened to it which the event is about. */
export interface DatedGroup {
	group: IDataObject;
	guid: string;
	/** Unix seconds, by the service's clock */
	at: number;
	/** Another one when it happened to the same group again */
	version: string;
}

/** The field that says when it happened. */
const TIME_FIELD: Record<EventName, string> = {
	groupCreated: 'createdAt',
	groupUpdated: 'updatedAt',
	groupJoined: 'joinedAt',
};

/** What a change of a group changes; neither counters nor what depends on the user. */
const CONTENT = ['name', 'description', 'icon', 'type', 'owner', 'tags', 'metadata'];

/**
 * A short text that differs when the values do.
 *
 * @see http://www.isthe.com/chongo/tech/comp/fnv/ (FNV-1a, 32 bits)
 */
export function fingerprint(values: unknown[]): string {
	const text = JSON.stringify(values);
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	return (hash >>> 0).toString(36);
}

/** A time of a group in Unix seconds; 0 for what the service leaves out. */
export function timeIn(group: IDataObject, name: string): number {
	const seconds = Number(group[name]);
	return Number.isFinite(seconds) ? seconds : 0;
}

/**
 * Dates a group by an event.
 *
 * @param start first second that was asked for: where the service does not say when it happened (it
 * need not send `updatedAt`), that is the earliest possible time
 */
export function dated(
	event: EventName,
	guid: string,
	group: IDataObject,
	start: number,
): DatedGroup {
	const time = timeIn(group, TIME_FIELD[event]);
	if (event !== 'groupUpdated') return { group, guid, at: time || start, version: String(time) };
	const known = Math.max(time, timeIn(group, 'createdAt'));
	const at = time === 0 ? Math.max(known, start) : known;
	// Times have whole seconds: two changes in one second differ in nothing but the content
	const content = fingerprint(CONTENT.map((name) => group[name]));
	return { group, guid, at, version: `${known}.${content}` };
}

/** What the service is asked for, beside the filters, to get all that happened from a second on. */
export function queryOf(event: EventName, start: number): IDataObject {
	// Joining a group need not change the group, so `updatedAt` would hide it
	if (event === 'groupJoined') return { hasJoined: true };
	// A group that was never changed need not have an `updatedAt`, which would hide a new one
	if (event === 'groupCreated') return {};
	// The service may take it as "after" or as "from": the second before brings all either way
	return start > 1 ? { updatedAt: start - 1, affix: 'append' } : {};
}
