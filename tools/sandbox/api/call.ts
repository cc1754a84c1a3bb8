import type { QueryValues } from '../contract';
import type { StoredGroup } from '../data/sample';
import { Refusal, type ApiResponse } from '../errors';
import type { FaultEffect } from '../faults';
import type { Settings } from '../settings';
import { memberOf } from '../store/groups';
import type { StoredMessage } from '../store/messages';
import type { Store } from '../store/store';
import { SYSTEM_USER } from '../store/people';
import type { JsonObject } from '../types';
import type { Views } from '../views';

/** A request that conforms to the contract, and the data that its operation uses. */
export interface Call {
	params: Record<string, string>;
	query: QueryValues;
	/** Empty if the request has no body. */
	body: JsonObject;
	/** UID of an existing user from `onBehalfOf`, or undefined if the app itself acts. */
	uid?: string;
	/** Faults that change the content of a list of groups. */
	effect: FaultEffect;
	store: Store;
	views: Views;
	settings: Settings;
}

/**
 * Performs an operation and returns its response.
 *
 * @throws {Refusal}
 */
export type Handler = (call: Call) => ApiResponse;

/** Handlers by the `operationId` of the contract. */
export type Handlers = Record<string, Handler>;

/** A success: `{"data": …}`, in lists with `meta`. */
export const ok = (data: unknown, rest: JsonObject = {}): ApiResponse => ({
	status: 200,
	body: { data, ...rest },
});

/** Response of operations that delete or remove. */
export const success = (message: string): ApiResponse => ok({ success: true, message });

/** UID of the acting user. */
export const getActor = ({ uid = SYSTEM_USER.uid }: Pick<Call, 'uid'>): string => uid;

/**
 * Group of the path parameter `guid`.
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
 * Message of the path parameter `id`.
 *
 * @throws {Refusal} if no such message exists, or the acting user may not see it
 */
export function messageOf({ store, settings, params, uid }: Call): StoredMessage {
	const message = store.messages.get(params.id);
	if (!message) throw new Refusal('ERR_MESSAGE_ID_NOT_FOUND', params.id);
	if (uid === undefined) return message;
	if (!store.canSee(message, uid) || store.ageOf(message) < settings.accessDelay) {
		throw new Refusal('ERR_MESSAGE_NO_ACCESS', message.id);
	}
	return message;
}
