import type { RequestWithValues } from '../types';
import type { Client } from '../transport/client';
import type { FileToDownload, FileInN8nStorage } from '../transport/download';
import type { ChangeOutcomesOfItem } from './outcomes';

/** An input item's request, plus the client and the parts of the run needed to send it. */
export interface ItemRequestWithClient extends Omit<RequestWithValues, 'inputHints'> {
	client: Pick<Client, 'sendAndRead' | 'sendAndReadAsOutcome'>;
	/** Downloads a file. Undefined in an agent's tool, because an AI model can't read files. */
	download?: (file: FileToDownload) => Promise<FileInN8nStorage>;
	/** Hints that n8n shows with the output */
	hints: Set<string>;
	/** Outcomes of the item's changes in all attempts of the run, so that no completed change is sent again */
	outcomes: ChangeOutcomesOfItem;
}
