import type { IDataObject } from 'n8n-workflow';

import {
	createColumnsNamedAsFields,
	createColumnsFromNestedObject,
} from '../resources/entityParts';
import { asObjectOrEmpty, createFieldReader, createPathReader } from '../helpers/json';
import { capitalizeTitleWords } from '../helpers/formatText';
import type { ColumnReaders, EntityDefinition } from '../types';
import { readUnreadCount } from '../resources/conversation/entity';
import { groupEntity } from '../resources/group/entity';
import {
	deletedMessageEntity as deletedMessageNote,
	messageEntity,
	messageSentEventEntity,
	reactionColumns,
} from '../resources/message/entity';
import type { EventIdentifyingValues } from '../sharedByTriggers/dedupe';
import {
	allMessagesInDataAudienceReader,
	onlyBlockedUserAudienceReader,
	createOwnActionAudienceReaderByPath,
	groupChangeAudienceReader,
	memberEventAudienceReader,
	onlyMentionedUsersAudienceReader,
	messageAudienceReader,
	missedMessagesAudienceReader,
	initialMembersAudienceReader,
	ownerChangeAudienceReader,
	receiptAudienceReader,
	type EventAudienceReader,
} from './audience';
import type { Delivery } from './delivery';
import {
	createMembersWithActorReader,
	createEntitiesWithActorReader,
	readBlockTargetsWithActor,
	unwrapEditedOrDeletedMessage,
	readMissedMessagesNotification,
	readModeratedMessage,
	readGroupCreationWithPossibleActors,
	type MemberEventFlags,
	type EntitiesWithActorReader,
	type EntityWithActor,
	type Person,
} from './eventReaders';

/** Value of 'Trigger On' that selects every event, including events that aren't in `EVENTS`. */
export const ALL_EVENTS_VALUE = '*';

type EventRowType = Pick<
	EntityDefinition,
	| 'columns'
	| 'columnsFor'
	| 'columnsShownIfFilled'
	| 'selectedOnlyColumns'
	| 'fieldShortcuts'
	| 'unwrap'
> &
	Partial<Pick<EntityDefinition, 'id'>>;

function addColumns(entity: EventRowType, columns: ColumnReaders): EventRowType {
	return { ...entity, columns: { ...entity.columns, ...columns } };
}

/**
 * Moves columns to `selectedOnlyColumns`, which only 'Selected Fields' returns, e.g. columns that would repeat `at`,
 * `by` or `byName`.
 */
function moveToSelectedOnlyColumns(entity: EventRowType, ...names: string[]): EventRowType {
	const omitNames = (columns: ColumnReaders = {}) =>
		Object.fromEntries(Object.entries(columns).filter(([name]) => !names.includes(name)));
	const { columns, columnsShownIfFilled, selectedOnlyColumns } = entity;
	return {
		...entity,
		columns: omitNames(columns),
		columnsShownIfFilled: omitNames(columnsShownIfFilled),
		selectedOnlyColumns: { ...selectedOnlyColumns, ...columnsShownIfFilled, ...columns },
	};
}

/** Creates an entity that appears only in events, not in an operation's results. */
const createEventEntity = (columns: ColumnReaders): EventRowType => ({ columns });

/** A message that was edited, pinned or unpinned. */
const changedMessageEntity = moveToSelectedOnlyColumns(messageEntity, 'sentAt', 'type');

/** A message that mentions users, with the mentioned users' UIDs. */
const mentioningMessageEntity = addColumns(moveToSelectedOnlyColumns(messageEntity, 'sentAt'), {
	mentioned: (message) => Object.keys(createFieldReader('data', 'mentions')(message) ?? {}),
});

/** A deleted message itself, not the action message that CometChat sends about the deletion. */
const deletedMessageEntity: EventRowType = {
	...moveToSelectedOnlyColumns(deletedMessageNote, 'deleted', 'deletedAt', 'deletedBy'),
	unwrap: undefined,
};

const putPersonFirst = ({
	name,
	uid,
	reaction,
	...others
}: typeof reactionColumns): ColumnReaders => ({
	...{ name, uid, reaction },
	...others,
});

const removedReactionEntity: EventRowType = {
	id: 'messageId',
	columns: putPersonFirst(reactionColumns),
};

/** For an added reaction, `at` already contains `reactedAt`. For a removed reaction, `at` is the delivery's time. */
const addedReactionEntity = moveToSelectedOnlyColumns(removedReactionEntity, 'reactedAt');

