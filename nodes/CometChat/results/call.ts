import type { ItemRequest } from '../description/types';
import type { Client } from '../transport/client';
import type { ItemOutcomes } from './outcomes';

/** What carrying an operation out for one item needs. */
export interface Call extends ItemRequest {
	client: Pick<Client, 'send'>;
	/** What the user is told of the run that is no failure */
	hints: Set<string>;
	/** What became of the item's changes in earlier attempts, so that none is sent again, and in this one */
	outcomes: ItemOutcomes;
}
