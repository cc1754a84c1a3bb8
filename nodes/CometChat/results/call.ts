import type { ItemRequest } from '../description/types';
import type { Client } from '../transport/client';
import type { ItemOutcomes } from './outcomes';

/** Request of an item, and the parts of the run that sending the request needs. */
export interface OperationCall extends ItemRequest {
	client: Pick<Client, 'send'>;
	/** Hints that n8n shows with the output */
	hints: Set<string>;
	/** Outcomes of the item's changes in all attempts at the run, so that no change is sent twice */
	outcomes: ItemOutcomes;
}
