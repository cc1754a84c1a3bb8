import type { IDataObject } from 'n8n-workflow';

import { toLowerCaseId } from '../helpers/ids';
import { toPlainText } from '../helpers/json';
import { isAnswer } from '../resources/message/answerMark';
import { readSpokenText } from '../resources/message/chatText';
import {
	isCallOrAction,
	isDeleted,
	isHiddenByModeration,
	messageColumns,
} from '../resources/message/entity';
import { listMentionedUids } from '../resources/message/mentions';
import { APP_USER } from '../transport/restTypes';
import type { Conversation, Limits, MemoryParameters } from './conversation';

export const isOwn = (message: IDataObject, { bot }: Conversation): boolean =>
	toLowerCaseId(message.sender) === bot;

export const isThreadStart = ({ id }: IDataObject, { parentId }: Conversation): boolean =>
	parentId !== undefined && toPlainText(id) === parentId;

/** True if a message belongs to the conversation, whatever else a list from CometChat contains. */
function isInConversation(message: IDataObject, conversation: Conversation): boolean {
	const { bot, groupId, userId = '', parentId } = conversation;
	const receiver = toLowerCaseId(message.receiver);
	if (groupId !== undefined) {
		if (message.receiverType !== 'group' || receiver !== groupId) return false;
	} else {
		const people = [toLowerCaseId(message.sender), receiver].sort();
		if (message.receiverType === 'group' || people.join() !== [bot, userId].sort().join())
			return false;
	}
	const isInThread = toPlainText(message.parentId) === parentId;
	return parentId === undefined || isInThread || isThreadStart(message, conversation);
}

const NUMBER_PATTERN = /^\d+$/;

/**
 * True if a message was sent before the agent's question, whatever CometChat lists (open question 45). CometChat's IDs
 * are growing numbers. Of other IDs, only the question's own can be recognized.
 */
export function isBeforeQuestion(message: IDataObject, { questionId }: Conversation): boolean {
	if (questionId === undefined) return true;
	const id = toPlainText(message.id);
	if (!NUMBER_PATTERN.test(id) || !NUMBER_PATTERN.test(questionId)) return id !== questionId;
	return BigInt(id) < BigInt(questionId);
}

const readText = (message: IDataObject): string => toPlainText(messageColumns.text(message)).trim();

/** True for a text message without a text. */
const isEmptyText = (message: IDataObject): boolean =>
	message.type === 'text' && readText(message) === '';

/** Messages in a group that reach a bot, keyed by the Bot Trigger's 'Group Messages'. */
const IS_RECEIVED: Record<string, (message: IDataObject, bot: string) => boolean> = {
	none: () => false,
	slashedMessages: (message) => readText(message).startsWith('/'),
	allMessages: () => true,
};

const mentionsBot = (message: IDataObject, bot: string) =>
	listMentionedUids(message).some((uid) => toLowerCaseId(uid) === bot);

/** True if the bot sent or received a message. In a thread, the bot knows all messages. */
function isReceivedOrSent(message: IDataObject, conversation: Conversation): boolean {
	const { bot, groupId, parentId, groupMessages = '' } = conversation;
	if (groupId === undefined || parentId !== undefined || isOwn(message, conversation)) return true;
	// Messages of the app and answers of other bots start no workflow
	if (toLowerCaseId(message.sender) === APP_USER || isAnswer(message)) return false;
	return (IS_RECEIVED[groupMessages] ?? mentionsBot)(message, bot);
}

/** True if a message is too old. */
export const isTooOld = ({ sentAt }: IDataObject, maxAgeHours = Infinity): boolean =>
	Number(sentAt) < Date.now() / 1000 - 3600 * maxAgeHours;

/** True if the agent may know a message, unless the message exceeds the limits. */
export function isKnown(message: IDataObject, { conversation, limits }: MemoryParameters): boolean {
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

/** True for a person's message with which the conversation starts over. */
export function isStartOver(
	message: IDataObject,
	{ conversation, limits }: MemoryParameters,
): boolean {
	if (isOwn(message, conversation)) return false;
	return isStartOverText(readSpokenText(message, conversation.bot), limits);
}

/** True for the text with which a conversation starts over. */
export const isStartOverText = (text: string, { startOver }: Limits): boolean =>
	startOver !== undefined && text.toLowerCase() === startOver.toLowerCase();
