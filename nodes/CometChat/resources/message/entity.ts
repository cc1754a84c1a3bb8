import type { IDataObject } from 'n8n-workflow';

import { field, isObject, asObject } from '../../transport/json';
import type { Columns, Entity, Values } from '../../description/types';

/** A reaction to a message, with the number of users who reacted like this. */
interface ReactionCount extends IDataObject {
	reaction: string;
	count?: number;
	/** True if the user in 'On Behalf Of' reacted like this */
	reactedByMe?: boolean;
}

function isReactionCount(value: unknown): value is ReactionCount {
	return isObject(value) && typeof value.reaction === 'string';
}

function listReactionCounts(message: IDataObject): ReactionCount[] | undefined {
	const reactions = field('data', 'reactions')(message);
	return Array.isArray(reactions) ? reactions.filter(isReactionCount) : undefined;
}

/** `[{reaction: '👍', count: 2}, {reaction: '🎉', count: 1}]` as `👍 2, 🎉 1` */
const formatReactions = (message: IDataObject) =>
	listReactionCounts(message)
		?.map(({ reaction, count = 1 }) => `${reaction} ${count}`)
		.join(', ');

const listOwnReactions = (message: IDataObject) =>
	listReactionCounts(message)
		?.filter((each) => each.reactedByMe)
		.map(({ reaction }) => reaction);

/** Reads the name of the sender or receiver, which CometChat sends with a message. */
const nameReader = (role: 'sender' | 'receiver') =>
	field('data', 'entities', role, 'entity', 'name');

const content: Columns = {
	id: field('id'),
	sentAt: field('sentAt'),
	senderName: nameReader('sender'),
	text: field('data', 'text'),
	sender: field('sender'),
	type: field('type'),
	parentId: field('parentId'),
};

const receiver: Columns = {
	receiver: field('receiver'),
	receiverName: nameReader('receiver'),
	receiverType: field('receiverType'),
	conversationId: field('conversationId'),
};

export const messageEntity: Entity = {
	name: 'message',
	plural: 'messages',
	id: 'id',
	columns: { ...content, ...receiver },
};

/** A message with its reactions, which CometChat sends only after a reaction was added or removed. */
export const messageWithReactionsEntity: Entity = {
	...messageEntity,
	columns: { ...content, reactions: formatReactions, reactedByMe: listOwnReactions, ...receiver },
};

const deletedAt = field('deletedAt');

const tags = field('tags');

const hasDeleted = ({ options, filters }: Values): boolean =>
	asObject(options).includeDeleted === true || asObject(filters).onlyDeleted === true;

function hasActions({ options, filters }: Values): boolean {
	const categories: unknown[] = [asObject(filters).categories].flat();
	return asObject(options).includeActions === true || categories.includes('action');
}

/** A message in a list. Lists exclude notes and deleted messages unless an option or a filter includes them. */
export const listedMessageEntity: Entity = {
	...messageEntity,
	columns: { ...messageEntity.columns, tags, deletedAt },
	columnsFor: (values) => ({
		...messageEntity.columns,
		...(asObject(values.filters).withTags === true ? { tags } : {}),
		...(hasDeleted(values) ? { deletedAt } : {}),
	}),
	isExcluded: (message, values) =>
		(message.category === 'action' && !hasActions(values)) ||
		(Boolean(message.deletedAt) && !hasDeleted(values)),
};

/** Returns the message that a note is about. Returns any other message unchanged. */
export function unwrapNote(sent: IDataObject): IDataObject {
	const entity = field('data', 'entities', 'on', 'entity')(sent);
	return isObject(entity) ? entity : sent;
}

/** Returns the changed message, or an empty object if CometChat's note doesn't contain the message. */
function unwrapChangedMessage(sent: IDataObject): IDataObject {
	const changed = unwrapNote(sent);
	return changed === sent && sent.category === 'action' ? {} : changed;
}

/** An edited message. CometChat responds with a note about the edit, which has its own ID. */
export const editedMessageEntity: Entity = {
	...messageEntity,
	unwrap: unwrapChangedMessage,
};

/** A deleted message. CometChat responds with a note about the deletion, or only with a sentence. */
export const deletedMessageEntity: Entity = {
	...editedMessageEntity,
	columns: {
		id: field('id'),
		deleted: () => true,
		deletedAt: field('deletedAt'),
		deletedBy: field('deletedBy'),
		sentAt: field('sentAt'),
		senderName: nameReader('sender'),
		sender: field('sender'),
		...receiver,
	},
};

export const reactionEntity: Entity = {
	name: 'reaction',
	plural: 'reactions',
	id: 'id',
	columns: {
		messageId: field('messageId'),
		reaction: field('reaction'),
		name: field('reactedBy', 'name'),
		uid: field('uid'),
		reactedAt: field('reactedAt'),
	},
};
