import { Refusal } from '../errors';
import type { MessageContent } from '../store/messages';

const MEDIA_TYPES = ['image', 'file', 'audio', 'video'];

/** Source: the limits of the contract. */
const MOST_DATA = 10 * 1024;

/**
 * Refuses content that its kind of message cannot have.
 *
 * @throws {Refusal} with the service's code for what is missing or empty
 */
export function requireContent(
	category: string,
	type: string,
	{ text, attachments = [], customData, metadata }: MessageContent,
): void {
	if (category === 'custom') {
		if (!customData || Object.keys(customData).length === 0) {
			throw new Refusal('ERR_EMPTY_CUSTOM_DATA');
		}
	} else if (MEDIA_TYPES.includes(type)) {
		if (attachments.length === 0 || attachments.some(({ url }) => !url)) {
			throw new Refusal('ERR_INVALID_MEDIA_MESSAGE');
		}
	} else if (type !== 'text') {
		throw new Refusal('ERR_INVALID_MESSAGE_DATA');
	} else if (!text?.trim()) {
		throw new Refusal('ERR_EMPTY_MESSAGE_TEXT');
	}
	// The text has a limit of its own, which the contract checks.
	if (JSON.stringify({ attachments, customData, metadata }).length > MOST_DATA) {
		throw new Refusal('ERR_INVALID_MESSAGE_DATA');
	}
}
