import type { IHttpRequestMethods } from 'n8n-workflow';

import { getApiKey, getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { sendAttempt, type Connection } from './attempt';
import {
	downloadAttempt,
	type DownloadHelpers,
	type FileRequest,
	type StoredFile,
} from './download';
import { SendError, StatusError, StoppedError } from './failure';
import { RateLimitError } from './limiter';
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
export interface ClientOptions extends Connection, RequestPolicy {
	/** CometChat rate limit that the requests count toward. Default: standard. */
	rateLimit?: 'standard' | 'core' | 'send';
	/** Position in the queue: requests with a smaller number are sent first */
	order?: number;
}

/**
 * Name of the rate limit that downloads count toward, which is unlimited unless a media host responds with 429.
 */
const DOWNLOADS = 'downloads';

/** Response to report for a request that was never sent because of a rate limit. */
const NOT_SENT: RestResponse = { statusCode: 429, headers: {}, body: undefined };

/** Sends requests for an input item, a poll or a webhook call. */
export class Client {
	constructor(private readonly options: ClientOptions) {}

	/**
	 * Sends a request, and retries as the retry policy allows until a response reports success. A request that a
	 * rate limit refuses (status 429) is sent again without counting as a failed attempt.
	 *
	 * @param read function that extracts the result from the response, or throws a ResponseError
	 * @param onDoubt called when an attempt failed that may have changed something in CometChat
	 * @throws SendError after the last attempt, StoppedError if the run was stopped
	 */
	async send<T>(
		request: RestRequest,
		read: (response: RestResponse) => T,
		onDoubt = () => {},
	): Promise<T> {
		const keys = listLimitKeys(this.options, request);
		const attempt = async () => await sendAttempt(this.options, request);
		return await this.perform(request.method, keys, attempt, read, onDoubt);
	}

	/**
	 * Downloads a file into n8n's storage, and retries like `send`.
	 *
	 * @throws SendError after the last attempt, StoppedError if the run was stopped
	 */
	async download(helpers: DownloadHelpers, file: FileRequest): Promise<StoredFile> {
		const attempt = async () => await downloadAttempt(this.options, helpers, file);
		return await this.perform('GET', [DOWNLOADS], attempt, (response) => {
			if (response.file) return response.file;
			throw new StatusError(response);
		});
	}

	private async perform<R extends RestResponse, T>(
		method: IHttpRequestMethods,
		keys: string[],
		start: () => Promise<R>,
		read: (response: R) => T,
		onDoubt = () => {},
	): Promise<T> {
		const { limiter, maxAttempts, maxWaitMs, order = 0 } = this.options;
		let attempts = 0;
		/** Time at which the first attempt started, in milliseconds since the run started */
		let firstAt = 0;
		const attempt = async () => {
			if (attempts++ === 0) firstAt = limiter.ageMs;
			return await start();
		};
		/** Error of the latest attempt */
		let error: unknown;
		let requiredMs: number | undefined;
		let mayHaveWorked = false;
		let delayMs = 0;
		for (let failures = 0; requiredMs === undefined;) {
			let failure: unknown;
			try {
				if (delayMs > 0) await limiter.wait(delayMs);
				delayMs = 0;
				const response = await limiter.send(keys, order, maxWaitMs, attempt);
				if (isSuccess(response)) return read(response);
				failure = new StatusError(response);
			} catch (thrown) {
				failure = thrown;
			}
			if (failure instanceof StoppedError) throw failure;
			if (failure instanceof RateLimitError) {
				({ requiredMs } = failure);
				error ??= new StatusError(NOT_SENT);
				break;
			}
			error = failure;
			if (attemptMayHaveWorked(method, error)) {
				mayHaveWorked = true;
				onDoubt();
			}
			if (error instanceof StatusError && error.response.statusCode === 429) continue;
			failures++;
			const { ageMs } = limiter;
			if (failures >= maxAttempts || !isRetryable(method, error, ageMs)) break;
			delayMs = computeDelayMs(error, failures);
			if (ageMs - firstAt + delayMs > maxWaitMs) requiredMs = delayMs;
		}
		throw new SendError({
			error,
			attempts,
			elapsedMs: limiter.ageMs - firstAt,
			requiredMs,
			mayHaveWorked,
			isRepeatable: isRepeatable(method),
		});
	}
}

/**
 * Returns the keys of the rate limits that a request counts toward. Each app has one limit per kind of request. A
 * message counts toward its sender's limit and toward a limit shared by all senders (open question 11).
 *
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
