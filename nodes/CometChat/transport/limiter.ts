import { LONGEST_NAP, systemClock, type Clock } from './clock';
import { readLimitHints } from './limitHeaders';
import { backoffMs } from './retry';
import type { RestResponse } from './types';

/** Requests of one node run that may be in flight at once. n8n opens a connection for each. */
export const MAX_IN_FLIGHT = 60;

/** Milliseconds without a request sent after which one may go: slow responses hold up no other run. */
const LONGEST_SILENCE = 1_000;

export type LimitedResponse = Pick<RestResponse, 'statusCode' | 'headers'>;

const isRefusal = ({ statusCode }: LimitedResponse): boolean => statusCode === 429;

/** The run was stopped: nothing more is sent. */
export class StoppedError extends Error {
	constructor() {
		super('The run was stopped');
	}
}

/** A rate limit lasts longer than the request may wait. */
export class RateLimitError extends Error {
	constructor(
		/** The last refusal this request itself got; undefined when it was never sent */
		readonly response: LimitedResponse | undefined,
		/** Milliseconds since its first refusal, or since it began to wait when it was never sent */
		readonly waitedMs: number,
		/** Milliseconds the next wait would have lasted */
		readonly requiredMs: number,
	) {
		super('The rate limit lasts longer than the request may wait');
	}
}

/** A request on its way, however often it is sent. */
interface LimitedRequest {
	readonly run: RequestLimiter;
	readonly order: number;
	readonly maxWaitMs: number;
	attempts: number;
	response?: LimitedResponse;
	sentAt: number;
	/** When its first refusal came, or it began to wait while it was never sent */
	since: number;
	admit: () => void;
	refuse: (error: Error) => void;
}

/** The rate limits that runs use just now, by what they count. */
export type RateLimits = Map<string, RateLimit>;

const ofThisProcess: RateLimits = new Map();

/**
 * Sends the requests of a run in order, so many at once, as fast as the service's rate limits let
 * them: each `RateLimit` says to all runs that use it when the next request may go.
 */
export class RequestLimiter {
	/** Requests that wait, in their order, by the limit that they meet; no list is empty */
	readonly waiting = new Map<RateLimit, LimitedRequest[]>();
	/** How many more requests may be in flight */
	freePlaces = MAX_IN_FLIGHT;
	/** When the run began, by the clock */
	readonly since: number;

	private readonly limits: RateLimits;
	private readonly clock: Clock;
	/** Those that the run meets */
	private readonly used: RateLimits = new Map();
	/** Aborted when the user cancels the execution: `stop()` lets requests in flight finish */
	readonly signal: AbortSignal | undefined;
	private readonly onChange: () => void;
	private readonly stopping = new AbortController();

	/**
	 * @param options.signal aborted when the user cancels the execution
	 * @param options.onChange called when a request has begun to wait, or has ended
	 * @param options.limits shared by all runs that meet the same limits
	 */
	constructor(
		options: {
			signal?: AbortSignal;
			onChange?: () => void;
			limits?: RateLimits;
			clock?: Clock;
		} = {},
	) {
		const { signal, onChange = () => {}, limits = ofThisProcess, clock = systemClock } = options;
		this.limits = limits;
		this.clock = clock;
		this.onChange = onChange;
		this.signal = signal;
		this.since = clock.now();
		if (signal?.aborted) this.stop();
		else signal?.addEventListener('abort', this.stop);
	}

	get stopped(): boolean {
		return this.stopping.signal.aborted;
	}

	/** How long ago the run began, in milliseconds. */
	get ageMs(): number {
		return this.clock.now() - this.since;
	}

	/** How many requests wait for a rate limit that lets nothing through just now. */
	get heldBack(): number {
		let count = 0;
		for (const [limit, queue] of this.waiting) if (limit.isClosed) count += queue.length;
		return count;
	}

