import type { IDataObject } from 'n8n-workflow';

import { toLowerCaseIdOrUndefined, toLowerCaseIdSet, toLowerCaseId } from '../helpers/ids';
import {
	listUidsFromTextAndMentions,
	messageMentionsEveryone,
} from '../resources/message/mentions';
import type { ParameterValues } from '../types';
import { readGroupPlaceOrPrivate, type GroupPlaceOrPrivate } from './place';
import type { WatchKind } from './watchFields';

/** Groups or users whose events may start the workflow, or the whole app. */
export interface WatchSelection {
	kind: WatchKind;
	/** GUIDs or UIDs in lower case. Empty for the whole app. */
	ids: ReadonlySet<string>;
}

export const WHOLE_APP_SELECTION: WatchSelection = { kind: 'app', ids: new Set() };

/** Name of the field that lists the watched groups or users, by the value of 'Watch'. */
export const ID_FIELD_NAME_BY_WATCH_KIND: Partial<Record<WatchKind, string>> = {
	groups: 'groupIds',
	users: 'userIds',
};

/** Reads 'Watch' and its fields. If 'Watch' has no value, its default applies, which is Groups. */
export function readWatchSelection(values: ParameterValues): WatchSelection {
	if (values.watch === 'app') return WHOLE_APP_SELECTION;
	const kind = values.watch === 'users' ? 'users' : 'groups';
	return { kind, ids: toLowerCaseIdSet(values[ID_FIELD_NAME_BY_WATCH_KIND[kind] ?? '']) };
}

/**
 * True if all places are watched groups. False if any known place isn't a watched group. Undefined if `places` is
 * empty, or if some places are unknown and all others are watched groups.
 */
export function areAllPlacesAmongWatchedGroups(
	places: Array<GroupPlaceOrPrivate | undefined>,
	groupIds: ReadonlySet<string>,
): boolean | undefined {
	const isOther = (place: GroupPlaceOrPrivate | undefined) =>
		place === 'private' || (place !== undefined && !groupIds.has(place.groupId));
	if (places.some(isOther)) return false;
	return places.length === 0 || places.includes(undefined) ? undefined : true;
}

/**
 * True if any of the users is watched. Undefined if `users` contains only unknown users, i.e. values that aren't
 * strings.
 */
export function includesWatchedUser(
	users: unknown[],
	userIds: ReadonlySet<string>,
): boolean | undefined {
	const uids = users.map(toLowerCaseIdOrUndefined);
	if (uids.some((uid) => uid !== undefined && userIds.has(uid))) return true;
	return uids.length > 0 && uids.every((uid) => uid === undefined) ? undefined : false;
}

/** Lists the UIDs of the users whom a message addresses: a private message's receiver, and mentioned users. */
export function listAddressedUids(message: IDataObject): unknown[] {
	const receivers = readGroupPlaceOrPrivate(message) === 'private' ? [message.receiver] : [];
	return [...receivers, ...listUidsFromTextAndMentions(message)];
}

/**
 * Lists the watched users whom a polled message addresses, except the sender. If a group message mentions
 * everyone, lists all watched users, because a poll finds such a message only in the lists of the group's members
 * (open question 41 in docs/status.md).
 */
export function listAddressedWatchedUids(
	message: IDataObject,
	userIds: readonly string[],
): string[] {
	const isToAll = message.receiverType === 'group' && messageMentionsEveryone(message);
	const addressed = toLowerCaseIdSet(listAddressedUids(message));
	const sender = toLowerCaseId(message.sender);
	return userIds.filter((uid) => uid !== sender && (isToAll || addressed.has(uid)));
}

/**
 * True if 'Watch' is Users, and the user who caused an event is watched. The webhook trigger ignores such an event,
 * even if it also concerns other watched users, so that a workflow that acts as a watched user can't start itself. It
 * makes an exception (`allowsOwnAction`) for events about this user alone, e.g. going online.
 */
export const isCausedByWatchedUser = ({ kind, ids }: WatchSelection, uid: string): boolean =>
	kind === 'users' && ids.has(uid);
