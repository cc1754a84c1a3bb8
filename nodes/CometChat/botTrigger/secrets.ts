import { readRefusalOfResponseOrEmpty } from '../errors/refusal';
import { isObject } from '../helpers/json';
import { createSecretRedactor, REDACTED, type Redact } from '../helpers/redact';
import {
	getErrorResponseOfFailedAttempts,
	FailedAttemptsError,
	ErrorResponseError,
} from '../transport/failure';
import { detectBodyFormat } from '../transport/response';
import type { RestResponse } from '../transport/restTypes';
import { encodeLoginAsBase64, type Login } from '../sharedByTriggers/basicAuth';

/** Creates a function that redacts a bot's password, also in an encoded Basic authentication header. */
export function createPasswordRedactor(login: Login): Redact {
	const redactPassword = createSecretRedactor(login.password);
	const redactHeader = createSecretRedactor(encodeLoginAsBase64(login));
	return (value) => redactHeader(redactPassword(value));
}

function toBodyWithCodeOnly(response: RestResponse): unknown {
	const { body } = response;
	if (!isObject(body)) return detectBodyFormat(response) === 'text' ? REDACTED : body;
	const { code = '' } = readRefusalOfResponseOrEmpty(response);
	return { error: /^\w+$/.test(code) ? { code } : {} };
}

/**
 * Removes CometChat's message and details from an error, because they could contain another owner's password. Keeps
 * a well-formed error code. Returns errors without a response unchanged.
 */
export function keepOnlyErrorCode(error: unknown): unknown {
	const refusal = getErrorResponseOfFailedAttempts(error);
	if (!refusal || !(error instanceof FailedAttemptsError)) return error;
	const response = { ...refusal, body: toBodyWithCodeOnly(refusal) };
	return new FailedAttemptsError({ ...error.failure, error: new ErrorResponseError(response) });
}
