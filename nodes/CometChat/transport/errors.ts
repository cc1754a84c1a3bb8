import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { AnswerError, describeBody } from './answer';
import { InputError } from './input';
import type { Answer } from './types';
import { isObject } from './types';

/** What happened, and what to do about it: names the field, in quotes. Both without a final period. */
interface Explanation {
	what: string;
	todo: string;
}

/** Codes of the service, from its public documentation and from clients that met them. */
const BY_CODE: Record<string, Explanation> = {
	ERR_BAD_REQUEST: {
		what: 'CometChat does not accept a value',
		todo: 'Correct the field that CometChat names',
	},
	AUTH_ERR_APIKEY_NOT_FOUND: {
		what: 'CometChat does not know the API key',
		todo: 'Check "API Key", "App ID" and "Region" in the credential',
	},
	AUTH_ERR_EMPTY_APIKEY: {
		what: 'CometChat got no API key',
		todo: 'Fill in "API Key" in the credential',
	},
	AUTH_ERR_NO_ACCESS: {
		what: 'The API key lacks full access',
		todo: 'Use a key with the fullAccess scope (the REST API Key) as "API Key" in the credential',
	},
	AUTH_ERR_INVALID_APPID: {
		what: 'There is no such app in this region',
		todo: 'Check "App ID" and "Region" in the credential',
	},
	ERR_MESSAGE_NO_ACCESS: {
		what: 'The user may not see this message',
		todo: 'Check "On Behalf Of"; a message sent within the last 3 seconds becomes visible shortly',
	},
	ERR_MESSAGE_ID_NOT_FOUND: { what: 'No message has this ID', todo: 'Check "Message ID"' },
	ERR_UID_NOT_FOUND: {
		what: 'There is no such user, or the user is deactivated',
		todo: 'Check the UID in "On Behalf Of"',
	},
	ERR_GUID_NOT_FOUND: { what: 'There is no such group', todo: 'Check the GUID' },
	ERR_API_NOT_FOUND: {
		what: 'There is nothing at this address',
		todo: 'Check "Base URL" in the credential: it ends with the version segment, e.g. /v3',
	},
	ERR_PLAN_RESTRICTION: {
		what: 'The plan of this app does not include this',
		todo: 'Change the plan in the CometChat dashboard',
	},
	ERR_PLAN_QUOTA_RESTRICTION: {
		what: 'The quota of this app is used up',
		todo: 'Wait until it is renewed, or change the plan in the CometChat dashboard',
	},
	ERR_SUBSCRIPTION_EXPIRED: {
		what: 'The subscription of this app has expired',
		todo: 'Renew it in the CometChat dashboard',
	},
	ERR_TOO_MANY_REQUESTS: {
		what: 'CometChat limits the rate of requests',
		todo: 'Raise "Max Wait" or "Max Tries" in Options, or send fewer requests at a time',
	},
};

/** When the code is missing or unknown. */
const BY_STATUS: Record<number, Explanation> = {
	400: BY_CODE.ERR_BAD_REQUEST,
	401: {
		what: 'CometChat refused the API key',
		todo: 'Check "API Key" in the credential',
	},
	403: {
		what: 'CometChat refused access',
		todo: 'Check that the credential\'s "API Key" has the fullAccess scope, and the UID in "On Behalf Of"',
	},
	404: {
		what: 'CometChat found nothing there',
		todo: 'Check "Message ID", "Reaction" and "On Behalf Of"; if they are right, "App ID", "Region" or "Base URL" in the credential',
	},
	408: { what: 'CometChat waited too long for the request', todo: 'Try again' },
	413: { what: 'The request is too large', todo: 'Shorten the filters' },
	414: { what: 'The address of the request is too long', todo: 'Shorten the filters' },
	429: BY_CODE.ERR_TOO_MANY_REQUESTS,
	500: { what: 'CometChat had a fault of its own', todo: 'Try again later' },
	502: { what: 'A gateway before CometChat got no answer', todo: 'Try again later' },
	503: { what: 'CometChat is not available right now', todo: 'Try again later' },
	504: { what: 'A gateway before CometChat waited too long', todo: 'Try again later' },
};

const REDIRECT: Explanation = {
	what: 'The address answers with a redirect, which is not followed, so that the key goes nowhere else',
	todo: 'Check "App ID" and "Region", or "Base URL", in the credential',
};

