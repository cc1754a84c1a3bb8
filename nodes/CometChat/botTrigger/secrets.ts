import { readServiceWords } from '../errors/serviceWords';
import { isObject, toJson } from '../helpers/json';
import { createRedactor, REDACTED, type Redact } from '../helpers/redact';
import { getRefusal, SendError, StatusError } from '../transport/failure';
import { classifyBody } from '../transport/response';
import type { RestResponse } from '../transport/types';
import { encodeLogin, type Login } from './login';

/**
 * Creates a function that redacts a bot's password, also inside the header for Basic authentication. A password
 * that is too short to be searched for is redacted only as the value of a property `password`.
 */
export function createLoginRedactor(login: Login): Redact {
	const { password } = login;
	const redactPassword = createRedactor(password);
	const redactHeader = createRedactor(encodeLogin(login));
	const redactProperty = (name: string, value: unknown): unknown =>
		name === 'password' && value === password ? REDACTED : value;
	return (value) => {
		const redacted = redactHeader(redactPassword(value));
		const json = toJson(redacted);
		if (password === '' || !json?.includes('"password"')) return redacted;
		return JSON.parse(json, redactProperty) as typeof value;
	};
}

/** Passwords that can be found in any text: not too short, and without characters that JSON or HTML can escape. */
const FINDABLE = /^[\w.!*~-]{8,}$/;

/**
 * True if a text that may repeat a bot's password can be shown after `createLoginRedactor` has redacted it.
 *
 * @param login login of the bot, or undefined if the login is unknown
 */
export const isRedactable = (login: Login | undefined): boolean =>
	login !== undefined && (login.password === '' || FINDABLE.test(login.password));

function withoutWords(response: RestResponse): unknown {
	const { body } = response;
	if (!isObject(body)) return classifyBody(response) === 'text' ? REDACTED : body;
	const { code = '' } = readServiceWords(response);
	return { error: /^\w+$/.test(code) ? { code } : {} };
}

/** Removes CometChat's words from a refusal, except the error code. Returns any other error unchanged. */
export function removeWords(error: unknown): unknown {
	const refusal = getRefusal(error);
	if (!refusal || !(error instanceof SendError)) return error;
	const response = { ...refusal, body: withoutWords(refusal) };
	return new SendError({ ...error.failure, error: new StatusError(response) });
}
