import type { Failure } from './types';

/** Every refusal of the service: its HTTP status and what its message says. Source: the contract's error table. */
const REFUSALS = {
	ERR_BAD_REQUEST: [400, () => 'The request has parameters that are not valid.'],
	AUTH_ERR_EMPTY_APIKEY: [401, () => 'The header apikey is missing or empty.'],
	// The service repeats the key here; clients have to cope, so the sandbox does it too.
	AUTH_ERR_APIKEY_NOT_FOUND: [401, (key) => `The API key ${key} does not exist.`],
	AUTH_ERR_NO_ACCESS: [403, (key) => `The API key ${key} has no access to this resource.`],
	AUTH_ERR_INVALID_APPID: [404, () => 'The App ID is not valid in this region.'],
	ERR_API_NOT_FOUND: [404, () => 'The API endpoint does not exist.'],
	ERR_UID_NOT_FOUND: [404, (uid) => `The UID ${uid} does not exist.`],
	ERR_MESSAGE_ID_NOT_FOUND: [404, (id) => `The message ${id} does not exist.`],
	ERR_MESSAGE_NO_ACCESS: [403, (who) => `The user has no access to the message ${who}.`],
	ERR_REACTION_NOT_FOUND: [
		404,
		(id) => `The user has not made this reaction to the message ${id}.`,
	],
	ERR_TOO_MANY_REQUESTS: [429, () => 'Too many requests. Please try again later.'],
} as const satisfies Record<string, readonly [number, (subject: string) => string]>;

export type RefusalCode = keyof typeof REFUSALS;

/** An answer of the API: an HTTP status and a JSON body. */
export interface Answer {
	status: number;
	body: unknown;
}

/**
 * The answer with which the service refuses a request.
 *
 * @param subject what the message names: the key, the UID or the message id
 * @param details field → texts, for ERR_BAD_REQUEST
 */
export function refusal(
	code: RefusalCode,
	subject = '',
	details?: Record<string, string[]>,
): Answer & { body: Failure } {
	const [status, message] = REFUSALS[code];
	const error: Failure['error'] = { code, message: message(subject) };
	if (details) error.details = details;
	return { status, body: { error } };
}