const changedGroupEntity = moveToSelectedOnlyColumns(groupEntity, 'icon', 'conversationId');

const newGroupEntity = moveToSelectedOnlyColumns(changedGroupEntity, 'createdAt');

const moderatedMessageEntity = moveToSelectedOnlyColumns(
	addColumns(messageEntity, {
		moderationStatus: createFieldReader('data', 'moderation', 'status'),
		ruleName: createFieldReader('moderation', 'rule', 'name'),
		reason: createFieldReader('moderation', 'condition', 'message'),
		actions: createFieldReader('moderation', 'rule', 'action'),
	}),
	...['sentAt', 'type', 'parentId', 'actions'],
);

/** A message that moderation failed to check, with the reason for the failure. */
const uncheckedMessageEntity = createEventEntity({
	id: createFieldReader('resource', 'id'),
	contentType: createFieldReader('contentType'),
	...createColumnsFromNestedObject(
		'resource',
		'sender',
		'receiver',
		'receiverType',
		'conversationId',
	),
	outcome: createFieldReader('outcome'),
	failure: createFieldReader('failures', '0', 'category'),
	reason: createFieldReader('failures', '0', 'errorMessage'),
	ruleName: createFieldReader('failures', '0', 'context', 'rule', 'name'),
});

/** A user's missed messages, as CometChat prepares them for an email or a text message. */
const missedMessagesEntity = createEventEntity({
	uid: createFieldReader('to', 'uid'),
	name: createFieldReader('to', 'name'),
	email: createFieldReader('to', 'email'),
	phone: createFieldReader('to', 'phno'),
	subject: createFieldReader('subject'),
	text: ({ smsContent, last }) => createFieldReader('message')(asObjectOrEmpty(last)) ?? smsContent,
	messageId: createFieldReader('last', 'messageObject', 'id'),
	sender: createFieldReader('lastSender', 'uid'),
	senderName: createFieldReader('lastSender', 'name'),
	messages: ({ messages }) => (Array.isArray(messages) ? messages.length : undefined),
	guid: createFieldReader('groupDetails', 'guid'),
	groupName: createFieldReader('groupDetails', 'name'),
});

const missedByEmailEntity = moveToSelectedOnlyColumns(missedMessagesEntity, 'phone', 'messageId');

const missedByTextEntity = moveToSelectedOnlyColumns(missedMessagesEntity, 'email', 'subject');

const missedByPushEntity = moveToSelectedOnlyColumns(
	createEventEntity({
		uid: createFieldReader('to', 'uid'),
		title: createFieldReader('notificationDetails', 'title'),
		text: createFieldReader('notificationDetails', 'body'),
		messages: ({ notificationDetails }) => readUnreadCount(asObjectOrEmpty(notificationDetails)),
		messageId: createFieldReader('notificationDetails', 'tag'),
		...createColumnsFromNestedObject(
			'notificationDetails',
			'sender',
			'senderName',
			'receiver',
			'receiverName',
		),
		...createColumnsFromNestedObject('notificationDetails', 'receiverType', 'conversationId'),
	}),
	'conversationId',
);

const transferredGroupEntity = addColumns(
	moveToSelectedOnlyColumns(changedGroupEntity, 'description'),
	createColumnsNamedAsFields('oldOwner'),
);

const receiptEntity = createEventEntity({
	...createColumnsFromNestedObject('body', 'messageId', 'action'),
	sender: createFieldReader('messageSender'),
	...createColumnsNamedAsFields('receiver', 'receiverType'),
});

const userEntity = createEventEntity(
	createColumnsNamedAsFields('uid', 'name', 'status', 'role', 'avatar'),
);

/** A current or former group member. */
const memberOfGroupEntity = moveToSelectedOnlyColumns(
	addColumns(userEntity, {
		...createColumnsNamedAsFields('lastActiveAt', 'scope'),
		guid: createFieldReader('group', 'guid'),
		groupName: createFieldReader('group', 'name'),
	}),
	'lastActiveAt',
);

const memberWithOldScopeEntity = addColumns(
	moveToSelectedOnlyColumns(memberOfGroupEntity, 'avatar'),
	createColumnsNamedAsFields('oldScope'),
);

