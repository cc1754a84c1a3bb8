import { apiKeyOf, baseUrlOf } from '../../../credentials/CometChatApi.credentials';
import { attemptOnce, type Connection } from './attempt';
import { systemClock } from './clock';
import { SendError, StatusError } from './failure';
import { StoppedError, RateLimitError } from './limiter';
import { redactor, type Redact } from './redact';
import { refusalIn } from './response';
import { delayMs, isOutcomeUnknown, isRetryable, type RetryPolicy } from './retry';
import { APP_USER, type RestRequest, type RestResponse } from './types';

/** What is reported for an item that was not sent, because the rate limit of others lasts too long. */
const NOT_SENT: RestResponse = { statusCode: 429, headers: {}, body: undefined };

/** What all requests of one item have in common. */
export interface ClientOptions extends Connection {
	retry: RetryPolicy;
	/** Which of the service's rate limits it counts for; the standard one by default */
	kind?: 'core' | 'send';
	/** Place among the others that wait: the smaller goes first */
	order?: number;
}

/** More requests than an item has. */
const MAX_PARTS = 1e8;

/** The service, for one item of a run, one poll, or one other call: handed down to whatever sends. */
export class Client {
	/** Takes the key out of everything that is shown or stored */
	readonly redact: Redact;

	constructor(private readonly options: ClientOptions) {
		this.redact = redactor(options.credentials.apiKey);
	}

	/**
	 * Sends a request until it gets a response with a status of success, within the retry policy and
	 * the limits of the run.
	 *
	 * @param read takes what is needed out of the response, or throws a ResponseError
	 * @param part place of the request among those of the item, counted from 0
	 * @throws SendError when it gives up, StoppedError when the run was stopped
	 */
	async send<T>(request: RestRequest, read: (response: RestResponse) => T, part = 0): Promise<T> {
		const { limiter, retry, order = 0 } = this.options;
		const turn = {
			limit: limitOf(this.options, request),
			order: order + part / MAX_PARTS,
			maxWaitMs: retry.maxWaitMs,
		};
		let attempts = 0;
		let firstAt = 0;
		let waitedMs = 0;
		const attempt = async () => {
			if (attempts++ === 0) firstAt = systemClock.now();
			return await attemptOnce(this.options, request);
		};
		const failed = (error: unknown, requiredMs?: number) =>
			new SendError({
				error,
				attempts,
				waitedMs,
				requiredMs,
				outcomeUnknown: isOutcomeUnknown(request.method, error),
			});
		for (let failures = 1; ; failures++) {
			let error: unknown;
			try {
				const response = await limiter.send(attempt, turn);
				const { statusCode } = response;
				if (statusCode < 200 || statusCode > 299 || refusalIn(response.body)) {
					throw new StatusError(response);
				}
				return read(response);
			} catch (thrown) {
				error = thrown;
			}
			if (error instanceof StoppedError) throw error;
			if (error instanceof RateLimitError) {
				waitedMs += error.waitedMs;
				throw failed(new StatusError(refusalOf(error)), error.requiredMs);
			}
			const { ageMs } = limiter;
			if (!isRetryable(request.method, error, ageMs) || failures >= retry.maxAttempts) {
				throw failed(error);
			}
			const delay = delayMs(error, failures, ageMs);
			const spentMs = systemClock.now() - firstAt;
			if (spentMs + delay > retry.maxWaitMs) throw failed(error, delay);
			await limiter.wait(delay);
			waitedMs += delay;
		}
	}
}

/**
 * The rate limit that a request counts for: one for each kind of call of each app, and for messages
 * one for each sender. The app is told by its address and its key.
 *
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
function limitOf({ credentials, kind }: ClientOptions, { headers }: RestRequest): string {
	const user = kind === 'send' ? (headers?.onBehalfOf ?? APP_USER).toLowerCase() : '';
	return JSON.stringify([baseUrlOf(credentials), apiKeyOf(credentials), kind ?? 'standard', user]);
}

function refusalOf({ response }: RateLimitError): RestResponse {
	return response === undefined ? NOT_SENT : { body: undefined, ...response };
}
