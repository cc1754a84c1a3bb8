import type { IDataObject } from 'n8n-workflow';

import { toSingleLine } from '../helpers/formatText';
import { asObject, createFieldReader, toPlainText } from '../helpers/json';
import { messageColumns } from '../resources/message/entity';
import { removeMentions } from '../resources/message/mentions';

const readFallbackText = createFieldReader('data', 'fallbackText');

/** Names a message's files, e.g. "[report.pdf]". */
function nameFiles(message: IDataObject): string[] {
	const files = messageColumns.attachments(message);
	return (Array.isArray(files) ? files : []).map((file) => {
		const name = toSingleLine(toPlainText(asObject(file).name));
		return `[${name || toPlainText(message.type)}]`;
	});
}

/**
 * Returns a message's content as text: its text without mentions of the bot, and the names of its files. A card or a
 * custom message without text becomes its type, e.g. "[card]".
 *
 * @param bot the bot's UID in lower case
 */
export function readContent(message: IDataObject, bot: string): string {
	const text = toPlainText(removeMentions(messageColumns.text(message), bot)).trim();
	const parts = [text, ...nameFiles(message)].filter((part) => part !== '');
	if (parts.length > 0 || message.category === 'message') return parts.join(' ');
	return toPlainText(readFallbackText(message)).trim() || `[${toPlainText(message.type)}]`;
}
