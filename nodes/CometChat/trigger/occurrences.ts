import type { IDataObject } from 'n8n-workflow';

import { field, fieldAt, isObject, objectOf } from '../transport/json';
import { messageBehind } from '../resources/message/entity';

/** A user, as far as a delivery says who it is. */
export interface Person {
	uid?: string | number;
	name?: string;
}

/** One thing that something happened to. */
export interface Occurrence {
	/** The thing itself: the edited message, and not the note about it */
	thing: IDataObject;
	/** Who did it */
	by: Person;
	/** When it happened, in Unix seconds or milliseconds; undefined when the delivery does not say */
	at?: unknown;
}

/** Reads the `data` of a delivery; nothing comes of data of another shape. */
export type Reader = (data: IDataObject) => Occurrence[];

/** An inner object; an empty one when there is none. */
export const objectAt = (data: IDataObject, ...path: string[]): IDataObject =>
	objectOf(field(...path)(data));

/** A UID or GUID as the service compares them: in lower case. */
export function lowerCaseId(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number'
		? String(value).toLowerCase()
		: undefined;
}

function isThere(thing: IDataObject): boolean {
	return Object.keys(thing).length > 0;
}

function personIn(candidate: unknown): Person {
	const { uid, name } = isObject(candidate) ? candidate : { uid: candidate, name: undefined };
	const isUid = (typeof uid === 'string' && uid !== '') || typeof uid === 'number';
	return { uid: isUid ? uid : undefined, name: typeof name === 'string' ? name : undefined };
}

/**
 * @param candidates users or UIDs, in the order of how well they say who did it
 * @returns the first that names a user, with the name that any of them has for this user
 */
function personOf(...candidates: unknown[]): Person {
	const people = candidates.map(personIn).filter(({ uid }) => uid !== undefined);
	const [{ uid }] = [...people, { uid: undefined }];
	const same = people.filter((person) => lowerCaseId(person.uid) === lowerCaseId(uid));
	return { uid, name: same.find(({ name }) => name !== undefined)?.name };
}

/** Users by their UIDs, as the service sends them; a list is read too. */
function peopleIn(users: unknown): IDataObject[] {
	if (Array.isArray(users)) return users.filter(isObject);
	return Object.entries(isObject(users) ? users : {}).flatMap(([uid, user]) =>
		isObject(user) ? { uid, ...user } : [],
	);
}

function ifThere(occurrence: Occurrence): Occurrence[] {
	return isThere(occurrence.thing) ? [occurrence] : [];
}

const entityIn = (note: IDataObject, role: string) =>
	objectAt(note, 'data', 'entities', role, 'entity');

const senderOf = (sent: IDataObject) => personOf(entityIn(sent, 'sender'), sent.sender);

/** Where the data of an event says what happened: names of fields, with dots for inner ones. */
interface Places {
	/** What it is about; left out, it is the data itself */
	thing?: string;
	/** What the data has to hold, by default the thing: else it has another shape */
	needs?: string;
	/** Users or UIDs: who did it, in the order of how well they say so */
	by?: string[];
	/** When it happened */
	at?: string;
}

/** An event whose data says everything at places of its own. */
export const toldAt =
	({ thing = '', needs = thing, by = [], at }: Places): Reader =>
	(data) => {
		const valueAt = (place: string) => (place === '' ? data : fieldAt(place)(data));
		if (valueAt(needs) === undefined) return [];
		const person = personOf(...by.map(valueAt));
		const when = at === undefined ? undefined : valueAt(at);
		return ifThere({ thing: objectOf(valueAt(thing)), by: person, at: when });
	};

/** The rule that was met, as far as it is told: with the event, or within the message. */
const ruleIn = (data: IDataObject): IDataObject => {
	const [told] = [data.moderation].flat();
	const within = objectAt(data, 'message', 'data', 'moderation');
	return { ...within, ...(isObject(told) ? told : {}) };
};

/** Whoever sent the message did what moderation tells; where it was blocked, it is known when. */
export const moderatedMessage: Reader = (data) => {
	const message = objectAt(data, 'message');
	const moderation = ruleIn(data);
	const thing = isThere(message) ? { ...message, moderation } : {};
	return ifThere({ thing, by: senderOf(message), at: objectAt(moderation, 'rule').blockedAt });
};

/** A message that moderation could not check: its IDs, without its text. */
export const uncheckedMessage: Reader = (data) => {
	const { resource, ...more } = data;
	const failure = [data.failures].flat()[0];
	const thing: IDataObject = isObject(resource) ? { ...more, ...resource, failure } : {};
	return ifThere({ thing, by: personOf(thing.sender), at: data.completedAt });
};