const connectionEntity = createEventEntity({
	...createColumnsFromNestedObject('user', 'uid', 'name'),
	status: createFieldReader('status'),
	...createColumnsFromNestedObject('user', 'role', 'avatar'),
	action: createFieldReader('currentConnection', 'action'),
	platform: createFieldReader('currentConnection', 'platform'),
});

const callEntity = createEventEntity({
	id: createFieldReader('id'),
	sessionId: createFieldReader('data', 'entities', 'on', 'entity', 'sessionid'),
	status: createFieldReader('data', 'entities', 'on', 'entity', 'status'),
	...createColumnsNamedAsFields('type', 'sender', 'receiver', 'receiverType', 'conversationId'),
});

const sessionEntity = createEventEntity({
	sessionId: createFieldReader('sessionId'),
	occupants: ({ all_occupants: all }) => (Array.isArray(all) ? all.length : undefined),
});

const recordingEntity = createEventEntity({
	...createColumnsNamedAsFields('sessionId'),
	recordingUrl: createFieldReader('recording_url'),
});

const transcriptionEntity = createEventEntity({
	...createColumnsNamedAsFields('sessionId', 'tid'),
	transcriptUrl: createFieldReader('transcript_url'),
});

const notificationEntity = createEventEntity(
	createColumnsNamedAsFields('notificationId', 'templateId', 'sendMode'),
);

const pushEntity = createEventEntity(
	createColumnsNamedAsFields('pushNotificationId', 'notificationId', 'receiver', 'status'),
);

const feedItemEntity = createEventEntity(
	createColumnsNamedAsFields('id', 'notificationId', 'receiver', 'status', 'topic'),
);

const campaignEntity = createEventEntity(
	createColumnsNamedAsFields('campaignId', 'status', 'sentCount'),
);

/** Properties of an event, except its name and its texts in the menu. */
interface EventDeclaration {
	/** Entity that the event is about */
	entity: EventRowType;
	/**
	 * True if items have no `by`, because other columns name the user who caused the event, or because the
	 * delivery doesn't name the user
	 */
	omitsActor?: boolean;
	/**
	 * True if a workflow that acts as the app itself can cause the event repeatedly, and so could start itself.
	 * Also true for moderation and for missed messages by push notification, which can be about the app's messages.
	 * False for changes of members, because repeating the same change has no effect.
	 */
	canLoop: boolean;
	/**
	 * Says whether the event has a place, and lists the users whom the event concerns. Undefined if the data names no
	 * group, conversation or user.
	 */
	audience?: EventAudienceReader;
	read: EntitiesWithActorReader;
	/**
	 * Dot-separated paths of the values that together identify the event. The first is the event's own time or ID.
	 * If the first value is empty, or there are no paths, all of the event's data identifies the event.
	 */
	key?: string[];
}

/** A type of event that CometChat delivers. */
export interface EventDefinition extends EventDeclaration {
	/** CometChat's name for the event, sent as "trigger" in a delivery */
	trigger: string;
	/** Label in the menu, if different from the words in `trigger` */
	label?: string;
	/** Description in the menu */
	description: string;
}

const readNewMessage = createEntitiesWithActorReader({
	entity: 'message',
	by: ['message.data.entities.sender.entity', 'message.sender'],
	at: ['message.sentAt'],
});

/** @param change prefix of fields such as `pinnedBy` and `pinnedAt` */
const pinEvent = (change: 'pinned' | 'unpinned'): EventDeclaration => ({
	entity: changedMessageEntity,
	canLoop: true,
	audience: messageAudienceReader,
	read: createEntitiesWithActorReader({
		entity: 'message',
		by: [`message.${change}By`],
		at: [`message.${change}At`],
	}),
	key: [`message.${change}At`, 'message.id'],
});

/** Moderation events don't name a moderator, so the message's sender counts as the user who caused the event. */
const moderationEvent: EventDeclaration = {
	entity: moderatedMessageEntity,
	omitsActor: true,
	canLoop: true,
	audience: messageAudienceReader,
	read: createEntitiesWithActorReader({
		entity: readModeratedMessage,
		needs: 'message.id',
		by: ['message.data.entities.sender.entity', 'message.sender'],
		// CometChat's moderation data contains no other time
		at: ['moderation.0.rule.blockedAt'],
	}),
};

/**
 * @param timePaths path to the event's time; omitted for removed reactions, which only contain the time when the
 * reaction was added
 */
