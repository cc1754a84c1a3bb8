import { idOf } from '../operation/lists';
import { group as groupEntity } from '../resources/group/entity';
import type { Page } from '../transport/response';

/** A group as the service sends it. */
export type Group = Page['data'][number];

/** What a group has to have done to start the workflow. */
export type EventName = 'groupCreated' | 'groupUpdated' | 'groupJoined';

/** One group as an event sees it. Times are Unix seconds, by the service's clock. */
export interface Occurrence {
	group: Group;
	guid: string;
	/** When that happened which the event is about: what the cursor follows */
	at: number;
	/** Differs between two occurrences of the same group */
	version: string;
	/** False when the service does not say when it happened: then `at` is the earliest possible time */
	isTimed: boolean;
}

/** Unix seconds; 0 for what the service leaves out. */
export function timeIn(group: Group, name: string): number {
	const value = group[name];
	const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return typeof seconds === 'number' ? seconds : 0;
}

/** A GUID may be a number; undefined for a group without one, which cannot be told from others. */
export function guidOf(group: Group): string | undefined {
	return idOf(group, groupEntity.id);
}

function changedAt(group: Group): number {
	return Math.max(timeIn(group, 'updatedAt'), timeIn(group, 'createdAt'));
}

/** What a change of a group changes; neither counters nor what depends on the user. */
const CONTENT = ['name', 'description', 'icon', 'type', 'owner', 'tags', 'metadata'];

/**
 * A short text that differs when the content does. Timestamps have whole seconds, so two changes in
 * one second, with a poll between them, differ in nothing else.
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

/** @param sentSince the time that the request asked from, or undefined when it asked for all */
type Read = (group: Group, sentSince?: number) => Omit<Occurrence, 'group' | 'guid'>;

/**
 * A service that gives no `updatedAt` still gives the groups that changed since a time: then that
 * is all that is known of when, and only the content tells two changes apart.
 */
const readUpdated: Read = (group, sentSince = 0) => {
	const known = changedAt(group);
	const content = fingerprint(CONTENT.map((name) => group[name]));
	return timeIn(group, 'updatedAt') === 0
		? { at: Math.max(known, sentSince + 1), version: content, isTimed: false }
		: { at: known, version: `${known}.${content}`, isTimed: true };
};

const readTime =
	(name: string): Read =>
	(group) => {
		const at = timeIn(group, name);
		return { at, version: String(at), isTimed: true };
	};

const READ: Record<EventName, Read> = {
	groupCreated: readTime('createdAt'),
	groupUpdated: readUpdated,
	groupJoined: readTime('joinedAt'),
};

/** @returns undefined for a group without a GUID */
export function occurrenceOf(
	event: EventName,
	group: Group,
	sentSince?: number,
): Occurrence | undefined {
	const guid = guidOf(group);
	return guid === undefined ? undefined : { group, guid, ...READ[event](group, sentSince) };
}
