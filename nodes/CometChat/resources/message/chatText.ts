import type { IDataObject } from 'n8n-workflow';

import { toSingleLine } from '../../helpers/formatText';
import { toLowerCaseId } from '../../helpers/ids';
import { asObjectOrEmpty, createFieldReader, valueToText } from '../../helpers/json';
import { actionMessageColumns, messageColumns, getRawQuotedMessageOrEmpty } from './entity';
import { removeMentionsOfUser } from './mentions';
import { getReplyReceiverId } from './relayedMessage';

const readFallbackText = createFieldReader('data', 'fallbackText');

const readCardFallbackText = createFieldReader('data', 'card', 'fallbackText');

/**
 * Formats the names of a message's files, e.g. "[report.pdf]". A file without a name gets the message's type, e.g.
 * "[image]".
 */
function formatFiles(message: IDataObject): string {
	const files = [messageColumns.attachments(message) ?? []].flat();
	return files
		.map(
			(file) => `[${toSingleLine(valueToText(asObjectOrEmpty(file).name)) || formatType(message)}]`,
		)
		.join(' ');
}

/** Returns a message's type, e.g. "sticker" for CometChat's type "extension_sticker". */
const formatType = ({ type }: IDataObject): string => valueToText(type).replace(/^extension_/, '');

/**
 * Formats a message's content for a language model: the text without mentions of the bot, and the names of the
 * files. If both are empty, returns the first of these texts that isn't empty:
 *
 * - the text with its mentions of the bot
 * - the fallback text, e.g. of a card
 * - the action or the type in brackets, e.g. "[joined]" or "[sticker]"
 *
 * @param botId the bot's UID in lower case
 */
export function formatContentForModel(message: IDataObject, botId: string): string {
	const sent = valueToText(messageColumns.text(message)).trim();
	const texts = [removeMentionsOfUser(sent, botId), formatFiles(message)].filter(
		(text) => text !== '',
	);
	if (texts.length > 0) return texts.join(' ');
	const fallback = readFallbackText(message) ?? readCardFallbackText(message);
	const action = valueToText(actionMessageColumns.action(message));
	return sent || valueToText(fallback).trim() || `[${action || formatType(message)}]`;
}

/** Returns the sender's name, or the UID if CometChat leaves out the name. */
const readSpeaker = (message: IDataObject): string =>
	toSingleLine(valueToText(messageColumns.senderName(message))) || valueToText(message.sender);

const LINE_BREAK_PATTERN = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** Puts the speaker before a text. Indents further lines, so that no line can look like another user's message. */
const formatSpeech = (speaker: string, text: string): string =>
	`${speaker}: ${text.replace(LINE_BREAK_PATTERN, '\n  ')}`;

/** Formats the quoted message as the lines of a Markdown quote, e.g. "> Leo: We close at noon". */
function formatQuotedMessage(message: IDataObject, botId: string): string[] {
	const quoted = getRawQuotedMessageOrEmpty(message);
	if (Object.keys(quoted).length === 0) return [];
	const lines = formatSpeech(readSpeaker(quoted), formatContentForModel(quoted, botId)).split('\n');
	return lines.map((line) => `> ${line}`);
}

/**
 * Formats a message for a language model. A quoted message comes before the message's own content.
 *
 * @param botId the bot's UID in lower case
 * @param isNamed true to put the sender's name before the text
 */
export function formatMessageForModel(
	message: IDataObject,
	botId: string,
	isNamed: boolean,
): string {
	const text = formatContentForModel(message, botId);
	const spoken = isNamed ? formatSpeech(readSpeaker(message), text) : text;
	return [...formatQuotedMessage(message, botId), spoken].join('\n');
}

/**
 * Formats a message to the bot as the input of n8n's AI agents. In a group, the sender's name precedes the text.
 *
 * @param botId the bot's UID in lower case
 */
export const formatChatInput = (message: IDataObject, botId: string): string =>
	formatMessageForModel(message, botId, message.receiverType === 'group');

/**
 * Returns a conversation's key for the memory of n8n's AI agents. The key contains the thread, or else the group or
 * the other user. It also contains the app and the bot, because several workflows can share a memory.
 *
 * @param botId the bot's UID in lower case
 */
export function getSessionId(message: IDataObject, botId: string, appId: unknown): string {
	const { parentId, receiverType } = message;
	const place =
		valueToText(parentId) === ''
			? `${receiverType === 'group' ? 'group' : 'user'}:${toLowerCaseId(getReplyReceiverId(message))}`
			: `thread:${valueToText(parentId)}`;
	return `${valueToText(appId)}:${botId}:${place}`;
}
