import { field } from '../transport/json';
import { titleCase } from '../errors/words';
import type { Columns, Entity } from '../description/types';
import { group } from '../resources/group/entity';
import { deletedMessage as messageOfNote, message } from '../resources/message/entity';
import {
	blockedUsers,
	changedMessage,
	groupAt,
	membersOf,
	missedMessages,
	missedPush,
	moderatedMessage,
	presence,
	receipt,
	receiptOfAll,
	toldAt,
	uncheckedMessage,
	type Reader,
} from './occurrences';

/** The value of 'Events' for all events, also those that are not in the table. */
export const ALL_EVENTS = '*';

/** An entity with more columns. */
function withColumns(entity: Entity, columns: Columns): Entity {
	return { ...entity, columns: { ...entity.columns, ...columns } };
}

/** An entity without the columns that say again what `at`, `by` and `byName` say. */
function without(entity: Entity, ...names: string[]): Entity {
	const columns = Object.entries(entity.columns).filter(([name]) => !names.includes(name));
	return { ...entity, columns: Object.fromEntries(columns) };
}

/** What only events tell of. */
const told = (columns: Columns): Entity => ({ name: 'event', plural: 'events', id: '', columns });

/** Columns that are called like the fields they come from. */
const same = (...names: string[]): Columns =>
	Object.fromEntries(names.map((name) => [name, field(name)]));

const listed = (value: unknown): unknown => (Array.isArray(value) ? value.join(', ') : value);

const sent = without(message, 'sender', 'senderName', 'sentAt');

/** The message itself, no note about it. */
const deletedMessage: Entity = {
	...without(messageOfNote, 'deleted', 'deletedAt', 'deletedBy'),
	subject: undefined,
};

const newGroup = without(group, 'createdAt');

const moderated = withColumns(without(message, 'sender', 'senderName'), {
	moderationStatus: field('data', 'moderation', 'status'),
	ruleName: field('moderation', 'rule', 'name'),
	reason: (thing) => listed(field('moderation', 'condition', 'message')(thing)),
	actions: (thing) => listed(field('moderation', 'rule', 'action')(thing)),
});

/** What moderation could not check, and why. */
const unchecked = told({
	...same('id', 'contentType', 'receiver', 'receiverType', 'conversationId', 'outcome'),
	failure: field('failure', 'category'),
	reason: field('failure', 'errorMessage'),
	ruleName: field('failure', 'context', 'rule', 'name'),
});

/** Who has missed messages, and the last of them. */
const missed = told({
	uid: field('to', 'uid'),
	name: field('to', 'name'),
	email: field('to', 'email'),
	phone: field('to', 'phno'),
	subject: field('subject'),
	text: ({ smsContent, last }) => field('message')(Object(last)) ?? smsContent,
	messages: ({ messages }) => (Array.isArray(messages) ? messages.length : undefined),
	guid: field('groupDetails', 'guid'),
	groupName: field('groupDetails', 'name'),
});

const missedOfPush = told({
	uid: field('to', 'uid'),
	title: field('title'),
	text: field('body'),
	messages: field('unreadMessageCount'),
	messageId: field('tag'),
	...same('receiver', 'receiverName', 'receiverType', 'conversationId'),
});

/** The reaction itself has an ID too, which nothing asks for. */
const reaction = told(same('messageId', 'reaction'));

const transferred = withColumns(group, same('oldOwner'));

const receiptColumns = told(
	same('messageId', 'action', 'messageSender', 'receiver', 'receiverType'),
);

const user = told(same('uid', 'name', 'status', 'role', 'avatar'));

/** A user and the group that they are, or were, a member of. */
const memberOfGroup = withColumns(user, {
	...same('lastActiveAt', 'scope'),
	guid: field('group', 'guid'),
	groupName: field('group', 'name'),
});

const changedMember = withColumns(memberOfGroup, same('oldScope'));

const connection = withColumns(user, {
	action: field('currentConnection', 'action'),
	platform: field('currentConnection', 'platform'),
});

const call = told({
	id: field('id'),
	sessionId: field('data', 'entities', 'on', 'entity', 'sessionid'),
	status: field('data', 'entities', 'on', 'entity', 'status'),
	...same('type', 'receiver', 'receiverType', 'conversationId'),
});

