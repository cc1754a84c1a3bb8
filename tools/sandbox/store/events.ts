import type { Scope } from '../types';
import type { StoredGroup } from '../data/sample';
import type { StoredMessage } from './messages';
import type { Hit } from './moderation';
import type { StoredReaction } from './reactions';

/** Members in an event, by UID. If a scope changed, the member has the new and the old scope. */
export type EventMembers = Record<string, { scope?: Scope; oldScope?: Scope }>;

/** Describes why a moderation engine returned no usable verdict. */
export interface EngineFailure {
	category: 'http_4xx' | 'http_5xx' | 'timeout' | 'connection_error' | 'invalid_response';
	errorMessage: string;
	httpStatus?: number;
}

/** A change in the store, with the entities that the change's webhook deliveries contain. */
export interface StoreEvent {
	/** Name of the webhook trigger. */
	trigger: string;
	message?: StoredMessage;
	/** Action message about an edit or deletion. */
	note?: StoredMessage;
	reaction?: StoredReaction & { messageId: string };
	group?: StoredGroup;
	/** UID of the user from whose perspective the group is shown. */
	viewer?: string;
	oldOwner?: string;
	members?: EventMembers;
	/** UID of the acting user, or undefined if members joined or left by themselves. */
	by?: string;
	/** The rule that matched the message. */
	hit?: Hit;
	/** True if a moderator approved the message. */
	reviewed?: true;
	failure?: EngineFailure;
}

export type EventListener = (event: StoreEvent) => void;
