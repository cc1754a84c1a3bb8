import type { IDataObject } from 'n8n-workflow';

import { toLowerCaseId } from '../helpers/ids';
import { valueToText } from '../helpers/json';
import { hasAnswerMark } from '../resources/message/answerMark';
import { formatContentForModel } from '../resources/message/chatText';
import {
	isCallOrAction,
	isDeleted,
	isHiddenByModeration,
	messageColumns,
} from '../resources/message/entity';
import { listUidsFromTextAndMentions } from '../resources/message/mentions';
import { APP_USER_UID } from '../transport/restTypes';
import type { ConversationAndQuestion, MemoryLimits, MemoryParameters } from './conversation';

export const isSentByBot = (message: IDataObject, { bot }: ConversationAndQuestion): boolean =>
	toLowerCaseId(message.sender) === bot;

export const isThreadStart = (
	{ id }: IDataObject,
	{ parentId }: ConversationAndQuestion,
): boolean => parentId !== undefined && valueToText(id) === parentId;

/** True if a message belongs to the conversation. Guards against other messages in CometChat's lists. */
function isInConversation(message: IDataObject, conversation: ConversationAndQuestion): boolean {
	const { bot, groupId, userId = '', parentId } = conversation;
	const receiver = toLowerCaseId(message.receiver);
	if (groupId !== undefined) {
		if (message.receiverType !== 'group' || receiver !== groupId) return false;
	} else {
		const people = [toLowerCaseId(message.sender), receiver].sort();
		if (message.receiverType === 'group' || people.join() !== [bot, userId].sort().join())
			return false;
	}
	const isInThread = valueToText(message.parentId) === parentId;
	return parentId === undefined || isInThread || isThreadStart(message, conversation);
}

const NUMBER_PATTERN = /^\d+$/;

/**
 * True if a message was sent before the agent's question. Guards against later messages in CometChat's lists (open
 * question 45). Compares the IDs, which are increasing numbers. If an ID isn't a number, returns false only for the
 * question itself.
 */
export function isBeforeQuestion(
	message: IDataObject,
	{ questionId }: ConversationAndQuestion,
): boolean {
	if (questionId === undefined) return true;
	const id = valueToText(message.id);
	if (!NUMBER_PATTERN.test(id) || !NUMBER_PATTERN.test(questionId)) return id !== questionId;
	return BigInt(id) < BigInt(questionId);
}

const readText = (message: IDataObject): string => valueToText(messageColumns.text(message)).trim();

/** True for a message of type "text" whose text is empty. */
const isEmptyText = (message: IDataObject): boolean =>
	message.type === 'text' && readText(message) === '';

/**
 * Functions that return true if the bot receives a group message, keyed by the Bot Trigger's 'Group Messages'. For any
 * other value, the bot receives only messages that mention it.
 */
const IS_RECEIVED: Record<string, (message: IDataObject, bot: string) => boolean> = {
	none: () => false,
	slashedMessages: (message) => readText(message).startsWith('/'),
	allMessages: () => true,
};

const mentionsBot = (message: IDataObject, bot: string) =>
	listUidsFromTextAndMentions(message).some((uid) => toLowerCaseId(uid) === bot);

/**
 * True if the bot sent a group message, or received it according to the Bot Trigger's 'Group Messages'. Always true in
 * private chats and threads.
 */
function isReceivedOrSent(message: IDataObject, conversation: ConversationAndQuestion): boolean {
	const { bot, groupId, parentId, groupMessages = '' } = conversation;
	if (groupId === undefined || parentId !== undefined || isSentByBot(message, conversation))
		return true;
	// Messages sent by the app itself and answers of other bots don't start the workflow
	if (toLowerCaseId(message.sender) === APP_USER_UID || hasAnswerMark(message)) return false;
	return (IS_RECEIVED[groupMessages] ?? mentionsBot)(message, bot);
}

/** True if a message is older than the maximum age in hours. */
export const isTooOld = ({ sentAt }: IDataObject, maxAgeHours = Infinity): boolean =>
	Number(sentAt) < Date.now() / 1000 - 3600 * maxAgeHours;

/** True if a message may be part of the memory. The limits on the number of messages and characters apply later. */
export function mayBePartOfMemory(
	message: IDataObject,
	{ conversation, limits }: MemoryParameters,
): boolean {
	return (
		isInConversation(message, conversation) &&
		isBeforeQuestion(message, conversation) &&
		!isCallOrAction(message) &&
		!isDeleted(message) &&
		!isHiddenByModeration(message) &&
		(limits.includeOthers || isReceivedOrSent(message, conversation)) &&
		!isTooOld(message, limits.maxAgeHours) &&
		!isEmptyText(message)
	);
}

/** True if a message makes the conversation start over. The bot's own messages never do. */
export function isStartOverMessage(
	message: IDataObject,
	{ conversation, limits }: MemoryParameters,
): boolean {
	if (isSentByBot(message, conversation)) return false;
	return isStartOverText(formatContentForModel(message, conversation.bot), limits);
}

/** True if a text makes the conversation start over. Ignores case. */
export const isStartOverText = (text: string, { startOver }: MemoryLimits): boolean =>
	startOver !== undefined && text.toLowerCase() === startOver.toLowerCase();
