import {
	addedMembers,
	changedMembers,
	createdGroups,
	deletedGroups,
	joinedMembers,
	leftMembers,
	transferredGroups,
	updatedGroups,
} from './groupEvents';
import {
	addedReactions,
	deletedMessages,
	editedMessages,
	mentions,
	removedReactions,
	sentMessages,
} from './messageEvents';
import type { EventFamily } from './occurrence';

/** The value of 'Events' for all events, also those that are not in the table. */
export const ALL_EVENTS = '*';

interface EventType {
	/** The service's name of it: the value of "trigger" in a delivery */
	trigger: string;
	/** What happened, for the menu */
	description: string;
	family: EventFamily;
}

function event(trigger: string, description: string, family: EventFamily): EventType {
	return { trigger, description, family };
}

/** The events that the service tells of, in the order of the menu. */
export const EVENTS: readonly EventType[] = [
	event('group_created', 'A group was created', createdGroups),
	event('group_deleted', 'A group was deleted', deletedGroups),
	event('group_member_added', 'Users were added to a group', addedMembers),
	event('group_member_banned', 'A member was banned from a group', changedMembers),
	event('group_member_joined', 'A user joined a group', joinedMembers),
	event('group_member_kicked', 'A member was removed from a group', changedMembers),
	event('group_member_left', 'A member left a group', leftMembers),
	event('group_member_scope_changed', 'The scope of a member was changed', changedMembers),
	event('group_member_unbanned', 'A user may join a group again', changedMembers),
	event('group_owner_transferred', 'A group got another owner', transferredGroups),
	event('group_updated', 'A group was changed', updatedGroups),
	event('message_deleted', 'A message was deleted', deletedMessages),
	event('message_edited', 'A message was edited', editedMessages),
	event('message_reaction_added', 'A user reacted to a message', addedReactions),
	event('message_reaction_removed', 'A user removed their reaction', removedReactions),
	event('message_sent', 'A message was sent', sentMessages),
	event('user_mentioned', 'A message mentions a user', mentions),
];

const BY_TRIGGER = new Map(EVENTS.map(({ trigger, family }) => [trigger, family]));

/** @returns undefined for an event that is not in the table */
export function familyOf(trigger: string): EventFamily | undefined {
	return BY_TRIGGER.get(trigger);
}

/** "message_sent" as "Message Sent". */
export function labelOf(trigger: string): string {
	return trigger
		.split('_')
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');
}
