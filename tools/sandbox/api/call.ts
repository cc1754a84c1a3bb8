import type { QueryValues } from '../contract';
import type { StoredGroup } from '../data/sample';
import { Refusal, type ApiResponse } from '../errors';
import type { Settings } from '../settings';
import { memberOf } from '../store/groups';
import { isAccessDelayed, type StoredMessage } from '../store/messages';
import type { Store } from '../store/store';
import { SYSTEM_USER } from '../store/people';
import type { JsonObject } from '../types';
import type { Views } from '../views';

/** Path parameters, by the names in the contract. A path contains those that its operation uses. */
export type PathParameters = Record<'guid' | 'id' | 'reaction' | 'uid', string>;

/** A request that conforms to the contract, plus everything a handler needs. */
export interface Call {
	params: PathParameters;
	query: QueryValues;
	/** Parsed request body, or an empty object if the request has no body. */
	body: JsonObject;
	/** UID of the existing user in the `onBehalfOf` header, or undefined if the app itself acts. */
	uid?: string;
	store: Store;
	views: Views;
	settings: Settings;
}

/**
 * Performs an operation and returns its response.
 *
 * @throws {Refusal} if the service would refuse the request
 */
export type Handler = (call: Call) => ApiResponse;

/** Handlers by the contract's `operationId`. */
export type Handlers = Record<string, Handler>;

/** Builds a 200 response with the body `{"data": …}`. Lists add `meta`. */
export const ok = (data: unknown, rest: JsonObject = {}): ApiResponse => ({
	status: 200,
	body: { data, ...rest },
});

/** Builds a 200 response with `success` and `message`, e.g. after a deletion. */
export const success = (message: string): ApiResponse => ok({ success: true, message });

/** Returns the acting user's UID. Requests without `onBehalfOf` act as the system user. */
export const getActor = ({ uid = SYSTEM_USER.uid }: Pick<Call, 'uid'>): string => uid;

/**
 * Returns the group whose GUID is in the path parameter `guid`.
 *
 * @throws {Refusal} if no such group exists
 */
export function groupOf({ store, params }: Call): StoredGroup {
	const group = store.groups.get(params.guid.toLowerCase());
	if (!group) throw new Refusal('ERR_GUID_NOT_FOUND', params.guid);
	return group;
}

/** @throws {Refusal} if the acting user isn't a member */
export function requireMember(group: StoredGroup, uid: string | undefined): void {
	if (uid !== undefined && !memberOf(group, uid)) throw new Refusal('ERR_GROUP_NOT_JOINED', uid);
}

/**
 * Returns the message whose ID is in the path parameter `id`.
 *
 * @throws {Refusal} if no such message exists, or if the acting user has no access to the message
 */
export function messageOf({ store, settings, params, uid }: Call): StoredMessage {
	const message = store.messages.get(params.id);
	if (!message) throw new Refusal('ERR_MESSAGE_ID_NOT_FOUND', params.id);
	if (uid === undefined) return message;
	if (!store.canSee(message, uid) || isAccessDelayed(message, settings)) {
		throw new Refusal('ERR_MESSAGE_NO_ACCESS', message.id);
	}
	return message;
}

/** @throws {Refusal} if the message is deleted, or is an action message or a call */
export function requireUsable({ id, category, deletedAt }: StoredMessage): void {
	if (deletedAt !== undefined || ['action', 'call'].includes(category)) {
		throw new Refusal('ERR_MESSAGE_ACTION_NOT_ALLOWED', id);
	}
}