const reactionEvent = (entity: EventRowType, ...timePaths: string[]): EventDeclaration => ({
	entity,
	omitsActor: true,
	canLoop: true,
	audience: messageAudienceReader,
	read: createEntitiesWithActorReader({
		entity: 'reaction',
		by: ['reaction.reactedBy', 'reaction.uid'],
		at: timePaths,
	}),
	key: ['id', 'messageId', 'reaction', 'uid', 'reactedAt'].map((name) => `reaction.${name}`),
});

/**
 * @param userPaths paths to the user who received or read the message. Omit them for receipts for all members, because
 * these receipts name the app instead of a user.
 */
const receiptEvent = (...userPaths: string[]): EventDeclaration => ({
	entity: receiptEntity,
	canLoop: false,
	audience: receiptAudienceReader,
	read: createEntitiesWithActorReader({
		needs: 'body.messageId',
		by: userPaths,
		at: ['body.timestamp'],
	}),
	key: ['body.timestamp', 'body.messageId', 'body.action', 'body.user.uid', 'sender'],
});

const memberEvent = (options: MemberEventFlags = {}): EventDeclaration => ({
	entity: memberOfGroupEntity,
	omitsActor: options.isOwnAction,
	canLoop: false,
	audience: memberEventAudienceReader,
	read: createMembersWithActorReader(options),
});

const blockEvent: EventDeclaration = {
	entity: userEntity,
	canLoop: false,
	audience: onlyBlockedUserAudienceReader,
	read: readBlockTargetsWithActor,
};

/**
 * A call that hasn't been answered, e.g. because it is ringing or was rejected. CometChat sends such calls in the
 * format of a message.
 */
const callAttemptEvent: EventDeclaration = {
	entity: callEntity,
	canLoop: false,
	audience: messageAudienceReader,
	read: createEntitiesWithActorReader({
		entity: 'call',
		by: ['call.data.entities.by.entity', 'call.data.entities.sender.entity', 'call.sender'],
		at: ['call.sentAt'],
	}),
	key: ['call.id', 'call.sentAt'],
};

/**
 * Creates a reader for a call or meeting session.
 *
 * @param at path to the event's time, if the event has one
 */
const createSessionReader = (...at: string[]) =>
	createEntitiesWithActorReader({ needs: 'sessionId', by: ['occupant'], at });

const sessionEvent = (timePath: string): EventDeclaration => ({
	entity: sessionEntity,
	canLoop: false,
	read: createSessionReader(timePath),
	key: [timePath, 'sessionId'],
});

const participantEvent = (timeField: string): EventDeclaration => ({
	entity: sessionEntity,
	canLoop: false,
	audience: createOwnActionAudienceReaderByPath('occupant', 'uid'),
	read: createSessionReader(`occupant.${timeField}`),
	key: [`occupant.${timeField}`, 'sessionId', 'occupant.uid', 'occupant.name'],
});

/** @param by paths to the user who caused the event; omitted if no user caused it */
const feedItemEvent = (at: string, ...by: string[]): EventDeclaration => ({
	entity: moveToSelectedOnlyColumns(feedItemEntity, ...by),
	canLoop: false,
	audience: createOwnActionAudienceReaderByPath('receiver'),
	read: createEntitiesWithActorReader({ needs: 'id', by, at: [at] }),
	key: [at, 'id', 'notificationId', 'receiver', 'topic'],
});

/** @param by paths to the user who caused the event; omitted if no user caused it */
const pushEvent = (at: string, ...by: string[]): EventDeclaration => ({
	entity: moveToSelectedOnlyColumns(pushEntity, ...by),
	canLoop: false,
	audience: createOwnActionAudienceReaderByPath('receiver'),
	read: createEntitiesWithActorReader({ needs: 'pushNotificationId', by, at: [at] }),
	key: [at, 'pushNotificationId'],
});

const campaignEvent: EventDeclaration = {
	entity: campaignEntity,
	canLoop: false,
	read: createEntitiesWithActorReader({ needs: 'campaignId' }),
	key: ['campaignId'],
};

/** @param change prefix of fields such as `editedBy` and `editedAt` */
const createEditOrDeleteReader = (change: 'edited' | 'deleted') =>
	createEntitiesWithActorReader({
		entity: unwrapEditedOrDeletedMessage,
		needs: 'message.id',
		by: [
			`message.data.entities.on.entity.${change}By`,
			`message.${change}By`,
			'message.data.entities.by.entity',
			'message.data.entities.sender.entity',
			'message.sender',
		],
		at: [`message.data.entities.on.entity.${change}At`, `message.${change}At`, 'message.updatedAt'],
	});

