import type { IDataObject } from 'n8n-workflow';

import { createFieldReader, isObject, asObjectOrEmpty } from '../../helpers/json';
import type { ColumnReaders, EntityDefinition, ParameterValues } from '../../types';
import { readNothingFromEntity, createColumnsNamedAsFields } from '../entityParts';

/** Creates a reader for the sender's or receiver's name, which CometChat includes in the message. */
const createNameReader = (role: 'sender' | 'receiver') =>
	createFieldReader('data', 'entities', role, 'entity', 'name');

/** Creates a reader for a list in a message's `data`. The reader returns undefined for any other value. */
const createDataListReader = (name: string) => (message: IDataObject) => {
	const list = createFieldReader('data', name)(message);
	return Array.isArray(list) ? list : undefined;
};

const MEDIA_TYPES: unknown[] = ['audio', 'file', 'image', 'video'];

/**
 * Reads a message's files. CometChat's SDK can send a single file as a bare `data.url`, and CometChat may store the
 * file that way (open question 36 in docs/status.md).
 */
function readAttachments(message: IDataObject): unknown {
	const attachments = createDataListReader('attachments')(message);
	const url = createFieldReader('data', 'url')(message);
	if (attachments?.length || !url || !MEDIA_TYPES.includes(message.type)) return attachments;
	return [{ url }];
}

const id = createFieldReader('id');
const text = createFieldReader('data', 'text');
const senderName = createNameReader('sender');
const sentAt = createFieldReader('sentAt');
const sender = createFieldReader('sender');
const receiver = createFieldReader('receiver');
const receiverName = createNameReader('receiver');
const receiverType = createFieldReader('receiverType');
const conversationId = createFieldReader('conversationId');
const deletedAt = createFieldReader('deletedAt');
const tags = createFieldReader('tags');
// Open question 8 in docs/status.md: CometChat may leave out reactions
const reactions = createDataListReader('reactions');
const moderationStatus = createFieldReader('data', 'moderation', 'status');

/**
 * Reads the message that another message quotes, as CometChat sent it. Only CometChat's SDKs document quotes (open
 * question 43 in docs/status.md).
 */
export const getRawQuotedMessageOrEmpty = (message: IDataObject): IDataObject =>
	asObjectOrEmpty(createFieldReader('quotedMessage')(message));

/** Optional columns of every message: the ID, text and sender of the quoted message. */
export const messageColumnsShownIfFilled = {
	quotedMessageId: (message) => message.quotedMessageId ?? id(getRawQuotedMessageOrEmpty(message)),
	quotedText: (message) => text(getRawQuotedMessageOrEmpty(message)),
	quotedSender: (message) => sender(getRawQuotedMessageOrEmpty(message)),
} satisfies ColumnReaders;

/**
 * Reads a message's moderation status if moderation hides the message from its receiver, temporarily or permanently.
 */
function readHidingModerationStatus(message: IDataObject): unknown {
	const status = moderationStatus(message);
	return status === 'pending' || status === 'disapproved' ? status : undefined;
}

export const messageColumns = {
	...{ id, sentAt, senderName, text, sender },
	type: createFieldReader('type'),
	parentId: createFieldReader('parentId'),
	attachments: readAttachments,
	...{ receiver, receiverType },
} satisfies ColumnReaders;

/** Message columns that 'Selected Fields' offers. Most operations leave these columns out of 'Simplified'. */
export const messageSelectedOnlyColumns = {
	category: createFieldReader('category'),
	...{ reactions, tags, deletedAt, moderationStatus, conversationId, receiverName },
	muid: createFieldReader('muid'),
} satisfies ColumnReaders;

export const messageEntity: EntityDefinition = {
	name: 'message',
	plural: 'messages',
	id: 'id',
	columns: messageColumns,
	columnsShownIfFilled: messageColumnsShownIfFilled,
	selectedOnlyColumns: messageSelectedOnlyColumns,
	fieldShortcuts: {
		card: createFieldReader('data', 'card'),
		metadata: createFieldReader('data', 'metadata'),
		customData: createFieldReader('data', 'customData'),
	},
};

/** A message that was fetched by its ID. The message may be deleted. */
export const messageFetchedByIdEntity: EntityDefinition = {
	...messageEntity,
	columnsShownIfFilled: { deletedAt, moderationStatus, reactions, ...messageColumnsShownIfFilled },
	selectedOnlyColumns: {
		...messageSelectedOnlyColumns,
		...createColumnsNamedAsFields('deliveredAt', 'readAt'),
	},
};

/** Message that a reaction event is about. The message is fetched after the event, so it may already be deleted. */
export const messageFetchedForReactionEntity: EntityDefinition = {
	...messageEntity,
	columnsShownIfFilled: { deletedAt, ...messageColumnsShownIfFilled },
};

/**
 * Creates the entity of a message that Add Reaction or Remove Reaction returns.
 *
 * @param change column that confirms the change
 */
const createReactionMessageEntity = (change: ColumnReaders): EntityDefinition => ({
	...messageEntity,
	columns: {
		id,
		reaction: readNothingFromEntity,
		uid: readNothingFromEntity,
		...change,
		...{ reactions, text, sender, senderName, receiver, receiverType },
	},
	selectedOnlyColumns: { ...messageSelectedOnlyColumns, ...messageColumns },
});

