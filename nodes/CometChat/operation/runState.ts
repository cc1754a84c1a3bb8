import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';

import { RequestLimiter } from '../transport/limiter';
import { Outcomes } from './outcomes';

/** An item as n8n hands it to an operation. */
export type ItemContext = IExecutePaginationFunctions;

/** What all items of one attempt at a run share. */
export class Run {
	readonly limiter: RequestLimiter;

	/** Index of the item that was started last */
	lastIndex = -1;

	private active = 0;

	constructor(
		private readonly cancelled: AbortSignal | undefined,
		/** What was done for the items, also in earlier attempts at the same run */
		readonly outcomes: Outcomes,
	) {
		this.limiter = new RequestLimiter({ signal: cancelled });
	}

	/** Whether the user stopped the execution. */
	get isCancelled(): boolean {
		return this.cancelled?.aborted === true;
	}

	/** Does a part of the run's work. When none is under way any more, nothing of the run stays behind. */
	async during<T>(work: () => Promise<T>): Promise<T> {
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

/** The run that is under way for an execution of the node; a new one when the last one has ended. */
export function runOf(context: ItemContext | IExecuteFunctions): Run {
	const key = context.getExecuteData();
	const run = runs.get(key);
	if (run && !run.limiter.stopped) return run;
	const started = new Run(cancelSignal(context), run?.outcomes ?? new Outcomes());
	runs.set(key, started);
	return started;
}
