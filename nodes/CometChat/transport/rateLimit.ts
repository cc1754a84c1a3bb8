import { MAX_WINDOW_MS, readRateLimitHints } from './rateLimitHeaders';
import { computeBackoffMs } from './retry';
import type { RestResponse } from './types';

/** Milliseconds after which a trial request without a response is followed by another trial. */
const TRIAL_MS = 1_000;

export type LimitedResponse = Pick<RestResponse, 'statusCode' | 'headers'>;

/** A request in flight. */
export interface SentRequest {
	sentAt: number;
	/** Whether no other request of the same user was sent in the same window */
	isOnly: boolean;
}

/**
 * A rate limit of the service. Times are in milliseconds, by the clock of the caller.
 *
 * - A refusal (status 429) starts a pause: as long as `Retry-After` says, else until the window ends,
 *   else for a backoff. A response that says that nothing is left starts a pause, too.
 * - After the pause, one trial request is sent. The others follow when the trial has passed.
 * - No more requests are in flight than responses say are left, or than passed between the last two
 *   pauses. After that number has passed, each request that passes lets one more be in flight.
 */
export class RateLimit {
	private inFlight = 0;
	private lastSentAt = -Infinity;
	/** Infinity while requests pass */
	private pausedSince = Infinity;
	/** Time at which the next trial may be sent */
	private trialAt = -Infinity;
	/** Number of requests that will pass until a time, as responses say */
	private left = Infinity;
	private leftUntil = -Infinity;
	/** Number of requests that passed since the last pause, and between the two pauses before */
	private passed = 0;
	private expected = Infinity;
	/** Determines the length of the next backoff */
	private refusals = 0;
	private isSuspected = false;

	/** @param isShared whether the limit counts requests of all users: other limits count them, too */
	constructor(private readonly isShared: boolean) {}

	/** Time at which a request may be sent, unless a response comes sooner. */
	opensAt(now: number): number {
		if (this.pausedSince < Infinity) return this.trialAt;
		if (this.inFlight >= this.left && now < this.leftUntil) return this.leftUntil;
		return this.inFlight <= Math.abs(this.expected - this.passed) ? now : Infinity;
	}

	/** Milliseconds left of a pause that lasts longer than a request may wait; else 0. */
	excessMs(maxWaitMs: number, runSince: number, now: number): number {
		const restMs = Math.max(0, Math.floor(this.trialAt - now));
		const pausedMs = now - Math.max(this.pausedSince, runSince);
		return restMs > maxWaitMs || pausedMs >= maxWaitMs ? restMs : 0;
	}

	/** Notes that a request is sent. Returns whether it is the only one in the window. */
	launch(now: number): boolean {
		const isOnly = now - this.lastSentAt > MAX_WINDOW_MS;
		this.lastSentAt = now;
		this.inFlight++;
		if (this.pausedSince < Infinity) this.trialAt = now + TRIAL_MS;
		return isOnly;
	}

	/**
	 * Notes how a request ended.
	 *
	 * @param response undefined if there was none
	 * @param today milliseconds since 1970
	 */
	release(
		{ sentAt, isOnly }: SentRequest,
		response: LimitedResponse | undefined,
		now: number,
		today: number,
	): void {
		this.inFlight--;
		const isTrial = sentAt > this.pausedSince;
		if (isTrial) this.trialAt = now;
		// A gateway's own response says nothing about the limit
		if (response === undefined || response.statusCode >= 500) return;
		const {
			retryAfterMs,
			remaining = Infinity,
			resetMs,
		} = readRateLimitHints(response.headers, today);
		if (response.statusCode === 429) {
			if (this.isShared && !isTrial && !this.isMeant(isOnly)) return;
			if (isTrial || this.pausedSince === Infinity) this.refusals++;
			this.pause(now, retryAfterMs || resetMs || computeBackoffMs(this.refusals));
			this.left = Infinity;
			return;
		}
		if (isTrial) this.resume();
		this.passed++;
		this.isSuspected = false;
		// Responses overtake each other, and the number only sinks within a window
		if (this.isShared || (remaining >= this.left && now < this.leftUntil)) return;
		this.left = remaining;
		this.leftUntil = now + (resetMs ?? TRIAL_MS);
		if (remaining === 0) this.pause(now, this.leftUntil - now);
	}

	/**
	 * Whether a refusal is about this limit and not about the limit of a user: the user sent nothing
	 * else, and another user was refused before, unless the limit is known.
	 */
	private isMeant(isOnly: boolean): boolean {
		const isMeant = isOnly && (this.isSuspected || this.expected < Infinity);
		this.isSuspected ||= isOnly;
		return isMeant;
	}

	private pause(now: number, ms: number): void {
		this.pausedSince = Math.min(this.pausedSince, now);
		this.trialAt = Math.max(this.trialAt, now + ms);
	}

	private resume(): void {
		this.pausedSince = Infinity;
		this.trialAt = -Infinity;
		this.expected = this.passed;
		this.passed = 0;
		this.refusals = Math.max(0, this.refusals - 2);
	}
}
