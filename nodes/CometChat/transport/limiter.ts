import type { Clock } from './clock';
import { systemClock } from './clock';
import type { LimitedResponse, RunQueue } from './rateLimit';
import { isRefusal, LimitedRequest, RateLimit } from './rateLimit';

/** Requests of one node run that may be in flight at once. n8n opens a connection for each. */
export const MAX_IN_FLIGHT = 60;

/** The run was stopped: nothing more is sent. */
export class StoppedError extends Error {
	constructor() {
		super('The run was stopped');
	}
}

/** The rate limits that runs of this process use just now. */
export class RateLimits {
	private readonly limits = new Map<string, RateLimit>();

	constructor(readonly clock: Clock = systemClock) {}

	/** A run begins to use a limit. What other runs know of it at this time, it knows too. */
	join(key: string, run: RunQueue): RateLimit {
		const limit = this.limits.get(key) ?? new RateLimit(this.clock);
		this.limits.set(key, limit);
		limit.runs.set(run, false);
		return limit;
	}

	/** A run no longer uses a limit. With the last one, what is known of it is forgotten. */
	leave(key: string, run: RunQueue): void {
		const limit = this.limits.get(key);
		limit?.runs.delete(run);
		if (limit?.runs.size === 0) this.limits.delete(key);
	}
}

const ofThisProcess = new RateLimits();

/**
 * Sends the requests of a run in order, so many at once, as fast as the service's rate limits let
 * them: each `RateLimit` says to all runs that use it when the next request may go.
 */
export class RequestLimiter {
	private readonly limits: RateLimits;
	/** Those that the run meets, by key */
	private readonly used = new Map<string, RateLimit>();
	private readonly run: RunQueue;
	private readonly userSignal: AbortSignal | undefined;
	private readonly onChange: () => void;
	private readonly stopping = new AbortController();
	/** Aborted by `stop()` and when the user stops the execution. */
	readonly signal: AbortSignal = this.stopping.signal;

	/**
	 * @param options.signal aborted when the user stops the execution
	 * @param options.onChange called when a request has begun to wait, or has ended
	 */
	constructor(
		options: {
			signal?: AbortSignal;
			limits?: RateLimits;
			maxInFlight?: number;
			onChange?: () => void;
		} = {},
	) {
		const { signal, limits = ofThisProcess, maxInFlight = MAX_IN_FLIGHT } = options;
		this.limits = limits;
		this.run = { waiting: new Map(), freePlaces: maxInFlight, since: limits.clock.now() };
		this.onChange = options.onChange ?? (() => {});
		this.userSignal = signal;
		if (signal?.aborted) this.stop();
		else signal?.addEventListener('abort', this.stop);
	}

	get stopped(): boolean {
		return this.signal.aborted;
	}

	/** How long ago the run began, in milliseconds. */
	get ageMs(): number {
		return this.limits.clock.now() - this.run.since;
	}

	/** How many requests wait for a rate limit that lets nothing through just now. */
	get heldBack(): number {
		let count = 0;
		for (const [limit, queue] of this.run.waiting) if (limit.isClosed) count += queue.length;
		return count;
	}

	/** Sends nothing more, and keeps nothing: whatever waits is refused with a StoppedError. */
	readonly stop = (): void => {
		this.stopping.abort();
		this.userSignal?.removeEventListener('abort', this.stop);
		for (const key of this.used.keys()) this.limits.leave(key, this.run);
		this.used.clear();
		const waiting = [...this.run.waiting.values()].flat();
		this.run.waiting.clear();
		for (const { refuse } of waiting) refuse(new StoppedError());
	};

	/**
	 * Sends a request when its turn has come, and again after each refusal (status 429), until it gets
	 * another response.
	 *
	 * @param attempt sends it once: resolves with any response, rejects when there is none
	 * @param options.limit names the rate limit that it meets
	 * @param options.order among those of the run that wait, requests with a smaller number go first
	 * @param options.maxWaitMs longest wait for the rate limit, in milliseconds
	 * @throws RateLimitError, StoppedError, or what `attempt` threw
	 */
	async send<T extends LimitedResponse>(
		attempt: () => Promise<T>,
		options: { limit: string; order: number; maxWaitMs: number },
	): Promise<T> {
		if (this.stopped) throw new StoppedError();
		const limit = this.used.get(options.limit) ?? this.limits.join(options.limit, this.run);
		this.used.set(options.limit, limit);
		const request = new LimitedRequest(this.run, limit, options.order, options.maxWaitMs);
		for (;;) {
			const acquired = limit.acquire(request);
			this.onChange();
			await acquired;
			let response: T | undefined;
			try {
				response = await attempt();
			} finally {
				limit.release(request, response);
				// The free place is for the first in order that may go, whichever limit it meets
				const waiting = [...this.run.waiting].sort(([, [a]], [, [b]]) => a.order - b.order);
				for (const [each] of waiting) each.admit();
				limit.admit();
				this.onChange();
			}
			if (!isRefusal(response)) return response;
			if (this.used.get(options.limit) !== limit) throw new StoppedError();
		}
	}

	/** Waits for so many milliseconds. Throws a StoppedError as soon as the run is stopped. */
	async wait(ms: number): Promise<void> {
		await this.limits.clock.sleep(ms, this.signal);
		if (this.stopped) throw new StoppedError();
	}
}