const readGroupChange = createEntitiesWithActorReader({
	entity: 'group',
	by: ['by', 'group.updatedBy'],
	at: ['group.updatedAt'],
});

/**
 * Fields that identify an edit to a message. An edit has no ID of its own, and two edits within the same
 * second differ only in their content.
 */
const EDIT_KEY_FIELDS = ['updatedAt', 'editedAt', 'id', 'tags', 'data'];

const editKey = ['message', 'message.data.entities.on.entity'].flatMap((place) =>
	EDIT_KEY_FIELDS.map((name) => `${place}.${name}`),
);

/** Returns an event's label. Without a label, converts the event's trigger name to title case. */
export function getLabelOfEventDefinition({
	trigger,
	label,
}: Pick<EventDefinition, 'trigger' | 'label'>): string {
	return label ?? capitalizeTitleWords(trigger.replace(/^after_/, '').replaceAll('_', ' '));
}

function createEventType(
	trigger: string,
	description: string,
	data: EventDeclaration & Pick<EventDefinition, 'label'>,
): EventDefinition {
	return { trigger, description, ...data };
}

/** True for an added or removed reaction. Deliveries of these events don't contain the message. */
export const isReactionEvent = (trigger: unknown): boolean =>
	trigger === 'message_reaction_added' || trigger === 'message_reaction_removed';

/** Events that most people automate, in menu order. n8n's node panel lists each of these events. */
export const COMMON_EVENTS: readonly EventDefinition[] = [
	createEventType('message_sent', 'A message was sent', {
		entity: messageSentEventEntity,
		omitsActor: true,
		canLoop: true,
		audience: messageAudienceReader,
		read: readNewMessage,
		key: ['message.id'],
	}),
	createEventType('message_edited', 'A message was edited', {
		entity: changedMessageEntity,
		canLoop: true,
		audience: messageAudienceReader,
		read: createEditOrDeleteReader('edited'),
		key: editKey,
	}),
	createEventType('message_deleted', 'A message was deleted', {
		entity: deletedMessageEntity,
		canLoop: true,
		audience: messageAudienceReader,
		read: createEditOrDeleteReader('deleted'),
		key: ['message.id', 'message.deletedAt', 'message.data.entities.on.entity.deletedAt'],
	}),
	createEventType(
		'message_reaction_added',
		'A user reacted to a message',
		reactionEvent(addedReactionEntity, 'reaction.reactedAt'),
	),
	createEventType(
		'message_reaction_removed',
		'A user removed a reaction',
		reactionEvent(removedReactionEntity),
	),
	createEventType(
		'group_member_joined',
		'A user joined a group',
		memberEvent({ isOwnAction: true }),
	),
	createEventType('group_member_added', 'Users were added to a group', memberEvent()),
	createEventType('group_member_left', 'A member left a group', memberEvent({ isOwnAction: true })),
	createEventType('user_mentioned', 'A message mentions a user', {
		entity: mentioningMessageEntity,
		omitsActor: true,
		canLoop: true,
		audience: onlyMentionedUsersAudienceReader,
		read: readNewMessage,
	}),
];

