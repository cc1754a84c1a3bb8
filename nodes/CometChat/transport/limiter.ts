import type { Clock } from './clock';
import { LONGEST_NAP, systemClock } from './clock';
import { HeaderBudget } from './headerBudget';
import type { LimitHints } from './limitHeaders';
import { readLimitHints } from './limitHeaders';
import { RateEstimate } from './rateEstimate';
import { WaitingQueue } from './waitingQueue';

export type { Clock } from './clock';

/** Requests of one node run that may be in flight at once. n8n opens a connection for each. */
export const MAX_IN_FLIGHT = 60;

/** Requests in flight at the start, and how many more each response that is no refusal lets in. */
const FIRST_IN_FLIGHT = 16;
const MORE_PER_RESPONSE = 1;

/** Backoff while nothing gets through, in milliseconds; up to half of it is left to chance. */
const LEAST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;

/** How the backoff grows, as a share of the time in which nothing passed. */
const LEAST_GROWTH = 0.05;
const PASSES_PER_PROBE = 15;

const TOO_MANY_REQUESTS = 429;

/** What a gateway answers in the service's place says nothing about the limit. */
const GATEWAY_ERROR = 500;

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
		/** How often this request was sent */
		readonly attempts: number,
		/** Milliseconds this request waited after its first attempt, or at all when it was never sent */
		readonly waitedMs: number,
		/** Milliseconds the next wait would have lasted */
		readonly requiredMs: number,
	) {
		super('The rate limit lasts longer than the request may wait');
	}
}

/** What the limiter looks at in a response. */
export interface LimitedResponse {
	statusCode: number;
	/** With lower-case names */
	headers: Record<string, unknown>;
}

export interface LimiterOptions {
	maxInFlight?: number;
	/** The user stopped the execution */
	signal?: AbortSignal;
	clock?: Clock;
	/** Numbers from 0 up to 1 */
	random?: () => number;
}

interface Request {
	order: number;
	sequence: number;
	maxWaitMs: number;
	attempts: number;
	response: LimitedResponse | undefined;
	waitedMs: number;
	waitingSince: number;
	sentAt: number;
	/** Of the rate estimate; undefined for one that is sent to see whether a pause is over */
	cycle: number | undefined;
	admit: () => void;
	refuse: (error: Error) => void;
}

/**
 * Sends the requests of a run in order, as fast as the service's rate limit lets it.
 *
 * - Few requests are in flight at first, and soon `maxInFlight`: that is all until one is refused.
 * - A refusal (status 429) pauses everyone for as long as `Retry-After` says, else for a backoff. The
 *   refused request waits in its place again. After the pause one request goes first; the others
 *   follow when it has passed.
 * - Where responses say how many requests are left, no more are in flight (`HeaderBudget`).
 * - Where they do not, the rate that passes is learned from the refusals (`RateEstimate`).
 * - A request gives up when a pause lasts longer than it may wait, or nothing has passed for so long.
 */
export class RequestLimiter {
	private readonly clock: Clock;

	private readonly random: () => number;

	private readonly maxInFlight: number;

	private readonly stopping = new AbortController();

	private readonly queue = new WaitingQueue<Request>();

	private readonly budget = new HeaderBudget();

	private readonly estimate = new RateEstimate();

	private readonly userSignal: AbortSignal | undefined;

	/** The shortest wait that any request allows: while it is not reached, none of them gives up */
	private leastMaxWaitMs = Infinity;

	private sequence = 0;

	private inFlight = 0;

	/** How many may be in flight; grows to `maxInFlight` */
	private width: number;

	/** When the pause ends */
	private resumesAt = -Infinity;

	/** When the first refusal came since a request passed; undefined when none did */
	private blockedSince: number | undefined;

	/** The request that shows whether a pause is over */
	private probe: Request | undefined;

	/** When the next timer ends */
	private wakesAt = Infinity;

