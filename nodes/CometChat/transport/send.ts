import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

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
	let firstSentAt: number | undefined;
	let failedAt: number | undefined;
	let waitedMs = 0;
	const mayWait = (ms: number) => {
		const spent = firstSentAt === undefined ? 0 : Date.now() - firstSentAt;
		return spent + ms <= patience.maxWaitMs;
	};
	const countWait = () => {
		if (failedAt !== undefined) waitedMs += Date.now() - failedAt;
	};
	const attempt = async () => {
		if (channel.isWanted?.() === false) throw new StoppedError();
		firstSentAt ??= Date.now();
		countWait();
		return await sendOnce(channel, request);
	};
	let lastError: unknown = new StatusError(NOT_SENT);
	for (let tries = 1; ; tries++) {
		const { answer, error } = await settle(
			pace.run(attempt, tries > 1, mayWait).then((sent) => ({ read: read(sent) })),
		);
		if (answer) return answer.read;
		if (error instanceof StoppedError || isCancelled(error)) throw new StoppedError();
		if (error instanceof WaitTooLongError) {
			countWait();
			const known = { error: lastError, tries: tries - 1, waitedMs, maybeDone: false };
			throw new SendError({ ...known, forbiddenMs: error.waitMs });
		}
		lastError = error;
		failedAt = Date.now();
		const wait = delayMs(error, tries);
		if (isRateLimit(error)) pace.pause(wait);
		const retry = isWorthRetrying(request.method, error) && tries < patience.maxTries;
		if (!retry || !mayWait(wait) || pace.stopped) {
			const maybeDone = mayBeDone(request.method, error);
			const forbiddenMs = retry && !mayWait(wait) ? wait : undefined;
			throw new SendError({ error, tries, waitedMs, forbiddenMs, maybeDone });
		}
		if (!isRateLimit(error)) await pace.wait(wait);
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

/** What is reported for an item that was not sent at all because of another item's rate limit. */
const NOT_SENT: Answer = {
	statusCode: 429,
	headers: {},
	body: { error: { code: 'ERR_TOO_MANY_REQUESTS' } },
};

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
	const cause = isErrorLike(error) && isErrorLike(error.cause) ? error.cause : error;
	const message = isErrorLike(cause) ? cause.message : String(cause);
	const code = isErrorLike(cause) ? cause.code : undefined;
	return typeof code === 'string' ? new ConnectionError(code, message) : new Error(message);
}

function isErrorLike(
	value: unknown,
): value is { message: string; code?: unknown; cause?: unknown } {
	return (value instanceof Error || isObject(value)) && typeof value.message === 'string';
}
