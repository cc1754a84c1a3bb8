import { RateLimit, TRIAL_MS, type EndedRequest } from './rateLimit';
import type { AcceptedAnswer, Answer } from './rateLimitHeaders';

/** Number of steps that different senders must count down together, so that they seem to share a limit. */
const MIN_JOINT_STEPS = 2;

/**
 * Tracks a rate limit that all senders share, beside each sender's own limit. CometChat doesn't document which
 * limit a response to a message belongs to (open question 11).
 *
 * - Most refusals of a message come from its sender's own limit. If another sender is refused during that
 *   sender's pause, the shared limit pauses, too.
 * - The number of remaining requests is the sender's own, too, unless different senders count down together.
 */
export class SharedRateLimit extends RateLimit {
	/** The sender refused most recently, and the end of that sender's pause */
	private suspect?: { sender: RateLimit; until: number };
	/** Numbers of remaining requests that senders reported in the current window */
	private reports = new Map<number, RateLimit>();
	private reportsUntil?: number;
	/** The smallest number in `reports` */
	private lowest?: number;
	/**
	 * Number of times that a sender reported a new smallest number after another sender reported the smallest one.
	 * Starts again if two senders report the same number.
	 */
	private jointSteps = 0;

	override release(request: EndedRequest, now: number): void {
		super.release({ ...request, answer: this.readAnswer(request, now) }, now);
	}

	/** Returns the part of an answer that concerns the shared limit. */
	private readAnswer({ sentAt, answer, sender }: EndedRequest, now: number): Answer {
		if (answer.name === 'accepted') {
			return { ...answer, remaining: this.recordReport(answer, sender, now) };
		}
		if (answer.name !== 'refused') return answer;
		const isShared = this.isTrial(sentAt) || this.isOtherRefused(sender, now);
		if (!isShared) return { name: 'refusedElsewhere' };
		// The sender's own limit isn't the cause, so its pause isn't older than this refusal
		if (sender.pause) sender.pause.since = now;
		return answer;
	}

	/** True if the sender refused before this one is another sender, whose pause goes on. */
	private isOtherRefused(sender: RateLimit, now: number): boolean {
		const { suspect } = this;
		this.suspect = { sender, until: sender.pause?.trialAt ?? now };
		return suspect !== undefined && suspect.sender !== sender && now < suspect.until;
	}

	/**
	 * Records the number of remaining requests in a response to a sender's message. Senders with limits of their
	 * own report the same numbers. Senders who share a limit never do, and take turns at reporting the smallest
	 * number.
	 *
	 * @returns the number if it seems to count the messages of all senders
	 */
	private recordReport(
		{ remaining, resetMs = TRIAL_MS }: AcceptedAnswer,
		sender: RateLimit,
		now: number,
	): number | undefined {
		if (this.reportsUntil === undefined || now >= this.reportsUntil) {
			this.reportsUntil = now + resetMs;
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
		return this.jointSteps >= MIN_JOINT_STEPS ? remaining : undefined;
	}
}