	constructor({ maxInFlight = MAX_IN_FLIGHT, signal, clock, random }: LimiterOptions = {}) {
		this.maxInFlight = maxInFlight;
		this.width = Math.min(maxInFlight, FIRST_IN_FLIGHT);
		this.clock = clock ?? systemClock;
		this.random = random ?? Math.random;
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
		this.close();
		this.stopping.abort();
		for (const request of this.queue.takeAll(() => true)) request.refuse(new StoppedError());
	};

	/** The run has ended: no longer listens to the user's signal. */
	close(): void {
		this.userSignal?.removeEventListener('abort', this.stop);
	}

	/**
	 * Sends a request when its turn has come, and again after each refusal (status 429), until it gets
	 * another response.
	 *
	 * @param attempt sends it once: resolves with any response, rejects when there is none
	 * @param options.order among those that wait, requests with a smaller number go first
	 * @param options.maxWaitMs longest wait for the rate limit, in milliseconds
	 * @throws RateLimitError, StoppedError, or what `attempt` threw
	 */
	async send<T extends LimitedResponse>(
		attempt: () => Promise<T>,
		{ order, maxWaitMs }: { order: number; maxWaitMs: number },
	): Promise<T> {
		this.leastMaxWaitMs = Math.min(this.leastMaxWaitMs, maxWaitMs);
		const request: Request = {
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
			await this.turnOf(request);
			const response = await this.attemptOnce(attempt, request);
			if (response.statusCode !== TOO_MANY_REQUESTS) return response;
			if (!this.stopped && this.isImpatient(request)) throw this.giveUp(request);
		}
	}

	/**
	 * Waits for so many milliseconds.
	 *
	 * @throws StoppedError as soon as the run is stopped
	 */
	async wait(ms: number): Promise<void> {
		await this.clock.sleep(ms, this.signal);
		if (this.stopped) throw new StoppedError();
	}

	/** What is left of the pause, in milliseconds. */
	private get pauseMs(): number {
		return Math.max(0, Math.floor(this.resumesAt - this.clock.now()));
	}

	/** How long nothing has passed, in milliseconds. */
	private get blockedMs(): number {
		return this.blockedSince === undefined ? 0 : this.clock.now() - this.blockedSince;
	}

	/** Waits until the request may be sent. */
	private async turnOf(request: Request): Promise<void> {
		if (this.stopped) throw new StoppedError();
		request.waitingSince = this.clock.now();
		if (this.pauseMs > request.maxWaitMs) throw this.giveUp(request);
		const turn = new Promise<void>((admit, refuse) => {
			request.admit = admit;
			request.refuse = refuse;
		});
		this.queue.add(request);
		this.admit();
		await turn;
	}

	private giveUp(request: Request): RateLimitError {
		this.endWait(request);
		const { response, attempts, waitedMs } = request;
		return new RateLimitError(response, attempts, waitedMs, this.pauseMs);
	}

	private endWait(request: Request): void {
		request.waitedMs += this.clock.now() - request.waitingSince;
	}

	/** Sends whatever may be sent now, and comes back when the next may be. */
	private admit(): void {
		while (this.queue.length > 0) {
			const now = this.clock.now();
			const at = this.nextAt(now);
			if (at > now) {
				if (at < Infinity) void this.wakeAt(at, now);
				return;
			}
			const request = this.queue.takeFirst();
			if (request) this.launch(request, now);
		}
	}

	/** When the next request may be sent; Infinity when that is up to a response. */
	private nextAt(now: number): number {
		if (this.inFlight >= this.width || this.probe) return Infinity;
		if (now < this.resumesAt || this.blockedSince !== undefined) return this.resumesAt;
		return this.budget.isKnown ? this.budget.nextAt(this.inFlight) : this.estimate.nextAt(now);
	}

