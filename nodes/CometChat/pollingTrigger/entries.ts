import type { IDataObject } from 'n8n-workflow';

import { APP_USER } from '../transport/types';
import { asNumber, asText, isObject } from '../helpers/json';

/** Values of the 'Trigger On' parameter. */
export type EventName =
	'groupCreated' | 'groupUpdated' | 'groupJoined' | 'messageFlagged' | 'messageSent';

/** A group, a message, or a user's report about a message, with the time of the event. */
export interface Entry {
	/** The group, or the sent or reported message, as CometChat sent it */
	data: IDataObject;
	/**
	 * ID that no other entry has. A group that was deleted and created again with the same GUID is another entry.
	 */
	id: string;
	/** Time of the event in Unix seconds, by CometChat's clock */
	at: number;
	/** String that changes whenever the event happens again to the same group */
	version: string;
	/** True if the app itself, not a user, caused the event */
	isByApp: boolean;
}

const isMessageEvent = (event: EventName): boolean =>
	event === 'messageSent' || event === 'messageFlagged';

/** Name of the field that contains the event's time. */
const TIME_FIELD: Record<EventName, string> = {
	groupCreated: 'createdAt',
	groupUpdated: 'updatedAt',
	groupJoined: 'joinedAt',
	messageFlagged: 'flaggedAt',
	messageSent: 'sentAt',
};

/**
 * Group fields that an update can change. Counters, and fields that depend on the requesting user, are
 * excluded.
 */
const COMPARED_FIELDS = ['name', 'description', 'icon', 'type', 'owner', 'tags', 'metadata'];

/**
 * Hashes JSON values into a short string.
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

/** Reads a time in Unix seconds. Returns 0 if CometChat didn't send the field. */
export function readTime(data: IDataObject, name: string): number {
	const seconds = asNumber(data[name]);
	return Number.isFinite(seconds) ? seconds : 0;
}

/**
 * True if the app itself sent a message, or created or changed a group. CometChat names the user who last
 * changed a group, but not the user who created it. Therefore, a group owned by the app counts as created by
 * the app.
 */
function isCausedByApp(event: EventName, { owner, updatedBy, sender }: IDataObject): boolean {
	if (event === 'messageSent') return sender === APP_USER;
	if (event === 'groupCreated') return owner === APP_USER;
	return event === 'groupUpdated' && (updatedBy ?? owner) === APP_USER;
}

/**
 * Creates an entry from a group, a message or a report, with the event's time and version.
 *
 * @param id GUID of a group, or the ID of a message or report
 * @param start first second of the search, used for entries without a time because CometChat may omit
 * `updatedAt`
 */
export function toEntry(event: EventName, id: string, data: IDataObject, start: number): Entry {
	const eventTime = readTime(data, TIME_FIELD[event]);
	const time = eventTime || readTime(data, 'createdAt');
	// Times are in whole seconds, so two changes within the same second differ only in their content
	const compared = event === 'groupUpdated' ? COMPARED_FIELDS.map((name) => data[name]) : [];
	return {
		data,
		id: isMessageEvent(event) ? id : [id, readTime(data, 'createdAt')].join(),
		at: eventTime || Math.max(time, start),
		version: `${time}.${hashValues(compared)}`,
		isByApp: isCausedByApp(event, data),
	};
}

/** Reads the content hash from a version. Of entries other than updated groups, all hashes are the same. */
export const parseContentHash = (version = ''): string | undefined => version.split('.')[1];

/**
 * Builds the query for all groups with an event since `start`, in Unix seconds. The caller adds the
 * filters.
 */
export function buildPollQuery(event: EventName, start: number): IDataObject {
	// A group's `updatedAt` doesn't necessarily change when a user joins
	if (event === 'groupJoined') return { hasJoined: true };
	// Open question 13: a new group doesn't necessarily have an `updatedAt`
	if (event === 'groupCreated') return {};
	// Open question 13: CometChat may exclude the exact second, so the query starts one second earlier
	return start > 1 ? { updatedAt: start - 1, affix: 'append' } : {};
}

/** Splits a message in the moderation queue into its reports. Each report includes the message. */
export function listReports(message: IDataObject): Array<[id: string, report: IDataObject]> {
	return [message.flaggedBy].flat().flatMap((report): Array<[string, IDataObject]> => {
		if (!isObject(report)) return [];
		const { uid, reasonId, flaggedAt } = report;
		const id = [message.id, uid, reasonId, flaggedAt].map(asText).join();
		return [[id, { ...message, flaggedBy: [report], flaggedAt }]];
	});
}
