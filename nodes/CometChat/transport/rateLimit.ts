import type { Clock } from './clock';
import { LONGEST_NAP } from './clock';
import { HeaderBudget } from './headerBudget';
import { readLimitHints } from './limitHeaders';

/** After a refusal, how many requests have to pass for one more that may be in flight. */
const PASSES_PER_PLACE = 16;

/** Milliseconds without a request sent after which one may go: slow responses hold up no other run. */
const LONGEST_SILENCE = 1_000;

/** Backoff where the service does not say how long to wait, in milliseconds. */
const LEAST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;

const TOO_MANY_REQUESTS = 429;

/** What a gateway answers in the service's place says nothing about the limit. */
const GATEWAY_ERROR = 500;

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

/** What is looked at in a response. */
export interface LimitedResponse {
	statusCode: number;
	/** With lower-case names */
	headers: Record<string, unknown>;
}

export const isRefusal = ({ statusCode }: LimitedResponse) => statusCode === TOO_MANY_REQUESTS;

/** A node run, as far as limits look at it. */
export interface Run {
	/** Requests that wait, for whichever limit, in their order */
	readonly waiting: LimitedRequest[];
	/** How many more requests may be in flight */
	freePlaces: number;
	/** When it began, in milliseconds since 1970 */
	readonly since: number;
}

/** A request on its way, however often it is sent. Times in milliseconds (since 1970). */
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
 * A rate limit as all runs meet it that use it at the same time: lets each request be sent as soon
 * as it should pass.
 *
 * - A refusal (status 429) pauses everyone for as long as `Retry-After` says, else until the window
 *   ends, else for a backoff. So does a response that says that nothing is left.
 * - After the pause one request goes first; the others follow when it has passed.
 * - Where responses say how many requests are left, no more are in flight (`HeaderBudget`); where a
 *   refusal came nevertheless, few at first: all that are in flight are refused when a window ends.
 * - A request gives up when a pause lasts longer than it may wait, or nothing has passed for so long.
 * - The runs take turns.
 */
export class RateLimit {
	private readonly budget = new HeaderBudget();

	/** Whether each run has sent anything. Who sent last comes last. */
	private readonly runs = new Map<Run, boolean>();

	private inFlight = 0;

	/** How many may be in flight: until something is refused, only the runs bound it */
	private width = Infinity;

	/** Requests that passed since the last pause that refusals caused */
	private passes = 0;

	private lastSentAt = -Infinity;

	/** When the pause began; undefined while requests pass */
	private pausedSince: number | undefined;

	/** When the pause ends */
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

	join(run: Run): void {
		this.runs.set(run, false);
	}

	/** @returns whether any run is left that uses the limit */
	leave(run: Run): boolean {
		this.runs.delete(run);
		return this.runs.size > 0;
	}

	/**
	 * Waits until the request may be sent.
	 *
	 * @throws RateLimitError when that takes too long
	 */
	async acquire(request: LimitedRequest): Promise<void> {
		const { run, order, maxWaitMs } = request;
		request.waitingSince = this.clock.now();
		if (this.runs.get(run) && !this.probe && this.pauseMs > maxWaitMs) throw this.giveUp(request);
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
		else if (response && response.statusCode < GATEWAY_ERROR) this.passed(request, response);
		if (this.probe === request) this.probe = undefined;
		if (!this.probe) this.refuseImpatient();
	}

	/** Sends whatever may be sent now, and comes back when the next may be. */
	admit(): void {
		let wakesAt = Infinity;
		for (const run of this.runs.keys()) {
			const request = run.waiting.find(({ limit }) => limit === this);
			if (!request || run.freePlaces === 0) continue;
			// Who sends moves to the end, where the loop meets it again
			if (this.isOpenTo(request)) this.launch(request);
			else wakesAt = Math.min(wakesAt, this.opensAt(request));
		}
		if (wakesAt < Infinity) void this.wakeAt(wakesAt);
	}

	/** Whether a request that waits may be sent now. */
	isOpenTo(request: LimitedRequest): boolean {
		return request.run.freePlaces > 0 && this.opensAt(request) <= this.clock.now();
	}

