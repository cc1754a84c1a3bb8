import type { IDataObject } from 'n8n-workflow';

import { field, isObject, asObject } from '../../transport/json';
import type { Columns, Entity, Values } from '../../description/types';
import { PAGES_WITH_CURSOR } from '../columns';

/** One kind of reaction to a message and how many users made it. */
interface ReactionCount extends IDataObject {
	reaction: string;
	count?: number;
	/** Whether the user in whose name the request was made reacted so */
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

/** The name of a user or a group that CometChat sends with a message. */
const nameOf = (role: 'sender' | 'receiver') => field('data', 'entities', role, 'entity', 'name');

const content: Columns = {
	id: field('id'),
	sentAt: field('sentAt'),
	senderName: nameOf('sender'),
	text: field('data', 'text'),
	sender: field('sender'),
	type: field('type'),
	parentId: field('parentId'),
};

const receiver: Columns = {
	receiver: field('receiver'),
	receiverName: nameOf('receiver'),
	receiverType: field('receiverType'),
	conversationId: field('conversationId'),
};

export const messageEntity: Entity = {
	name: 'message',
	plural: 'messages',
	id: 'id',
	example: 'data.text',
	pages: PAGES_WITH_CURSOR,
	columns: { ...content, ...receiver },
};

/** A message with its remaining reactions, which CometChat sends only when they change. */
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

/** A message of a list. The list contains notes and deleted messages only if an option or a filter says so. */
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

/** The message that a note of the service is about; a message that is no note is itself. */
export function unwrapNote(sent: IDataObject): IDataObject {
	const entity = field('data', 'entities', 'on', 'entity')(sent);
	return isObject(entity) ? entity : sent;
}

/** The changed message, or nothing if CometChat sends a note that doesn't contain the message. */
function unwrapChangedMessage(sent: IDataObject): IDataObject {
	const changed = unwrapNote(sent);
	return changed === sent && sent.category === 'action' ? {} : changed;
}

/** A message that was edited. CometChat sends a note about the edit, which is a message of its own. */
export const editedMessageEntity: Entity = {
	...messageEntity,
	example: 'data.entities.on.entity',
	unwrap: unwrapChangedMessage,
};

/** A message that was deleted. CometChat sends a note about it, or only a sentence. */
export const deletedMessageEntity: Entity = {
	...editedMessageEntity,
	columns: {
		id: field('id'),
		deleted: () => true,
		deletedAt: field('deletedAt'),
		deletedBy: field('deletedBy'),
		sentAt: field('sentAt'),
		senderName: nameOf('sender'),
		sender: field('sender'),
		...receiver,
	},
};

/** One reaction of one user. */
export const reactionEntity: Entity = {
	name: 'reaction',
	plural: 'reactions',
	id: 'id',
	example: 'reactedBy.name',
	pages: 'One item per page: the whole response with its cursor',
	columns: {
		messageId: field('messageId'),
		reaction: field('reaction'),
		name: field('reactedBy', 'name'),
		uid: field('uid'),
		reactedAt: field('reactedAt'),
	},
};
