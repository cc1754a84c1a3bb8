import type { IDataObject } from 'n8n-workflow';

import { APP_USER } from '../transport/types';
import { isObject } from '../transport/json';

/** What has to have happened to start the workflow. */
export type EventName = 'groupCreated' | 'groupUpdated' | 'groupJoined' | 'messageFlagged';

/** A group, or a report of a message, and when that happened to it which the event is about. */
export interface Dated {
	thing: IDataObject;
	/** Tells it from others */
	id: string;
	/** Unix seconds, by the service's clock */
	at: number;
	/** Another one when it happened to the same again */
	version: string;
	/** Whether the app itself did it, and not a user */
	byApp: boolean;
}

/** The field that says when it happened. */
const TIME_FIELD: Record<EventName, string> = {
	groupCreated: 'createdAt',
	groupUpdated: 'updatedAt',
	groupJoined: 'joinedAt',
	messageFlagged: 'flaggedAt',
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

/** A time in Unix seconds; 0 for what the service leaves out. */
export function timeIn(thing: IDataObject, name: string): number {
	const seconds = Number(thing[name]);
	return Number.isFinite(seconds) ? seconds : 0;
}

/**
 * Whether the app itself created or changed a group. A group names who changed it last, but not who
 * created it: a group that belongs to the app was created by the app.
 */
function isByApp(event: EventName, { owner, updatedBy }: IDataObject): boolean {
	if (event === 'groupCreated') return owner === APP_USER;
	return event === 'groupUpdated' && (updatedBy ?? owner) === APP_USER;
}

/**
 * Dates a group or a report by an event.
 *
 * @param start first second that was asked for: where the service does not say when it happened (it
 * need not send `updatedAt`), that is the earliest possible time
 */
export function dated(event: EventName, id: string, thing: IDataObject, start: number): Dated {
	const time = timeIn(thing, TIME_FIELD[event]);
	const byApp = isByApp(event, thing);
	if (event !== 'groupUpdated') {
		return { thing, id, at: time || start, version: String(time), byApp };
	}
	const known = Math.max(time, timeIn(thing, 'createdAt'));
	const at = time === 0 ? Math.max(known, start) : known;
	// Times have whole seconds: two changes in one second differ in nothing but the content
	const content = fingerprint(CONTENT.map((name) => thing[name]));
	return { thing, id, at, version: `${known}.${content}`, byApp };
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

/** The reports of a message in the queue, each with the message: a user reports it once. */
export function reportsOf(message: IDataObject): Array<[id: string, report: IDataObject]> {
	return [message.flaggedBy].flat().flatMap((report): Array<[string, IDataObject]> => {
		if (!isObject(report)) return [];
		const { uid, reasonId, flaggedAt } = report;
		const id = [message.id, uid, reasonId, flaggedAt].map(String).join();
		return [[id, { ...message, flaggedBy: [report], flaggedAt }]];
	});
}
