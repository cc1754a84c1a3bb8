import type { Clock } from './clock';
import { LONGEST_NAP } from './clock';
import { readLimitHints } from './limitHeaders';
import { backoffMs } from './retry';
import type { RestResponse } from './types';

/** After a refusal, how many requests have to pass for one more that may be in flight. */
const PASSES_PER_PLACE = 16;

/** Milliseconds without a request sent after which one may go: slow responses hold up no other run. */
const LONGEST_SILENCE = 1_000;

export type LimitedResponse = Pick<RestResponse, 'statusCode' | 'headers'>;

export const isRefusal = ({ statusCode }: LimitedResponse): boolean => statusCode === 429;

/** A rate limit lasts longer than the request may wait. */
export class RateLimitError extends Error {
	constructor(
		/** The last refusal this request itself got; undefined when it was never sent */
		readonly response: LimitedResponse | undefined,
		/** Milliseconds this request waited after its first attempt, or at all when it was never sent */
		readonly waitedMs: number,
		/** Milliseconds the next wait would have lasted */
		readonly requiredMs: number,
	) {
		super('The rate limit lasts longer than the request may wait');
	}
}

/** A node run, as far as rate limits look at it. */
export interface Run {
	/** Requests that wait, for whichever limit, in their order */
	readonly waiting: LimitedRequest[];
	/** How many more requests may be in flight */
	freePlaces: number;
	/** When it began, in milliseconds since 1970 */
	readonly since: number;
}

/** A request on its way, however often it is sent. */
export class LimitedRequest {
	attempts = 0;
	response?: LimitedResponse;
	sentAt = 0;
	waitingSince = 0;
	waitedMs = 0;
	admit = () => {};
	refuse: (error: Error) => void = () => {};

	constructor(
		readonly run: Run,
		readonly limit: RateLimit,
		readonly order: number,
		readonly maxWaitMs: number,
	) {}
}

/**
 * A rate limit as all runs meet it that use it at the same time: sends each request as soon as it
 * should pass.
 *
 * - A refusal (status 429) pauses everyone for as long as `Retry-After` says, else until the window
 *   ends, else for a backoff. So does a response that says that nothing is left.
 * - After the pause one request goes first; the others follow when it has passed.
 * - No more are in flight than responses say are left; and few at first after a refusal, because all
 *   that are in flight when a window is used up are refused.
 * - A request gives up when a pause lasts longer than it may wait, or nothing has passed for so long.
 * - The runs take turns.
 */
export class RateLimit {
	/** Whether each run has sent anything. Who sent last comes last. */
	readonly runs = new Map<Run, boolean>();

	private inFlight = 0;

	/** How many may be in flight: until something is refused, only the runs bound it */
	private width = Infinity;

	/** Requests that passed since the last pause that a refusal began */
	private passes = 0;

	/** Requests that may still pass, as the responses say, and until when that counts */
	private left = Infinity;

	private leftUntil = -Infinity;

	private lastSentAt = -Infinity;

	/** When the pause began; undefined while requests pass */
	private pausedSince: number | undefined;

	private resumesAt = -Infinity;

	/** The request that shows whether the pause is over */
	private probe: LimitedRequest | undefined;

	/** When the next timer ends */
	private wakesAt = Infinity;

	/** @param random numbers from 0 up to 1 */
	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/**
	 * Waits until the request may be sent.
	 *
	 * @throws RateLimitError when that takes too long
	 */
	async acquire(request: LimitedRequest): Promise<void> {
		const { run, order } = request;
		request.waitingSince = this.clock.now();
		if (this.runs.get(run) && !this.probe && this.isImpatient(request)) throw this.giveUp(request);
		await new Promise<void>((admit, refuse) => {
			Object.assign(request, { admit, refuse });
			const before = run.waiting.findLastIndex((other) => other.order <= order);
			run.waiting.splice(before + 1, 0, request);
			this.admit();
		});
	}

	/** A request is no longer in flight. It has no response when it got none. */
	release(request: LimitedRequest, response?: LimitedResponse): void {
		this.inFlight--;
		request.run.freePlaces++;
		if (response && isRefusal(response)) this.refused(request, response);
		// What a gateway answers in the service's place says nothing about the limit
		else if (response && response.statusCode < 500) this.passed(request, response);
		if (this.probe === request) this.probe = undefined;
		if (!this.probe) this.refuseImpatient();
	}

