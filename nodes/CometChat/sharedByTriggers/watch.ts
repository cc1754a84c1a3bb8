import type { IDataObject } from 'n8n-workflow';

import { readLowerCaseId, toLowerCaseIds, toLowerCaseId } from '../helpers/ids';
import { listMentionedUids, mentionsEveryone } from '../resources/message/mentions';
import type { Values } from '../types';
import { readPlace, type Place } from './place';
import type { WatchKind } from './watchFields';

/** Groups or users whose events may start the workflow. */
export interface Watch {
	kind: WatchKind;
	/** GUIDs or UIDs in lower case. Empty for the whole app. */
	ids: ReadonlySet<string>;
}

export const WHOLE_APP: Watch = { kind: 'app', ids: new Set() };

/** Names of the fields that list the watched groups or users. */
export const WATCH_FIELD_NAMES: Partial<Record<WatchKind, string>> = {
	groups: 'groupIds',
	users: 'userIds',
};

/** Reads the values of 'Watch' and its fields. Without a value, 'Watch' is Groups, its default. */
export function readWatch(values: Values): Watch {
	if (values.watch === 'app') return WHOLE_APP;
	const kind = values.watch === 'users' ? 'users' : 'groups';
	return { kind, ids: toLowerCaseIds(values[WATCH_FIELD_NAMES[kind] ?? '']) };
}

/**
 * True if all places are watched groups, false if one isn't. Undefined if there are no places, or if one is
 * unknown and the others are watched groups.
 */
export function areAllWatchedGroups(
	places: Array<Place | undefined>,
	groupIds: ReadonlySet<string>,
): boolean | undefined {
	const isOther = (place: Place | undefined) =>
		place === 'private' || (place !== undefined && !groupIds.has(place.groupId));
	if (places.some(isOther)) return false;
	return places.length === 0 || places.includes(undefined) ? undefined : true;
}

/** True if one of the users is watched. Undefined if there are users, but all of them are unknown. */
export function includesWatchedUser(
	users: unknown[],
	userIds: ReadonlySet<string>,
): boolean | undefined {
	const uids = users.map(readLowerCaseId);
	if (uids.some((uid) => uid !== undefined && userIds.has(uid))) return true;
	return uids.length > 0 && uids.every((uid) => uid === undefined) ? undefined : false;
}

/** Lists the users whom a message addresses: the receiver of a private message, and the mentioned users. */
export function listAddressedUids(message: IDataObject): unknown[] {
	const receivers = readPlace(message) === 'private' ? [message.receiver] : [];
	return [...receivers, ...listMentionedUids(message)];
}

/**
 * Lists the watched users whom a polled message is for: the addressed users, except the sender. A mention of all
 * is for every watched user. Only the lists of users who have joined the group contain such a message (open
 * question 41).
 */
export function listAddressedWatchedUids(
	message: IDataObject,
	userIds: readonly string[],
): string[] {
	const isToAll = message.receiverType === 'group' && mentionsEveryone(message);
	const addressed = toLowerCaseIds(listAddressedUids(message));
	const sender = toLowerCaseId(message.sender);
	return userIds.filter((uid) => uid !== sender && (isToAll || addressed.has(uid)));
}

/**
 * True if 'Watch' is Users and the user who caused an event is watched. The webhook trigger ignores such events,
 * except changes of the user's own status, so that a workflow that acts as the user doesn't start itself. Such
 * an event doesn't start the workflow for other watched users, either. A polled message can, because each user
 * has a separate list.
 */
export const isByWatchedUser = ({ kind, ids }: Watch, uid: string): boolean =>
	kind === 'users' && ids.has(uid);
