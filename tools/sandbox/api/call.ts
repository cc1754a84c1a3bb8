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

/** A request that keeps to the contract, and what its operation works on. */
export interface Call {
	params: Record<string, string>;
	query: QueryValues;
	/** Empty where the request has no body. */
	body: JsonObject;
	/** UID of the user in `onBehalfOf`, who exists; undefined where the system acts. */
	uid?: string;
	/** Faults that change what a list of groups holds. */
	effect: FaultEffect;
	store: Store;
	views: Views;
	settings: Settings;
}

/** Performs an operation, and returns its response. @throws {Refusal} */
export type Handler = (call: Call) => ApiResponse;

/** Handlers by the `operationId` of the contract. */
export type Handlers = Record<string, Handler>;

/** Response to what has been done: `{"data": …}`, in lists with `meta` beside. */
export const ok = (data: unknown, rest: JsonObject = {}): ApiResponse => ({
	status: 200,
	body: { data, ...rest },
});

/** Response of the operations that delete or remove. */
export const success = (message: string): ApiResponse => ok({ success: true, message });

/** Who acts. */
export const actor = ({ uid = SYSTEM_USER.uid }: Pick<Call, 'uid'>): string => uid;

/** The group that the path names. */
export function groupOf({ store, params }: Call): StoredGroup {
	const group = store.groups.get(params.guid.toLowerCase());
	if (!group) throw new Refusal('ERR_GUID_NOT_FOUND', params.guid);
	return group;
}

/** Refuses who acts on behalf of a user who has not joined. */
export function requireMember(group: StoredGroup, uid: string | undefined): void {
	if (uid !== undefined && !memberOf(group, uid)) throw new Refusal('ERR_GROUP_NOT_JOINED', uid);
}

/** The message that the path names, if the user may see it. */
export function messageOf({ store, settings, params, uid }: Call): StoredMessage {
	const message = store.messages.get(params.id);
	if (!message) throw new Refusal('ERR_MESSAGE_ID_NOT_FOUND', params.id);
	if (uid === undefined) return message;
	if (!store.canSee(message, uid) || store.ageOf(message) < settings.accessDelay) {
		throw new Refusal('ERR_MESSAGE_NO_ACCESS', message.id);
	}
	return message;
}
