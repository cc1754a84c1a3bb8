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

/** A change in the store, identified by the name of its webhook trigger. */
export type StoreEvent =
	| { trigger: 'message_sent' | 'user_mentioned'; message: StoredMessage }
	| {
			trigger:
				'moderation_engine_approved' | 'moderation_engine_blocked' | 'moderation_manual_approved';
			message: StoredMessage;
			hit?: Hit;
	  }
	| { trigger: 'moderation_engine_failed'; message: StoredMessage; failure: EngineFailure }
	| { trigger: 'message_edited' | 'message_deleted'; note: StoredMessage }
	| {
			trigger: 'message_reaction_added' | 'message_reaction_removed';
			message: StoredMessage;
			reaction: StoredReaction;
	  }
	| { trigger: 'group_updated' | 'group_deleted'; group: StoredGroup }
	| { trigger: 'group_owner_transferred'; group: StoredGroup; oldOwner: string }
	/** Deliveries show the group from this user's perspective, but don't contain `by`. */
	| { trigger: 'group_created'; group: StoredGroup; members: EventMembers; by: string }
	| {
			trigger:
				| 'group_member_joined'
				| 'group_member_left'
				| 'group_member_added'
				| 'group_member_kicked'
				| 'group_member_banned'
				| 'group_member_unbanned'
				| 'group_member_scope_changed';
			group: StoredGroup;
			members: EventMembers;
			/** UID of the acting user, or undefined if members joined or left by themselves. */
			by?: string;
	  };

export type EventListener = (event: StoreEvent) => void;
