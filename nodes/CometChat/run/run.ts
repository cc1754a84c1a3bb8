import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ItemRequest } from '../description/types';
import type { Outcomes } from '../results/outcomes';
import { fieldByPath } from '../transport/json';
import { RequestLimiter } from '../transport/limiter';
import type { RestRequest } from '../transport/types';
import type { ParameterReader } from '../values/parameterReader';
import { Turns } from './turns';

/** An input item to execute an operation for. */
export interface Item {
	/** Counted from 0 */
	index: number;
	context: IExecuteFunctions | IExecutePaginationFunctions;
	reader: ParameterReader;
	/** Adds content to the request that doesn't come from fields */
	completeRequest?: (read: ItemRequest) => RestRequest;
}

/** True if an AI agent runs the node. A model reads only the items, or the message of an error. */
export function isTool(context: Item['context']): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** State that the items of a run share. With Retry On Fail, each attempt at the run has its own. */
export class Run {
	readonly limiter: RequestLimiter;

	readonly turns = new Turns();

	/** Hints that results of the run are incomplete */
	readonly hints = new Set<string>();

	/** Values of 'Fields' in all items, and whether an output item has the field */
	private readonly selectedFields = new Map<string, boolean>();

	/** @param outcomes outcomes of changes, also in earlier attempts at the run */
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

	/** Records which of the selected fields the output items have. */
	recordFields(names: string[], items: INodeExecutionData[]): void {
		if (items.length === 0) return;
		for (const name of names) {
			const read = fieldByPath(name);
			const exists = items.some(({ json }) => read(json) !== undefined);
			this.selectedFields.set(name, exists || this.selectedFields.get(name) === true);
		}
	}

	/** All hints, including one about selected fields that no item has. */
	get allHints(): string[] {
		const missing = [...this.selectedFields].flatMap(([name, exists]) =>
			exists ? [] : [`'${name}'`],
		);
		if (missing.length === 0) return [...this.hints];
		const fields = missing.length > 1 ? 'fields' : 'field';
		return [...this.hints, `No item has the ${fields} ${missing.join(', ')}`];
	}

	/** The hints as items, because an AI model reads only items. */
	get hintItems(): INodeExecutionData[] {
		return this.allHints.map((hint) => ({ json: { hint }, pairedItem: { item: 0 } }));
	}
}
