import type { INodeExecutionData } from 'n8n-workflow';

import { RequestLimiter } from '../transport/limiter';
import type { Redact } from '../transport/redact';
import { redactor } from '../transport/redact';
import type { Outcomes } from './idempotency';
import { field } from './output';

/** A place in the line of changes of one target. */
export interface Turn {
	/** Resolves when the changes before it have ended */
	ready: Promise<void>;
	/** Lets the next one begin */
	end: () => void;
}

/** What the items of one attempt at a run share. */
export class Run {
	readonly limiter: RequestLimiter;

	/** The fields that were asked for, and whether an item has them */
	private readonly fields = new Map<string, boolean>();

	private readonly redactors = new Map<unknown, Redact>();

	/** The last change of each target that is under way or waits */
	private readonly turns = new Map<string, Promise<void>>();

	constructor(
		/** What was done for the items, also in earlier attempts at the same run */
		readonly outcomes: Outcomes,
		private readonly cancelled: AbortSignal | undefined,
	) {
		this.limiter = new RequestLimiter({ signal: cancelled });
	}

	/** Whether the user stopped the execution. */
	get isCancelled(): boolean {
		return this.cancelled?.aborted === true;
	}

	/** Takes a key out of values; made once, though each item has credentials of its own. */
	redactorFor(apiKey: unknown): Redact {
		const known = this.redactors.get(apiKey) ?? redactor(apiKey);
		this.redactors.set(apiKey, known);
		return known;
	}

	/** Notes which of the fields that were asked for there are. */
	noteFields(names: string[], items: INodeExecutionData[]): void {
		if (items.length === 0) return;
		for (const name of names) {
			const valueOf = field(...name.split('.'));
			const isThere = items.some(({ json }) => valueOf(json) !== undefined);
			this.fields.set(name, isThere || this.fields.get(name) === true);
		}
	}

	/** The fields that were asked for, and that no item has. */
	get missingFields(): string[] {
		return [...this.fields].flatMap(([name, isThere]) => (isThere ? [] : [name]));
	}

	/** Changes of one target go one after another, in the order in which they ask for their turns. */
	turnOf(target: string): Turn {
		let end = () => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		const ready = this.turns.get(target) ?? Promise.resolve();
		this.turns.set(
			target,
			ready.then(async () => await ended),
		);
		return { ready, end };
	}
}
