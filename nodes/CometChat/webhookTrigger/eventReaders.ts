import type { IDataObject } from 'n8n-workflow';

import { fieldReader, readerByPath, isObject, asObject } from '../transport/json';
import { APP_USER } from '../transport/types';
import { getTargetMessage } from '../resources/message/entity';

/** A user named in a delivery. Some deliveries contain only the UID. */
export interface Person {
	uid?: string | number;
	name?: string;
}

/**
 * An entity that an event is about, with the user who caused the event and the time. An event that adds
 * several members has one such entry per member.
 */
export interface EventSubject {
	/** The entity, e.g. the edited message, not the action message that CometChat sends about the edit */
	subject: IDataObject;
	/** The user who caused the event */
	by: Person;
	/** Users who may have caused the event, if the delivery doesn't name the user who did */
	possibleActors?: Person[];
	/** Time of the event in Unix seconds or milliseconds; undefined if the delivery contains no time */
	at?: unknown;
}

/**
 * Reads the entities from a delivery's `data`. Returns an empty list if the data has an unknown shape.
 *
 * @param canStart true if an event caused by this user may start the workflow
 */
export type EventReader = (
	data: IDataObject,
	canStart?: (user: Person) => boolean,
) => EventSubject[];

/** Reads a nested object. Returns an empty object if the path doesn't lead to an object. */
export const readObject = (data: IDataObject, ...path: string[]): IDataObject =>
	asObject(fieldReader(...path)(data));

/** Converts a UID or GUID to lower case for comparison, because CometChat's IDs are case-insensitive. */
export function toLowerCaseId(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number'
		? String(value).toLowerCase()
		: undefined;
}

function isFilled(subject: IDataObject): boolean {
	return Object.keys(subject).length > 0;
}

/** @param value a user object or a UID */
function readPerson(value: unknown): Person {
	const { uid, name } = isObject(value) ? value : { uid: value, name: undefined };
	const isUid = (typeof uid === 'string' && uid !== '') || typeof uid === 'number';
	return { uid: isUid ? uid : undefined, name: typeof name === 'string' ? name : undefined };
}

/**
 * Picks the first candidate that has a UID.
 *
 * @param candidates user objects or UIDs, most reliable first
 * @returns the UID, and the first name found in any candidate with this UID
 */
function pickPerson(...candidates: unknown[]): Person {
	const people = candidates.map(readPerson).filter(({ uid }) => uid !== undefined);
	const [{ uid }] = [...people, { uid: undefined }];
	const same = people.filter((person) => toLowerCaseId(person.uid) === toLowerCaseId(uid));
	return { uid, name: same.find(({ name }) => name !== undefined)?.name };
}

/** Lists users from an object keyed by UID, which is the format that CometChat sends, or from an array. */
function listUsers(users: unknown): IDataObject[] {
	if (Array.isArray(users)) return users.filter(isObject);
	return Object.entries(isObject(users) ? users : {}).flatMap(([uid, user]) =>
		isObject(user) ? { uid, ...user } : [],
	);
}

/**
 * Wraps an event's subject in a list. Returns an empty list if the entity is empty, because then the data
 * has an unknown shape.
 */
function listFilled(entry: EventSubject): EventSubject[] {
	return isFilled(entry.subject) ? [entry] : [];
}

const readEntity = (note: IDataObject, role: string) =>
	readObject(note, 'data', 'entities', role, 'entity');

const readSender = (message: IDataObject) =>
	pickPerson(readEntity(message, 'sender'), message.sender);

/** Dot-separated paths to the values in an event's data. */
interface Places {
	/** Path to the entity that the event is about. Defaults to the data itself. */
	subject?: string;
	/** Path to a field that data of this shape always contains. Defaults to the entity's path. */
	needs?: string;
	/** Paths to the user who caused the event, or to that user's UID, most reliable first */
	by?: string[];
	/** Path to the event's time */
	at?: string;
}

/** Creates a reader for an event whose values are at fixed paths. */
export const createEventReader =
	({ subject = '', needs = subject, by = [], at }: Places): EventReader =>
	(data) => {
		const valueAt = (place: string) => (place === '' ? data : readerByPath(place)(data));
		if (valueAt(needs) === undefined) return [];
		const person = pickPerson(...by.map(valueAt));
		const time = at === undefined ? undefined : valueAt(at);
		return listFilled({ subject: asObject(valueAt(subject)), by: person, at: time });
	};

/**
 * Reads the moderation rule that matched. CometChat sends the rule next to the message or inside the
 * message.
 */
const readRule = (data: IDataObject): IDataObject => {
	const [first] = [data.moderation].flat();
	const inMessage = readObject(data, 'message', 'data', 'moderation');
	return { ...inMessage, ...(isObject(first) ? first : {}) };
};

/** Reads a moderated message. The event doesn't name a moderator, so `by` is the message's sender. */
export const readModeratedMessage: EventReader = (data) => {
	const message = readObject(data, 'message');
	const moderation = readRule(data);
	const subject = isFilled(message) ? { ...message, moderation } : {};
	// CometChat sends a time only for blocked messages
	const at = readObject(moderation, 'rule').blockedAt;
	return listFilled({ subject, by: readSender(message), at });
};

/** Reads a message that moderation failed to check. CometChat sends the message's IDs, but not its text. */
export const readUncheckedMessage: EventReader = (data) => {
	const { resource, ...more } = data;
	const failure = [data.failures].flat()[0];
	const subject: IDataObject = isObject(resource) ? { ...more, ...resource, failure } : {};
	return listFilled({ subject, by: pickPerson(subject.sender), at: data.completedAt });
};