	/** Starts no more requests. Each waiting request throws a StoppedError. */
	readonly stop = (): void => {
		this.stopping.abort();
		this.signal?.removeEventListener('abort', this.stop);
		for (const [key, { runs }] of this.used) {
			runs.delete(this);
			// With the last run, what is known of a limit is forgotten
			if (runs.size === 0) this.limits.delete(key);
		}
		this.used.clear();
		const waiting = [...this.waiting.values()].flat();
		this.waiting.clear();
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
		const limit = this.limitOf(options.limit);
		const { order, maxWaitMs } = options;
		const none = { admit: () => {}, refuse: () => {} };
		const request = { run: this, order, maxWaitMs, attempts: 0, sentAt: 0, since: 0, ...none };
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
				const waiting = [...this.waiting].sort(([, [a]], [, [b]]) => a.order - b.order);
				for (const [each] of waiting) each.admit();
				limit.admit();
				this.onChange();
			}
			if (!isRefusal(response)) return response;
			if (this.stopped) throw new StoppedError();
		}
	}

	/** Waits for so many milliseconds. Throws a StoppedError as soon as the run is stopped. */
	async wait(ms: number): Promise<void> {
		await this.clock.sleep(ms, this.stopping.signal);
		if (this.stopped) throw new StoppedError();
	}

	/** A rate limit, with what other runs know of it at this time. */
	private limitOf(key: string): RateLimit {
		const known = this.used.get(key);
		if (known) return known;
		const limit = this.limits.get(key) ?? new RateLimit(this.clock);
		for (const limits of [this.limits, this.used]) limits.set(key, limit);
		limit.runs.set(this, false);
		return limit;
	}
}

/**
 * A rate limit as all runs meet it that use it at the same time: sends each request as soon as it
 * should pass. The runs take turns.
 *
 * - A refusal (status 429) pauses everyone for as long as `Retry-After` says, else until the window
 *   ends, else for a backoff. So does a response that says that nothing is left.
 * - After the pause one request goes first; the others follow when it has passed.
 * - No more are in flight than responses say are left; and fewer after each refusal, because all
 *   that are in flight when a window is used up are refused.
 * - A request gives up when a pause lasts longer than it may wait, or nothing has passed for so long.
 */
class RateLimit {
	/** Whether each run has sent anything. Who sent last comes last. */
	readonly runs = new Map<RequestLimiter, boolean>();

	private inFlight = 0;
	/** How many may be in flight: until something is refused, only the runs bound it */
	private width = Infinity;
	private lastSentAt = -Infinity;
	private isNapping = false;

	/** How many requests will pass, as responses say, and until when that counts */
	private left = Infinity;
	private leftUntil = -Infinity;

	/** When the pause began, undefined while requests pass; and when it ends */
	private pausedSince: number | undefined;
	private resumesAt = -Infinity;
	/** The request that shows whether it is over */
	private probe: LimitedRequest | undefined;

	constructor(private readonly clock: Clock) {}

	/** Whether just now no request may be sent, whatever places a run has. */
	get isClosed(): boolean {
		if (this.pausedSince !== undefined) return true;
		return this.inFlight >= Math.min(this.left, Math.floor(this.width));
	}

	/** Waits until the request may be sent. Throws a RateLimitError when that takes too long. */
	async acquire(request: LimitedRequest): Promise<void> {
		const { run, order, attempts } = request;
		if (attempts < 2) request.since = this.clock.now();
		const admitted = new Promise<void>((admit, refuse) =>
			Object.assign(request, { admit, refuse }),
		);
		const queue = run.waiting.get(this) ?? [];
		run.waiting.set(this, queue);
		queue.splice(queue.findLastIndex((other) => other.order <= order) + 1, 0, request);
		if (this.runs.get(run)) this.refuseImpatient();
		this.admit();
		await admitted;
	}

	/** A request is no longer in flight. It has no response when it got none. */
	release(request: LimitedRequest, response?: LimitedResponse): void {
		this.inFlight--;
		request.run.freePlaces++;
		if (response && isRefusal(response)) this.refused(request, response);
		// What a gateway answers in the service's place says nothing about the limit
		else if (response && response.statusCode < 500) this.passed(request, response);
		if (this.probe === request) this.probe = undefined;
		this.refuseImpatient();
	}

	/** Sends whatever may be sent now, and comes back when the next may be. */
	admit(): void {
		const now = this.clock.now();
		let wakesAt = Infinity;
		for (const run of this.runs.keys()) {
			const [request] = run.waiting.get(this) ?? [];
			if (request === undefined) continue;
			const opensAt = this.opensAt(request, now);
			if (opensAt > now) wakesAt = opensAt;
			// Who sends moves to the end, where this loop meets it again
			else if (run.freePlaces > 0) this.launch(request, now);
		}
		if (wakesAt < Infinity) void this.admitAfter(wakesAt - now);
	}

