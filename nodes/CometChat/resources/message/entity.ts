import type { IDataObject } from 'n8n-workflow';

import { field, isObject, objectOf } from '../../transport/json';
import type { Entity, Values } from '../../description/types';
import { PAGES_WITH_CURSOR } from '../columns';

/** One kind of reaction to a message and how many users made it. */
interface ReactionCount extends IDataObject {
	reaction: string;
	count?: number;
}

function isReactionCount(value: unknown): value is ReactionCount {
	return isObject(value) && typeof value.reaction === 'string';
}

/** `[{reaction: '👍', count: 2}, {reaction: '🎉', count: 1}]` as `👍 2, 🎉 1` */
function reactionsText(message: IDataObject): string | undefined {
	const reactions = field('data', 'reactions')(message);
	if (!Array.isArray(reactions)) return undefined;
	return reactions
		.filter(isReactionCount)
		.map(({ reaction, count = 1 }) => `${reaction} ${count}`)
		.join(', ');
}

/** The name of a user or a group that the service sends with a message. */
const nameOf = (role: 'sender' | 'receiver') => field('data', 'entities', role, 'entity', 'name');

export const message: Entity = {
	name: 'message',
	plural: 'messages',
	id: 'id',
	example: 'data.text',
	pages: PAGES_WITH_CURSOR,
	columns: {
		id: field('id'),
		text: field('data', 'text'),
		sender: field('sender'),
		senderName: nameOf('sender'),
		receiver: field('receiver'),
		receiverName: nameOf('receiver'),
		receiverType: field('receiverType'),
		type: field('type'),
		conversationId: field('conversationId'),
		parentId: field('parentId'),
		sentAt: field('sentAt'),
	},
};

const { id, text, ...rest } = message.columns;

/** A message with what is left of its reactions, which the service sends only when they change. */
export const messageWithReactions: Entity = {
	...message,
	columns: { id, text, reactions: reactionsText, ...rest },
};

/** Deleted messages say when, where a list has them. */
const withDeletion = { ...message.columns, deletedAt: field('deletedAt') };

const hasDeleted = ({ options, filters }: Values): boolean =>
	objectOf(options).includeDeleted === true || objectOf(filters).onlyDeleted === true;

function hasActions({ options, filters }: Values): boolean {
	const categories: unknown[] = [objectOf(filters).categories].flat();
	return objectOf(options).includeActions === true || categories.includes('action');
}

/** A message of a list, which has notes and deleted messages only for who asks for them. */
export const listedMessage: Entity = {
	...message,
	columns: withDeletion,
	variant: (values) => (hasDeleted(values) ? withDeletion : message.columns),
	isLeftOut: (thing, values) =>
		(thing.category === 'action' && !hasActions(values)) ||
		(Boolean(thing.deletedAt) && !hasDeleted(values)),
};

/** The message that a note of the service is about; a message that is no note is itself. */
export function messageBehind(sent: IDataObject): IDataObject {
	const entity = field('data', 'entities', 'on', 'entity')(sent);
	return isObject(entity) ? entity : sent;
}

/** A message that was edited. The service sends a note about it, which is a message as well. */
export const editedMessage: Entity = {
	...message,
	example: 'data.entities.on.entity',
	subject: messageBehind,
};

/** A message that was deleted: a note about it, or only a sentence. */
export const deletedMessage: Entity = {
	...editedMessage,
	columns: {
		id: field('id'),
		deleted: () => true,
		deletedAt: field('deletedAt'),
		deletedBy: field('deletedBy'),
		sender: field('sender'),
		senderName: nameOf('sender'),
		receiver: field('receiver'),
		receiverName: nameOf('receiver'),
		receiverType: field('receiverType'),
		conversationId: field('conversationId'),
		sentAt: field('sentAt'),
	},
};

/** One reaction of one user. */
export const reaction: Entity = {
	name: 'reaction',
	plural: 'reactions',
	id: 'id',
	example: 'reactedBy.name',
	pages: 'One item per page: the whole response with its cursor',
	columns: {
		id: field('id'),
		messageId: field('messageId'),
		reaction: field('reaction'),
		uid: field('uid'),
		name: field('reactedBy', 'name'),
		reactedAt: field('reactedAt'),
	},
};
