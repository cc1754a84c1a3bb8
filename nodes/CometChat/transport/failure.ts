import type { RestResponse } from './types';
import { isObject } from './json';

/** A request that got no response. `code` is that of Node.js or axios. */
export class ConnectionError extends Error {
	constructor(
		readonly code: string,
		message: string,
		/** Whether it was thrown while the connection was made, so that nothing was sent */
		readonly whileConnecting = false,
	) {
		super(message);
	}
}

/** A response with a status other than success. */
export class StatusError extends Error {
	constructor(readonly response: RestResponse) {
		super(`status ${response.statusCode}`);
	}
}

/** What is known about a request that ended without a usable response. */
export interface Failure {
	error: unknown;
	/** How often it was sent */
	attempts: number;
	/** How long was waited between the attempts, in milliseconds */
	waitedMs: number;
	/** How long the next attempt would have had to wait, in milliseconds, if 'Longest Retry Wait' forbids it */
	requiredMs?: number;
	/** Whether the service may have carried out the request, which changes something */
	outcomeUnknown: boolean;
}

/** A request that ended without a usable response, after all attempts. */
export class SendError extends Error {
	constructor(readonly failure: Failure) {
		super('The request got no usable response');
	}
}

/** Whether the service may have carried out the change that ended with this error. */
export function hasUnknownOutcome(error: unknown): boolean {
	return error instanceof SendError && error.failure.outcomeUnknown;
}

/**
 * n8n wraps what the connection threw. An error without a network code comes from the credential
 * ("App ID" is wrong) or from n8n itself, and its message is meant for the user.
 */
export function toConnectionError(error: unknown): Error {
	const { message, code, syscall } = unwrapError(error);
	if (typeof code !== 'string') return new Error(message);
	// Node.js names the step that failed, e.g. "connect ECONNREFUSED 127.0.0.1:443"
	const step = typeof syscall === 'string' ? syscall : message.split(' ', 1)[0];
	const isConnecting = ['connect', 'getaddrinfo'].includes(step) || CLOSED_EARLY.test(message);
	// OpenSSL's messages end with a line break
	return new ConnectionError(code, message.replace(/\s+/g, ' ').trim(), isConnecting);
}

/** Node.js's message when the server closes the connection during the TLS handshake. */
const CLOSED_EARLY = /before secure TLS connection was established/;

interface ErrorLike {
	message: string;
	code?: unknown;
	syscall?: unknown;
	cause?: unknown;
	/** Of an AggregateError */
	errors?: unknown;
	/** Of n8n's wrapping: a status, or the code of the connection's error */
	httpCode?: unknown;
	/** Of n8n's wrapping: what the wrapped error said */
	messages?: unknown;
}

/** The wrapped error itself; many versions of n8n keep of it only its code and its words. */
function unwrapError(error: unknown): Pick<ErrorLike, 'message' | 'code' | 'syscall'> {
	if (!isErrorLike(error)) return { message: String(error) };
	if (isErrorLike(error.cause)) return getFirstError(error.cause);
	const { httpCode, messages } = error;
	if (typeof httpCode !== 'string' || !/^(\d+|[A-Z][A-Z0-9_]+)$/.test(httpCode)) return error;
	const said: unknown = Array.isArray(messages) ? messages[0] : undefined;
	return {
		// No status is an error to n8n here: one that comes with an error is of a response that broke off
		code: /^\d/.test(httpCode) ? 'ERR_BAD_RESPONSE' : httpCode,
		message: typeof said === 'string' ? said : error.message,
	};
}

/** Node.js tries one address of a host after the other, and then throws all that came of it. */
function getFirstError(error: ErrorLike): ErrorLike {
	const [first]: unknown[] = Array.isArray(error.errors) ? error.errors : [];
	return isErrorLike(first) ? first : error;
}

function isErrorLike(value: unknown): value is ErrorLike {
	return (value instanceof Error || isObject(value)) && typeof value.message === 'string';
}
