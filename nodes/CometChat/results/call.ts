import type { ItemRequest } from '../description/types';
import type { RestRequest, RestResponse } from '../transport/types';
import type { ItemOutcomes } from './outcomes';

/** What carrying an operation out for one item needs. */
export interface Call extends ItemRequest {
	/**
	 * Sends a request.
	 *
	 * @param part place of the request among those of the item, counted from 0
	 */
	send: <T>(request: RestRequest, read: (response: RestResponse) => T, part: number) => Promise<T>;
	/** Tells the user something about the run that is no failure */
	hint: (message: string) => void;
	/** What became of the item's changes in earlier attempts, so that none is sent again, and in this one */
	outcomes: ItemOutcomes;
}