	/** When a request may be sent, unless a response comes sooner. */
	private opensAt({ maxWaitMs }: LimitedRequest, now: number): number {
		if (this.pausedSince === undefined) {
			const silentUntil = this.lastSentAt + LONGEST_SILENCE;
			if (this.inFlight >= this.left) return Math.max(this.leftUntil, silentUntil);
			return this.inFlight + 1 > this.width ? silentUntil : now;
		}
		if (this.probe) return Math.max(this.resumesAt, this.lastSentAt + LONGEST_SILENCE);
		// A run that has sent nothing sees for itself: the refusal, which others met, may be over
		return this.resumesAt - now > maxWaitMs ? now : this.resumesAt;
	}

	private launch(request: LimitedRequest, now: number): void {
		const { run } = request;
		this.leave(request);
		run.freePlaces--;
		this.runs.delete(run);
		this.runs.set(run, true);
		this.inFlight++;
		this.width = Math.max(this.width, this.inFlight);
		this.lastSentAt = request.sentAt = now;
		if (this.pausedSince !== undefined) this.probe = request;
		request.attempts++;
		request.admit();
	}

	private passed(request: LimitedRequest, response: LimitedResponse): void {
		const now = this.clock.now();
		const isProbe = this.probe === request;
		if (isProbe || request.sentAt >= this.resumesAt) {
			this.pausedSince = undefined;
			this.resumesAt = -Infinity;
		}
		this.width += 1 / this.width;
		const { remaining = Infinity, resetMs = LONGEST_SILENCE } = this.hintsIn(response);
		// Responses overtake each other, and what is left only sinks within a window
		if (remaining >= this.left && now < this.leftUntil) return;
		// A number is wrong when a request passed although nothing was left, and still nothing is
		this.left = isProbe && remaining === 0 ? Infinity : remaining;
		this.leftUntil = now + resetMs;
		if (this.left === 0) this.pause(now, resetMs);
	}

	private refused(request: LimitedRequest, response: LimitedResponse): void {
		// A third: they soon are as many again, and each that is in flight now will be refused, too
		if (this.pausedSince === undefined) this.width = Math.max(1, this.inFlight / 3);
		const { retryAfterMs, resetMs } = this.hintsIn(response);
		this.pause(this.clock.now(), retryAfterMs || resetMs || backoffMs(request.attempts));
		this.left = Infinity;
		request.response = response;
	}

	private hintsIn({ headers }: LimitedResponse) {
		return readLimitHints(headers, this.clock.today());
	}

	private pause(now: number, ms: number): void {
		this.pausedSince ??= now;
		this.resumesAt = Math.max(this.resumesAt, now + ms);
	}

	/** Refuses those that may not wait for the rest of the pause, or have seen nothing pass for too long. */
	private refuseImpatient(): void {
		const now = this.clock.now();
		const pauseMs = Math.floor(this.resumesAt - now);
		if (this.probe || this.pausedSince === undefined || pauseMs <= 0) return;
		for (const { waiting, since } of this.runs.keys()) {
			const pausedMs = now - Math.max(this.pausedSince, since);
			for (const request of [...(waiting.get(this) ?? [])]) {
				if (pauseMs <= request.maxWaitMs && pausedMs < request.maxWaitMs) continue;
				this.leave(request);
				request.refuse(new RateLimitError(request.response, now - request.since, pauseMs));
			}
		}
	}

	/** A request waits no longer. */
	private leave(request: LimitedRequest): void {
		const { waiting } = request.run;
		const queue = waiting.get(this) ?? [];
		queue.splice(queue.indexOf(request), 1);
		if (queue.length === 0) waiting.delete(this);
	}

	/** Looks again after a time, or sooner: a timer that is no longer needed should not last long. */
	private async admitAfter(ms: number): Promise<void> {
		if (this.isNapping) return;
		this.isNapping = true;
		await this.clock.sleep(Math.min(ms, LONGEST_NAP));
		this.isNapping = false;
		this.admit();
	}
}
