/** Passes, or seconds, without a refusal after which the rate has doubled. */
const DOUBLED_AFTER = 100;

const CARRY = 2;
/** How much one cycle may count for, in passes. */
const PASSES_PER_CYCLE = 3;

/**
 * The rate that a service without helpful headers takes, learned from its refusals: how many
 * requests passed from one resumption to the next, in how much time. Requests are sent in cycles: as
 * many at once as passed at once before (a window), then a rest, so that the rate is kept. A cycle
 * begins at the learned rate, one by one, until a request of it has passed: that shows that a new
 * window has begun. The longer nothing is refused, the shorter the cycles, first slowly, then ever
 * faster, so that a limit that was raised or dropped is soon used.
 */
export class RateEstimate {
	/** Passes a millisecond; undefined while nothing was ever refused */
	private rate: number | undefined;

	/** Requests of one cycle */
	private burst = Infinity;

	/** When requests began to pass again, or the first one was sent; milliseconds since 1970 */
	private resumedAt: number | undefined;

	/** Requests passed since then */
	passed = 0;

	/** Cycles begun since then */
	private cycles = 0;

	/** Names the current cycle */
	private cycle = 0;

	private estimates = 0;
	private refusedAt = 0;

	/** Whether the current cycle had begun to pass when it was refused */
	private isFull = false;

	private cycleStartedAt = 0;

	private sentInCycle = 0;

	private passedInCycle = 0;

	/** When the next request may be sent. */
	nextAt(now: number): number {
		if (this.rate === undefined) return -Infinity;
		const rate = this.rate * this.growth(now);
		const cycleEndsAt = this.cycleStartedAt + this.burst / rate;
		if (now >= cycleEndsAt || this.sentInCycle >= this.burst) return cycleEndsAt;
		if (this.passedInCycle > 0) return -Infinity;
		return this.cycleStartedAt + this.sentInCycle / rate;
	}

	/** @returns the cycle that the request belongs to */
	sent(now: number): number {
		this.resumedAt ??= now;
		if (this.rate !== undefined) {
			const length = this.burst / (this.rate * this.growth(now));
			if (now >= this.cycleStartedAt + length) {
				this.begin(Math.max(this.cycleStartedAt + length, now - length));
			}
		}
		this.sentInCycle++;
		return this.cycle;
	}

	/**
	 * A request got a response that is no refusal.
	 *
	 * @param cycle undefined for one that was sent to see whether a pause is over
	 */
	pass(cycle: number | undefined): void {
		this.passed++;
		if (cycle === this.cycle) this.passedInCycle++;
	}

	/** A pause begins. */
	refuse(now: number): void {
		this.refusedAt = now;
		// A cycle that has not begun to pass came too early. It does not tell how many pass at once.
		this.isFull = this.passedInCycle > 0 || this.burst === Infinity;
	}

	/**
	 * A pause is over: learns from what passed before it.
	 *
	 * @param sentAt when the request was sent that passed then
	 */
	resume(sentAt: number): void {
		const before = this.passed - 1; // the one that ended the pause belongs to what follows
		if (this.resumedAt !== undefined && before > 0) {
			const pause = sentAt - this.refusedAt;
			const period = sentAt - this.resumedAt;
			this.estimates++;
			const rate = before / Math.max(1, this.rate === undefined ? Math.max(pause, period - pause) : period);
			this.rate = this.estimates <= CARRY || this.rate === undefined ? rate : (rate + this.rate) / 2;
			if (this.isFull) {
				const atOnce = this.passedInCycle;
				this.burst = this.estimates <= CARRY || this.burst === Infinity ? atOnce : (atOnce + this.burst) / 2;
			}
			this.burst = Math.max(1, Math.floor(Math.max(this.burst, this.rate * pause)));
		}
		this.resumedAt = sentAt;
		this.passed = 1;
		this.cycles = 0;
		this.begin(sentAt);
		this.sentInCycle = 1;
		this.passedInCycle = 1;
	}

	private begin(at: number): void {
		this.cycle++;
		this.cycles++;
		this.cycleStartedAt = at;
		this.sentInCycle = 0;
		this.passedInCycle = 0;
	}

	private growth(now: number): number {
		const seconds = (now - (this.resumedAt ?? now)) / 1000;
		const patience = Math.max(Math.min(this.passed, PASSES_PER_CYCLE * this.cycles), seconds);
		return 1 + (patience / DOUBLED_AFTER) ** 2;
	}
}