/**
 * Reads the recipient and the missed messages from an email or SMS notification. Leaves out the messages of
 * senders who may not start the workflow, unless no other message is left.
 */
export const readMissedMessages: EventReader = (data, canStart = () => true) => {
	const readFrom = ({ sender }: IDataObject) => pickPerson(sender, data.senderDetails);
	const all = [data.messages].flat().filter(isObject);
	const allowed = all.filter((message) => canStart(readFrom(message)));
	const last = [...all, ...allowed].at(-1) ?? {};
	const isPartial = allowed.length > 0 && allowed.length < all.length;
	// CometChat's own text may quote a message that is left out
	const changes = isPartial ? { messages: allowed, smsContent: undefined } : {};
	const hasRecipient = isFilled(readObject(data, 'to'));
	return listFilled({
		subject: hasRecipient ? { ...data, ...changes, last, lastSender: { ...readFrom(last) } } : {},
		by: readFrom(last),
		at: readObject(last, 'messageObject').sentAt,
	});
};

/** Reads the recipient and the content of a push notification about missed messages. */
export const readMissedPush: EventReader = (data) => {
	const details = readObject(data, 'notificationDetails');
	const { sender: uid, senderName: name, sentAt } = details;
	const subject = isFilled(details) ? { ...details, to: data.to } : {};
	return listFilled({ subject, by: pickPerson({ uid, name }), at: sentAt });
};

/**
 * Creates a reader for an edited or deleted message. According to CometChat's documentation,
 * `data.message` is an action message about the change. In the tests of CometChat's own engineers,
 * `data.message` is the changed message itself.
 *
 * @param change prefix of fields such as `editedBy` and `editedAt`
 */
export const createChangeEventReader =
	(change: 'edited' | 'deleted'): EventReader =>
	(data) => {
		const note = readObject(data, 'message');
		const message = getTargetMessage(note);
		const by = pickPerson(
			message[`${change}By`],
			readEntity(note, 'by'),
			readEntity(note, 'sender'),
			note.sender,
		);
		// A deleted message has few fields, so its conversation comes from the action message
		const { receiver, receiverType, conversationId } = note;
		const place = isFilled(message) ? { receiver, receiverType, conversationId } : {};
		const at = message[`${change}At`] ?? message.updatedAt;
		return listFilled({ subject: { ...place, ...message }, by, at });
	};

function readReceiptBy(by: Person, data: IDataObject): EventSubject[] {
	const { messageId, action, timestamp } = readObject(data, 'body');
	const { receiver, receiverType, messageSender } = data;
	const subject = { messageId, action, messageSender, receiver, receiverType };
	return messageId === undefined ? [] : listFilled({ subject, by, at: timestamp });
}

export const readReceipt: EventReader = (data) =>
	readReceiptBy(pickPerson(readObject(data, 'body').user, data.sender), data);

/**
 * Reads a receipt for all members of a group. Such receipts name the app itself as the user, so `by`
 * stays empty.
 */
export const readReceiptOfAll: EventReader = (data) => readReceiptBy({}, data);

/**
 * Creates a reader for a group event.
 *
 * @param timeField the group's field that contains the event's time
 * @param userField the group's field that contains the user, for deliveries without `by`
 */
export const createGroupEventReader =
	(timeField = '', userField = ''): EventReader =>
	(data) => {
		const subject = readObject(data, 'group');
		const by = pickPerson(data.by, subject[userField]);
		return listFilled({ subject, by, at: subject[timeField] });
	};

/**
 * Reads a new group. If the delivery doesn't name the creator, the owner or the app itself may have created
 * the group, because backends create groups for their users.
 */
export const readNewGroup: EventReader = (data) => {
	const subject = readObject(data, 'group');
	const by = pickPerson(data.by);
	const possibleActors =
		by.uid === undefined ? [{ uid: APP_USER }, pickPerson(subject.owner)] : undefined;
	return listFilled({ subject, by, possibleActors, at: subject.createdAt });
};

export interface MemberEventOptions {
	/** True if the members caused the event themselves, e.g. by joining */
	isOwnAction?: boolean;
	/** True if `members` may include the user who caused the event. The reader skips that user. */
	mayIncludeActor?: boolean;
}

/** Creates a reader for an event about group members. Returns one entry per member. */
export const createMemberEventReader =
	({ isOwnAction, mayIncludeActor }: MemberEventOptions = {}): EventReader =>
	({ group, members, by }) => {
		const actor = pickPerson(by);
		const isAffected = ({ uid }: IDataObject) =>
			!mayIncludeActor || toLowerCaseId(uid) !== toLowerCaseId(actor.uid);
		const users = listUsers(members);
		const affected = users.filter(isAffected);
		// If `members` contains only the user who caused the event, the affected member is unknown
		return (affected.length > 0 || users.length === 0 ? affected : [{}]).map((user) => ({
			subject: { ...user, group },
			by: isOwnAction ? pickPerson(by, user) : actor,
		}));
	};

export const readBlockedUsers: EventReader = ({ users, by }) => {
	const actor = pickPerson(by);
	return listUsers(users).map((subject) => ({ subject, by: actor }));
};

export const readPresence: EventReader = ({ user, status, currentConnection, timestamp }) => {
	const by = pickPerson(user);
	const subject = isObject(user) ? { ...user, status, currentConnection } : {};
	return listFilled({ subject, by, at: timestamp });
};

/** Reads the user who caused an event of unknown shape, from whichever field CometChat put the user in. */
export function readActor(data: IDataObject): Person {
	const { by, user, sender, resource } = data;
	const senders = [resource, data.message].map((each) => asObject(each).sender);
	return pickPerson(by, user, readObject(data, 'body').user, sender, ...senders);
}
