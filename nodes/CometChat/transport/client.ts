import type { IHttpRequestMethods } from 'n8n-workflow';

import { getApiKey, getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { sendAttempt, type AttemptOptions } from './attempt';
import {
	downloadAttempt,
	type DownloadHelpers,
	type FileRequest,
	type StoredFile,
} from './download';
import { RequestError, ErrorResponseError, StoppedError } from './failure';
import { WaitTooLongError } from './limiter';
import { isSuccess } from './response';
import {
	attemptMayHaveWorked,
	computeDelayMs,
	isRepeatable,
	isRetryable,
	type RequestPolicy,
} from './retry';
import { APP_USER, type RestRequest, type RestResponse } from './types';

/** Options for all requests that a client sends. */
export interface ClientOptions extends AttemptOptions, RequestPolicy {
	/** CometChat rate limit that all requests except downloads count toward. Default: standard. */
	rateLimit?: 'standard' | 'core' | 'send';
	/** Position in the queue: requests with a smaller number are sent first */
	queuePosition?: number;
}

/** Name of the rate limit that all downloads in the process share, whatever their app and host. */
const DOWNLOADS = 'downloads';

/** Response to report for a request that was never sent because of a rate limit. */
const REFUSED_BY_LIMITER: RestResponse = { statusCode: 429, headers: {}, body: undefined };

/** Outcome of a request after all its attempts. */
export interface SendOutcome<T> {
	/** Return value of `read`. Undefined if the request failed. */
	value?: T;
	/** A RequestError after the last attempt, or a StoppedError if the run was stopped */
	failure?: Error;
	/** True if a failed attempt may have changed something in CometChat, whatever a later attempt did */
	doubt: boolean;
}

/** Returns the value that a request's response contained, or throws the request's failure. */
export function getValueOrThrow<T>({ value, failure }: SendOutcome<T>): T {
	if (failure !== undefined) throw failure;
	return value as T;
}

/** Sends requests for an input item, a poll, a webhook call, a picker, or a workflow that is being published. */
export class Client {
	constructor(private readonly options: ClientOptions) {}

	/**
	 * Sends a request, and retries as the retry policy allows until a response reports success. A request that a
	 * rate limit refuses (status 429) is sent again without counting as a failed attempt.
	 *
	 * @param read function that extracts the result from the response, or throws an UnusableResponseError
	 * @throws RequestError after the last attempt, StoppedError if the run was stopped, or an Error with a message for
	 * the user if the credential is invalid
	 */
	async send<T>(request: RestRequest, read: (response: RestResponse) => T): Promise<T> {
		return getValueOrThrow(await this.trySend(request, read));
	}

	/**
	 * Sends a request like `send`, but returns a RequestError or StoppedError instead of throwing it. Also reports if a
	 * failed attempt may have changed something.
	 *
	 * @throws Error with a message for the user if the credential is invalid
	 */
	async trySend<T>(
		request: RestRequest,
		read: (response: RestResponse) => T,
	): Promise<SendOutcome<T>> {
		const keys = listLimitKeys(this.options, request);
		const attempt = () => sendAttempt(this.options, request);
		return await this.perform(request.method, keys, attempt, read);
	}

	/**
	 * Downloads a file into n8n's storage, and retries like `send`.
	 *
	 * @throws RequestError after the last attempt, StoppedError if the run was stopped
	 */
	async download(helpers: DownloadHelpers, file: FileRequest): Promise<StoredFile> {
		const attempt = () => downloadAttempt(this.options, helpers, file);
		const outcome = await this.perform('GET', [DOWNLOADS], attempt, (response) => {
			if (response.file) return response.file;
			throw new ErrorResponseError(response);
		});
		return getValueOrThrow(outcome);
	}

	private async perform<R extends RestResponse, T>(
		method: IHttpRequestMethods,
		keys: string[],
		start: () => Promise<R>,
		read: (response: R) => T,
	): Promise<SendOutcome<T>> {
		const { limiter, maxAttempts, maxWaitMs, queuePosition = 0 } = this.options;
		let attempts = 0;
		/** Time at which the first attempt started, in milliseconds since the run started */
		let firstAt = 0;
		const attempt = () => {
			if (attempts++ === 0) firstAt = limiter.ageMs;
			return start();
		};
		/** Error of the latest attempt */
		let error: unknown;
		let disallowedWaitMs: number | undefined;
		let doubt = false;
		let delayMs = 0;
		const createError = () =>
			new RequestError({
				error,
				attempts,
				elapsedMs: limiter.ageMs - firstAt,
				disallowedWaitMs,
				mayHaveWorked: doubt,
				isRepeatable: isRepeatable(method),
			});
		for (let failures = 0; disallowedWaitMs === undefined;) {
			let failure: unknown;
			try {
				if (delayMs > 0) await limiter.wait(delayMs);
				delayMs = 0;
				const response = await limiter.send(keys, queuePosition, maxWaitMs, attempt);
				if (isSuccess(response)) return { value: read(response), doubt };
				failure = new ErrorResponseError(response);
			} catch (thrown) {
				failure = thrown;
			}
			if (failure instanceof StoppedError) {
				const lastFailure = error === undefined ? undefined : createError();
				return { failure: new StoppedError(lastFailure), doubt };
			}
			if (failure instanceof WaitTooLongError) {
				({ disallowedWaitMs } = failure);
				error ??= new ErrorResponseError(REFUSED_BY_LIMITER);
				break;
			}
			error = failure;
			doubt ||= attemptMayHaveWorked(method, error);
			if (error instanceof ErrorResponseError && error.response.statusCode === 429) continue;
			failures++;
			const { ageMs } = limiter;
			if (failures >= maxAttempts || !isRetryable(method, error, ageMs)) break;
			delayMs = computeDelayMs(error, failures);
			if (ageMs - firstAt + delayMs > maxWaitMs) disallowedWaitMs = delayMs;
		}
		return { failure: createError(), doubt };
	}
}

/**
 * Returns the keys of the rate limits that a request counts toward. Each app has one limit per kind of request. A
 * message counts toward its sender's limit and toward a limit shared by all senders (open question 11).
 *
 * @throws Error with a message for the user if the credential is invalid
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
function listLimitKeys(
	{ credentials, rateLimit = 'standard' }: ClientOptions,
	request: RestRequest,
): string[] {
	const app = [getBaseUrl(credentials), getApiKey(credentials), rateLimit];
	if (rateLimit !== 'send') return [JSON.stringify(app)];
	const sender = (request.headers?.onBehalfOf ?? APP_USER).toLowerCase();
	return [JSON.stringify([...app, sender]), JSON.stringify(app)];
}
