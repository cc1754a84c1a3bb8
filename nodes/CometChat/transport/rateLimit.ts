import { MAX_WINDOW_MS, readRateLimitHints } from './rateLimitHeaders';
import { computeBackoffMs } from './retry';
import type { RestResponse } from './types';

/** Time to wait for a trial request's response before sending another trial request, in milliseconds. */
const TRIAL_MS = 1_000;

export type LimitedResponse = Pick<RestResponse, 'statusCode' | 'headers'>;

/** A request in flight. */
export interface SentRequest {
	sentAt: number;
	/** True if the same user sent no other request within the last minute */
	isOnly: boolean;
}

/**
 * Tracks one of CometChat's rate limits. All times are in milliseconds, on the caller's clock.
 *
 * - A refusal (status 429) starts a pause. The pause lasts for `Retry-After` if present, otherwise until the
 *   window ends if known, otherwise for a backoff. A response that reports no remaining requests in the
 *   window also starts a pause.
 * - When a pause's time has passed, one trial request is sent. The pause ends when a trial request succeeds.
 * - The number of requests in flight never exceeds the remaining number that responses report.
 * - After a pause, the expected number of successes is the number between the last two pauses. Until that
 *   number is reached, the number of requests in flight never exceeds the number of successes still expected.
 *   After that, each success allows one more request in flight.
 */
export class RateLimit {
	private inFlight = 0;
	private lastSentAt = -Infinity;
	/** Time at which the current pause started. Infinity if there is no pause. */
	private pausedSince = Infinity;
	/** Time at which the next trial request may be sent */
	private trialAt = -Infinity;
	/** Number of requests that CometChat still accepts until `leftUntil` */
	private left = Infinity;
	private leftUntil = -Infinity;
	/** Number of successful requests since the last pause */
	private passed = 0;
	/** Number of successful requests between the last two pauses */
	private expected = Infinity;
	/** Number of recent refusals, which determines the length of the next backoff */
	private refusals = 0;
	/** True if, since the last success, CometChat refused a request from a user without other recent requests */
	private isSuspected = false;

	/** @param isShared true if the limit counts requests from all users, who also have individual limits */
	constructor(private readonly isShared: boolean) {}

	/**
	 * Time at which a request may be sent, as far as is known now. Infinity if the time depends on a pending
	 * response.
	 */
	opensAt(now: number): number {
		if (this.pausedSince < Infinity) return this.trialAt;
		if (this.inFlight >= this.left && now < this.leftUntil) return this.leftUntil;
		return this.inFlight <= Math.abs(this.expected - this.passed) ? now : Infinity;
	}

	/**
	 * Milliseconds left in a pause that is too long for a request to wait out, or 0 if the request may wait.
	 */
	excessMs(maxWaitMs: number, runSince: number, now: number): number {
		const restMs = Math.max(0, Math.floor(this.trialAt - now));
		const pausedMs = now - Math.max(this.pausedSince, runSince);
		return restMs > maxWaitMs || pausedMs >= maxWaitMs ? restMs : 0;
	}

	/**
	 * Records that a request is being sent. Returns true if no other request was sent within the last minute.
	 */
	start(now: number): boolean {
		const isOnly = now - this.lastSentAt > MAX_WINDOW_MS;
		this.lastSentAt = now;
		this.inFlight++;
		if (this.pausedSince < Infinity) this.trialAt = now + TRIAL_MS;
		return isOnly;
	}

	/**
	 * Updates the limit after a request has ended.
	 *
	 * @param response undefined if the request got no response
	 * @param today current time in milliseconds since 1970
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
		// A gateway's own error response says nothing about CometChat's limit
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
		// Responses can arrive out of order, so within a window only a smaller remaining number counts
		if (this.isShared || (remaining >= this.left && now < this.leftUntil)) return;
		this.left = remaining;
		this.leftUntil = now + (resetMs ?? TRIAL_MS);
		if (remaining === 0) this.pause(now, this.leftUntil - now);
	}

	/**
	 * True if a refusal came from this shared limit rather than from the user's own limit. The user must have
	 * sent no other request within the last minute. In addition, another such user must have been refused since
	 * the last success, or this limit must have been paused before.
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
