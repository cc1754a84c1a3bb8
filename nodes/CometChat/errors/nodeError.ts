import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import {
	ERRORS_BY_CODE,
	ERRORS_BY_NETWORK_CODE,
	ERRORS_BY_STATUS,
	ERRORS_BY_SERVICE_STATUS,
	INCOMPLETE_RESPONSE_ERROR,
	NOT_CONNECTED_ERROR,
	CONNECT_TIMEOUT_ERROR,
	REDIRECT_ERROR,
	REDIRECT_STATUSES,
	TRY_LATER,
	UNKNOWN_STATUS_ERROR,
	INVALID_RESPONSE_ERROR,
	MISSING_DATA_ERROR,
	type Explanation,
} from './table';
import { ConnectionError, SendError, StatusError, type Failure } from '../transport/failure';
import { DescribedError } from './inputError';
import type { Redact } from '../transport/redact';
import { ResponseError, describeBody } from '../transport/response';
import { wasNotSent } from '../transport/retry';
import { formatQuote, readServiceWords, type ServiceWords } from './serviceWords';
import { joinSentences, formatList, formatSeconds } from './formatText';
import type { RestResponse } from '../transport/types';

/** What an operation changes: said when it is not known whether it was carried out. */
export interface Change {
	/** e.g. "removed the reaction" */
	done: string;
	/** What to look at, e.g. "the message" */
	inspect: string;
}

/** A failed request of an operation that consists of several changes: the change that it was to make. */
export class ChangeError extends SendError {
	constructor(
		failure: Failure,
		readonly change: Change,
	) {
		super(failure);
	}
}

/** A bound for a wait. */
export interface WaitLimit {
	/** e.g. "a poll may take" */
	words: string;
	/** What to do when a wait would be longer */
	advice: string;
}

/** What the words of an error depend on. */
export interface ErrorContext {
	redact: Redact;
	itemIndex?: number;
	/** Labels of the fields, by their names, with their place for those that are not among the parameters */
	labels?: Readonly<Record<string, string>>;
	/** Whether a field holds something: else it is not to blame */
	isFilled?: (name: string) => boolean;
	/** What bounds a wait for the rate limit, if not 'Longest Retry Wait (Seconds)' */
	waitLimit?: WaitLimit;
	change?: Change;
	/** What the service's codes mean here, where that is something else */
	own?: Readonly<Record<string, Explanation>>;
	/** Added to the description, e.g. what is kept */
	addition?: string;
}

/** What is said of a failure, but for what depends on the operation. */
interface Account {
	explanation: Explanation;
	/** What the service or the connection said: sentences without their period */
	quotes: Array<string | undefined>;
	httpCode: string;
	response: JsonObject;
}

/** A code may be any text, also one that names something every object has, such as "toString". */
function entryOf<T>(table: Readonly<Record<string, T>>, code: string | undefined): T | undefined {
	return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}

function adviceOf(
	{ check = [], raise, advice }: Omit<Explanation, 'message'>,
	{ labels = {}, waitLimit, isFilled = () => true }: ErrorContext,
): Array<string | undefined> {
	const checked = check.map((entry) => [entry].flat());
	const filled = checked.filter(([name]) => isFilled(name));
	const shown = (filled.length > 0 ? filled : checked).flatMap(([name, lookFor]) => {
		const label = entryOf(labels, name);
		return label === undefined ? [] : `'${label}'${lookFor ? ` (${lookFor})` : ''}`;
	});
	const named = [...new Set(shown)];
	if (raise === 'maxWait' && waitLimit) return [waitLimit.advice];
	const raised = entryOf(labels, raise);
	return [
		named.length > 0 ? `Check ${formatList(named)}` : undefined,
		raised === undefined ? undefined : `Raise '${raised}' under ${labels.requestOptions}`,
		advice,
	];
}

/** Whether the rate limit that others met kept a request from being sent at all. */
function isUnsent({ attempts, requiredMs }: Failure): boolean {
	return attempts === 0 && requiredMs !== undefined;
}

function attemptsText(
	failure: Failure,
	{ labels = {}, waitLimit }: ErrorContext,
): string | undefined {
	const { attempts, waitedMs, requiredMs } = failure;
	const times = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
	const waited = waitedMs >= 50 ? ` and ${formatSeconds(waitedMs)} of waiting` : '';
	if (requiredMs === undefined) return attempts > 1 ? `Stopped after ${times}${waited}` : undefined;
	const label = entryOf(labels, 'maxWait');
	const limit = waitLimit?.words ?? (label === undefined ? undefined : `'${label}' allows`);
	const more = limit === undefined ? 'too long to wait' : `more than ${limit}`;
	return isUnsent(failure)
		? `The item was not sent: the rate limit lasts another ${formatSeconds(requiredMs)}, ${more}`
		: `Stopped after ${times}${waited}: the next would have to wait ${formatSeconds(requiredMs)}, ${more}`;
}

/** What the service replied, in its own words where it had some. */
function repliedText(response: RestResponse, serviceWords: ServiceWords): string {
	const words = formatQuote(serviceWords);
	return words === undefined
		? `CometChat replied with status ${response.statusCode} and ${describeBody(response)}`
		: `CometChat replied: ${words}`;
}

function explainStatus({ statusCode }: RestResponse, code: string | undefined): Explanation {
	const known = entryOf(ERRORS_BY_CODE, code);
	if (known) return known;
	if (REDIRECT_STATUSES.includes(statusCode)) return REDIRECT_ERROR;
	const isOfService = code !== undefined && !code.startsWith('AUTH_ERR');
	const ofService = isOfService ? ERRORS_BY_SERVICE_STATUS[statusCode] : undefined;
	const byStatus = ofService ?? ERRORS_BY_STATUS[statusCode];
	return byStatus ?? (statusCode >= 500 ? ERRORS_BY_STATUS[500] : UNKNOWN_STATUS_ERROR);
}

