import type { IHttpRequestMethods } from 'n8n-workflow';

import { getCheckedApiKey, getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { fetchResponseOnce, type SendingContext } from './attempt';
import {
	attemptDownloadOrReadNextUrl,
	checkFileUrlAndReportHost,
	type DownloadHelpers,
	type FileToDownload,
	type FileInN8nStorage,
} from './download';
import { NonRetryableDownloadError } from './downloadError';
import { parseHttpUrl } from './fileHosts';
import { FailedAttemptsError, ErrorResponseError, StoppedError } from './failure';
import { WaitTooLongError } from './limiter';
import { isSuccessWithoutError } from './response';
import {
	attemptMayHaveWorked,
	computeDelayMs,
	isIdempotentMethod,
	isRetryable,
	type RequestPolicy,
} from './retry';
import { APP_USER_UID, type RestRequest, type RestResponse } from './restTypes';

/** Options for all requests that a client sends. */
export interface ClientOptions extends SendingContext, RequestPolicy {
	/** CometChat rate limit that the requests count toward. Ignored for downloads. Default: standard. */
	rateLimit?: 'standard' | 'core' | 'send';
	/** Position in the queue: requests with a smaller number are sent first */
	queuePosition?: number;
}

/** Maximum number of addresses to request for one file, including redirect targets. */
const MAX_ADDRESSES = 4;

/** Substitute for the response to a request that was never sent, because its rate limit lasts too long. */
const REFUSED_BY_LIMITER: RestResponse = { statusCode: 429, headers: {}, body: undefined };

/** Outcome of a request after all its attempts. */
export interface OutcomeOfAllAttempts<T> {
	/** Return value of `read`. Undefined if the request failed. */
	value?: T;
	/** A FailedAttemptsError after the last attempt, or a StoppedError if the run was stopped */
	failure?: Error;
	/** True if a failed attempt may have changed something in CometChat, even if a later attempt succeeded */
	failedAttemptMayHaveWorked: boolean;
}

/** Returns a request's value, or throws its failure. */
export function getValueOrThrow<T>({ value, failure }: OutcomeOfAllAttempts<T>): T {
	if (failure !== undefined) throw failure;
	return value as T;
}

/** Sends requests to CometChat, with retries. Each input item, poll or webhook call has its own client. */
export class Client {
	constructor(private readonly options: ClientOptions) {}

	/**
	 * Sends a request, and retries within the limits of `RequestPolicy` until a response reports success. A refusal by
	 * a rate limit (status 429) doesn't count as a failed attempt.
	 *
	 * @param read function that extracts the result from the response, or throws an UnusableResponseError
	 * @throws FailedAttemptsError after the last attempt, StoppedError if the run was stopped, or an Error with a message
	 * for the user if the credential is invalid
	 */
	async sendAndRead<T>(request: RestRequest, read: (response: RestResponse) => T): Promise<T> {
		return getValueOrThrow(await this.sendAndReadAsOutcome(request, read));
	}

	/**
	 * Sends a request like `sendAndRead`, but returns a FailedAttemptsError or StoppedError instead of throwing it. Also
	 * reports whether a failed attempt may have changed something.
	 *
	 * @throws Error with a message for the user if the credential is invalid
	 */
	async sendAndReadAsOutcome<T>(
		request: RestRequest,
		read: (response: RestResponse) => T,
	): Promise<OutcomeOfAllAttempts<T>> {
		const key = findLimitKey(this.options, request);
		const attempt = () => fetchResponseOnce(this.options, request);
		return await this.runAttemptsAndReturnOutcome(request.method, key, attempt, (response) => {
			if (isSuccessWithoutError(response)) return read(response);
			throw new ErrorResponseError(response);
		});
	}

	/**
	 * Downloads a file into n8n's storage, and retries like `sendAndRead`. Each address is checked before the request,
	 * because a redirect can lead to any host.
	 *
	 * @throws FailedAttemptsError after the last attempt, NonRetryableDownloadError if an address isn't allowed or
	 * redirects too often, StoppedError if the run was stopped
	 */
	async downloadIntoStorage(
		helpers: DownloadHelpers,
		file: FileToDownload,
	): Promise<FileInN8nStorage> {
		let url = parseHttpUrl(file.url);
		for (let count = 0; count < MAX_ADDRESSES; count++) {
			const host = checkFileUrlAndReportHost(url, this.options.credentials, file);
			// Each host has its own rate limit, regardless of the credential
			const key = `download ${host.name}`;
			const attempt = () => attemptDownloadOrReadNextUrl(this.options, helpers, file, host);
			const outcome = await this.runAttemptsAndReturnOutcome('GET', key, attempt, (response) => {
				if (response.file ?? response.next) return response;
				throw new ErrorResponseError(response);
			});
			const { file: stored, next } = getValueOrThrow(outcome);
			if (stored) return stored;
			url = next;
		}
		throw new NonRetryableDownloadError('redirects');
	}

	private async runAttemptsAndReturnOutcome<R extends RestResponse, T>(
		method: IHttpRequestMethods,
		key: string,
		start: () => Promise<R>,
		read: (response: R) => T,
	): Promise<OutcomeOfAllAttempts<T>> {
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
		let failedAttemptMayHaveWorked = false;
		let delayMs = 0;
		const createError = () =>
			new FailedAttemptsError({
				error,
				attempts,
				elapsedMs: limiter.ageMs - firstAt,
				disallowedWaitMs,
				mayHaveWorked: failedAttemptMayHaveWorked,
				isRepeatable: isIdempotentMethod(method),
			});
		for (let failures = 0; disallowedWaitMs === undefined;) {
			let failure: unknown;
			try {
				if (delayMs > 0) await limiter.sleepUnlessStopped(delayMs);
				delayMs = 0;
				const response = await limiter.send(key, queuePosition, maxWaitMs, attempt);
				return { value: read(response), failedAttemptMayHaveWorked };
			} catch (thrown) {
				failure = thrown;
			}
			if (failure instanceof StoppedError) {
				const lastFailure = error === undefined ? undefined : createError();
				return { failure: new StoppedError(lastFailure), failedAttemptMayHaveWorked };
			}
			if (failure instanceof WaitTooLongError) {
				({ disallowedWaitMs } = failure);
				error ??= new ErrorResponseError(REFUSED_BY_LIMITER);
				break;
			}
			error = failure;
			failedAttemptMayHaveWorked ||= attemptMayHaveWorked(method, error);
			if (error instanceof ErrorResponseError && error.response.statusCode === 429) continue;
			failures++;
			const { ageMs } = limiter;
			if (failures >= maxAttempts || !isRetryable(method, error, ageMs)) break;
			delayMs = computeDelayMs(error, failures);
			if (ageMs - firstAt + delayMs > maxWaitMs) disallowedWaitMs = delayMs;
		}
		return { failure: createError(), failedAttemptMayHaveWorked };
	}
}

/**
 * Returns the key of the rate limit that a request counts toward. Each app has one limit per kind of request, except
 * that sent messages have one limit per sender (open question 11). CometChat may also limit the messages of all
 * senders together. Such a limit isn't tracked. A message that it refuses is sent again.
 *
 * @throws Error with a message for the user if the credential is invalid
 *
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
function findLimitKey(
	{ credentials, rateLimit = 'standard' }: ClientOptions,
	request: RestRequest,
): string {
	const sender = (request.headers?.onBehalfOf ?? APP_USER_UID).toLowerCase();
	const limit = rateLimit === 'send' ? [rateLimit, sender] : [rateLimit];
	return JSON.stringify([getBaseUrl(credentials), getCheckedApiKey(credentials), ...limit]);
}
