import type { Clock } from './clock';
import { systemClock } from './clock';
import type { LimitedRequest, LimitedResponse, Line } from './rateLimit';
import { isRefusal, RateLimit } from './rateLimit';

/** Requests of one node run that may be in flight at once. n8n opens a connection for each. */
export const MAX_IN_FLIGHT = 60;

/** The run was stopped: nothing more is sent. */
export class StoppedError extends Error {
	constructor() {
		super('The run was stopped');
	}
}

/** The rate limits of the apps that runs of this process use just now. */
export class RateLimits {
	private readonly limits = new Map<string, RateLimit>();

	/** @param random numbers from 0 up to 1 */
	constructor(
		readonly clock: Clock = systemClock,
		private readonly random: () => number = Math.random,
	) {}

	/** A run begins to use an app. What other runs know of its limit at this time, it knows too. */
	join(app: string, maxInFlight: number): Line {
		const limit = this.limits.get(app) ?? new RateLimit(this.clock, this.random);
		this.limits.set(app, limit);
		return limit.join(maxInFlight);
	}

	/**
	 * A run no longer uses an app. With the last one, what is known of the limit is forgotten.
	 *
	 * @returns its requests that waited
	 */
	leave(app: string, line: Line): LimitedRequest[] {
		const waiting = line.limit.leave(line);
		if (line.limit.isUnused) this.limits.delete(app);
		return waiting;
	}
}

const ofThisProcess = new RateLimits();

export interface LimiterOptions {
	maxInFlight?: number;
	/** The user stopped the execution */
	signal?: AbortSignal;
	limits?: RateLimits;
}

/**
 * Sends the requests of a run in order, as fast as the service's rate limit lets it: few at once at
 * first, and soon `maxInFlight`. That is all until one is refused; then `RateLimit` says when the
 * next one may go, to all runs that use the same app.
 */
export class RequestLimiter {
	private readonly maxInFlight: number;

	private readonly limits: RateLimits;

	private readonly userSignal: AbortSignal | undefined;

	private readonly stopping = new AbortController();

	/** By app; a run has several when its credential has expressions */
	private readonly lines = new Map<string, Line>();

	private sequence = 0;

	constructor({ maxInFlight = MAX_IN_FLIGHT, signal, limits }: LimiterOptions = {}) {
		this.maxInFlight = maxInFlight;
		this.limits = limits ?? ofThisProcess;
		this.userSignal = signal;
		if (signal?.aborted) this.stop();
		else signal?.addEventListener('abort', this.stop);
	}

	get stopped(): boolean {
		return this.stopping.signal.aborted;
	}

	/** Aborted by `stop()` and when the user stops the execution. */
	get signal(): AbortSignal {
		return this.stopping.signal;
	}

	/** Sends nothing more: whatever waits is refused with a StoppedError. */
	readonly stop = (): void => {
		this.stopping.abort();
		this.close();
	};

	/** Nothing of the run is under way: listens to no signal, and keeps nothing. */
	close(): void {
		this.userSignal?.removeEventListener('abort', this.stop);
		for (const [app, line] of this.lines) {
			for (const request of this.limits.leave(app, line)) request.refuse(new StoppedError());
		}
		this.lines.clear();
	}

	/**
	 * Sends a request when its turn has come, and again after each refusal (status 429), until it gets
	 * another response.
	 *
	 * @param attempt sends it once: resolves with any response, rejects when there is none
	 * @param options.app whose rate limit it meets
	 * @param options.order among those of the run that wait, requests with a smaller number go first
	 * @param options.maxWaitMs longest wait for the rate limit, in milliseconds
	 * @throws RateLimitError, StoppedError, or what `attempt` threw
	 */
	async send<T extends LimitedResponse>(
		attempt: () => Promise<T>,
		{ limit: app, order, maxWaitMs }: { limit: string; order: number; maxWaitMs: number },
	): Promise<T> {
		if (this.stopped) throw new StoppedError();
		const line = this.lineOf(app);
		const { limit } = line;
		const request: LimitedRequest = {
			line,
			order,
			sequence: this.sequence++,
			maxWaitMs,
			attempts: 0,
			response: undefined,
			waitedMs: 0,
			waitingSince: 0,
			sentAt: 0,
			cycle: undefined,
			admit: () => {},
			refuse: () => {},
		};
		for (;;) {
			await limit.turnOf(request);
			try {
				const response = await attempt();
				limit.responded(request, response);
				if (!isRefusal(response)) return response;
			} finally {
				limit.ended(request);
			}
			if (this.lines.get(app) !== line) throw new StoppedError();
			if (limit.isImpatient(request)) throw limit.giveUp(request);
		}
	}

	/**
	 * Waits for so many milliseconds.
	 *
	 * @throws StoppedError as soon as the run is stopped
	 */
	async wait(ms: number): Promise<void> {
		await this.limits.clock.sleep(ms, this.signal);
		if (this.stopped) throw new StoppedError();
	}

	private lineOf(app: string): Line {
		const line = this.lines.get(app) ?? this.limits.join(app, this.maxInFlight);
		this.lines.set(app, line);
		return line;
	}
}
