import { findRefusal } from '../transport/response';
import type { RestResponse } from '../transport/types';
import { isDeeperThan, isObject } from '../transport/json';
import { formatCount, formatList } from './formatText';

/** Longest text of the service that is quoted, in UTF-16 code units. */
const MAX_QUOTE = 1_000;

/** What the service says about a request that it did not carry out; each text is bounded. */
export interface ServiceWords {
	code?: string;
	message?: string;
	devMessage?: string;
	/** What is wrong with which field */
	details?: string;
}

/**
 * Reads the error in a response, in every shape that was seen: `{error: {code, message, …}}`,
 * `{error: "text"}`, `{message: "text"}`, such an object in the place of the data, and plain text. A web page is not quoted.
 */
export function readServiceWords({ body }: RestResponse): ServiceWords {
	if (typeof body === 'string') return withoutEmpty({ message: readPlainText(body) });
	if (!isObject(body)) return {};
	const refusal = findRefusal(body) ?? body;
	const error = isObject(refusal.error) ? refusal.error : refusal;
	return withoutEmpty({
		code: readText(error.code),
		message: readText(error.message) ?? readText(refusal.error) ?? readText(body.message),
		devMessage: readText(error.devMessage),
		details: formatDetails(error.details),
	});
}

/** A refusal as it is quoted, e.g. "The UID leo does not exist (ERR_UID_NOT_FOUND)"; undefined without words. */
export function formatQuote({ message, code }: ServiceWords): string | undefined {
	return message && code ? `${message.replace(/\.$/, '')} (${code})` : (message ?? code);
}

/** UIDs that a sentence names at most. */
const MAX_NAMED = 10;

/** A reason why something failed for users, with their UIDs in front unless the only one is in it. */
export function prefixUids(uids: string[], reason: string): string {
	const [uid] = uids;
	const text = uid.replace(/[^\w-]/g, '\\$&');
	const isNamed = new RegExp(`(UID|user|member|owner) ${text}\\b`, 'i').test(reason);
	if (uids.length === 1 && isNamed) return reason;
	const more = uids.length - MAX_NAMED;
	const names = more > 0 ? [...uids.slice(0, MAX_NAMED), `${formatCount(more)} more`] : uids;
	return `${formatList(names)}: ${reason}`;
}

function withoutEmpty(words: ServiceWords): ServiceWords {
	return Object.fromEntries(Object.entries(words).filter(([, text]) => text !== undefined));
}

function cutText(text: string): string {
	return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;
}

function readText(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? cutText(value.trim()) : undefined;
}

function readPlainText(body: string): string | undefined {
	return /^\s*[<[{]/.test(body) ? undefined : readText(body);
}

/** `{limit: ['must be a number']}` as `limit: must be a number`; a list as its parts. */
function formatDetails(details: unknown): string | undefined {
	if (typeof details !== 'object' || details === null) return readText(details);
	const lines = Array.isArray(details)
		? details.map(formatDetail)
		: Object.entries(details).map(([field, texts]) => `${field}: ${formatDetail(texts)}`);
	return readText(lines.join('; '));
}

function formatDetail(value: unknown): string {
	if (typeof value === 'string') return value;
	if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) {
		return value.join(', ');
	}
	return isDeeperThan(value, MAX_LEVELS) ? '…' : (JSON.stringify(value) ?? '');
}

/** Levels of a value that are quoted: more are no words. */
const MAX_LEVELS = 10;
