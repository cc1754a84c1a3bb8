import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';

import { RequestLimiter } from '../transport/limiter';
import type { Redact } from '../transport/redact';
import { redactor } from '../transport/redact';
import { Outcomes } from './outcomes';

/** An item as n8n hands it to an operation. */
export type ItemContext = IExecutePaginationFunctions;

/** What all items of one attempt at a run share. */
export class Run {
	/** That of the items under way. With "Batching", n8n may start the next ones after all have ended. */
	limiter: RequestLimiter;

	/** Index of the item that was started last */
	lastIndex = -1;

	private active = 0;

	private hasFailed = false;

	constructor(
		private readonly cancelled: AbortSignal | undefined,
		/** What was done for the items, also in earlier attempts at the same run */
		readonly outcomes: Outcomes,
	) {
		this.limiter = new RequestLimiter({ signal: cancelled });
	}

	private readonly redactors = new Map<unknown, Redact>();

	/** Takes a key out of values; made once, though each item has credentials of its own. */
	redactorFor(apiKey: unknown): Redact {
		const known = this.redactors.get(apiKey) ?? redactor(apiKey);
		this.redactors.set(apiKey, known);
		return known;
	}

	/** Whether the user stopped the execution. */
	get isCancelled(): boolean {
		return this.cancelled?.aborted === true;
	}

	/** Whether no further item is sent. */
	get isOver(): boolean {
		return this.hasFailed || this.isCancelled;
	}

	/** The workflow stops with the error of an item: no further item is sent. */
	fail(): void {
		this.hasFailed = true;
		this.limiter.stop();
	}

	/** Does a part of the run's work. While none is under way, nothing of the run stays behind. */
	async during<T>(work: () => Promise<T>): Promise<T> {
		if (this.active === 0 && this.limiter.stopped && !this.isOver) {
			this.limiter = new RequestLimiter({ signal: this.cancelled });
		}
		this.active++;
		try {
			return await work();
		} finally {
			this.active--;
			if (this.active === 0) this.limiter.stop();
		}
	}
}

/** By n8n's data of the execution, which is one object for all attempts of "Retry On Fail". */
const runs = new WeakMap<object, Run>();

/** n8n's signal that the user stopped the execution; only production contexts have one. */
function cancelSignal(context: ItemContext | IExecuteFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Begins an attempt at the run of a node. It knows what earlier ones did. */
export function startRun(context: ItemContext | IExecuteFunctions): Run {
	const key = context.getExecuteData();
	const run = new Run(cancelSignal(context), runs.get(key)?.outcomes ?? new Outcomes());
	runs.set(key, run);
	return run;
}

/**
 * The run that an item belongs to. n8n starts the items in order, so one that does not come after the
 * last begins another attempt.
 */
export function runOf(context: ItemContext): Run {
	const itemIndex = context.getItemIndex();
	const known = runs.get(context.getExecuteData());
	const run = known && itemIndex > known.lastIndex ? known : startRun(context);
	run.lastIndex = itemIndex;
	return run;
}
