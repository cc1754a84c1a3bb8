import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ItemRequest } from '../description/types';
import { RequestLimiter } from '../transport/limiter';
import type { Outcomes } from '../results/outcomes';
import { fieldByPath } from '../transport/json';
import type { RestRequest } from '../transport/types';
import type { ParameterReader } from '../values/parameterReader';

/** An item as n8n hands it over. */
export interface Item {
	/** Counted from 0 */
	index: number;
	context: IExecuteFunctions | IExecutePaginationFunctions;
	reader: ParameterReader;
	/** Adds what no field holds to its request */
	completeRequest?: (read: ItemRequest) => RestRequest;
}

/** True if an AI agent runs the node. A model reads only the items, or the message of an error. */
export function isTool(context: Item['context']): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** A place in the lines of changes of its targets. */
export interface Turn {
	/** Resolves when the changes before it have ended; undefined when there are none */
	ready?: Promise<void>;
	/** Lets the next one begin */
	end: () => void;
}

/** What the items of one attempt at a run share. */
export class Run {
	readonly limiter: RequestLimiter;

	/** Hints that results of the run are incomplete, each once */
	readonly hints = new Set<string>();

	/** The fields that were asked for, and whether an item has them */
	private readonly fields = new Map<string, boolean>();

	/** The last change of each target that is under way or waits */
	private readonly turns = new Map<string, Promise<void>>();

	constructor(
		/** What was done for the items, also in earlier attempts at the same run */
		readonly outcomes: Outcomes,
		private readonly cancelled: AbortSignal | undefined,
	) {
		this.limiter = new RequestLimiter(cancelled);
	}

	/** Whether the user stopped the execution. */
	get isCancelled(): boolean {
		return this.cancelled?.aborted === true;
	}

	/** Notes which of the fields that were asked for there are. */
	recordFields(names: string[], items: INodeExecutionData[]): void {
		if (items.length === 0) return;
		for (const name of names) {
			const valueOf = fieldByPath(name);
			const isThere = items.some(({ json }) => valueOf(json) !== undefined);
			this.fields.set(name, isThere || this.fields.get(name) === true);
		}
	}

	/** All hints, also about selected fields that no item has. */
	get allHints(): string[] {
		const missing = [...this.fields].flatMap(([name, isThere]) => (isThere ? [] : [`'${name}'`]));
		if (missing.length === 0) return [...this.hints];
		const fields = missing.length > 1 ? 'fields' : 'field';
		return [...this.hints, `No item has the ${fields} ${missing.join(', ')}`];
	}

	/** The hints as items for an agent's tool: a model reads only items. */
	get hintItems(): INodeExecutionData[] {
		return this.allHints.map((hint) => ({ json: { hint }, pairedItem: { item: 0 } }));
	}

	/** Changes of one target go one after another, in the order in which they ask for their turns. */
	takeTurn(targets: string[]): Turn {
		let end = () => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		const before = targets.flatMap((target) => this.turns.get(target) ?? []);
		const ready = before.length > 0 ? Promise.all(before).then(() => {}) : undefined;
		const over = ready ? ready.then(async () => await ended) : ended;
		for (const target of targets) this.turns.set(target, over);
		void over.then(() => {
			for (const target of targets) {
				if (this.turns.get(target) === over) this.turns.delete(target);
			}
		});
		return { ready, end };
	}
}