	/** Whether a request may not wait for the rest of the pause, or nothing has passed for too long. */
	isImpatient({ maxWaitMs, run }: LimitedRequest): boolean {
		if (this.pausedSince === undefined) return false;
		const pausedMs = this.clock.now() - Math.max(this.pausedSince, run.since);
		return this.pauseMs > maxWaitMs || pausedMs >= maxWaitMs;
	}

	giveUp(request: LimitedRequest): RateLimitError {
		const { response, attempts, waitedMs, waitingSince } = request;
		const waited = waitedMs + this.clock.now() - waitingSince;
		return new RateLimitError(response, attempts, waited, this.pauseMs);
	}

	/** What is left of the pause, in milliseconds. */
	private get pauseMs(): number {
		return Math.max(0, Math.floor(this.resumesAt - this.clock.now()));
	}

	/** When a request may be sent, unless a response comes sooner. */
	private opensAt({ run, maxWaitMs }: LimitedRequest): number {
		if (this.pausedSince === undefined) {
			const isFull = this.inFlight >= this.width;
			const silenceEndsAt = isFull ? this.lastSentAt + LONGEST_SILENCE : -Infinity;
			return Math.max(silenceEndsAt, this.budget.opensAt(this.inFlight));
		}
		if (this.probe) return Math.max(this.resumesAt, this.lastSentAt + LONGEST_SILENCE);
		// Only others met the refusal, and it may be over: a run that can't wait sees for itself
		const seesForItself = !this.runs.get(run) && this.pauseMs > maxWaitMs;
		return seesForItself ? -Infinity : this.resumesAt;
	}

	private launch(request: LimitedRequest): void {
		const { run } = request;
		const now = this.clock.now();
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
		this.passes++;
		this.width = Math.max(this.width, 1 + this.passes / PASSES_PER_PLACE);
		if (isProbe || request.sentAt >= this.resumesAt) {
			this.pausedSince = undefined;
			this.resumesAt = -Infinity;
		}
		this.budget.read(readLimitHints(headers, now), request.sentAt, isProbe, now);
		const opensAt = this.budget.opensAt(0);
		if (opensAt >= now) this.pauseUntil(opensAt);
	}

	private refused(request: LimitedRequest, response: LimitedResponse): void {
		const now = this.clock.now();
		if (this.pausedSince === undefined) {
			this.width = 1 + this.passes / PASSES_PER_PLACE;
			this.passes = 0;
		}
		const pausedMs = now - (this.pausedSince ?? now);
		const backoff = Math.min(Math.max(LEAST_BACKOFF, pausedMs), LONGEST_BACKOFF);
		const { retryAfterMs, resetMs } = readLimitHints(response.headers, now);
		this.pauseUntil(now + (retryAfterMs || resetMs || backoff * (0.5 + 0.5 * this.random())));
		this.budget.forget();
		request.response = response;
		request.waitingSince = now;
	}

	private pauseUntil(at: number): void {
		this.pausedSince ??= this.clock.now();
		this.resumesAt = Math.max(this.resumesAt, at);
	}

	/** Those that wait give up, too, when they may not wait so long. */
	private refuseImpatient(): void {
		for (const { waiting } of this.runs.keys()) {
			for (const request of waiting.filter(({ limit }) => limit === this)) {
				if (!this.isImpatient(request)) continue;
				waiting.splice(waiting.indexOf(request), 1);
				request.refuse(this.giveUp(request));
			}
		}
	}

	/** Comes back at a time, or sooner: a timer that is no longer needed should not last long. */
	private async wakeAt(at: number): Promise<void> {
		const now = this.clock.now();
		const wakesAt = Math.min(at, now + LONGEST_NAP);
		if (this.wakesAt <= wakesAt) return;
		this.wakesAt = wakesAt;
		await this.clock.sleep(wakesAt - now);
		if (this.wakesAt !== wakesAt) return; // another timer ended sooner
		this.wakesAt = Infinity;
		this.admit();
	}
}