const UNKNOWN: Explanation = {
	what: 'CometChat did not carry out the request',
	todo: 'See what CometChat says',
};

/** Codes of Node.js and axios for connections that did not work out. */
const BY_NETWORK_CODE: Record<string, Explanation> = {
	ECONNREFUSED: {
		what: 'The service refused the connection',
		todo: 'Check "Base URL" in the credential, and that the service runs',
	},
	ENOTFOUND: {
		what: 'The host of the service does not exist',
		todo: 'Check "App ID" and "Region", or "Base URL", in the credential',
	},
	EAI_AGAIN: { what: 'The host name could not be looked up', todo: 'Check the network of n8n' },
	ECONNABORTED: {
		what: 'The answer did not come in time',
		todo: 'Raise "Timeout" in the Request Options of the node',
	},
	ETIMEDOUT: {
		what: 'The service did not answer in time',
		todo: 'Raise "Timeout" in the Request Options of the node, or try again later',
	},
};

const CUT: Explanation = {
	what: 'The connection was cut before the answer was complete',
	todo: 'Try again later',
};

/** A request that got no answer at all. `code` is that of Node.js or axios. */
export class ConnectionError extends Error {
	constructor(
		readonly code: string,
		message: string,
	) {
		super(message);
	}
}

/** An answer with a status other than success. */
export class StatusError extends Error {
	constructor(readonly answer: Answer) {
		super(`status ${answer.statusCode}`);
	}
}

/** What is known about a request that ended without a good answer. */
export interface Failure {
	error: unknown;
	/** How often it was sent */
	tries: number;
	/** How long was waited between the tries, in milliseconds */
	waitedMs: number;
	/** How long the next try would have had to wait, in milliseconds, when "Max Wait" forbade it */
	forbiddenMs?: number;
	/** Whether the service may have carried out what the failing request asked for */
	maybeDone: boolean;
}

/** A request that ended without a good answer, after all tries. */
export class SendError extends Error {
	constructor(readonly failure: Failure) {
		super('The request got no good answer');
	}
}

function failureOf(error: unknown): Failure {
	return error instanceof SendError
		? error.failure
		: { error, tries: 0, waitedMs: 0, maybeDone: false };
}

