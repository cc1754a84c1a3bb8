import { StoppedError, toConnectionErrorOrPlainError } from './failure';
import type { RequestLimiter } from './limiter';
import type { RequestPolicy } from './retry';

/** Limits for a single request. */
interface AttemptLimits extends Pick<RequestPolicy, 'timeoutMs'> {
	limiter: Pick<RequestLimiter, 'signal'>;
}

/**
 * Sends a request. Gives up at the time limit, and when the limiter's signal aborts.
 *
 * @param send starts the request. The controller can abort the request even after this function has returned.
 * @param createTimeoutError creates the error for a request that reached the time limit
 * @throws the error from `createTimeoutError`, a StoppedError if the limiter's signal or the controller aborted, a
 * ConnectionError, or an Error whose message is meant for the user
 */
export async function sendWithinTimeLimit<T>(
	{ limiter, timeoutMs }: AttemptLimits,
	send: (controller: AbortController) => Promise<T>,
	createTimeoutError: () => Error,
): Promise<T> {
	const timeLimit = AbortSignal.timeout(timeoutMs);
	const sources = [timeLimit, limiter.signal];
	const controller = new AbortController();
	const { signal } = controller;
	const abort = () => controller.abort();
	// `AbortSignal.any` would leave listeners on the execution's signal after the request
	for (const source of sources) source?.addEventListener('abort', abort);
	try {
		return await new Promise((resolve, reject) => {
			// Some n8n versions ignore the abort signal
			signal.addEventListener('abort', reject);
			send(controller).then(resolve, reject);
		});
	} catch (error) {
		if (timeLimit.aborted) throw createTimeoutError();
		throw signal.aborted ? new StoppedError() : toConnectionErrorOrPlainError(error);
	} finally {
		for (const source of sources) source?.removeEventListener('abort', abort);
	}
}