const session = told({
	sessionId: field('sessionId'),
	occupants: ({ all_occupants: all }) => (Array.isArray(all) ? all.length : undefined),
});

const recording = told({ ...same('sessionId'), recordingUrl: field('recording_url') });

const transcription = told({ ...same('sessionId', 'tid'), transcriptUrl: field('transcript_url') });

const notification = told(same('notificationId', 'templateId', 'sendMode'));

const push = told(same('pushNotificationId', 'notificationId', 'receiver', 'status'));

const feedItem = told(same('id', 'notificationId', 'receiver', 'status', 'topic'));

const campaign = told(same('campaignId', 'status', 'sentCount'));

/** How the data of an event is read, and what comes of it. */
interface EventData {
	/** What each thing is; without it the event stays raw */
	entity?: Entity;
	/** Whether it is about those who did it, so that its columns already say who */
	isOwnDoing?: boolean;
	read: Reader;
	/**
	 * Places in the data that tell the event from all others, the time or the ID of its own first, with
	 * dots for inner ones. Left out, or where the first is not there: the whole data.
	 */
	key?: string[];
}

/** An event that CometChat tells of. */
export interface EventType extends Partial<EventData> {
	/** The service's name of it: the value of "trigger" in a delivery */
	trigger: string;
	/** What it is called in the menu, where its name does not say it */
	label?: string;
	/** What happened, for the menu */
	description: string;
}

const sentMessage = toldAt({
	thing: 'message',
	by: ['message.data.entities.sender.entity', 'message.sender'],
	at: 'message.sentAt',
});

/** @param mark what was done, as in `pinnedBy` and `pinnedAt` */
const marked = (mark: string): EventData => ({
	entity: message,
	read: toldAt({ thing: 'message', by: [`message.${mark}By`], at: `message.${mark}At` }),
	key: [`message.${mark}At`, 'message.id'],
});

const moderation: EventData = { entity: moderated, read: moderatedMessage };

/** @param at where it says when; the `reactedAt` of one that was removed does not */
const reactions = (at?: string): EventData => ({
	entity: reaction,
	read: toldAt({ thing: 'reaction', by: ['reaction.reactedBy', 'reaction.uid'], at }),
	key: ['id', 'messageId', 'reaction', 'uid', 'reactedAt'].map((name) => `reaction.${name}`),
});

const receipts = (read: Reader): EventData => ({
	entity: receiptColumns,
	read,
	key: ['body.timestamp', 'body.messageId', 'body.action', 'body.user.uid', 'sender'],
});

const groups = (read: Reader): EventData => ({ entity: group, read });

const members = (options: NonNullable<Parameters<typeof membersOf>[0]> = {}): EventData => ({
	entity: memberOfGroup,
	isOwnDoing: options.isOwnDoing,
	read: membersOf(options),
});

const blocks: EventData = { entity: user, read: blockedUsers };

/** A call that rings: a message of its own kind. */
const ringing: EventData = {
	entity: call,
	read: toldAt({
		thing: 'call',
		by: ['call.data.entities.by.entity', 'call.data.entities.sender.entity', 'call.sender'],
		at: 'call.sentAt',
	}),
	key: ['call.id', 'call.sentAt'],
};

/** What is left of a call or a meeting that goes on. @param at where it says when it happened */
const ofSession = (at?: string) => toldAt({ needs: 'sessionId', by: ['occupant'], at });

const sessions = (time: string): EventData => ({
	entity: session,
	read: ofSession(time),
	key: [time, 'sessionId'],
});

const participants = (time: string): EventData => ({
	entity: session,
	read: ofSession(`occupant.${time}`),
	key: [`occupant.${time}`, 'sessionId', 'occupant.uid', 'occupant.name'],
});

/** @param by where it says who did it, when anybody did */
const feedItems = (at: string, ...by: string[]): EventData => ({
	entity: without(feedItem, ...by),
	read: toldAt({ needs: 'id', by, at }),
	key: [at, 'id', 'notificationId', 'receiver', 'topic'],
});

const pushes = (at: string, ...by: string[]): EventData => ({
	entity: without(push, ...by),
	read: toldAt({ needs: 'pushNotificationId', by, at }),
	key: [at, 'pushNotificationId'],
});

const campaigns: EventData = {
	entity: campaign,
	read: toldAt({ needs: 'campaignId' }),
	key: ['campaignId'],
};