interface ServiceError {
	code?: string;
	message?: string;
	devMessage?: string;
	details?: string;
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** `{limit: ['must be a number']}` as `limit: must be a number`. */
function readableDetails(details: unknown): string | undefined {
	if (!isObject(details)) return textOf(details);
	const lines = Object.entries(details).map(([field, texts]) => {
		const words = Array.isArray(texts) ? texts.map(String).join(', ') : String(texts);
		return `${field}: ${words}`;
	});
	return lines.length > 0 ? lines.join('; ') : undefined;
}

function serviceErrorOf({ body }: Answer): ServiceError {
	const error = isObject(body) && isObject(body.error) ? body.error : {};
	return {
		code: textOf(error.code),
		message: textOf(error.message),
		devMessage: textOf(error.devMessage),
		details: readableDetails(error.details),
	};
}

/** A code may be any text, also one that names something every object has, such as "toString". */
function entryOf<T>(table: Record<string, T>, code: string | undefined): T | undefined {
	return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}

function explainAnswer(answer: Answer, service: ServiceError): Explanation {
	const { statusCode } = answer;
	const byCode = entryOf(BY_CODE, service.code);
	if (byCode) return byCode;
	if (statusCode >= 300 && statusCode < 400) return REDIRECT;
	return BY_STATUS[statusCode] ?? (statusCode >= 500 ? BY_STATUS[500] : UNKNOWN);
}

function sentences(...parts: Array<string | undefined>): string {
	return parts
		.filter((part): part is string => part !== undefined && part !== '')
		.map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`))
		.join(' ');
}

function seconds(ms: number): string {
	return `${Math.round(ms / 100) / 10} s`;
}

function triesText({ tries, waitedMs, forbiddenMs }: Failure): string | undefined {
	const forbidden =
		forbiddenMs === undefined ? '' : `${seconds(forbiddenMs)}, longer than "Max Wait" allows`;
	if (tries === 0 && forbidden) return `This request was not sent: the limit lasts ${forbidden}`;
	if (tries < 2 && waitedMs === 0 && !forbidden) return undefined;
	const given = `Gave up after ${tries} ${tries === 1 ? 'try' : 'tries'} and ${seconds(waitedMs)} of waiting`;
	return forbidden ? `${given}: the next try would have to wait ${forbidden}` : given;
}

const MAYBE_DONE =
	'Whether it was carried out is not known: look at the message before you run this item again';

interface ErrorTexts {
	message: string;
	description?: string;
	httpCode?: string;
	response: JsonObject;
}

function textsOfStatus(error: StatusError, failure: Failure): ErrorTexts {
	const { answer } = error;
	const service = serviceErrorOf(answer);
	const { what, todo } = explainAnswer(answer, service);
	const said = service.message ?? service.code;
	const quoted = said
		? `CometChat says: ${[service.code, service.message].filter(Boolean).join(': ')}`
		: `It answered ${describeBody(answer)} with status ${answer.statusCode}`;
	const tries = triesText(failure);
	return {
		// An agent sees only the message, so it holds the details of a refused value too
		message: sentences(
			`${what}: ${lowerFirst(failure.maybeDone ? MAYBE_DONE : todo)}`,
			tries,
			quoted,
			service.details,
		),
		description: sentences(
			todo,
			service.details && `CometChat names: ${service.details}`,
			service.devMessage,
		),
		httpCode: String(answer.statusCode),
		response: {
			statusCode: answer.statusCode,
			...(isObject(answer.body) ? { body: answer.body as JsonObject } : {}),
		},
	};
}

function textsOfConnection(error: ConnectionError, failure: Failure): ErrorTexts {
	const { what, todo } = entryOf(BY_NETWORK_CODE, error.code) ?? CUT;
	return {
		message: sentences(
			`${what}: ${lowerFirst(failure.maybeDone ? MAYBE_DONE : todo)}`,
			triesText(failure),
		),
		description: sentences(todo, `${error.message} (${error.code})`),
		httpCode: error.code,
		response: { code: error.code, message: error.message },
	};
}

function textsOfAnswer(error: AnswerError, failure: Failure): ErrorTexts {
	const todo =
		'Check "App ID" and "Region", or "Base URL", in the credential, and what stands between n8n and CometChat';
	return {
		message: sentences(
			`${error.message}: ${lowerFirst(failure.maybeDone ? MAYBE_DONE : todo)}`,
			triesText(failure),
		),
		description: sentences(todo),
		httpCode: String(error.answer.statusCode),
		response: { statusCode: error.answer.statusCode },
	};
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}

function apiTexts(failure: Failure): ErrorTexts | undefined {
	const { error } = failure;
	if (error instanceof StatusError) return textsOfStatus(error, failure);
	if (error instanceof ConnectionError) return textsOfConnection(error, failure);
	if (error instanceof AnswerError) return textsOfAnswer(error, failure);
	return undefined;
}

/**
 * Makes the error that n8n shows and stores. Its `message` alone says what happened, which field to
 * change and what the service said, because an AI agent sees nothing else.
 *
 * @param cause whatever was thrown while the request was made
 * @param redact takes the API key out of every text
 * @param addition said after the message, e.g. which pages came
 * @returns a NodeApiError for what the service or the connection did, else a NodeOperationError
 */
export function toNodeError(
	node: INode,
	cause: unknown,
	{
		redact,
		itemIndex,
		addition,
	}: { redact: <T>(value: T) => T; itemIndex?: number; addition?: string },
): NodeApiError | NodeOperationError {
	const failure = failureOf(cause);
	const texts = apiTexts(failure);
	if (texts) {
		const message = redact(sentences(texts.message, addition));
		const nodeError = new NodeApiError(node, redact(texts.response), {
			message,
			description: redact(texts.description),
			httpCode: texts.httpCode,
			itemIndex,
		});
		// n8n replaces a message that happens to contain a code of Node.js: ours says more
		nodeError.message = message;
		return nodeError;
	}
	const { error } = failure;
	const message = redact(
		sentences(error instanceof Error ? error.message : String(error), inputAdvice(error), addition),
	);
	const nodeError = new NodeOperationError(node, message, {
		itemIndex,
	});
	nodeError.message = message;
	return nodeError;
}

function inputAdvice(error: unknown): string | undefined {
	return error instanceof InputError ? error.advice : undefined;
}

/**
 * The item that stands for a failed one when the workflow goes on. It has no second field: most
 * versions of n8n send only an item with a lone `error` to the error output, and a `message` beside
 * it would overwrite the input's.
 */
export function errorItem({ message }: NodeApiError | NodeOperationError): IDataObject {
	return { error: message };
}
