import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ItemRequest } from '../types';
import type { Outcomes } from '../calls/outcomes';
import type { FoundFields } from '../output/shape';
import { RequestLimiter } from '../transport/limiter';
import type { RestRequest } from '../transport/types';
import type { ParameterReader } from '../request/parameterReader';
import { Turns } from './turns';

/** An input item to execute an operation for. */
export interface Item {
	/** Index of the item, counted from 0 */
	index: number;
	context: IExecuteFunctions | IExecutePaginationFunctions;
	reader: ParameterReader;
	/** Adds request content that doesn't come from fields */
	completeRequest?: (read: ItemRequest) => RestRequest;
}

/** State shared by all items in a run. With 'Retry On Fail', each attempt at the run has separate state. */
export class Run {
	readonly limiter: RequestLimiter;

	readonly turns = new Turns();

	/** Hints that the run's results are incomplete */
	readonly hints = new Set<string>();

	/** Fields selected by the 'Fields' parameter of any item */
	readonly foundFields: FoundFields = new Map();

	/** @param outcomes outcomes of changes, including changes in earlier attempts of the run */
	constructor(
		readonly outcomes: Outcomes,
		private readonly cancelSignal: AbortSignal | undefined,
	) {
		this.limiter = new RequestLimiter(cancelSignal);
	}

	/** True if the user canceled the execution. */
	get isCanceled(): boolean {
		return this.cancelSignal?.aborted === true;
	}

	/** All hints, including a hint about selected fields that no item has. */
	get allHints(): string[] {
		const missing = [...this.foundFields].flatMap(([name, isFound]) =>
			isFound ? [] : `'${name}'`,
		);
		if (missing.length === 0) return [...this.hints];
		const fields = missing.length > 1 ? 'fields' : 'field';
		return [...this.hints, `No item has the ${fields} ${missing.join(', ')}`];
	}

	/** Hints as output items, because an AI model sees only items. */
	get hintItems(): INodeExecutionData[] {
		return this.allHints.map((hint) => ({ json: { hint }, pairedItem: { item: 0 } }));
	}
}
