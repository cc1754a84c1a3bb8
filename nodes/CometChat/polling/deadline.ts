import type { IPollFunctions } from 'n8n-workflow';

/** What a poll may take where n8n does not say: its own default, in milliseconds. */
const DEFAULT_BUDGET_MS = 300_000;

/** What is kept back of the budget to make items of the groups: a tenth, at most so many milliseconds. */
const MAX_MARGIN_MS = 5_000;

/** n8n's time limit for a poll, in milliseconds; versions before 2.41 do not tell one. */
function budgetMsOf(context: IPollFunctions): number {
	const { getPollBudgetMs }: Partial<IPollFunctions> = context;
	const budget = getPollBudgetMs?.call(context);
	return typeof budget === 'number' && budget > 0 ? budget : DEFAULT_BUDGET_MS;
}

/** The time until which a poll has to be over: n8n drops what comes later. */
export class Deadline {
	/** Milliseconds that the poll has in all */
	readonly budgetMs: number;

	/** Aborted when the time is up */
	readonly signal: AbortSignal;

	private readonly endsAt: number;

	private slowestMs = 0;

	constructor(context: IPollFunctions) {
		const budgetMs = budgetMsOf(context);
		this.budgetMs = Math.floor(budgetMs - Math.min(MAX_MARGIN_MS, budgetMs / 10));
		this.endsAt = performance.now() + this.budgetMs;
		this.signal = AbortSignal.timeout(this.budgetMs);
	}

	/** Whether the time is up. */
	get isOver(): boolean {
		return performance.now() >= this.endsAt;
	}

	/** Milliseconds that are left, at least 1. */
	get remainingMs(): number {
		return Math.max(1, Math.floor(this.endsAt - performance.now()));
	}

	/** Whether another request may come too late: it can take as long as the slowest so far. */
	get isNear(): boolean {
		return this.remainingMs < 1.5 * this.slowestMs + 1;
	}

	/** Does a request, and notes how long it takes. */
	async timed<T>(request: () => Promise<T>): Promise<T> {
		const startedAt = performance.now();
		try {
			return await request();
		} finally {
			this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
		}
	}
}
