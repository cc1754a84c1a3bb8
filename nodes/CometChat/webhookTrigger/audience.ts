import type { IDataObject } from 'n8n-workflow';

import { unwrapActionTarget } from '../resources/message/entity';
import { listUidsFromTextAndMentions } from '../resources/message/mentions';
import { asObjectOrEmpty, createFieldReader, isObject } from '../helpers/json';
import {
	readGroupPlaceOrPrivate,
	toGroupPlace,
	type GroupPlaceOrPrivate,
} from '../sharedByTriggers/place';
import { listAddressedUids } from '../sharedByTriggers/watch';
import { readNestedObjectOrEmpty } from './eventReaders';

/** Says whether an event has a place, and lists the users whom the event concerns, to compare them with 'Watch'. */
export interface EventAudienceReader {
	/** True if the event happens in a group or a conversation */
	hasPlace: boolean;
	/**
	 * Lists the UIDs of the users whom the event concerns. An entry that isn't a string stands for an unknown
	 * user.
	 *
	 * @param entity the entity that the event is about. For a reaction, the message that the reaction belongs to.
	 */
	listUids: (entity: IDataObject, data: IDataObject) => unknown[];
	/** True if a watched user's own actions, e.g. going online, may start the workflow */
	allowsOwnAction?: boolean;
}

/** Fields of an event's data that can contain a message or a call. */
const MESSAGE_FIELDS = ['message', 'call', 'resource', 'notificationDetails'];

const listMessages = (data: IDataObject) =>
	MESSAGE_FIELDS.map((name) => data[name]).filter(isObject);

/**
 * Reads a message's place. If an action message has no place, reads the place of the message that the action is
 * about.
 */
const readPlaceOfMessageOrTarget = (message: IDataObject) =>
	readGroupPlaceOrPrivate(message) ?? readGroupPlaceOrPrivate(unwrapActionTarget(message));

/**
 * Lists the places in an event's data. An undefined entry stands for a group without a GUID, or for a message
 * whose receiver is unknown.
 */
export function listGroupPlacesOrPrivate(
	data: IDataObject,
): Array<GroupPlaceOrPrivate | undefined> {
	const groups = [data.group, data.groupDetails].filter(isObject);
	const places = [
		...groups.map(({ guid }) => toGroupPlace(guid)),
		...listMessages(data).map(readPlaceOfMessageOrTarget),
	];
	// Data about missed messages has `senderDetails`, but no group if the messages are private
	if (isObject(data.senderDetails) && groups.length === 0) places.push('private');
	const missed = [data.messages]
		.flat()
		.map((message) => readNestedObjectOrEmpty(asObjectOrEmpty(message), 'messageObject'));
	const others = [data, ...missed]
		.map(readGroupPlaceOrPrivate)
		.filter((place) => place !== undefined);
	return [...places, ...others];
}

/** Lists a message's sender and the users whom the message addresses. */
function listUidsOfMessage(message: IDataObject): unknown[] {
	return [message.sender, ...listAddressedUids(message)];
}

/**
 * Lists a message's sender and addressees. For an action message, also lists the user whom the action is about,
 * or the sender and addressees of the message that the action is about.
 */
function listUidsOfMessageAndTarget(message: IDataObject): unknown[] {
	const target = unwrapActionTarget(message);
	const ofTarget = target === message ? [] : [target.uid, ...listUidsOfMessage(target)];
	return [...listUidsOfMessage(message), ...ofTarget.filter((uid) => uid !== undefined)];
}

/**
 * A message, call or reaction concerns the message's sender, the receiver of a private message, and the
 * mentioned users.
 */
export const messageAudienceReader: EventAudienceReader = {
	hasPlace: true,
	listUids: listUidsOfMessageAndTarget,
};

export const onlyMentionedUsersAudienceReader: EventAudienceReader = {
	hasPlace: true,
	listUids: listUidsFromTextAndMentions,
};

/** A receipt concerns the sender of the message that was read or delivered. */
export const receiptAudienceReader: EventAudienceReader = {
	hasPlace: true,
	listUids: ({ messageSender }) => [messageSender],
};

export const memberEventAudienceReader: EventAudienceReader = {
	hasPlace: true,
	listUids: ({ uid }) => [uid],
};

/** A new group concerns the users who became its members. */
export const initialMembersAudienceReader: EventAudienceReader = {
	hasPlace: true,
	listUids: (_group, { members }) => Object.keys(asObjectOrEmpty(members)),
};

/** A change of a group itself concerns no user in particular. */
export const groupChangeAudienceReader: EventAudienceReader = {
	hasPlace: true,
	listUids: () => [],
};

export const ownerChangeAudienceReader: EventAudienceReader = {
	hasPlace: true,
	listUids: ({ owner, oldOwner }) => [owner, oldOwner],
};

/** Missed messages concern the user who missed them. */
export const missedMessagesAudienceReader: EventAudienceReader = {
	hasPlace: true,
	listUids: (_entity, data) => [createFieldReader('to', 'uid')(data)],
};

export const onlyBlockedUserAudienceReader: EventAudienceReader = {
	hasPlace: false,
	listUids: ({ uid }) => [uid],
};

/**
 * Creates the reader for an event that concerns a single user. Unlike for other events, a watched user's own actions
 * also start the workflow.
 *
 * @param path path to the user's UID in the event's data
 */
export const createOwnActionAudienceReaderByPath = (...path: string[]): EventAudienceReader => ({
	hasPlace: false,
	listUids: (_entity, data) => [createFieldReader(...path)(data)],
	allowsOwnAction: true,
});

/**
 * Audience of events of unknown shape, and of failed moderation, because their entities aren't messages. Such an
 * event concerns the senders and addressed users of all messages in its data.
 */
export const allMessagesInDataAudienceReader: EventAudienceReader = {
	hasPlace: true,
	listUids: (_entity, data) => listMessages(data).flatMap(listUidsOfMessageAndTarget),
};