/**
 * Places in an edited message. An edit has no ID of its own, and two edits within one second differ
 * only in their content.
 */
const EDITED = ['updatedAt', 'editedAt', 'id', 'tags', 'data'];

const editKey = ['message', 'message.data.entities.on.entity'].flatMap((place) =>
	EDITED.map((name) => `${place}.${name}`),
);

/** "message_read_by_all" as "Message Read by All", unless the event has a label. */
export function labelOf({ trigger, label }: Pick<EventType, 'trigger' | 'label'>): string {
	return label ?? titleCase(trigger.replace(/^after_/, '').replaceAll('_', ' '));
}

/** @param data left out where the service does not say enough of it */
function event(
	trigger: string,
	description: string,
	data?: EventData & Pick<EventType, 'label'>,
): EventType {
	return { trigger, description, ...data };
}

/**
 * Events that a workflow can cause without acting as a user. If they started the workflow, it could
 * start itself again and again. Moderation events and missed messages name the sender of the message.
 */
const CAUSED_BY_WORKFLOWS = new Set([
	...['message_sent', 'user_mentioned', 'message_edited', 'message_deleted'],
	...['message_reaction_added', 'message_reaction_removed'],
	...['group_created', 'group_updated', 'group_deleted', 'group_owner_transferred'],
	...['moderation_engine_approved', 'moderation_engine_blocked', 'moderation_engine_failed'],
	...['moderation_manual_approved', 'message_pinned', 'message_unpinned'],
	...['email', 'sms', 'push'].map((channel) => `${channel}-notification-payload-generated`),
]);

export const isCausedByWorkflows = (trigger: string): boolean => CAUSED_BY_WORKFLOWS.has(trigger);

/** The events that most people automate, in the order of the menu. */
export const COMMON_EVENTS: readonly EventType[] = [
	event('message_sent', 'A message was sent', {
		entity: sent,
		read: sentMessage,
		key: ['message.id'],
	}),
	event('message_edited', 'A message was edited', {
		entity: message,
		read: changedMessage('edited'),
		key: editKey,
	}),
	event('message_deleted', 'A message was deleted', {
		entity: deletedMessage,
		read: changedMessage('deleted'),
		key: ['message.id', 'message.deletedAt', 'message.data.entities.on.entity.deletedAt'],
	}),
	event('message_reaction_added', 'A user reacted to a message', reactions('reaction.reactedAt')),
	event('message_reaction_removed', 'A user removed their reaction', reactions()),
	event('user_mentioned', 'A message mentions a user', { entity: sent, read: sentMessage }),
	event('group_member_joined', 'A user joined a group', members({ isOwnDoing: true })),
	event('group_member_added', 'Users were added to a group', members()),
	event('group_member_left', 'A member left a group', members({ isOwnDoing: true })),
	event('group_member_kicked', 'A member was removed from a group', members()),
	event('group_member_banned', 'A member was banned from a group', members({ mayHoldDoer: true })),
	event('group_member_unbanned', 'A user may join a group again', members({ mayHoldDoer: true })),
	event('group_member_scope_changed', 'The scope of a member was changed', {
		entity: changedMember,
		read: membersOf(),
	}),
	// A group belongs to the user who creates it, unless they name another one
	event('group_created', 'A group was created', {
		entity: newGroup,
		read: groupAt('createdAt', 'owner'),
		key: ['group.createdAt', 'group.guid'],
	}),
	event('group_updated', 'A group was changed', groups(groupAt('updatedAt', 'updatedBy'))),
	// Its "updatedAt" and "updatedBy" tell of the change before
	event('group_deleted', 'A group was deleted', groups(groupAt())),
	event('user_connection_status_changed', 'A user went online or offline', {
		entity: connection,
		isOwnDoing: true,
		read: presence,
		key: ['timestamp', 'user.uid', 'status'],
	}),
	event('user_blocked', 'A user blocked another user', blocks),
	event('moderation_engine_blocked', 'Moderation blocked a message', moderation),
	event('moderation_engine_approved', 'Moderation approved a message', moderation),
	event('email-notification-payload-generated', 'A user has missed messages: for an email', {
		label: 'Missed Messages (Email)',
		entity: missed,
		read: missedMessages,
	}),
	event('sms-notification-payload-generated', 'A user has missed messages: for a text message', {
		label: 'Missed Messages (SMS)',
		entity: missed,
		read: missedMessages,
	}),
	event(
		'push-notification-payload-generated',
		'A user has missed a message or a call: for a push notification',
		{
			label: 'Missed Messages (Push)',
			entity: missedOfPush,
			read: missedPush,
			key: ['notificationDetails.sentAt', 'notificationDetails.tag', 'to.uid'],
		},
	),
];