/** All other known events, listed in the option 'More Events'. */
export const MORE_EVENTS: readonly EventDefinition[] = [
	createEventType('group_member_kicked', 'A member was removed from a group', memberEvent()),
	createEventType(
		'group_member_banned',
		'A member was banned from a group',
		memberEvent({ excludeActorFromMembers: true }),
	),
	createEventType(
		'group_member_unbanned',
		'A member was unbanned',
		memberEvent({ excludeActorFromMembers: true }),
	),
	createEventType('group_member_scope_changed', 'A member has a new scope', {
		entity: memberWithOldScopeEntity,
		canLoop: false,
		audience: memberEventAudienceReader,
		read: createMembersWithActorReader(),
	}),
	createEventType(
		'group_created',
		'A group was created. If the event does not name the creator, the app itself counts as the creator.',
		{
			entity: newGroupEntity,
			canLoop: true,
			audience: initialMembersAudienceReader,
			read: readGroupCreationWithPossibleActors,
			key: ['group.createdAt', 'group.guid'],
		},
	),
	createEventType('group_updated', 'A group was changed', {
		entity: changedGroupEntity,
		canLoop: true,
		audience: groupChangeAudienceReader,
		read: readGroupChange,
	}),
	// Doesn't read `updatedAt` and `updatedBy`, which describe the group's last change before the deletion
	createEventType('group_deleted', 'A group was deleted', {
		entity: changedGroupEntity,
		canLoop: true,
		audience: groupChangeAudienceReader,
		read: createEntitiesWithActorReader({ entity: 'group', by: ['by'] }),
	}),
	createEventType('user_connection_status_changed', 'A user went online or offline', {
		entity: connectionEntity,
		omitsActor: true,
		canLoop: false,
		audience: createOwnActionAudienceReaderByPath('user', 'uid'),
		read: createEntitiesWithActorReader({ needs: 'user.uid', by: ['user'], at: ['timestamp'] }),
		key: ['timestamp', 'user.uid', 'status'],
	}),
	createEventType('user_blocked', 'A user blocked another user', blockEvent),
	createEventType('moderation_engine_blocked', 'Moderation blocked a message', {
		label: 'Message Blocked by Moderation',
		...moderationEvent,
	}),
	createEventType('moderation_engine_approved', 'Moderation approved a message', {
		label: 'Message Approved by Moderation',
		...moderationEvent,
	}),
	createEventType('email-notification-payload-generated', 'Missed messages, prepared as an email', {
		label: 'Missed Messages by Email',
		entity: missedByEmailEntity,
		omitsActor: true,
		canLoop: false,
		audience: missedMessagesAudienceReader,
		read: readMissedMessagesNotification,
	}),
	createEventType(
		'sms-notification-payload-generated',
		'Missed messages, prepared as a text message',
		{
			label: 'Missed Messages by Text',
			entity: missedByTextEntity,
			omitsActor: true,
			canLoop: false,
			audience: missedMessagesAudienceReader,
			read: readMissedMessagesNotification,
		},
	),
	createEventType(
		'push-notification-payload-generated',
		'A missed message or call, prepared as a push notification',
		{
			label: 'Missed Messages by Push Notification',
			entity: missedByPushEntity,
			omitsActor: true,
			canLoop: true,
			audience: missedMessagesAudienceReader,
			read: createEntitiesWithActorReader({
				needs: 'notificationDetails',
				by: ['notificationDetails.sender'],
				at: ['notificationDetails.sentAt'],
			}),
			key: ['notificationDetails.sentAt', 'notificationDetails.tag', 'to.uid'],
		},
	),
	createEventType('group_owner_transferred', 'A group has a new owner', {
		entity: transferredGroupEntity,
		canLoop: true,
		audience: ownerChangeAudienceReader,
		read: readGroupChange,
	}),
	createEventType('moderation_engine_failed', 'Moderation failed to check a message', {
		label: 'Moderation Failed',
		entity: uncheckedMessageEntity,
		omitsActor: true,
		canLoop: true,
		audience: allMessagesInDataAudienceReader,
		read: createEntitiesWithActorReader({
			needs: 'resource.id',
			by: ['resource.sender'],
			at: ['completedAt'],
		}),
		key: ['completedAt', 'resource.id', 'contentType'],
	}),
	createEventType('moderation_manual_approved', 'A moderator approved a message', {
		label: 'Message Approved by Moderator',
		...moderationEvent,
	}),
	createEventType('message_pinned', 'A message was pinned', pinEvent('pinned')),
	createEventType('message_unpinned', 'A message was unpinned', pinEvent('unpinned')),
	createEventType('message_read_receipt', 'A user read a message', {
		label: 'Message Read',
		...receiptEvent('body.user', 'sender'),
	}),
	createEventType('message_read_by_all', 'All members of a group read a message', receiptEvent()),
	createEventType('message_delivery_receipt', 'A message was delivered to a user', {
		label: 'Message Delivered',
		...receiptEvent('body.user', 'sender'),
	}),
	createEventType(
		'message_delivered_to_all',
		'A message was delivered to all members of a group',
		receiptEvent(),
	),
	createEventType('user_unblocked', 'A user unblocked another user', blockEvent),
	createEventType('call_initiated', 'A user called another user or a group', callAttemptEvent),
	createEventType('call_started', 'A call started', sessionEvent('created_at')),
	createEventType('call_ended', 'A call ended', sessionEvent('destroyed_at')),
	createEventType('call_rejected', 'A call was rejected', callAttemptEvent),
	createEventType('call_cancelled', 'The caller canceled a call', {
		label: 'Call Canceled',
		...callAttemptEvent,
	}),
	createEventType('call_busy', 'The recipient was on another call', {
		label: 'Call Recipient Busy',
		...callAttemptEvent,
	}),
	createEventType('call_unanswered', 'Nobody answered a call', callAttemptEvent),
	createEventType('call_participant_joined', 'A user joined a call', participantEvent('joined_at')),
	createEventType('call_participant_left', 'A user left a call', participantEvent('left_at')),
	createEventType('meeting_started', 'A meeting started', sessionEvent('created_at')),
	createEventType('meeting_ended', 'A meeting ended', sessionEvent('destroyed_at')),
	createEventType(
		'meeting_participant_joined',
		'A user joined a meeting',
		participantEvent('joined_at'),
	),
	createEventType('meeting_participant_left', 'A user left a meeting', participantEvent('left_at')),
	createEventType('recording_generated', 'The recording of a call is ready', {
		entity: recordingEntity,
		canLoop: false,
		read: createSessionReader(),
		key: ['recording_url', 'sessionId'],
	}),
	createEventType('transcription_generated', 'The transcript of a call is ready', {
		entity: transcriptionEntity,
		canLoop: false,
		read: createSessionReader(),
		key: ['tid', 'sessionId'],
	}),
	createEventType('after_notification_created', 'A notification was created', {
		entity: notificationEntity,
		canLoop: false,
		read: createEntitiesWithActorReader({ needs: 'notificationId' }),
		key: ['notificationId'],
	}),
	createEventType(
		'after_push_notification_sent',
		'A push notification was sent',
		pushEvent('sentAt'),
	),
	createEventType(
		'after_push_notification_delivered',
		'A push notification was delivered',
		pushEvent('deliveredAt'),
	),
	createEventType(
		'after_push_notification_clicked',
		'A recipient clicked a push notification',
		pushEvent('clickedAt', 'receiver'),
	),
	createEventType('after_feed_item_sent', 'A feed item was sent', feedItemEvent('sentAt')),
	createEventType(
		'after_feed_item_delivered',
		'A feed item was delivered',
		feedItemEvent('deliveredAt'),
	),
	createEventType(
		'after_feed_item_read',
		'A recipient read a feed item',
		feedItemEvent('readAt', 'receiver'),
	),
	createEventType(
		'after_feed_item_interacted',
		'A recipient interacted with a feed item',
		feedItemEvent('engagedAt', 'receiver'),
	),
	createEventType(
		'after_campaign_completed',
		'A campaign was sent to all recipients',
		campaignEvent,
	),
	createEventType('after_campaign_failed', 'A campaign could not be sent', campaignEvent),
];

