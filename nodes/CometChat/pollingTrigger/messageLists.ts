import type { IDataObject } from 'n8n-workflow';

import { listAddressedWatchedUids, type WatchSelection } from '../sharedByTriggers/watch';
import { expandPath } from '../transport/path';
import type { RestRequest } from '../transport/restTypes';

/** A list of messages that a poll reads: a group's, a user's, or the whole app's. */
export interface WatchedMessageList {
	/** GUID or UID in lower case, or an empty string for the whole app */
	key: string;
	request: RestRequest;
	/**
	 * Returns the keys of all watched lists that a message in this list belongs to. If 'Watch' is Users, these are
	 * the lists of the watched users whom the message addresses.
	 */
	listWatchedKeys: (message: IDataObject) => string[];
}

/** Returns the lists that contain the watched messages: one per group or user, or one for the whole app. */
export function createWatchedMessageLists({ kind, ids }: WatchSelection): WatchedMessageList[] {
	const keys = [...ids].sort();
	if (kind === 'groups') {
		return keys.map((key) => ({
			key,
			request: { method: 'GET', path: expandPath('/groups/{key}/messages', { key }) },
			listWatchedKeys: () => [key],
		}));
	}
	const request: RestRequest = { method: 'GET', path: '/messages' };
	if (kind === 'app') return [{ key: '', request, listWatchedKeys: () => [''] }];
	return keys.map((key) => ({
		key,
		// On behalf of a user, CometChat lists the messages that the user can see
		request: { ...request, headers: { onBehalfOf: key } },
		listWatchedKeys: (message) => listAddressedWatchedUids(message, keys),
	}));
}
