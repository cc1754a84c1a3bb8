/**
 * Seconds without a refusal after which twice the rate is tried: the time in which this many requests
 * pass, within these bounds. More often would cost more refusals than it gains.
 */
const PASSES_TO_DOUBLE = 22;
const LEAST_TO_DOUBLE = 12;
const MOST_TO_DOUBLE = 22;

/** How the tried rate grows until then and beyond: hardly at first, and very fast in the end. */
const GROWTH_POWER = 6;

/** What is left of the best rate after another estimate that is lower. */
const FADING = 0.9;

/**
 * The rate that a service without helpful headers takes, learned from its refusals: how many
 * requests passed from one resumption to the next, in how much time.
 *
 * Requests are sent in cycles: as many as passed at once before (a burst), then a rest, so that the
 * rate is kept. That suits windows, where a burst fills a window, as well as buckets that fill all
 * the time, where bursts are small. A cycle begins at the learned rate, one by one, until a request
 * of it has passed: that shows that a new window has begun. The longer nothing is refused, the
 * shorter the cycles, so that a limit that was raised, dropped or shared with others who have ended
 * is soon used.
 */
export class RateEstimate {
	/** Passes a millisecond; undefined while nothing was ever refused */
	private rate: number | undefined;

	/** The best rate so far; fades */
	private best = 0;

	/** Requests of one cycle */
	private burst = Infinity;

	private estimates = 0;

	/** When requests began to pass again, or the first one was sent; milliseconds since 1970 */
	private resumedAt: number | undefined;

	/** When the latest pause began */
	private refusedAt = 0;

	/** Whether that was after requests of the cycle had passed: then it shows how many pass at once */
	private endedByRefusal = false;

	private passedSinceResumption = 0;

	/** Names the current cycle */
	private cycle = 0;

	private cycleStartedAt = 0;

	private sentInCycle = 0;

	private passedInCycle = 0;

	/** Requests passed since requests began to pass again. */
	get passed(): number {
		return this.passedSinceResumption;
	}

	/** When the next request may be sent, in milliseconds since 1970. */
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
			const endsAt = this.cycleStartedAt + length;
			// A little late does not make the next cycle late, but what was not used is gone
			if (now >= endsAt) this.begin(Math.max(endsAt, now - length));
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
		this.passedSinceResumption++;
		if (cycle === this.cycle) this.passedInCycle++;
	}

	/** A pause begins. */
	pause(now: number): void {
		this.refusedAt = now;
		this.endedByRefusal = this.passedInCycle > 0 || this.rate === undefined;
	}

	/**
	 * A pause is over: learns from what passed before it.
	 *
	 * @param sentAt when the request was sent that passed then
	 */
	resume(sentAt: number): void {
		const before = this.passed - 1; // the one that ended the pause belongs to what follows
		if (this.resumedAt !== undefined && before > 0) {
			this.learn(before, this.refusedAt - this.resumedAt, sentAt - this.refusedAt);
		}
		this.resumedAt = sentAt;
		this.passedSinceResumption = 1;
		this.begin(sentAt);
		this.sentInCycle = 1;
		this.passedInCycle = 1;
	}

	/** @param passed requests passed in `activeMs`; then there was a pause of `pauseMs` */
	private learn(passed: number, activeMs: number, pauseMs: number): void {
		// How much of a window or bucket was left at the start is not known: until the second pause
		// estimates are rough, and the last one counts alone
		const isFirst = this.rate === undefined;
		const isRough = ++this.estimates <= 2;
		const period = Math.max(1, isFirst ? Math.max(pauseMs, activeMs) : activeMs + pauseMs);
		this.rate = mean(passed / period, isRough ? undefined : this.rate);
		this.best = Math.max(this.rate, this.best * FADING);
		if (this.endedByRefusal)
			this.burst = mean(this.passedInCycle, isRough ? undefined : this.burst);
		// What was not sent during the pause
		this.burst = Math.max(1, Math.floor(Math.max(this.burst, this.rate * pauseMs)));
	}

	private begin(at: number): void {
		this.cycle++;
		this.cycleStartedAt = at;
		this.sentInCycle = 0;
		this.passedInCycle = 0;
	}

	/** How many times the learned rate is tried now. */
	private growth(now: number): number {
		if (this.rate === undefined || this.resumedAt === undefined) return 1;
		const perSecond = this.rate * 1000;
		const usual = Math.max(LEAST_TO_DOUBLE, PASSES_TO_DOUBLE / perSecond);
		// A run that had more before, or whose neighbours took it, may be back there soon
		const toDouble = Math.min(MOST_TO_DOUBLE, usual) * (this.rate / this.best);
		const cycle = this.burst / perSecond;
		const seconds = (now - this.resumedAt) / 1000;
		return 1 + (seconds / Math.max(toDouble, cycle)) ** GROWTH_POWER;
	}
}

function mean(value: number, earlier = value): number {
	return (value + earlier) / 2;
}
