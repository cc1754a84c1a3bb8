import type { IDataObject } from 'n8n-workflow';

import { toNumberOrNaN, valueToText, isObject } from '../helpers/json';
import type { RestResponse } from '../transport/restTypes';
import type { PolledEventDefinition } from './polledEvents';

/** The entity that an event is about, e.g. a group or a message, or a user's report, with the time of the event. */
export interface Occurrence {
	/** The entity as CometChat sent it. For a report, the message with only this report. */
	data: IDataObject;
	/** ID of the entity or report. With `search`, includes the creation time: an entity created again has another ID. */
	id: string;
	/** Time of the event in Unix seconds, by CometChat's clock */
	at: number;
	/** String that changes each time the event happens to the same entity */
	version: string;
	/** True if the app itself, not a user, caused the event */
	isByApp: boolean;
}

/**
 * Returns the latest time that isn't after `now`, or 0 if all times are later. An occurrence dated in the future must
 * not hide other occurrences.
 */
export const findLatestPastTime = (times: number[], now: number): number =>
	times.reduce((latest, time) => (time > now ? latest : Math.max(latest, time)), 0);

/** Occurrences that a poll returns, and the state for the next poll. */
export interface PollResult {
	/** Oldest first */
	occurrences: Occurrence[];
	state: object;
	/** True if the time ran out, so the next poll continues the search */
	isUnfinished: boolean;
}

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

/** Reads a time in Unix seconds. Returns 0 if the field isn't a number. */
export function readTimeOrZero(data: IDataObject, name: string): number {
	const seconds = toNumberOrNaN(data[name]);
	return Number.isFinite(seconds) ? seconds : 0;
}

/** Reads CometChat's time in Unix seconds from a response. Returns undefined without a `Date` header. */
export function readServerTime({ headers }: Pick<RestResponse, 'headers'>): number | undefined {
	const seconds = Math.floor(Date.parse(valueToText(headers.date)) / 1000);
	return seconds > 0 ? seconds : undefined;
}

/**
 * Creates an occurrence from an entity or a report. CometChat may omit the event's time, e.g. `updatedAt`.
 * The occurrence is then dated at its creation or at `searchStart`, whichever is later.
 *
 * @param id ID of the entity, e.g. a group's GUID, or of the report
 * @param searchStart start of the search, in Unix seconds
 */
export function toOccurrence(
	event: PolledEventDefinition,
	id: string,
	data: IDataObject,
	searchStart: number,
): Occurrence {
	const { search, timeField, appEventSettings } = event;
	const eventTime = readTimeOrZero(data, timeField);
	const time = eventTime || readTimeOrZero(data, 'createdAt');
	// Times are in whole seconds, so two changes within the same second differ only in their content
	const compared = search?.comparedFields?.map((name) => data[name]) ?? [];
	return {
		data,
		id: search === undefined ? id : [id, readTimeOrZero(data, 'createdAt')].join(),
		at: eventTime || Math.max(time, searchStart),
		version: `${time}.${hashValues(compared)}`,
		isByApp: appEventSettings?.isByApp(data) ?? false,
	};
}

/**
 * Reads the content hash from an occurrence's version. Events without `comparedFields` all have the
 * same hash.
 */
export const readContentHashFromVersion = (version = ''): string | undefined =>
	version.split('.')[1];

/**
 * Returns the start of the time range that a poll searches, in Unix seconds.
 *
 * @param overlap seconds before `lastSeenAt` that the poll searches again
 */
export const getSearchStart = (lastSeenAt: number, overlap: number): number =>
	Math.max(0, lastSeenAt - overlap);

/** Splits a message in the moderation queue into one copy per report. Each copy contains only that report. */
export function copyMessagePerReport(
	message: IDataObject,
): Array<[id: string, report: IDataObject]> {
	return [message.flaggedBy].flat().flatMap((report): Array<[string, IDataObject]> => {
		if (!isObject(report)) return [];
		const { uid, reasonId, flaggedAt } = report;
		const id = [message.id, uid, reasonId, flaggedAt].map(valueToText).join();
		return [[id, { ...message, flaggedBy: [report], flaggedAt }]];
	});
}
