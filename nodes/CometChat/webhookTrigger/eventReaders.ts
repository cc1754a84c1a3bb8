import type { IDataObject } from 'n8n-workflow';

import { toLowerCaseIdOrUndefined } from '../helpers/ids';
import { createFieldReader, createPathReader, isObject, asObjectOrEmpty } from '../helpers/json';
import { APP_USER_UID } from '../transport/restTypes';
import { unwrapActionTarget } from '../resources/message/entity';

/** A user named in a delivery. Some deliveries contain only the UID. */
export interface Person {
	uid?: string;
	name?: string;
}

/**
 * An entity that an event is about, with the user who caused the event and the time. An event about
 * several members has one such entry per member.
 */
export interface EntityWithActor {
	/** The entity, e.g. the edited message, not the action message that CometChat sends about the edit */
	entity: IDataObject;
	/** The user who caused the event */
	by: Person;
	/** Users who may have caused the event, if the delivery doesn't name the user who did */
	possibleActors?: Person[];
	/** Time of the event in Unix seconds or milliseconds; undefined if the delivery contains no time */
	at?: unknown;
}

/**
 * Reads the entities from a delivery's `data`. Returns no entity, or an empty one, if the data has an unknown
 * shape.
 *
 * @param canUserStart returns true if an event caused by a user may start the workflow
 */
export type EntitiesWithActorReader = (
	data: IDataObject,
	canUserStart: (user: Person) => boolean,
) => EntityWithActor[];

/** Reads a nested object. Returns an empty object if the path doesn't lead to an object. */
export const readNestedObjectOrEmpty = (data: IDataObject, ...path: string[]): IDataObject =>
	asObjectOrEmpty(createFieldReader(...path)(data));

/** @param value a user object or a UID */
function readPerson(value: unknown): Person {
	const { uid, name } = isObject(value) ? value : { uid: value, name: undefined };
	return {
		uid: typeof uid === 'string' && uid !== '' ? uid : undefined,
		name: typeof name === 'string' ? name : undefined,
	};
}

/**
 * Picks the first candidate that has a UID.
 *
 * @param candidates user objects or UIDs, most reliable first
 * @returns the UID, and the first name found in any candidate with this UID
 */
function pickPerson(...candidates: unknown[]): Person {
	const people = candidates.map(readPerson).filter(({ uid }) => uid !== undefined);
	const uid = people[0]?.uid;
	const same = people.filter(
		(person) => toLowerCaseIdOrUndefined(person.uid) === toLowerCaseIdOrUndefined(uid),
	);
	return { uid, name: same.find(({ name }) => name !== undefined)?.name };
}

/** Lists users from an object keyed by UID. */
function listUsers(users: unknown): IDataObject[] {
	return Object.entries(asObjectOrEmpty(users)).map(([uid, user]) => ({
		uid,
		...asObjectOrEmpty(user),
	}));
}

/** Dot-separated paths to the values in an event's data. */
interface EventPaths {
	/**
	 * Path to the entity that the event is about, or a function that reads the entity. By default, the entity is
	 * the event's whole data.
	 */
	entity?: string | ((data: IDataObject) => IDataObject);
	/** Path to a field that the data must contain. If the field is missing, the reader returns no entity. */
	needs?: string;
	/** Paths to the user who caused the event, or to that user's UID, most reliable first */
	by?: string[];
	/** Paths to the event's time, most reliable first */
	at?: string[];
}

/** Creates a reader for an event whose values are at fixed paths. */
export const createEntitiesWithActorReader =
	({ entity = (data) => data, needs, by = [], at = [] }: EventPaths): EntitiesWithActorReader =>
	(data) => {
		const read = (path: string) => createPathReader(path)(data);
		const found = typeof entity === 'string' ? asObjectOrEmpty(read(entity)) : entity(data);
		if (needs !== undefined && read(needs) === undefined) return [];
		const time = at.map(read).find((value) => value !== undefined);
		return [{ entity: found, by: pickPerson(...by.map(read)), at: time }];
	};

/**
 * Reads an event of unknown shape. The whole data is the entity, and the first user found at these paths counts as
 * the user who caused the event.
 */