function accountOfStatus(response: RestResponse, failure: Failure, context: ErrorContext): Account {
	const { statusCode } = response;
	// What is quoted is cut: half of a key could not be found any more
	const words = readServiceWords({ ...response, body: context.redact(response.body) });
	const replied = isUnsent(failure) ? undefined : repliedText(response, words);
	return {
		explanation: entryOf(context.own ?? {}, words.code) ?? explainStatus(response, words.code),
		quotes: [replied, words.details, words.devMessage],
		httpCode: String(statusCode),
		response: { statusCode, ...words },
	};
}

/** Codes for a response that is not HTTP (HPE), or not compressed as it says (gzip, Brotli, Zstandard). */
const UNREADABLE_CODES = /^(HPE_|Z_|ERR__ERROR_|ZSTD_)/;

/** Explains why a request got no response. */
function explainConnection(error: ConnectionError): Explanation {
	const { code, whileConnecting } = error;
	if (code === 'ETIMEDOUT' && whileConnecting) return CONNECT_TIMEOUT_ERROR;
	const known = entryOf(ERRORS_BY_NETWORK_CODE, code);
	if (known) return known;
	if (UNREADABLE_CODES.test(code)) return INVALID_RESPONSE_ERROR;
	return wasNotSent(error) ? NOT_CONNECTED_ERROR : INCOMPLETE_RESPONSE_ERROR;
}

/** @returns undefined for what is neither of the service nor of the connection */
function accountOf(failure: Failure, context: ErrorContext): Account | undefined {
	const { error } = failure;
	if (error instanceof StatusError) return accountOfStatus(error.response, failure, context);
	if (error instanceof ConnectionError) {
		const { code, message } = error;
		return {
			explanation: explainConnection(error),
			quotes: [`The connection reported: ${message} (${code})`],
			httpCode: code,
			response: { code, message },
		};
	}
	if (!(error instanceof ResponseError)) return undefined;
	const { statusCode } = error.response;
	const explanation = { ...MISSING_DATA_ERROR, message: error.message };
	return { explanation, quotes: [], httpCode: String(statusCode), response: { statusCode } };
}

/** The message and the sentences of the description: first what matters most, that a change may have been made. */
function textsOf(
	{ explanation, quotes }: Account,
	failure: Failure,
	context: ErrorContext,
): { message: string; sentences: Array<string | undefined> } {
	const { change, addition } = context;
	const { message } = explanation;
	const advice = adviceOf(explanation, context);
	const rest = [attemptsText(failure, context), ...quotes, addition];
	if (!failure.outcomeUnknown || !change) return { message, sentences: [...advice, ...rest] };
	const check = `Check ${change.inspect} before you run this item again`;
	const others = advice.filter((sentence) => sentence !== TRY_LATER);
	return {
		message: `CometChat may already have ${change.done}`,
		sentences: [check, message, ...others, ...rest],
	};
}

function failureOf(error: unknown): Failure {
	return error instanceof SendError
		? error.failure
		: { error, attempts: 0, waitedMs: 0, outcomeUnknown: false };
}

/**
 * Makes the error that n8n shows and stores: `message` says what happened, `description` what to do,
 * and quotes the service.
 *
 * @param cause whatever was thrown while the request was made
 * @returns a NodeApiError for what the service or the connection did; n8n's own errors (such as those
 * of an expression) as they are; else a NodeOperationError
 */
export function toNodeError(node: INode, cause: unknown, context: ErrorContext): Error {
	const { redact, itemIndex, addition } = context;
	const failure = failureOf(cause);
	const account = accountOf(failure, context);
	if (account) {
		const change = cause instanceof ChangeError ? cause.change : context.change;
		const { message, sentences } = textsOf(account, failure, { ...context, change });
		const nodeError = new NodeApiError(node, redact(account.response), {
			message: redact(message),
			description: redact(joinSentences(sentences)),
			httpCode: account.httpCode,
			itemIndex,
		});
		// n8n replaces a message that happens to contain a code of Node.js: ours says more
		nodeError.message = redact(message);
		return nodeError;
	}
	const { error } = failure;
	if (isNodeError(error)) return redactInPlace(error, redact, itemIndex);
	const message = redact(error instanceof Error ? error.message : String(error));
	const description = error instanceof DescribedError ? error.description : undefined;
	const nodeError = new NodeOperationError(node, message, {
		itemIndex,
		description: redact(joinSentences([description, addition])),
	});
	nodeError.message = message;
	return nodeError;
}

/** Returns what `toNodeError` says as one text, for the credential test, which has no node. */
export function errorText(cause: Error, context: ErrorContext): string {
	const failure = failureOf(cause);
	const account = accountOf(failure, context);
	if (account === undefined) return context.redact(cause.message);
	const { message, sentences } = textsOf(account, failure, context);
	return context.redact(joinSentences([message, ...sentences]));
}

interface N8nError extends Error {
	context: Record<string, unknown>;
	description?: string | null;
}

/** n8n's own errors carry a context: which parameter it was, and what the editor shows about it. */
export function isNodeError(error: unknown): error is N8nError {
	return (
		error instanceof Error &&
		'context' in error &&
		typeof error.context === 'object' &&
		error.context !== null
	);
}

function redactInPlace(error: N8nError, redact: Redact, itemIndex: number | undefined): N8nError {
	error.message = redact(error.message);
	if (typeof error.description === 'string') error.description = redact(error.description);
	error.context.itemIndex ??= itemIndex;
	return error;
}
