import type { ItemRequest } from '../description/types';
import type { Client } from '../transport/client';
import type { ItemOutcomes } from './outcomes';

/** Everything that executing an operation for one item needs. */
export interface OperationCall extends ItemRequest {
	client: Pick<Client, 'send'>;
	/** Hints that n8n shows with the output */
	hints: Set<string>;
	/** Outcomes of the item's changes, also in earlier attempts, so that no change is sent twice */
	outcomes: ItemOutcomes;
}
