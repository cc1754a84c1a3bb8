import { valueToText, stringifyJson } from './json';

/** Joins the non-empty sentences. Adds a period to each sentence without final punctuation. */
export function joinSentences(sentences: Array<string | undefined>): string {
	return sentences
		.flatMap((sentence) => sentence || [])
		.map((sentence) => (/[.!?…]\)?$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}

const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

/** Formats a list as a phrase, e.g. "a, b, and c". */
export function formatList(texts: string[]): string {
	return listFormat.format(texts);
}

/** @returns the start of the string, truncated without splitting a surrogate pair */
export function truncateWithoutEllipsis(text: string, maxLength: number): string {
	return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}

/** Characters that can change the direction of the text after them. */
const DIRECTION_CONTROL_PATTERN = /[\u202a-\u202e\u2066-\u2069]/g;

/** Puts a text on one line. Removes characters that would reorder the text after it. */
export const toSingleLine = (text: string): string =>
	text
		.replace(DIRECTION_CONTROL_PATTERN, '')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();

/** Removes characters that readers don't see, e.g. zero-width spaces, and white space at both ends. */
export const removeInvisibleAndTrim = (text: string): string =>
	text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();

/** Formats milliseconds as seconds, e.g. "1.5 seconds". */
export function formatMsAsSeconds(ms: number): string {
	const rounded = Math.round(ms / 100) / 10;
	return `${rounded.toLocaleString('en-US')} ${rounded === 1 ? 'second' : 'seconds'}`;
}

/** Formats a number with thousands separators, e.g. "2,000". */
export function formatNumber(number: number): string {
	return number.toLocaleString('en-US');
}

/** Formats a value for an error message. Cuts text after 60 characters. */
export function formatValueForError(value: unknown): string {
	// JSON.stringify turns NaN and Infinity into null
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? `"${value}"` : (stringifyJson(value) ?? typeof value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Returns an error's message. Converts a thrown value that isn't an error to text. */
export const getErrorMessage = (error: unknown): string =>
	error instanceof Error ? error.message : valueToText(error);

/**
 * Joins an error's message and description, unless the message contains the description. For agents and error items,
 * which show only a single string.
 */
export function joinMessageAndDescription(error: Error): string {
	const description =
		'description' in error && typeof error.description === 'string' ? error.description : '';
	return error.message.includes(description)
		? error.message
		: joinSentences([error.message, description]);
}

/** Words that stay lowercase in a title. */
const SMALL_WORDS = ['by', 'to'];

/** Converts "joined by link" to "Joined by Link". */
export function capitalizeTitleWords(text: string): string {
	return text.replace(/\w+/g, (word) =>
		SMALL_WORDS.includes(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
	);
}
