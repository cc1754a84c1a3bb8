import { RateLimit, TRIAL_INTERVAL_MS, type EndedAttempt } from './rateLimit';
import type { AcceptedVerdict, LimitVerdict } from './rateLimitHeaders';

/** Number of joint steps in a countdown after which different senders seem to share a limit. */
const JOINT_STEPS_THAT_SHOW_SHARING = 2;

/**
 * Tracks a rate limit that all senders share, in addition to each sender's own limit. CometChat doesn't document
 * which limit a response to a message belongs to (open question 11).
 *
 * - A refusal counts only toward the sender's own limit at first. If a different sender is refused while the
 *   first sender is paused, the shared limit pauses, too.
 * - The number of remaining requests also concerns only the sender's own limit, unless different senders count
 *   down together.
 */
export class AllMessageSendersRateLimit extends RateLimit {
	/** Own limit of the sender refused most recently, and the time at which that sender's pause was due to end */
	private suspect?: { sender: RateLimit; until: number };
	/** Last sender that reported each number of remaining requests in the current window */
	private reports = new Map<number, RateLimit>();
	private reportsUntil?: number;
	/** The smallest number in `reports` */
	private lowest?: number;
	/**
	 * Number of times in the current window that a sender reported a new smallest number, if another sender had
	 * reported the previous smallest number. Reset if two senders report the same number.
	 */
	private jointSteps = 0;

	override release(request: EndedAttempt, now: number): void {
		super.release({ ...request, verdict: this.readSharedVerdict(request, now) }, now);
	}

	/** Returns the part of a verdict that concerns the shared limit. */
	private readSharedVerdict(
		{ sentAt, verdict, senderLimit }: EndedAttempt,
		now: number,
	): LimitVerdict {
		if (verdict.name === 'accepted') {
			return { ...verdict, remaining: this.recordReport(verdict, senderLimit, now) };
		}
		if (verdict.name !== 'refused') return verdict;
		const isShared = this.isTrial(sentAt) || this.isOtherRefused(senderLimit, now);
		if (!isShared) return { name: 'refusedByOtherLimit' };
		// The shared limit refused the message, so the time that the sender's own pause has lasted starts over
		if (senderLimit.pause) senderLimit.pause.since = now;
		return verdict;
	}

	/**
	 * Records a refused sender. Returns true if the previous refusal was of a different sender, whose pause isn't due to
	 * end yet.
	 */
	private isOtherRefused(sender: RateLimit, now: number): boolean {
		const { suspect } = this;
		this.suspect = { sender, until: sender.pause?.trialAt ?? now };
		return suspect !== undefined && suspect.sender !== sender && now < suspect.until;
	}

	/**
	 * Records the number of remaining requests in a response to a sender's message. Senders with limits of their
	 * own report the same numbers. Senders who share a limit report different numbers, and take turns at reporting
	 * the smallest number.
	 *
	 * @returns the number if it seems to count the messages of all senders, otherwise undefined
	 */
	private recordReport(
		{ remaining, resetAfterMs = TRIAL_INTERVAL_MS }: AcceptedVerdict,
		sender: RateLimit,
		now: number,
	): number | undefined {
		if (this.reportsUntil === undefined || now >= this.reportsUntil) {
			this.reportsUntil = now + resetAfterMs;
			this.reports.clear();
			this.lowest = undefined;
			this.jointSteps = 0;
		}
		if (remaining === undefined) return undefined;
		if ((this.reports.get(remaining) ?? sender) !== sender) {
			this.jointSteps = 0;
			this.forgetCount();
		} else if (this.lowest === undefined) {
			this.lowest = remaining;
		} else if (remaining < this.lowest) {
			if (this.reports.get(this.lowest) !== sender) this.jointSteps++;
			this.lowest = remaining;
		}
		this.reports.set(remaining, sender);
		return this.jointSteps >= JOINT_STEPS_THAT_SHOW_SHARING ? remaining : undefined;
	}
}
