import { Refusal } from '../errors';
import type { MessageContent } from '../store/messages';

const MEDIA_TYPES = ['image', 'file', 'audio', 'video'];

/** Maximum length of a message's content as JSON, excluding its text, as stated in the contract. */
const MOST_DATA = 10 * 1024;

/** Maximum size of the metadata of a group or user as JSON, in bytes, as stated in the contract. */
const MOST_METADATA = 5 * 1024;

/**
 * Checks the size of a group's or user's metadata.
 *
 * @throws {Refusal} if the metadata is too large
 */
export function requireMetadataSize(metadata: unknown): void {
	if (metadata === undefined || Buffer.byteLength(JSON.stringify(metadata)) <= MOST_METADATA)
		return;
	throw new Refusal('ERR_BAD_REQUEST', '', {
		metadata: ['The metadata may not be greater than 5 KB.'],
	});
}

/**
 * Checks that a message's content fits its category and type.
 *
 * @throws {Refusal} with the service's error code for missing or invalid content
 */
export function requireContent(
	category: string,
	type: string,
	{ text, attachments = [], url, customData, metadata, card }: MessageContent,
): void {
	if (category === 'card') {
		if (type !== 'card' || !Array.isArray(card?.body))
			throw new Refusal('ERR_INVALID_MESSAGE_DATA');
	} else if (category === 'custom') {
		if (!customData || Object.keys(customData).length === 0) {
			throw new Refusal('ERR_EMPTY_CUSTOM_DATA');
		}
	} else if (MEDIA_TYPES.includes(type)) {
		const files = attachments.length === 0 && url ? [{ url }] : attachments;
		if (files.length === 0 || files.some((file) => !file.url)) {
			throw new Refusal('ERR_INVALID_MEDIA_MESSAGE');
		}
	} else if (type !== 'text') {
		throw new Refusal('ERR_INVALID_MESSAGE_DATA');
	} else if (!text?.trim()) {
		throw new Refusal('ERR_EMPTY_MESSAGE_TEXT');
	}
	// The text is excluded, because the contract already limits its length
	if (JSON.stringify({ attachments, customData, metadata, card }).length > MOST_DATA) {
		throw new Refusal('ERR_INVALID_MESSAGE_DATA');
	}
}
