import { apiKeyOf, baseUrlOf } from '../../../credentials/CometChatApi.credentials';
import { sendAttempt, type Connection } from './attempt';
import { SendError, StatusError } from './failure';
import { StoppedError, RateLimitError } from './limiter';
import { createRedactor, type Redact } from './redact';
import { findRefusal } from './response';
import { computeDelayMs, isOutcomeUnknown, isRetryable, type RetryPolicy } from './retry';
import { APP_USER, type RestRequest, type RestResponse } from './types';

/** Options of all requests of an item. */
export interface ClientOptions extends Connection {
	retry: RetryPolicy;
	/** Kind of request that the service's rate limits count; standard by default */
	rateLimit?: 'standard' | 'core' | 'send';
	/** Waiting requests with a smaller number go first */
	order?: number;
}

/** Larger than the number of requests of an item. */
const MAX_PARTS = 1e8;

/** Sends the requests of one item, one poll or one webhook call. */
export class Client {
	/** Removes the API key from values that are shown or stored */
	readonly redact: Redact;

	constructor(private readonly options: ClientOptions) {
		this.redact = createRedactor(options.credentials.apiKey);
	}

	/**
	 * Sends a request until a response has a success status, as often as the retry policy allows.
	 *
	 * @param read returns a value from the response, or throws a ResponseError
	 * @param part index of the request among the requests of the item
	 * @throws SendError after the last attempt, StoppedError if the run was stopped
	 */
	async send<T>(request: RestRequest, read: (response: RestResponse) => T, part = 0): Promise<T> {
		const { limiter, retry } = this.options;
		const progress: Progress = { attempts: 0, waitedMs: 0, firstAt: 0, waitsSince: 0 };
		for (let failures = 1; ; failures++) {
			let error: unknown;
			let requiredMs: number | undefined;
			try {
				const response = await this.sendPastLimits(request, part, progress);
				const { statusCode } = response;
				if (statusCode < 200 || statusCode > 299 || findRefusal(response.body)) {
					throw new StatusError(response);
				}
				return read(response);
			} catch (thrown) {
				error = thrown;
			}
			if (error instanceof StoppedError) throw error;
			const { ageMs } = limiter;
			if (error instanceof RateLimitError) {
				({ requiredMs } = error);
				progress.waitedMs += limiter.ageMs - progress.waitsSince;
				error = new StatusError(progress.refusal ?? NOT_SENT);
			} else if (isRetryable(request.method, error, ageMs) && failures < retry.maxAttempts) {
				const delay = computeDelayMs(error, failures, ageMs);
				const spentMs = limiter.ageMs - progress.firstAt;
				if (spentMs + delay <= retry.maxWaitMs) {
					await limiter.wait(delay);
					progress.waitedMs += delay;
					continue;
				}
				requiredMs = delay;
			}
			const { attempts, waitedMs } = progress;
			const outcomeUnknown = isOutcomeUnknown(request.method, error);
			throw new SendError({ error, attempts, waitedMs, requiredMs, outcomeUnknown });
		}
	}

	/** Sends a request, and sends it again after each refusal by a rate limit. */
	private async sendPastLimits(
		request: RestRequest,
		part: number,
		progress: Progress,
	): Promise<RestResponse> {
		const { limiter, retry, order = 0 } = this.options;
		const limits = listLimitKeys(this.options, request);
		progress.refusal = undefined;
		progress.waitsSince = limiter.ageMs;
		for (;;) {
			const queued = await limiter.acquire(limits, order + part / MAX_PARTS, retry.maxWaitMs);
			if (progress.attempts++ === 0) progress.firstAt = limiter.ageMs;
			let response: RestResponse | undefined;
			try {
				response = await sendAttempt(this.options, request);
			} finally {
				limiter.release(queued, response);
			}
			if (response.statusCode !== 429) return response;
			if (progress.refusal === undefined) progress.waitsSince = limiter.ageMs;
			progress.refusal = response;
		}
	}
}

/** What has happened to a request so far. */
interface Progress {
	attempts: number;
	/** Milliseconds between attempts, apart from the wait for a rate limit */
	waitedMs: number;
	/** Time of the first attempt */
	firstAt: number;
	/** Time of the first refusal by a rate limit, or time at which the request was queued */
	waitsSince: number;
	/** Last refusal by a rate limit */
	refusal?: RestResponse;
}

/** Response reported for a request that was not sent because of a rate limit. */
const NOT_SENT: RestResponse = { statusCode: 429, headers: {}, body: undefined };

/**
 * The rate limits that count a request: one for each kind of request of an app. Messages count for
 * their sender, and for a limit that all senders of the app share.
 *
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
function listLimitKeys(
	{ credentials, rateLimit = 'standard' }: ClientOptions,
	request: RestRequest,
): string[] {
	const app = [baseUrlOf(credentials), apiKeyOf(credentials), rateLimit];
	if (rateLimit !== 'send') return [JSON.stringify(app)];
	const sender = (request.headers?.onBehalfOf ?? APP_USER).toLowerCase();
	return [JSON.stringify([...app, sender]), JSON.stringify(app)];
}
