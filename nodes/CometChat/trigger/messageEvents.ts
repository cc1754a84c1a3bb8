import type { IDataObject } from 'n8n-workflow';

import type { Entity } from '../operation/types';
import {
	deletedMessage as messageOfNote,
	message,
	messageBehind,
	reaction,
} from '../resources/message/entity';
import type { EventFamily, Occurrence } from './occurrence';
import { idAt, objectAt, secondsAt } from './occurrence';

/** The message itself, no note about it. */
const deletedMessage: Entity = { ...messageOfNote, subject: undefined };

function isThere(thing: IDataObject): boolean {
	return Object.keys(thing).length > 0;
}

/** The user at a place, or all that is known of them: the UID. */
function userAt(data: IDataObject, path: string[], uid: unknown): IDataObject {
	const user = objectAt(data, ...path);
	return isThere(user) ? user : { uid: uid as IDataObject[string] };
}

const senderOf = (sent: IDataObject) =>
	userAt(sent, ['data', 'entities', 'sender', 'entity'], sent.sender);

function one(thing: IDataObject, by: IDataObject, at?: number): Occurrence[] {
	return isThere(thing) ? [{ thing, by, at }] : [];
}

/** A message as it was sent. */
export const sentMessages: EventFamily = {
	entity: message,
	occurrences: (data) => {
		const sent = objectAt(data, 'message');
		return one(sent, senderOf(sent), secondsAt(sent, 'sentAt'));
	},
	identity: (data) => [idAt(data, 'message', 'id')],
};

/** A message that mentions users: editing it can mention more of them. */
export const mentions: EventFamily = {
	...sentMessages,
	identity: (data) => {
		const sent = objectAt(data, 'message');
		const mentioned = Object.values(objectAt(sent, 'data', 'mentions')).map(
			(user) => idAt({ user }, 'user', 'uid') ?? '',
		);
		return [sent.id, sent.editedAt ?? 0, mentioned.sort()];
	},
};

/** The note about a change of a message, the message, and who changed it. */
function changeOf(data: IDataObject) {
	const note = objectAt(data, 'message');
	const changed = messageBehind(note);
	const by = userAt(note, ['data', 'entities', 'by', 'entity'], changed.deletedBy ?? note.sender);
	return { note, changed, by };
}

export const editedMessages: EventFamily = {
	entity: message,
	occurrences: (data) => {
		const { changed, by } = changeOf(data);
		return one(changed, by, secondsAt(changed, 'editedAt') ?? secondsAt(changed, 'updatedAt'));
	},
	identity: (data) => {
		const { note, changed } = changeOf(data);
		return [changed.id, changed.editedAt ?? changed.updatedAt, note.id ?? 0, changed.data ?? 0];
	},
};

export const deletedMessages: EventFamily = {
	entity: deletedMessage,
	occurrences: (data) => {
		const { note, changed, by } = changeOf(data);
		// The service sends little of a deleted message, but its note goes to the same conversation
		const { receiver, receiverType, conversationId } = note;
		const thing = isThere(changed) ? { receiver, receiverType, conversationId, ...changed } : {};
		return one(thing, by, secondsAt(changed, 'deletedAt'));
	},
	identity: (data) => {
		const { changed } = changeOf(data);
		return [changed.id, changed.deletedAt];
	},
};

function reactionsAt(timeName?: string): EventFamily {
	return {
		entity: reaction,
		occurrences: (data) => {
			const made = objectAt(data, 'reaction');
			const at = timeName === undefined ? undefined : secondsAt(made, timeName);
			return one(made, userAt(made, ['reactedBy'], made.uid), at);
		},
		identity: (data) => {
			const { id, messageId, reaction: emoji, uid, reactedAt } = objectAt(data, 'reaction');
			return [messageId, emoji, uid, reactedAt, id ?? 0];
		},
	};
}

export const addedReactions = reactionsAt('reactedAt');

/** `reactedAt` of a removed reaction says when it was added. */
export const removedReactions = reactionsAt();
