import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { Failure } from './errors';
import { ConnectionError, SendError, StatusError } from './errors';
import type { Pace } from './pace';
import { StoppedError, WaitTooLongError } from './pace';
import type { Patience } from './retry';
import { delayMs, isRateLimit, isWorthRetrying, mayBeDone } from './retry';
import type { Answer, RequestContext, RestRequest } from './types';
import { isObject } from './types';

export const CREDENTIAL = 'cometChatApi';

/** What all requests of one item have in common. */
export interface Channel {
	context: RequestContext;
	/** Read once per item: n8n would look them up for every request */
	credentials: ICredentialDataDecryptedObject;
	/** Timeout, proxy and the like, as n8n's own options set them */
	settings: Partial<IHttpRequestOptions>;
	pace: Pace;
	patience: Patience;
	/** Whether the answer is still of use: a page fetched ahead may turn out not to be */
	isWanted?: () => boolean;
}

/** What is reported for an item that was not sent at all because of another item's rate limit. */
const NOT_SENT: Answer = {
	statusCode: 429,
	headers: {},
	body: { error: { code: 'ERR_TOO_MANY_REQUESTS' } },
};

/** The tries of one request, and how long they have taken. */
class Tries {
	/** How often it was sent */
	count = 0;

	/** How long to wait before the next try, in milliseconds */
	delayMs = 0;

	private waitedMs = 0;

	private firstAt: number | undefined;

	private waitingSince: number | undefined;

	private lastError: unknown;

	constructor(private readonly patience: Patience) {}

	/** Whether so many milliseconds of waiting are within the patience of the item. */
	readonly mayWait = (ms: number): boolean => {
		const spent = this.firstAt === undefined ? 0 : Date.now() - this.firstAt;
		return spent + ms <= this.patience.maxWaitMs;
	};

	begin(): void {
		this.count++;
		this.firstAt ??= Date.now();
		this.endWait();
	}

	failed(error: unknown): void {
		this.lastError = error;
		this.delayMs = delayMs(error, this.count);
	}

	/** The next try comes later. */
	startWait(): void {
		this.waitingSince = Date.now();
	}

	/** @param forbiddenMs the wait for which there is no patience left */
	givenUp({ error, maybeDone = false, forbiddenMs }: Partial<Failure>): SendError {
		this.endWait();
		return new SendError({
			error: error ?? this.lastError ?? new StatusError(NOT_SENT),
			tries: this.count,
			waitedMs: this.waitedMs,
			forbiddenMs,
			maybeDone,
		});
	}

	private endWait(): void {
		if (this.waitingSince !== undefined) this.waitedMs += Date.now() - this.waitingSince;
		this.waitingSince = undefined;
	}
}

/**
 * Sends a request until it gets an answer with a status of success, within the patience of the
 * item and at the pace of the run.
 *
 * @param read takes what is needed out of the answer, or throws an AnswerError
 * @throws SendError when it gives up, StoppedError when the run was stopped
 */
export async function send<T>(
	channel: Channel,
	request: RestRequest,
	read: (answer: Answer) => T,
): Promise<T> {
	const { pace, patience } = channel;
	const tries = new Tries(patience);
	const attempt = async () => {
		if (channel.isWanted?.() === false) throw new StoppedError();
		tries.begin();
		return await sendOnce(channel, request).catch((error: unknown) => {
			tries.failed(error);
			// Before this request makes room for the next one, which would be sent in vain
			if (isRateLimit(error)) pace.pause(tries.delayMs);
			throw error;
		});
	};
	for (;;) {
		const { answer, error } = await settle(
			pace.run(attempt, tries.count > 0, tries.mayWait).then((sent) => ({ read: read(sent) })),
		);
		if (answer) return answer.read;
		if (error instanceof StoppedError || isCancelled(error)) throw new StoppedError();
		if (error instanceof WaitTooLongError) throw tries.givenUp({ forbiddenMs: error.waitMs });
		if (!isWorthRetrying(request.method, error) || tries.count >= patience.maxTries) {
			throw tries.givenUp({ error, maybeDone: mayBeDone(request.method, error) });
		}
		if (!tries.mayWait(tries.delayMs)) throw tries.givenUp({ forbiddenMs: tries.delayMs });
		tries.startWait();
		if (!isRateLimit(error)) await pace.wait(tries.delayMs);
	}
}

/** axios: the user stopped the execution while the request was under way. */
function isCancelled(error: unknown): boolean {
	return error instanceof ConnectionError && error.code === 'ERR_CANCELED';
}

async function settle<T>(promise: Promise<T>): Promise<{ answer?: T; error?: unknown }> {
	return await promise.then(
		(answer) => ({ answer }),
		(error: unknown) => ({ error }),
	);
}

async function sendOnce(channel: Channel, request: RestRequest): Promise<Answer> {
	const { context, credentials, pace } = channel;
	let response: IN8nHttpFullResponse;
	try {
		response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			httpOptions(channel, request),
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credentials } },
		)) as IN8nHttpFullResponse;
	} catch (error) {
		throw connectionErrorOf(error);
	}
	const { statusCode, headers, body } = response;
	const answer: Answer = { statusCode, headers: headers as IDataObject, body };
	// A refusal such as 404 passed the rate limit too
	if (statusCode !== 429 && statusCode < 500) pace.taken();
	if (statusCode < 200 || statusCode > 299) throw new StatusError(answer);
	return answer;
}

function httpOptions({ settings }: Channel, request: RestRequest): IHttpRequestOptions {
	const { method, path, query, onBehalfOf } = request;
	return {
		...settings,
		method,
		url: path,
		qs: query,
		headers: onBehalfOf === undefined ? {} : { onBehalfOf },
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * n8n wraps what the connection threw. An error without a network code comes from the credential
 * ("App ID" is wrong) or from n8n itself, and its message is meant for the user.
 */
function connectionErrorOf(error: unknown): Error {
	const { message, code } = thrownBy(error);
	return typeof code === 'string' ? new ConnectionError(code, message) : new Error(message);
}

interface ErrorLike {
	message: string;
	code?: unknown;
	cause?: unknown;
	/** Of n8n's wrapping: a status, or the code of the connection's error */
	httpCode?: unknown;
	/** Of n8n's wrapping: what the wrapped error said */
	messages?: unknown;
}

/** The wrapped error itself; many versions of n8n keep of it only its code and its words. */
function thrownBy(error: unknown): Pick<ErrorLike, 'message' | 'code'> {
	if (!isErrorLike(error)) return { message: String(error) };
	if (isErrorLike(error.cause)) return error.cause;
	const { httpCode, messages } = error;
	if (typeof httpCode !== 'string' || !/^(\d+|E[A-Z_]+)$/.test(httpCode)) return error;
	const said: unknown = Array.isArray(messages) ? messages[0] : undefined;
	return {
		// No status is an error to n8n here: one that comes with an error is of an answer that broke off
		code: /^\d/.test(httpCode) ? 'ERR_BAD_RESPONSE' : httpCode,
		message: typeof said === 'string' ? said : error.message,
	};
}

function isErrorLike(value: unknown): value is ErrorLike {
	return (value instanceof Error || isObject(value)) && typeof value.message === 'string';
}
