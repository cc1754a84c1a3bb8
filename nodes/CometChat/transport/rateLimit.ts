import { readRateLimitHints } from './rateLimitHeaders';
import { computeBackoffMs } from './retry';
import type { RestResponse } from './types';

/**
 * Time in milliseconds to wait for a trial request's response before sending another trial request. Also the
 * length of a window whose end is unknown.
 */
const TRIAL_MS = 1_000;

/** Number of steps that different senders must count down together, so that they seem to share a limit. */
const MIN_JOINT_STEPS = 2;

export type LimitedResponse = Pick<RestResponse, 'statusCode' | 'headers'>;

/** A request that counts toward rate limits. */
export interface LimitedRequest {
	/** The sender's own limit. The second limit, if any, is shared by all senders. */
	limits: RateLimit[];
	sentAt: number;
}

/**
 * Tracks one of CometChat's rate limits. All times are in milliseconds, on the caller's clock.
 *
 * - A refusal (status 429) starts a pause. The pause lasts for `Retry-After` if present, otherwise until the
 *   window ends if `X-RateLimit-Reset` says when, otherwise for a backoff that doubles with each refused trial.
 * - When a pause's time has passed, one trial request is sent. The pause ends when a trial request succeeds.
 * - If responses report how many requests remain in the window, no more than these are in flight. None left
 *   starts a pause until the window ends.
 * - Otherwise, after a pause, the number of requests in flight never exceeds the number of successes since by
 *   more than one, so each success allows one more.
 * - Most refusals of a message come from its sender's own limit. If another sender is refused during that
 *   sender's pause, the limit shared by all senders pauses, too.
 * - The number of remaining requests is the sender's own, too, unless different senders count down together.
 */
export class RateLimit {
	private inFlight = 0;
	/** Time at which the current pause started. Infinity if there is no pause. */
	private pausedSince = Infinity;
	/** Time at which the next trial request may be sent */
	private trialAt = -Infinity;
	/** Number of successful requests since the last pause. Infinity before the first pause. */
	private passed = Infinity;
	/** Number of refused trials, plus the refusal that started the pause */
	private refusals = 0;
	/** Number of requests that CometChat still accepts until `leftUntil` */
	private left = Infinity;
	private leftUntil = -Infinity;
	/** Numbers of remaining requests that a shared limit's senders reported in the current window */
	private readonly reports = new Map<number, RateLimit>();
	private lowestReport = Infinity;
	/** Number of successive times that a sender reported fewer remaining requests than another sender */
	private jointSteps = 0;
	/** The sender refused most recently, and the end of that sender's pause */
	private suspect?: { sender: RateLimit; until: number };

	/**
	 * Time at which a request may be sent, as far as is known now. Infinity if the time depends on a pending
	 * response.
	 */
	opensAt(now: number): number {
		if (this.pausedSince < Infinity) return this.trialAt;
		if (this.left < Infinity && now < this.leftUntil)
			return this.inFlight < this.left ? now : this.leftUntil;
		return this.inFlight <= this.passed ? now : Infinity;
	}

	/**
	 * Milliseconds left in a pause that is too long for a request to wait out, or 0 if the request may wait.
	 */
	excessMs(maxWaitMs: number, runSince: number, now: number): number {
		const restMs = Math.max(0, Math.floor(this.trialAt - now));
		const pausedMs = now - Math.max(this.pausedSince, runSince);
		return restMs > maxWaitMs || pausedMs >= maxWaitMs ? restMs : 0;
	}

	/** Records that a request is being sent. */
	start(now: number): void {
		this.inFlight++;
		if (this.pausedSince < Infinity) this.trialAt = now + TRIAL_MS;
	}

	/**
	 * Updates the limit after a request has ended.
	 *
	 * @param response undefined if the request got no response
	 * @param today current time in milliseconds since 1970
	 */
	release(
		{ sentAt, limits: [sender = this] }: LimitedRequest,
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
		const isShared = sender !== this;
		if (response.statusCode === 429) {
			if (isShared && !isTrial) {
				const isOtherRefused = this.isOtherRefused(sender, now);
				this.suspect = { sender, until: sender.trialAt };
				if (!isOtherRefused) return;
			}
			// The sender's own limit isn't the cause, so its pause isn't older than this refusal
			if (isShared) sender.pausedSince = now;
			if (isTrial || this.pausedSince === Infinity) this.refusals++;
			this.pause(now, retryAfterMs || resetMs || computeBackoffMs(this.refusals));
			this.left = Infinity;
			return;
		}
		if (isTrial) this.resume();
		this.passed++;
		const isNewWindow = now >= this.leftUntil;
		const left = isShared ? this.recordReport(sender, remaining, isNewWindow) : remaining;
		// Responses can arrive out of order, so within a window only a smaller remaining number counts
		if (left >= this.left && !isNewWindow) return;
		this.left = left;
		this.leftUntil = now + (resetMs ?? TRIAL_MS);
		if (left === 0) this.pause(now, this.leftUntil - now);
	}

	/**
	 * Records the number of remaining requests in a response to a sender's message. CometChat doesn't document
	 * which limit the number belongs to (open question 11). Senders with limits of their own report the same
	 * numbers. Senders who share a limit never do, and take turns at reporting the smallest number.
	 *
	 * @returns the number if it seems to count the messages of all senders, otherwise Infinity
	 */
	private recordReport(sender: RateLimit, remaining: number, isNewWindow: boolean): number {
		if (isNewWindow) {
			this.reports.clear();
			this.lowestReport = Infinity;
			this.jointSteps = 0;
		}
		const lowestSender = this.reports.get(this.lowestReport);
		if ((this.reports.get(remaining) ?? sender) !== sender) {
			this.jointSteps = 0;
			this.left = Infinity;
		} else if (remaining < this.lowestReport) {
			if (lowestSender !== undefined && lowestSender !== sender) this.jointSteps++;
			this.lowestReport = remaining;
		}
		this.reports.set(remaining, sender);
		return this.jointSteps >= MIN_JOINT_STEPS ? remaining : Infinity;
	}

	/** True if the sender refused before this one is another sender, whose pause goes on. */
	private isOtherRefused(sender: RateLimit, now: number): boolean {
		const { suspect } = this;
		return suspect !== undefined && suspect.sender !== sender && now < suspect.until;
	}

	private pause(now: number, ms: number): void {
		this.pausedSince = Math.min(this.pausedSince, now);
		this.trialAt = Math.max(this.trialAt, now + ms);
	}

	private resume(): void {
		this.pausedSince = Infinity;
		this.trialAt = -Infinity;
		this.passed = 0;
		this.refusals = 0;
	}
}
