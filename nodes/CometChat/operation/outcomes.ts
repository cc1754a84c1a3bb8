import { SendError } from '../transport/failure';
import { InterruptedError } from '../transport/send';
import type { RestRequest } from '../transport/types';

/** What happened to a request, also to one that was under way when the run was stopped. */
function failureIn(error: unknown): unknown {
	return error instanceof InterruptedError ? error.failure : error;
}

/** Whether the service may have carried out a request that ended with this error. */
function isOutcomeUnknown(error: unknown): boolean {
	const failure = failureIn(error);
	return failure instanceof SendError && failure.failure.outcomeUnknown;
}

/**
 * What became of the requests of a run that change something. "Retry On Fail" makes n8n run all items
 * again: what was done is not done twice, and what may have been done is not sent again either.
 */
export class Outcomes {
	private readonly byRequest = new Map<string, Promise<unknown>>();

	/**
	 * @param itemIndex two items may ask for the same thing, and mean it
	 * @param send sends the request
	 * @returns what `send` returned, now or in an earlier attempt at the run
	 */
	async once<T>(itemIndex: number, request: RestRequest, send: () => Promise<T>): Promise<T> {
		if (request.method === 'GET') return await send();
		const key = JSON.stringify([itemIndex, request]);
		const known = this.byRequest.get(key);
		if (known) {
			return (await known.catch((error: unknown) => {
				throw failureIn(error);
			})) as T;
		}
		const sent = this.keep(key, send);
		this.byRequest.set(key, sent);
		return await sent;
	}

	/** Forgets a request that was not carried out. */
	private async keep<T>(key: string, send: () => Promise<T>): Promise<T> {
		return await send().catch((error: unknown) => {
			if (!isOutcomeUnknown(error)) this.byRequest.delete(key);
			throw error;
		});
	}
}