export const readWholeDataWithLikelyActor = createEntitiesWithActorReader({
	by: ['by', 'user', 'body.user', 'sender', 'resource.sender', 'message.sender'],
});

/**
 * Reads a moderated message with the rule that matched. CometChat sends the rule next to the message or inside
 * the message.
 */
export function readModeratedMessage(data: IDataObject): IDataObject {
	const message = readNestedObjectOrEmpty(data, 'message');
	const moderation = {
		...readNestedObjectOrEmpty(message, 'data', 'moderation'),
		...readNestedObjectOrEmpty(data, 'moderation', '0'),
	};
	return { ...message, moderation };
}

/**
 * Reads the recipient and the missed messages from an email or SMS notification. Leaves out the messages of
 * senders who may not start the workflow.
 */
export const readMissedMessagesNotification: EntitiesWithActorReader = (data, canUserStart) => {
	const readFrom = ({ sender }: IDataObject) => pickPerson(sender, data.senderDetails);
	const all = [data.messages].flat().filter(isObject);
	const allowed = all.filter((message) => canUserStart(readFrom(message)));
	const last = [...all, ...allowed].at(-1) ?? {};
	const isPartial = allowed.length < all.length;
	// CometChat's SMS text may quote a message that is left out
	const changes = isPartial ? { messages: allowed, smsContent: undefined } : {};
	const by = readFrom(last);
	const entity = { ...data, ...changes, last, lastSender: { ...by } };
	const at = readNestedObjectOrEmpty(last, 'messageObject').sentAt;
	return isObject(data.to) ? [{ entity, by, at }] : [];
};

/**
 * Reads an edited or deleted message. According to CometChat's documentation, `data.message` is an action message
 * about the change. In test code by CometChat's engineers, `data.message` is the changed message itself (open
 * question 15 in docs/status.md).
 */
export function unwrapEditedOrDeletedMessage(data: IDataObject): IDataObject {
	const note = readNestedObjectOrEmpty(data, 'message');
	// A deleted message has few fields, so its conversation comes from the action message
	const { receiver, receiverType, conversationId } = note;
	return { receiver, receiverType, conversationId, ...unwrapActionTarget(note) };
}

const readGroupCreation = createEntitiesWithActorReader({
	entity: 'group',
	by: ['by'],
	at: ['group.createdAt'],
});

/**
 * Reads a new group. If the delivery doesn't name the creator, both the owner and the app itself are possible
 * actors, because an app's backend often creates groups for its users.
 */
export const readGroupCreationWithPossibleActors: EntitiesWithActorReader = (data, canUserStart) =>
	readGroupCreation(data, canUserStart).map((group) => {
		const possibleActors = [{ uid: APP_USER_UID }, pickPerson(group.entity.owner)];
		return group.by.uid === undefined ? { ...group, possibleActors } : group;
	});

export interface MemberEventFlags {
	/** True if the members caused the event themselves, e.g. by joining */
	isOwnAction?: boolean;
	/** True to skip the user who caused the event if `members` includes that user */
	excludeActorFromMembers?: boolean;
}

/** Creates a reader for an event about group members. The reader returns one entry per affected member. */
export const createMembersWithActorReader =
	({ isOwnAction, excludeActorFromMembers }: MemberEventFlags = {}): EntitiesWithActorReader =>
	({ group, members, by }) => {
		const actor = pickPerson(by);
		const isAffected = ({ uid }: IDataObject) =>
			!excludeActorFromMembers ||
			toLowerCaseIdOrUndefined(uid) !== toLowerCaseIdOrUndefined(actor.uid);
		const users = listUsers(members);
		const affected = users.filter(isAffected);
		// If `members` contains only the user who caused the event, the affected member is unknown
		return (affected.length > 0 || users.length === 0 ? affected : [{}]).map((user) => ({
			entity: { ...user, group },
			by: isOwnAction ? pickPerson(by, user) : actor,
		}));
	};

export const readBlockTargetsWithActor: EntitiesWithActorReader = ({ users, by }) =>
	listUsers(users).map((entity) => ({ entity, by: pickPerson(by) }));
