import { MAX_WINDOW_MS, readRateLimitHints } from './rateLimitHeaders';
import { computeBackoffMs } from './retry';
import type { RestResponse } from './types';

/** Milliseconds after which another trial request is sent if a trial has no response. */
const TRIAL_MS = 1_000;

export type LimitedResponse = Pick<RestResponse, 'statusCode' | 'headers'>;

/** A request in flight. */
export interface SentRequest {
	sentAt: number;
	/** True if no other request with the same user was sent within the last minute */
	isOnly: boolean;
}

/**
 * A rate limit of the service. Times are in milliseconds by the caller's clock.
 *
 * - A refusal (status 429) starts a pause. The pause lasts as long as `Retry-After` says, else until the
 *   window ends, else for a backoff. A response with no requests left in the window also starts a pause.
 * - After the pause, one trial request is sent. A successful trial ends the pause.
 * - The number of requests in flight never exceeds the number that responses report as left, or the
 *   number that succeeded between the last two pauses. After that number has succeeded, each success
 *   allows one more request in flight.
 */
export class RateLimit {
	private inFlight = 0;
	private lastSentAt = -Infinity;
	/** Infinity unless there is a pause */
	private pausedSince = Infinity;
	/** Time at which the next trial may be sent */
	private trialAt = -Infinity;
	/** Number of requests that the service still accepts until `leftUntil` */
	private left = Infinity;
	private leftUntil = -Infinity;
	/** Number of successes since the last pause */
	private passed = 0;
	/** Number of successes between the last two pauses */
	private expected = Infinity;
	/** Number of recent refusals, for the length of the next backoff */
	private refusals = 0;
	/** True if a user's only request was refused since the last success */
	private isSuspected = false;

	/** @param isShared true if the limit counts requests of all users, who also have their own limits */
	constructor(private readonly isShared: boolean) {}

	/** Time at which a request may be sent, unless a response changes it. Infinity until the next response. */
	opensAt(now: number): number {
		if (this.pausedSince < Infinity) return this.trialAt;
		if (this.inFlight >= this.left && now < this.leftUntil) return this.leftUntil;
		return this.inFlight <= Math.abs(this.expected - this.passed) ? now : Infinity;
	}

	/** Milliseconds left of a pause that lasts longer than a request may wait. 0 if the request may wait. */
	excessMs(maxWaitMs: number, runSince: number, now: number): number {
		const restMs = Math.max(0, Math.floor(this.trialAt - now));
		const pausedMs = now - Math.max(this.pausedSince, runSince);
		return restMs > maxWaitMs || pausedMs >= maxWaitMs ? restMs : 0;
	}

	/** Counts a request that is sent. Returns true if no other request was sent within the last minute. */
	start(now: number): boolean {
		const isOnly = now - this.lastSentAt > MAX_WINDOW_MS;
		this.lastSentAt = now;
		this.inFlight++;
		if (this.pausedSince < Infinity) this.trialAt = now + TRIAL_MS;
		return isOnly;
	}

	/**
	 * Updates the limit after a request.
	 *
	 * @param response undefined if the request got no response
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
		const hints = readRateLimitHints(response.headers, today);
		const { retryAfterMs, remaining = Infinity, resetMs } = hints;
		if (response.statusCode === 429) {
			if (this.isShared && !isTrial && !this.isRefusing(isOnly)) return;
			if (isTrial || this.pausedSince === Infinity) this.refusals++;
			this.pause(now, retryAfterMs || resetMs || computeBackoffMs(this.refusals));
			this.left = Infinity;
			return;
		}
		if (isTrial) this.resume();
		this.passed++;
		this.isSuspected = false;
		// Responses can arrive out of order, so only a smaller number counts within a window
		if (this.isShared || (remaining >= this.left && now < this.leftUntil)) return;
		this.left = remaining;
		this.leftUntil = now + (resetMs ?? TRIAL_MS);
		if (remaining === 0) this.pause(now, this.leftUntil - now);
	}

	/**
	 * True if this shared limit refused a request, not the user's own limit. The user must have sent
	 * nothing else. Also, another user was refused just before, or this limit has refused requests before.
	 */
	private isRefusing(isOnly: boolean): boolean {
		const isRefusing = isOnly && (this.isSuspected || this.expected < Infinity);
		this.isSuspected ||= isOnly;
		return isRefusing;
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