	private launch(request: Request, now: number): void {
		if (request.attempts > 0) this.endWait(request);
		request.attempts++;
		request.sentAt = now;
		if (this.blockedSince === undefined) {
			request.cycle = this.estimate.sent(now);
			this.budget.sent(this.inFlight, now);
		} else {
			request.cycle = undefined;
			this.probe = request;
		}
		this.inFlight++;
		request.admit();
	}

	private async attemptOnce<T extends LimitedResponse>(
		attempt: () => Promise<T>,
		request: Request,
	): Promise<T> {
		try {
			const response = await attempt();
			if (response.statusCode === TOO_MANY_REQUESTS) this.refused(request, response);
			else if (response.statusCode < GATEWAY_ERROR) this.passed(request, response);
			return response;
		} finally {
			this.inFlight--;
			if (this.probe === request) this.probe = undefined;
			this.admit();
		}
	}

	private passed({ sentAt, cycle }: Request, { headers }: LimitedResponse): void {
		const now = this.clock.now();
		this.budget.read(readLimitHints(headers, now), false, sentAt, now);
		this.estimate.pass(cycle);
		this.width = Math.min(this.maxInFlight, this.width + MORE_PER_RESPONSE);
		if (this.blockedSince !== undefined && sentAt >= this.resumesAt) {
			this.estimate.resume(sentAt);
			this.blockedSince = undefined;
		}
	}

	private refused(request: Request, response: LimitedResponse): void {
		const now = this.clock.now();
		const hints = readLimitHints(response.headers, now);
		this.budget.read(hints, true, request.sentAt, now);
		if (this.blockedSince === undefined) this.estimate.pause(now);
		this.blockedSince ??= now;
		this.resumesAt = Math.max(this.resumesAt, now + this.askedMs(hints, request.maxWaitMs));
		request.response = response;
		request.waitingSince = now;
		this.refuseImpatient();
	}

	/** How long a refusal asks everyone to wait, in milliseconds. */
	private askedMs({ retryAfterMs, resetMs }: LimitHints, maxWaitMs: number): number {
		const chance = 0.5 + 0.5 * this.random();
		if (retryAfterMs) return Math.max(retryAfterMs, LEAST_BACKOFF * chance);
		// The more passes there are, the more probes are affordable: the end of a window is found sooner
		const growth = clamp(PASSES_PER_PROBE / this.estimate.passed, LEAST_GROWTH, 1);
		const backoff = clamp(this.blockedMs * growth, LEAST_BACKOFF, LONGEST_BACKOFF) * chance;
		// A hint must not end a request that might pass sooner
		const untilReset = Math.min(resetMs ?? 0, LONGEST_BACKOFF);
		return untilReset <= maxWaitMs ? Math.max(backoff, untilReset) : backoff;
	}

	/** Whether a request may not wait for the rest of the pause, or nothing has passed for too long. */
	private isImpatient({ maxWaitMs }: Request): boolean {
		return this.pauseMs > maxWaitMs || this.blockedMs >= maxWaitMs;
	}

	/** Those that wait give up, too, when they may not wait so long. */
	private refuseImpatient(): void {
		if (Math.max(this.pauseMs, this.blockedMs) < this.leastMaxWaitMs) return;
		for (const request of this.queue.takeAll((waiting) => this.isImpatient(waiting))) {
			request.refuse(this.giveUp(request));
		}
	}

	/** Comes back at a time, or sooner: a timer that is no longer needed should not last long. */
	private async wakeAt(at: number, now: number): Promise<void> {
		const wakesAt = Math.min(at, now + LONGEST_NAP);
		if (this.wakesAt <= wakesAt) return;
		this.wakesAt = wakesAt;
		await this.clock.sleep(wakesAt - now);
		if (this.wakesAt !== wakesAt) return; // another timer ended sooner
		this.wakesAt = Infinity;
		this.admit();
	}
}

function clamp(value: number, least: number, most: number): number {
	return Math.min(most, Math.max(least, value));
}
