import type { IDataObject } from 'n8n-workflow';

import { field, isObject, asObject } from '../../transport/json';
import type { Columns, Entity, Values } from '../../description/types';

/** A reaction to a message, with the number of users who added this reaction. */
interface ReactionCount extends IDataObject {
	reaction: string;
	count?: number;
	/** True if the user in 'On Behalf Of' added this reaction */
	reactedByMe?: boolean;
}

function isReactionCount(value: unknown): value is ReactionCount {
	return isObject(value) && typeof value.reaction === 'string';
}

function listReactionCounts(message: IDataObject): ReactionCount[] | undefined {
	const reactions = field('data', 'reactions')(message);
	return Array.isArray(reactions) ? reactions.filter(isReactionCount) : undefined;
}

/** Formats reactions, e.g. `[{reaction: '👍', count: 2}, {reaction: '🎉', count: 1}]` as `👍 2, 🎉 1`. */
const formatReactions = (message: IDataObject) =>
	listReactionCounts(message)
		?.map(({ reaction, count = 1 }) => `${reaction} ${count}`)
		.join(', ');

const listOwnReactions = (message: IDataObject) =>
	listReactionCounts(message)
		?.filter((each) => each.reactedByMe)
		.map(({ reaction }) => reaction);

/** Creates a reader for the sender's or receiver's name, which CometChat includes in the message. */
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

/** A message with its reactions, which CometChat includes only after a reaction was added or removed. */
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

/**
 * A message in a list. Action messages such as "Mira joined" and deleted messages are excluded, unless an
 * option or a filter includes them.
 */
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

/** Returns the message that an action message is about. Returns any other message unchanged. */
export function unwrapNote(sent: IDataObject): IDataObject {
	const entity = field('data', 'entities', 'on', 'entity')(sent);
	return isObject(entity) ? entity : sent;
}

/**
 * Returns the changed message, or an empty object if CometChat's action message doesn't contain the
 * changed message.
 */
function unwrapChangedMessage(sent: IDataObject): IDataObject {
	const changed = unwrapNote(sent);
	return changed === sent && sent.category === 'action' ? {} : changed;
}

/**
 * An edited message. CometChat responds with an action message about the edit. The action message has its
 * own ID.
 */
export const editedMessageEntity: Entity = {
	...messageEntity,
	unwrap: unwrapChangedMessage,
};

/**
 * A deleted message. CometChat responds with an action message about the deletion, or with only a
 * sentence that confirms the deletion.
 */
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
