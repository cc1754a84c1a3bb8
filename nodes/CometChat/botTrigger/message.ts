import type { IDataObject } from 'n8n-workflow';

import { asObject, asText, fieldReader, isObject } from '../helpers/json';
import { listColumns } from '../output/columns';
import { APP_USER } from '../transport/types';
import {
	actionColumns,
	isCallOrNote,
	messageColumns,
	messageEntity,
} from '../resources/message/entity';
import type { Columns, Entity, Values } from '../types';
import type { BotParameters } from './parameters';

/** A message that CometChat relays to a bot. */
export interface RelayedMessage {
	message: IDataObject;
	/** The entire request body */
	envelope: IDataObject;
}

/**
 * Reads a message from a request body.
 *
 * @param envelope the body as n8n parsed it
 * @returns the message, or the reason why the body isn't a message for a bot, as a sentence for the caller
 */
export function readMessage(envelope: unknown): RelayedMessage | string {
	if (!isObject(envelope)) {
		return 'The body is not a JSON object with the content type application/json.';
	}
	const { trigger, data } = envelope;
	if (trigger !== 'after_message' || !isObject(data)) {
		return 'The body is not a message to a bot, which has the trigger "after_message" and an object in "data".';
	}
	const isMessage = [data.sender, data.receiver, data.receiverType].every(
		(value) => typeof value === 'string',
	);
	return isMessage
		? { message: data, envelope }
		: 'The message in "data" has no sender, receiver or receiverType.';
}

/**
 * True if a message starts the workflow. The bot itself never does (open question 23). The app itself does only
 * if 'Only From' names the app, because a workflow that answers as the app in a group would otherwise start
 * itself.
 */
export function canStart(
	message: IDataObject,
	{ botId, onlySenders, includeActions }: BotParameters,
): boolean {
	const uid = asText(message.sender).toLowerCase();
	if (uid === botId || (isCallOrNote(message) && !includeActions)) return false;
	return onlySenders.size === 0 ? uid !== APP_USER : onlySenders.has(uid);
}

/** Reads where to answer a message: the group, or the sender of a private message. */
const readReplyTo = ({ receiverType, receiver, sender }: IDataObject) =>
	receiverType === 'group' ? receiver : sender;

const { id, sentAt, senderName, text, sender, type, parentId, attachments } = messageColumns;

const columns = {
	...{ id, sentAt, senderName, text, sender, type, parentId, attachments },
	replyTo: readReplyTo,
	replyToType: fieldReader('receiverType'),
} satisfies Columns;

/** A message to a bot, with the place where to answer. */
export const botMessageEntity: Entity = {
	...messageEntity,
	columns,
	furtherColumns: {
		...messageEntity.furtherColumns,
		...messageColumns,
		...actionColumns,
	},
};

/**
 * Returns the columns for these parameters. Actions have no text, and say in columns of their own what
 * happened.
 */
export const getColumns = ({ includeActions }: Pick<BotParameters, 'includeActions'>): Columns =>
	includeActions ? { ...columns, ...actionColumns } : columns;

/** Returns the entity with the columns for these parameters. */
export const getBotEntity = (parameters: Pick<BotParameters, 'includeActions'>): Entity => ({
	...botMessageEntity,
	columns: getColumns(parameters),
});

/** Lists the columns that 'Fields' offers. */
export const listBotColumns = ({ options }: Values): string[] =>
	listColumns(getBotEntity({ includeActions: asObject(options).includeActions === true }), {});
