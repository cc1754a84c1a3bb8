import { SendError } from '../transport/failure';
import { InterruptedError } from '../transport/send';
import type { RestRequest } from '../transport/types';

type Outcome = { done: unknown } | { unknown: unknown };

/**
 * What became of the requests of a run that change something. "Retry On Fail" makes n8n run all items
 * again: what was done is not done twice, and what may have been done is not sent again either.
 */
export class Outcomes {
	private readonly byRequest = new Map<string, Outcome>();

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
			if ('done' in known) return known.done as T;
			throw known.unknown;
		}
		return await send().then(
			(done) => {
				this.byRequest.set(key, { done });
				return done;
			},
			(error: unknown) => {
				const failure = error instanceof InterruptedError ? error.failure : error;
				if (failure instanceof SendError && failure.failure.outcomeUnknown) {
					this.byRequest.set(key, { unknown: failure });
				}
				throw error;
			},
		);
	}
}