/** All events that this package knows. CometChat may also deliver unknown events. */
export const EVENTS: readonly EventDefinition[] = [...COMMON_EVENTS, ...MORE_EVENTS];

const BY_TRIGGER = new Map(EVENTS.map((type) => [type.trigger, type]));

/** @returns undefined if the event isn't in `EVENTS` */
export function findEventDefinition(trigger: string): EventDefinition | undefined {
	return BY_TRIGGER.get(trigger);
}

/** True if the event could make a workflow start itself, or if the event isn't in `EVENTS`. */
export const canEventCauseLoop = (trigger: string): boolean =>
	findEventDefinition(trigger)?.canLoop ?? true;

/** Reads an event's entities. Returns an empty list if the event or the shape of its data is unknown. */
export function readEventEntitiesOrEmptyList(
	trigger: string,
	data: IDataObject,
	canUserStart: (user: Person) => boolean,
): EntityWithActor[] {
	const entities = findEventDefinition(trigger)?.read(data, canUserStart) ?? [];
	return entities.filter(({ entity }) => Object.keys(entity).length > 0);
}

/** Returns the values that identify an event, in case CometChat delivers the event again. */
export const toEventIdentifyingValues = ({
	trigger,
	data,
	appId,
	envelope,
}: Delivery): EventIdentifyingValues => ({
	trigger,
	appId,
	key: (findEventDefinition(trigger)?.key ?? []).map((path) => createPathReader(path)(data)),
	content: data,
	webhookName: envelope.webhook,
});
