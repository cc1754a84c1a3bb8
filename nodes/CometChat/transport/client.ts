import { getApiKey, getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { sendAttempt, type Connection } from './attempt';
import { SendError, StatusError } from './failure';
import { RateLimitError, StoppedError } from './limiter';
import { isSuccess } from './response';
import { computeDelayMs, isOutcomeUnknown, isRetryable, type RetryPolicy } from './retry';
import { APP_USER, type RestRequest, type RestResponse } from './types';

/** Options of a client's requests. */
export interface ClientOptions extends Connection {
	retry: RetryPolicy;
	/** Rate limit of the service that counts the requests; standard by default */
	rateLimit?: 'standard' | 'core' | 'send';
	/** Position in the queue: requests with a smaller number are sent first */
	order?: number;
}

/** Larger than the number of requests of an item. */
const MAX_PARTS = 1e8;

/** Response reported for a request that was not sent because of a rate limit. */
const NOT_SENT: RestResponse = { statusCode: 429, headers: {}, body: undefined };

/** Attempts to send a request so far. */
interface Attempts {
	count: number;
	/** Start of the first attempt */
	firstAt: number;
	/** Total time of all attempts, without the time between them */
	inFlightMs: number;
}

/** Sends the requests of an item, a poll or a webhook call. */
export class Client {
	constructor(private readonly options: ClientOptions) {}

	/**
	 * Sends a request until a response has a success status, as often as the retry policy allows. A
	 * request that a rate limit refused is sent again without counting as a failure.
	 *
	 * @param read returns a value from the response, or throws a ResponseError
	 * @param part index of the request among the requests of the item
	 * @throws SendError after the last attempt, StoppedError if the run was stopped
	 */
	async send<T>(request: RestRequest, read: (response: RestResponse) => T, part = 0): Promise<T> {
		const { limiter, retry } = this.options;
		const attempts: Attempts = { count: 0, firstAt: 0, inFlightMs: 0 };
		let error: unknown = new StatusError(NOT_SENT);
		let requiredMs: number | undefined;
		for (let failures = 0; requiredMs === undefined;) {
			let failure: unknown;
			try {
				const response = await this.sendNext(request, part, attempts);
				if (isSuccess(response)) return read(response);
				failure = new StatusError(response);
			} catch (thrown) {
				failure = thrown;
			}
			if (failure instanceof StoppedError) throw failure;
			if (failure instanceof RateLimitError) {
				({ requiredMs } = failure);
				break;
			}
			error = failure;
			if (error instanceof StatusError && error.response.statusCode === 429) continue;
			failures++;
			const { ageMs } = limiter;
			if (failures >= retry.maxAttempts || !isRetryable(request.method, error, ageMs)) break;
			const delayMs = computeDelayMs(error, failures, ageMs);
			if (ageMs - attempts.firstAt + delayMs > retry.maxWaitMs) requiredMs = delayMs;
			else await limiter.wait(delayMs);
		}
		throw new SendError({
			error,
			attempts: attempts.count,
			waitedMs: limiter.ageMs - attempts.firstAt - attempts.inFlightMs,
			requiredMs,
			outcomeUnknown: isOutcomeUnknown(request.method, error),
		});
	}

	/** Waits for the rate limit, and sends a request once. */
	private async sendNext(
		request: RestRequest,
		part: number,
		attempts: Attempts,
	): Promise<RestResponse> {
		const { limiter, retry, order = 0 } = this.options;
		const limits = listLimitKeys(this.options, request);
		const queued = await limiter.acquire(limits, order + part / MAX_PARTS, retry.maxWaitMs);
		const sentAt = limiter.ageMs;
		if (attempts.count++ === 0) attempts.firstAt = sentAt;
		let response: RestResponse | undefined;
		try {
			response = await sendAttempt(this.options, request);
			return response;
		} finally {
			attempts.inFlightMs += limiter.ageMs - sentAt;
			limiter.release(queued, response);
		}
	}
}

/**
 * Lists the keys of the rate limits that count a request. Each app has a limit per kind of request.
 * Messages count toward a limit of their sender, and toward a limit that all senders share.
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
