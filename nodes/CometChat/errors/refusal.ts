import type { IDataObject } from 'n8n-workflow';

import { getErrorResponseOfFailedAttempts } from '../transport/failure';
import { detectBodyFormat, findBodyOrDataWithError } from '../transport/response';
import type { RestResponse } from '../transport/restTypes';
import { asObjectOrEmpty, toTrimmedText, isObjectOrArray, isObject } from '../helpers/json';
import { formatNumber, formatList } from '../helpers/formatText';

/** Maximum length of a quoted string, in UTF-16 code units. */
const MAX_QUOTE_LENGTH = 1_000;

/** CometChat's own description of a rejected request. Long strings are truncated. */
export interface Refusal {
	code?: string;
	message?: string;
	devMessage?: string;
	/** Problems with individual fields, e.g. "limit: must be a number" */
	details?: string;
	/** Names of the fields in the details */
	fields?: string[];
}

/**
 * Reads the error in a response. CometChat sends `{error: {code, message, …}}` or `{error: "text"}`, at the top
 * level or inside `data`, or `{message: "text"}`. Gateways send plain text. Web pages and broken JSON are ignored.
 */
export function readRefusalOfResponseOrEmpty(response: Pick<RestResponse, 'body'>): Refusal {
	const { body } = response;
	if (!isObject(body))
		return detectBodyFormat(response) === 'text' ? { message: readTruncatedText(body) } : {};
	const refusal = findBodyOrDataWithError(body) ?? body;
	const error = isObject(refusal.error) ? refusal.error : refusal;
	return {
		code: readTruncatedText(error.code),
		message:
			readTruncatedText(error.message) ??
			readTruncatedText(refusal.error) ??
			readTruncatedText(body.message),
		devMessage: readTruncatedText(error.devMessage),
		details: readTruncatedText(
			[...listDetails(error.details), ...listMissingPermission(error)].join('; '),
		),
		fields: isObject(error.details) ? Object.keys(error.details) : undefined,
	};
}

/** Lists the action, role and scope of a missing permission, e.g. "role: default". */
function listMissingPermission({ code, params }: IDataObject): string[] {
	if (code !== 'ERR_PERMISSION_DENIED') return [];
	const values = asObjectOrEmpty(params);
	return ['action', 'role', 'scope'].flatMap((name) => {
		const value = readTruncatedText(values[name]);
		return value === undefined ? [] : [`${name}: ${value}`];
	});
}

/** Returns the error code with which CometChat refused a request, or undefined if the error has no such code. */
export const getRefusalCodeFromError = (error: unknown): string | undefined =>
	readRefusalOfResponseOrEmpty({ body: getErrorResponseOfFailedAttempts(error)?.body }).code;

/**
 * Formats CometChat's message and error code, e.g. "The UID leo does not exist (ERR_UID_NOT_FOUND)". Returns
 * undefined if both are missing.
 */
export function formatMessageWithCode({ message, code }: Refusal): string | undefined {
	return message && code ? `${message.replace(/\.$/, '')} (${code})` : (message ?? code);
}

/**
 * Lists CometChat's error texts as quotes. Each text is quoted once, because CometChat repeats the message as
 * `devMessage`, sometimes with small changes.
 */
export function listRefusalQuotes({ code, message, devMessage, details }: Refusal): string[] {
	const isLonger = devMessage !== undefined && repeats(message, devMessage);
	const main = isLonger && !repeats(devMessage, message) ? devMessage : message;
	const quotes = [formatMessageWithCode({ code, message: main })];
	for (const text of [details, devMessage]) {
		if (text !== undefined && !quotes.some((quote) => repeats(text, quote))) quotes.push(text);
	}
	return quotes.flatMap((quote) => quote ?? []);
}

/** Maximum share of new words in a text that still counts as a repetition of another text. */
const MAX_NEW_WORDS_SHARE = 0.15;

/** True if a text adds nothing to another text, apart from punctuation and a few words without digits. */
function repeats(text = '', other = ''): boolean {
	const listWords = (words: string) => words.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
	const words = listWords(text);
	const known = new Set(listWords(other));
	const added = words.filter((word) => !known.has(word));
	return (
		added.length <= words.length * MAX_NEW_WORDS_SHARE && !added.some((word) => /\p{N}/u.test(word))
	);
}

/** Maximum number of affected entries, e.g. UIDs, that an error message lists. */
const MAX_NAMED = 10;

/**
 * Prefixes a failure reason with the affected entries, e.g. UIDs or names of files. If the reason already names
 * the only affected UID, the reason is returned unchanged.
 */
export function prefixReasonWithEntries(entries: string[], reason: string): string {
	const [uid = ''] = entries;
	const text = uid.replace(/[^\w-]/g, '\\$&');
	const isNamed = new RegExp(`(UID|user|member|owner) ${text}\\b`, 'i').test(reason);
	if (entries.length === 1 && isNamed) return reason;
	const more = entries.length - MAX_NAMED;
	const names = more > 0 ? [...entries.slice(0, MAX_NAMED), `${formatNumber(more)} more`] : entries;
	return `${formatList(names)}: ${reason}`;
}

function readTruncatedText(value: unknown): string | undefined {
	const text = toTrimmedText(value);
	if (text.length > MAX_QUOTE_LENGTH) return `${text.slice(0, MAX_QUOTE_LENGTH)}…`;
	return text === '' ? undefined : text;
}

/** Maximum depth of error details. Deeper values are left out. */
const MAX_DETAILS_DEPTH = 8;

/**
 * Lists error details, which can be any JSON value. For `{limit: ['must be a number']}`, returns
 * `['limit: must be a number']`.
 */
function listDetails(details: unknown, depth = 0): string[] {
	if (!isObjectOrArray(details)) {
		const text =
			typeof details === 'boolean' && depth > 0 ? String(details) : readTruncatedText(details);
		return text === undefined ? [] : [text];
	}
	if (depth === MAX_DETAILS_DEPTH) return [];
	if (Array.isArray(details)) return details.flatMap((each) => listDetails(each, depth + 1));
	return Object.entries(details).map(([field, inner]) => {
		const texts = listDetails(inner, depth + 1).join(', ');
		return texts === '' ? field : `${field}: ${texts}`;
	});
}