	/** Sends whatever may be sent now, and comes back when the next may be. */
	admit(): void {
		const now = this.clock.now();
		let wakesAt = Infinity;
		for (const run of this.runs.keys()) {
			const request = run.waiting.find(({ limit }) => limit === this);
			if (!request) continue;
			const opensAt = this.opensAt(request, now);
			if (opensAt > now) wakesAt = Math.min(wakesAt, opensAt);
			// Who sends moves to the end, where this loop meets it again
			else if (run.freePlaces > 0) this.launch(request, now);
		}
		if (wakesAt < Infinity) void this.wakeAt(wakesAt, now);
	}

	/** When a request may be sent, unless a response comes sooner. */
	private opensAt({ run, maxWaitMs }: LimitedRequest, now: number): number {
		if (this.pausedSince === undefined) {
			if (this.inFlight >= this.left && now < this.leftUntil) return this.leftUntil;
			return this.inFlight >= this.width ? this.lastSentAt + LONGEST_SILENCE : now;
		}
		if (this.probe) return Math.max(this.resumesAt, this.lastSentAt + LONGEST_SILENCE);
		// Only others met the refusal, and it may be over: a run that can't wait sees for itself
		return !this.runs.get(run) && this.pauseMs > maxWaitMs ? now : this.resumesAt;
	}

	private launch(request: LimitedRequest, now: number): void {
		const { run } = request;
		run.waiting.splice(run.waiting.indexOf(request), 1);
		run.freePlaces--;
		this.runs.delete(run);
		this.runs.set(run, true);
		if (request.attempts++ > 0) request.waitedMs += now - request.waitingSince;
		if (this.pausedSince !== undefined) this.probe = request;
		this.inFlight++;
		this.width = Math.max(this.width, this.inFlight);
		this.lastSentAt = request.sentAt = now;
		request.admit();
	}

	private passed(request: LimitedRequest, { headers }: LimitedResponse): void {
		const now = this.clock.now();
		const isProbe = this.probe === request;
		if (isProbe || request.sentAt >= this.resumesAt) {
			this.pausedSince = undefined;
			this.resumesAt = -Infinity;
		}
		this.passes++;
		this.width = Math.max(this.width, 1 + this.passes / PASSES_PER_PLACE);
		const { remaining = Infinity, resetMs = LONGEST_SILENCE } = readLimitHints(headers, now);
		// Responses overtake each other, and what is left only sinks within a window
		if (remaining >= this.left && now < this.leftUntil) return;
		this.left = remaining;
		this.leftUntil = now + resetMs;
		// A request that passed although nothing was left shows that the number is wrong
		if (remaining === 0 && !isProbe) this.pauseUntil(this.leftUntil);
	}

	private refused(request: LimitedRequest, response: LimitedResponse): void {
		const now = this.clock.now();
		if (this.pausedSince === undefined) {
			this.width = 1 + this.passes / PASSES_PER_PLACE;
			this.passes = 0;
		}
		const { retryAfterMs, resetMs } = readLimitHints(response.headers, now);
		const backoff = backoffMs(request.attempts, this.random());
		this.pauseUntil(now + (retryAfterMs || resetMs || backoff));
		this.leftUntil = now;
		request.response = response;
	}

	private pauseUntil(at: number): void {
		this.pausedSince ??= this.clock.now();
		this.resumesAt = Math.max(this.resumesAt, at);
	}

	/** What is left of the pause, in milliseconds. */
	private get pauseMs(): number {
		return Math.max(0, Math.floor(this.resumesAt - this.clock.now()));
	}

	/** Whether a request may not wait for the rest of the pause, or nothing has passed for too long. */
	private isImpatient({ maxWaitMs, run }: LimitedRequest): boolean {
		if (this.pausedSince === undefined || this.pauseMs === 0) return false;
		const pausedMs = this.clock.now() - Math.max(this.pausedSince, run.since);
		return this.pauseMs > maxWaitMs || pausedMs >= maxWaitMs;
	}

	private giveUp({ response, waitedMs, waitingSince }: LimitedRequest): RateLimitError {
		const lastWaitMs = this.clock.now() - waitingSince;
		return new RateLimitError(response, waitedMs + lastWaitMs, this.pauseMs);
	}

	/** Those that wait give up, too, when they may not wait so long. */
	private refuseImpatient(): void {
		for (const { waiting } of this.runs.keys()) {
			const own = waiting.filter(({ limit }) => limit === this);
			for (const request of own.filter((each) => this.isImpatient(each))) {
				waiting.splice(waiting.indexOf(request), 1);
				request.refuse(this.giveUp(request));
			}
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
