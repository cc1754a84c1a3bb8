import type { IDataObject } from 'n8n-workflow';

import { APP_USER } from '../transport/types';
import { isObject } from '../transport/json';

/** Values of the parameter 'Trigger On'. */
export type EventName = 'groupCreated' | 'groupUpdated' | 'groupJoined' | 'messageFlagged';

/** A group or a report of a message, with the time of its event. */
export interface Entry {
	/** As CometChat sent it */
	data: IDataObject;
	/** The GUID of a group. A report gets an ID made of its message, user, reason and time. */
	id: string;
	/** Unix seconds by CometChat's clock */
	at: number;
	/** Changes whenever the event happens to the same group again */
	version: string;
	/** Whether the app itself, not a user, caused the event */
	isByApp: boolean;
}

/** Name of the field that contains the time of the event. */
const TIME_FIELD: Record<EventName, string> = {
	groupCreated: 'createdAt',
	groupUpdated: 'updatedAt',
	groupJoined: 'joinedAt',
	messageFlagged: 'flaggedAt',
};

/** Fields that a change of a group can change. Counters and fields that depend on the user are left out. */
const CONTENT = ['name', 'description', 'icon', 'type', 'owner', 'tags', 'metadata'];

/**
 * Hashes JSON values into a short text.
 *
 * @see http://www.isthe.com/chongo/tech/comp/fnv/ (FNV-1a, 32 bits)
 */
export function hashValues(values: unknown[]): string {
	const text = JSON.stringify(values);
	let result = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		result = Math.imul(result ^ text.charCodeAt(index), 0x01000193);
	}
	return (result >>> 0).toString(36);
}

/** Reads a time in Unix seconds. Returns 0 if CometChat did not send it. */
export function readTime(data: IDataObject, name: string): number {
	const seconds = Number(data[name]);
	return Number.isFinite(seconds) ? seconds : 0;
}

/**
 * Whether the app itself created or changed a group. A group names the user who changed it last, but
 * not the user who created it. A group that belongs to the app counts as created by the app.
 */
function isCausedByApp(event: EventName, { owner, updatedBy }: IDataObject): boolean {
	if (event === 'groupCreated') return owner === APP_USER;
	return event === 'groupUpdated' && (updatedBy ?? owner) === APP_USER;
}

/**
 * Adds the time and version of an event to a group or a report.
 *
 * @param start first second of the search. An entry without a time gets this time, because CometChat
 * need not send `updatedAt`.
 */
export function toEntry(event: EventName, id: string, data: IDataObject, start: number): Entry {
	const time = readTime(data, TIME_FIELD[event]);
	const isByApp = isCausedByApp(event, data);
	if (event !== 'groupUpdated') {
		return { data, id, at: time || start, version: String(time), isByApp };
	}
	const knownTime = Math.max(time, readTime(data, 'createdAt'));
	const at = time === 0 ? Math.max(knownTime, start) : knownTime;
	// Times have whole seconds, so two changes within one second differ only in their content
	const content = hashValues(CONTENT.map((name) => data[name]));
	return { data, id, at, version: `${knownTime}.${content}`, isByApp };
}

/** Reads the content hash of a group's version. Other versions contain only a time. */
export function parseContentHash(version = ''): string | undefined {
	return version.split('.')[1];
}

/** Builds the query for all groups with an event since a second. Filters are added to it. */
export function buildPollQuery(event: EventName, start: number): IDataObject {
	// A user who joins a group need not change its `updatedAt`
	if (event === 'groupJoined') return { hasJoined: true };
	// A new group need not have an `updatedAt`
	if (event === 'groupCreated') return {};
	// CometChat may exclude the exact second, so the second before is sent
	return start > 1 ? { updatedAt: start - 1, affix: 'append' } : {};
}

/** Splits a message of the moderation queue into its reports, each with the message. */
export function listReports(message: IDataObject): Array<[id: string, report: IDataObject]> {
	return [message.flaggedBy].flat().flatMap((report): Array<[string, IDataObject]> => {
		if (!isObject(report)) return [];
		const { uid, reasonId, flaggedAt } = report;
		const id = [message.id, uid, reasonId, flaggedAt].map(String).join();
		return [[id, { ...message, flaggedBy: [report], flaggedAt }]];
	});
}