/** Somebody who has missed messages, who are told by an email or a text message. */
export const missedMessages: Reader = (data) => {
	const { senderDetails, messages } = data;
	const last = objectOf([messages].flat().at(-1));
	const by = personOf(last.sender, senderDetails);
	const at = objectAt(last, 'messageObject').sentAt;
	return ifThere({ thing: isThere(objectAt(data, 'to')) ? { ...data, last } : {}, by, at });
};

/** The same, told by a push notification. */
export const missedPush: Reader = (data) => {
	const details = objectAt(data, 'notificationDetails');
	const { sender: uid, senderName: name, sentAt } = details;
	const thing = isThere(details) ? { ...details, to: data.to } : {};
	return ifThere({ thing, by: personOf({ uid, name }), at: sentAt });
};

/**
 * A message that was changed. `data.message` is a note about it as documented, and the message itself
 * as seen live.
 *
 * @param change name of what was done, as in `editedBy` and `editedAt`
 */
export const changedMessage =
	(change: 'edited' | 'deleted'): Reader =>
	(data) => {
		const note = objectAt(data, 'message');
		const message = messageBehind(note);
		const by = personOf(
			message[`${change}By`],
			entityIn(note, 'by'),
			entityIn(note, 'sender'),
			note.sender,
		);
		// The service sends little of a deleted message, but its note goes to the same conversation
		const { receiver, receiverType, conversationId } = note;
		const place = isThere(message) ? { receiver, receiverType, conversationId } : {};
		const at = message[`${change}At`] ?? message.updatedAt;
		return ifThere({ thing: { ...place, ...message }, by, at });
	};

function receiptOf(data: IDataObject, by: Person): Occurrence[] {
	const { messageId, action, timestamp } = objectAt(data, 'body');
	const { receiver, receiverType, messageSender } = data;
	const thing = { messageId, action, messageSender, receiver, receiverType };
	return messageId === undefined ? [] : ifThere({ thing, by, at: timestamp });
}

export const receipt: Reader = (data) =>
	receiptOf(data, personOf(objectAt(data, 'body').user, data.sender));

/** A receipt for all members of a group names the app itself, which has neither got nor read the message. */
export const receiptOfAll: Reader = (data) => receiptOf(data, {});

/**
 * @param time name of the group's field that says when it happened
 * @param doer name of the group's field that says who did it, when the delivery has no `by`
 */
export const groupAt =
	(time = '', doer = ''): Reader =>
	(data) => {
		const thing = objectAt(data, 'group');
		// A new group comes with its members, who have names
		const by = personOf(data.by, thing[doer], objectAt(data, 'members', String(thing[doer])));
		return ifThere({ thing, by, at: thing[time] });
	};

interface MembersOptions {
	/** Whether the members did it themselves */
	isOwnDoing?: boolean;
	/** Whether `members` may hold, besides, the user who did it to them */
	mayHoldDoer?: boolean;
}

export const membersOf =
	({ isOwnDoing, mayHoldDoer }: MembersOptions = {}): Reader =>
	({ group, members, by }) => {
		const doer = personOf(by);
		const isMeant = ({ uid }: IDataObject) =>
			!mayHoldDoer || lowerCaseId(uid) !== lowerCaseId(doer.uid);
		const told = peopleIn(members);
		const meant = told.filter(isMeant);
		// With nobody but the doer told, it is not known to whom it happened
		return (meant.length > 0 || told.length === 0 ? meant : [{}]).map((user) => ({
			thing: { ...user, group },
			by: isOwnDoing ? personOf(by, user) : doer,
		}));
	};

export const blockedUsers: Reader = ({ users, by }) => {
	const doer = personOf(by);
	return peopleIn(users).map((thing) => ({ thing, by: doer }));
};

export const presence: Reader = ({ user, status, currentConnection, timestamp }) => {
	const by = personOf(user);
	const thing = isObject(user) ? { ...user, status, currentConnection } : {};
	return ifThere({ thing, by, at: timestamp });
};

/** Who did something that is told in another shape: wherever the service names a user elsewhere. */
export function doerIn(data: IDataObject): Person {
	const { by, user, sender, resource } = data;
	const within = [resource, data.message].map((each) => objectOf(each).sender);
	return personOf(by, user, objectAt(data, 'body').user, sender, ...within);
}