export const addReactionMessageEntity = createReactionMessageEntity({ added: () => true });

export const removeReactionMessageEntity = createReactionMessageEntity({ removed: () => true });

/** Parameters that fill columns of Add Reaction and Remove Reaction, keyed by column name. */
export const reactionParameterNamesByColumn = {
	id: 'messageId',
	reaction: 'reaction',
	uid: 'onBehalfOf',
};

/** Reads the user whom an action message is about, e.g. the user who was added or who left. */
function readAffectedUser(message: IDataObject): IDataObject {
	const [on, by] = ['on', 'by'].map((role) =>
		asObjectOrEmpty(createFieldReader('data', 'entities', role, 'entity')(message)),
	);
	if (on?.uid !== undefined) return on;
	return message.type === 'groupMember' ? asObjectOrEmpty(by) : {};
}

/** Columns for action messages such as "Mira joined". */
export const actionMessageColumns = {
	action: createFieldReader('data', 'action'),
	uid: (message) => readAffectedUser(message).uid,
	name: (message) => readAffectedUser(message).name,
} satisfies ColumnReaders;

/** True for a call, and for an action message such as "Mira joined", which CometChat itself creates. */
export const isCallOrAction = ({ category }: IDataObject): boolean =>
	category === 'action' || category === 'call';

export const isDeleted = (message: IDataObject): boolean => Boolean(message.deletedAt);

/** True for a message that moderation hides from its receiver, temporarily or permanently. */
export const isHiddenByModeration = (message: IDataObject): boolean =>
	readHidingModerationStatus(message) !== undefined;

/** True if a list can contain deleted messages. */
const mayListDeleted = ({ options, filters }: ParameterValues): boolean =>
	asObjectOrEmpty(options).includeDeleted === true || asObjectOrEmpty(filters).onlyDeleted === true;

/** True if a list can contain calls and action messages: with `includeActions`, or filtered by category or type. */
function mayListCallsOrActions({ options, filters }: ParameterValues): boolean {
	const { categories, types } = asObjectOrEmpty(filters);
	return (
		asObjectOrEmpty(options).includeActions === true ||
		[categories ?? [], types ?? []].flat().length > 0
	);
}

/**
 * A message in a list. Calls, action messages such as "Mira joined" and deleted messages are excluded, unless
 * an option or a filter includes them.
 */
export const listedMessageEntity: EntityDefinition = {
	...messageEntity,
	columns: { ...messageColumns, tags, deletedAt, ...actionMessageColumns },
	columnsShownIfFilled: {
		moderationStatus: readHidingModerationStatus,
		...messageColumnsShownIfFilled,
	},
	columnsFor: (values) => ({
		...messageColumns,
		...(asObjectOrEmpty(values.filters).withTags === true ? { tags } : {}),
		...(mayListDeleted(values) ? { deletedAt } : {}),
		...(mayListCallsOrActions(values) ? actionMessageColumns : {}),
	}),
	isExcluded: (message, values) =>
		(isCallOrAction(message) && !mayListCallsOrActions(values)) ||
		(isDeleted(message) && !mayListDeleted(values)),
};

/** A message in an event. 'Simplified' has columns for action messages if the trigger includes action messages. */
export const messageSentEventEntity: EntityDefinition = {
	...messageEntity,
	selectedOnlyColumns: { ...messageSelectedOnlyColumns, ...actionMessageColumns },
	columnsFor: ({ options }) =>
		asObjectOrEmpty(options).includeActions === true
			? { ...messageColumns, ...actionMessageColumns }
			: undefined,
};

/**
 * Returns the entity that an action message is about, e.g. the edited message or the added user. Returns a message
 * without such an entity unchanged.
 */
export function unwrapActionTarget(received: IDataObject): IDataObject {
	const entity = createFieldReader('data', 'entities', 'on', 'entity')(received);
	return isObject(entity) ? entity : received;
}

/**
 * Returns the changed message, or an empty object if CometChat's action message doesn't contain the
 * changed message.
 */
function unwrapChangedMessage(received: IDataObject): IDataObject {
	const changed = unwrapActionTarget(received);
	return changed === received && received.category === 'action' ? {} : changed;
}

/**
 * An edited message. CometChat responds with an action message, which has its own ID and contains the edited
 * message.
 */
export const editedMessageEntity: EntityDefinition = {
	...messageEntity,
	unwrap: unwrapChangedMessage,
};

/** A deleted message. CometChat responds with an action message, or only with a sentence that confirms the deletion. */
export const deletedMessageEntity: EntityDefinition = {
	...editedMessageEntity,
	columns: {
		id,
		deleted: () => true,
		deletedAt,
		deletedBy: createFieldReader('deletedBy'),
		...{ sentAt, senderName, sender, receiver, receiverName, receiverType },
	},
};

export const reactionColumns = {
	messageId: createFieldReader('messageId'),
	reaction: createFieldReader('reaction'),
	name: createFieldReader('reactedBy', 'name'),
	uid: (reaction) => reaction.uid ?? createFieldReader('reactedBy', 'uid')(reaction),
	reactedAt: createFieldReader('reactedAt'),
} satisfies ColumnReaders;

export const reactionEntity: EntityDefinition = {
	name: 'reaction',
	plural: 'reactions',
	id: 'id',
	columns: reactionColumns,
};
