import type { RestResponse } from './restTypes';
import { valueToText, isObject } from '../helpers/json';

/** Thrown if a request got no complete response. */
export class ConnectionError extends Error {
	/**
	 * @param code error code from Node.js or axios, `PROXY_ERROR_CODE`, or ERR_UNKNOWN
	 * @param whileConnecting true if the error's message shows that the connection could not be made
	 */
	constructor(
		readonly code: string,
		message: string,
		readonly whileConnecting = false,
	) {
		super(message);
	}
}

/** Thrown if a response doesn't report success. */
export class ErrorResponseError extends Error {
	constructor(readonly response: RestResponse) {
		super(`status ${response.statusCode}`);
	}
}

/** Thrown if the run was stopped before a request was sent or before its response was complete. */
export class StoppedError extends Error {
	/** @param lastFailure failure of the request's latest completed attempt, if any */
	constructor(readonly lastFailure?: FailedAttemptsError) {
		super('The run was stopped');
	}
}

/** Details of a request that ended without a usable response. */
export interface FailedAttemptsSummary {
	error: unknown;
	/** Number of attempts to send the request */
	attempts: number;
	/** Time from the start of the first attempt until the failure, in milliseconds */
	elapsedMs: number;
	/**
	 * Wait before the next attempt, in milliseconds. Set only if the request was given up because of 'Longest Retry
	 * Wait': either this wait plus the time since the first attempt is too long, or the rate limit's pause is.
	 */
	disallowedWaitMs?: number;
	/** True if an attempt may have changed something in CometChat, even if a later attempt was refused */
	mayHaveWorked: boolean;
	/** True if the request can be sent again without making its change twice */
	isRepeatable: boolean;
}

/** Thrown if none of a request's attempts got a usable response. */
export class FailedAttemptsError extends Error {
	constructor(readonly failure: FailedAttemptsSummary) {
		super('The request got no usable response');
	}
}

/** Returns the cause of a FailedAttemptsError. Returns any other failure unchanged. */
export function unwrapFailedAttemptsError(failure: unknown): unknown {
	return failure instanceof FailedAttemptsError ? failure.failure.error : failure;
}

/**
 * Returns the response of a FailedAttemptsError whose cause is an ErrorResponseError, or undefined for any other error.
 */
export function getErrorResponseOfFailedAttempts(error: unknown): RestResponse | undefined {
	const cause = error instanceof FailedAttemptsError ? unwrapFailedAttemptsError(error) : undefined;
	return cause instanceof ErrorResponseError ? cause.response : undefined;
}

/** True if the change that failed with this error may have been made anyway. */
export function requestMayHaveWorked(error: unknown): boolean {
	return error instanceof FailedAttemptsError && error.failure.mayHaveWorked;
}

/** True if repeating the request that failed with this error could make its change twice. */
export function isUnsafeToRepeat(error: unknown): boolean {
	return requestMayHaveWorked(error) && !(error as FailedAttemptsError).failure.isRepeatable;
}

/** Code of a ConnectionError caused by the proxy that n8n's environment configures. */
export const PROXY_ERROR_CODE = 'ERR_PROXY';

/**
 * Converts an error from n8n's request helper or from a response's stream. An error of the HTTP client becomes a
 * ConnectionError. Any other error comes from the credential (e.g. an invalid App ID) or from n8n itself, and becomes
 * an Error whose message is meant for the user.
 */
export function toConnectionErrorOrPlainError(error: unknown): Error {
	const { message, code, isAxiosError } = unwrapError(error);
	// OpenSSL's messages end with a line break
	const text = message.replace(/\s+/g, ' ').trim();
	if (PROXY_ERROR_PATTERN.test(text)) return new ConnectionError(PROXY_ERROR_CODE, text, true);
	if (typeof code === 'string') {
		return new ConnectionError(code, text, CONNECTING_ERROR_PATTERN.test(text));
	}
	return isAxiosError ? new ConnectionError('ERR_UNKNOWN', text) : new Error(message);
}

/**
 * Matches the error messages of n8n's proxy agent for a proxy that refused or failed to open a connection. Such
 * errors have no code.
 */
const PROXY_ERROR_PATTERN = /^Proxy connection ended before |proxy CONNECT response/;

/**
 * Matches messages of errors that occur before the server can process a request:
 *
 * - Node.js messages that start with the failed step, e.g. "connect ECONNREFUSED 127.0.0.1:443"
 * - the Node.js message for a connection that closed during the TLS handshake
 * - OpenSSL's message for a server that requires a client certificate
 */
const CONNECTING_ERROR_PATTERN =
	/^(connect|getaddrinfo) |before secure TLS connection was established|alert certificate required/;

/** Matches the message of a failed connection, with the host or the port that Node.js tried to connect to. */
const TARGET_PATTERN = /^(?:getaddrinfo \w+ (?<host>\S+)|connect \w+ \S+:(?<port>\d+))/;

/**
 * Returns a proxy error if n8n failed to connect to a host or port other than CometChat's, i.e. to a proxy.
 * Returns any other error unchanged.
 */
export function toProxyErrorIfOtherTarget(
	error: unknown,
	{ hostname, port, protocol }: URL,
): unknown {
	if (!(error instanceof ConnectionError)) return error;
	const target = TARGET_PATTERN.exec(error.message)?.groups;
	const ownPort = port || (protocol === 'http:' ? '80' : '443');
	const isOther =
		(target?.host !== undefined && target.host !== hostname) ||
		(target?.port !== undefined && target.port !== ownPort);
	return isOther ? new ConnectionError(PROXY_ERROR_CODE, error.message, true) : error;
}

interface ErrorLike {
	message: string;
	code?: unknown;
	/** True for an error of n8n's HTTP client */
	isAxiosError?: unknown;
	cause?: unknown;
	/** Inner errors of an AggregateError */
	errors?: unknown;
	/** HTTP status or network error code. Only errors created by n8n have this property */
	httpCode?: unknown;
	/** Messages of the original error. Only errors created by n8n have this property */
	messages?: unknown;
}

/**
 * Returns the original error if n8n has wrapped it in an error of its own. In many n8n versions, the wrapper has no
 * `cause`, so the original code and message are read from `httpCode` and `messages`. Returns any other error
 * unchanged.
 */
function unwrapError(error: unknown): Pick<ErrorLike, 'message' | 'code' | 'isAxiosError'> {
	if (!isErrorLike(error)) return { message: valueToText(error) };
	if (isErrorLike(error.cause)) return getFirstError(error.cause);
	const { httpCode, messages } = error;
	if (typeof httpCode !== 'string' || !/^(\d+|[A-Z][A-Z0-9_]+)$/.test(httpCode)) return error;
	const original: unknown = Array.isArray(messages) ? messages[0] : undefined;
	return {
		// Requests set `ignoreHttpStatusErrors`, so an error with a status means an incomplete response
		code: /^\d/.test(httpCode) ? 'ERR_BAD_RESPONSE' : httpCode,
		message: typeof original === 'string' ? original : error.message,
	};
}

/**
 * Returns the first inner error of an AggregateError, which Node.js throws if it tried several IP addresses. Returns
 * any other error unchanged.
 */
function getFirstError(error: ErrorLike): ErrorLike {
	const first: unknown = Array.isArray(error.errors) ? error.errors[0] : undefined;
	return isErrorLike(first) ? first : error;
}

function isErrorLike(value: unknown): value is ErrorLike {
	return (value instanceof Error || isObject(value)) && typeof value.message === 'string';
}
