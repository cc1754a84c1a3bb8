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

export const WATCH_WHOLE_APP: Watch = { kind: 'app', ids: new Set() };

/** Names of the fields that list the watched groups or users. */
export const WATCH_FIELD_NAMES: Partial<Record<WatchKind, string>> = {
	groups: 'groupIds',
	users: 'userIds',
};

/** Reads the values of 'Watch' and its fields. Without a value, 'Watch' is Groups, its default. */
export function readWatch(values: Values): Watch {
	if (values.watch === 'app') return WATCH_WHOLE_APP;
	const kind = values.watch === 'users' ? 'users' : 'groups';
	return { kind, ids: toLowerCaseIds(values[WATCH_FIELD_NAMES[kind] ?? '']) };
}

/**
 * True if all places are watched groups, false if a place isn't a watched group. Undefined if `places` is
 * empty, or if some places are unknown and all known places are watched groups.
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

/** True if a watched user is among the users. Undefined if `users` contains only unknown users. */
export function includesWatchedUser(
	users: unknown[],
	userIds: ReadonlySet<string>,
): boolean | undefined {
	const uids = users.map(readLowerCaseId);
	if (uids.some((uid) => uid !== undefined && userIds.has(uid))) return true;
	return uids.length > 0 && uids.every((uid) => uid === undefined) ? undefined : false;
}

/** Lists the UIDs of a private message's receiver and of the mentioned users. */
export function listAddressedUids(message: IDataObject): unknown[] {
	const receivers = readPlace(message) === 'private' ? [message.receiver] : [];
	return [...receivers, ...listMentionedUids(message)];
}

/**
 * Lists the watched users whom a polled message addresses, except the sender. A message that mentions everyone
 * addresses all watched users, because CometChat lists the message only for members of the group (open question
 * 41).
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
 * True if 'Watch' is Users and includes the user who caused an event. The webhook trigger ignores such an
 * event, even if the event also concerns other watched users, so that a workflow that acts as this user doesn't
 * start itself. Events about this user alone, e.g. going online, aren't ignored.
 */
export const isCausedByWatchedUser = ({ kind, ids }: Watch, uid: string): boolean =>
	kind === 'users' && ids.has(uid);
