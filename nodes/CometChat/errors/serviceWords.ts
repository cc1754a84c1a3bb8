import { findRefusal } from '../transport/response';
import type { RestResponse } from '../transport/types';
import { asText, asTrimmedText, isObject } from '../transport/json';
import { formatCount, formatList } from './formatText';

/** Maximum length of a quoted string, in UTF-16 code units. */
const MAX_QUOTE = 1_000;

/** CometChat's own description of a rejected request. Long strings are truncated. */
export interface ServiceWords {
	code?: string;
	message?: string;
	devMessage?: string;
	/** Problems with individual fields, e.g. "limit: must be a number" */
	details?: string;
}

/**
 * Reads the error in a response. CometChat sends `{error: {code, message, …}}`, `{error: "text"}` or
 * `{message: "text"}`, either at the top level or inside `data`. Gateways send plain text. HTML pages are
 * ignored.
 */
export function readServiceWords({ body }: Pick<RestResponse, 'body'>): ServiceWords {
	if (typeof body === 'string') return /^\s*[<[{]/.test(body) ? {} : { message: readText(body) };
	if (!isObject(body)) return {};
	const refusal = findRefusal(body) ?? body;
	const error = isObject(refusal.error) ? refusal.error : refusal;
	return {
		code: readText(error.code),
		message: readText(error.message) ?? readText(refusal.error) ?? readText(body.message),
		devMessage: readText(error.devMessage),
		details: formatDetails(error.details),
	};
}

/**
 * Formats CometChat's message and error code, e.g. "The UID leo does not exist (ERR_UID_NOT_FOUND)". Returns
 * undefined if both are missing.
 */
export function formatQuote({ message, code }: ServiceWords): string | undefined {
	return message && code ? `${message.replace(/\.$/, '')} (${code})` : (message ?? code);
}

/** Maximum number of UIDs to list in one message. */
const MAX_NAMED = 10;

/**
 * Prefixes a failure reason with the affected UIDs. If the reason already names the only affected UID, the
 * reason is returned unchanged.
 */
export function prefixUids(uids: string[], reason: string): string {
	const [uid = ''] = uids;
	const text = uid.replace(/[^\w-]/g, '\\$&');
	const isNamed = new RegExp(`(UID|user|member|owner) ${text}\\b`, 'i').test(reason);
	if (uids.length === 1 && isNamed) return reason;
	const more = uids.length - MAX_NAMED;
	const names = more > 0 ? [...uids.slice(0, MAX_NAMED), `${formatCount(more)} more`] : uids;
	return `${formatList(names)}: ${reason}`;
}

function readText(value: unknown): string | undefined {
	const text = asTrimmedText(value);
	if (text.length > MAX_QUOTE) return `${text.slice(0, MAX_QUOTE)}…`;
	return text === '' ? undefined : text;
}

/** Formats error details, e.g. `{limit: ['must be a number']}` as "limit: must be a number". */
function formatDetails(details: unknown): string | undefined {
	if (!isObject(details)) return readText(details);
	const lines = Object.entries(details).map(
		([field, texts]) => `${field}: ${[texts].flat().map(asText).join(', ')}`,
	);
	return readText(lines.join('; '));
}