/** The others, which the menu has under 'More Events'. */
export const MORE_EVENTS: readonly EventType[] = [
	event('group_owner_transferred', 'A group got another owner', {
		entity: transferred,
		read: groupAt('updatedAt', 'updatedBy'),
	}),
	event('moderation_engine_failed', 'Moderation could not check a message', {
		entity: unchecked,
		read: uncheckedMessage,
		key: ['completedAt', 'resource.id', 'contentType'],
	}),
	event('moderation_manual_approved', 'A moderator approved a message', moderation),
	event('message_pinned', 'A message was pinned', marked('pinned')),
	event('message_unpinned', 'A message was unpinned', marked('unpinned')),
	event('message_read_receipt', 'A user read a message', receipts(receipt)),
	event('message_read_by_all', 'All members of a group read a message', receipts(receiptOfAll)),
	event('message_delivery_receipt', 'A message reached a user', receipts(receipt)),
	event(
		'message_delivered_to_all',
		'A message reached all members of a group',
		receipts(receiptOfAll),
	),
	event('user_unblocked', 'A user unblocked another user', blocks),
	event('call_initiated', 'A user calls another user or a group', ringing),
	event('call_started', 'A call started', sessions('created_at')),
	event('call_ended', 'A call ended', sessions('destroyed_at')),
	event('call_rejected', 'A call was rejected', ringing),
	event('call_cancelled', 'A call was cancelled by its caller', ringing),
	event('call_busy', 'A call met a user who is in another call', ringing),
	event('call_unanswered', 'Nobody answered a call', ringing),
	event('call_participant_joined', 'A user joined a call', participants('joined_at')),
	event('call_participant_left', 'A user left a call', participants('left_at')),
	event('meeting_started', 'A meeting started', sessions('created_at')),
	event('meeting_ended', 'A meeting ended', sessions('destroyed_at')),
	event('meeting_participant_joined', 'A user joined a meeting', participants('joined_at')),
	event('meeting_participant_left', 'A user left a meeting', participants('left_at')),
	event('recording_generated', 'The recording of a call is ready', {
		entity: recording,
		read: ofSession(),
		key: ['recording_url', 'sessionId'],
	}),
	event('transcription_generated', 'The transcript of a call is ready', {
		entity: transcription,
		read: ofSession(),
		key: ['tid', 'sessionId'],
	}),
	event('after_notification_created', 'A notification was created', {
		entity: notification,
		read: toldAt({ needs: 'notificationId' }),
		key: ['notificationId'],
	}),
	event('after_push_notification_sent', 'A push notification was sent', pushes('sentAt')),
	event(
		'after_push_notification_delivered',
		'A push notification reached its recipient',
		pushes('deliveredAt'),
	),
	event(
		'after_push_notification_clicked',
		'A recipient clicked a push notification',
		pushes('clickedAt', 'receiver'),
	),
	event('after_feed_item_sent', 'An item of a feed was sent', feedItems('sentAt')),
	event(
		'after_feed_item_delivered',
		'An item of a feed reached its recipient',
		feedItems('deliveredAt'),
	),
	event(
		'after_feed_item_read',
		'A recipient read an item of a feed',
		feedItems('readAt', 'receiver'),
	),
	event(
		'after_feed_item_interacted',
		'A recipient acted on an item of a feed',
		feedItems('engagedAt', 'receiver'),
	),
	event('after_campaign_completed', 'A campaign was sent to all its recipients', campaigns),
	event('after_campaign_failed', 'A campaign could not be sent', campaigns),
];

/** All events that the service tells of. */
export const EVENTS: readonly EventType[] = [...COMMON_EVENTS, ...MORE_EVENTS];

const BY_TRIGGER = new Map(EVENTS.map((type) => [type.trigger, type]));

/** @returns undefined for an event that is not in the table */
export function eventTypeOf(trigger: string): EventType | undefined {
	return BY_TRIGGER.get(trigger);
}
