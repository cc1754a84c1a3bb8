import type { AcceptedVerdict, LimitVerdict } from './rateLimitHeaders';
import { computeBackoffMs } from './retry';

/**
 * Interval in milliseconds at which single requests are still sent when a limit is reached (see `RateLimitTracker`). Also
 * the assumed length of a rate-limit window whose end is unknown.
 */
export const PROBE_INTERVAL_MS = 1_000;

/** Initial maximum number of requests in flight, from all runs together. */
const START_IN_FLIGHT = 60;

/** At most `maxInFlight` requests may be in flight. Each request that isn't refused raises the number. */
interface RisingState {
	name: 'rising';
	maxInFlight: number;
}

/** According to CometChat, `left` more requests are allowed until the window ends. */
interface CountedState {
	name: 'counted';
	left: number;
	until: number;
}

/**
 * CometChat or a file's host refused a request, or reported that no requests remain in the window. Until a request is
 * accepted again, only single probes are sent.
 */
interface PausedState {
	name: 'paused';
	since: number;
	/** Time at which the next probe may be sent */
	probeAt: number;
	/** Number of refused probes, plus the refusal that started the pause, if any */
	refusals: number;
}

const START: RisingState = { name: 'rising', maxInFlight: START_IN_FLIGHT };

/**
 * Tracks a rate limit of CometChat or of a file's host. All times are in milliseconds, on the caller's clock.
 *
 * - At first, 60 requests may be in flight. Each request that ends without a refusal allows one more.
 * - While responses say nothing about the limit, one request per `PROBE_INTERVAL_MS` is sent even if the maximum is in
 *   flight. Otherwise, uploads or downloads that take minutes could hold up all other requests.
 * - If responses report how many requests remain in the window, at most that number is in flight. If none remain,
 *   requests pause until the window ends. If some remain when the window ends, 60 may be in flight again.
 * - A refusal (status 429) starts a pause. Its length comes from `Retry-After`, the response's text or
 *   `X-RateLimit-Reset`, in this order. Without any of these, the length is a backoff that doubles with each refused
 *   probe, up to 30 seconds.
 * - When a pause's time has passed, one probe is sent per `PROBE_INTERVAL_MS` until a response arrives. The
 *   pause ends when a probe gets a response with a status below 500 other than 429. Then, two requests may be
 *   in flight, and each request that ends without a refusal allows one more.
 */
export class RateLimitTracker {
	private inFlight = 0;
	private lastSentAt = 0;
	private state: RisingState | CountedState | PausedState = START;

	/** Returns the earliest time at which a request may be sent. Later responses can change this time. */
	getEarliestSendTime(now: number): number {
		const state = this.stateAt(now);
		if (state.name === 'paused') return state.probeAt;
		if (state.name === 'counted') return this.inFlight < state.left ? now : state.until;
		return this.inFlight < state.maxInFlight ? now : this.lastSentAt + PROBE_INTERVAL_MS;
	}

	/**
	 * Returns the milliseconds left in the current pause if a request may not wait that long, and 0 otherwise. A request
	 * may not wait if the remaining pause exceeds `maxWaitMs`, or if its run has already spent `maxWaitMs` in the pause.
	 *
	 * @param runSince time at which the run started
	 */
	getTooLongPauseMsOrZero(maxWaitMs: number, runSince: number, now: number): number {
		const { currentPause: pause } = this;
		if (pause === undefined) return 0;
		const restMs = Math.max(0, Math.floor(pause.probeAt - now));
		const pausedMs = now - Math.max(pause.since, runSince);
		return restMs > maxWaitMs || pausedMs >= maxWaitMs ? restMs : 0;
	}

	get currentPause(): PausedState | undefined {
		return this.state.name === 'paused' ? this.state : undefined;
	}

	/** Records that a request is being sent. */
	recordStart(now: number): void {
		this.inFlight++;
		this.lastSentAt = now;
		if (this.currentPause) this.currentPause.probeAt = now + PROBE_INTERVAL_MS;
	}

	/** Updates the limit after a request has ended. */
	recordEndAndApplyVerdict(sentAt: number, verdict: LimitVerdict, now: number): void {
		this.inFlight--;
		this.state = this.stateAt(now);
		// A request sent after the pause began is a probe
		const { currentPause: pause } = this;
		const isProbe = pause !== undefined && sentAt > pause.since;
		if (isProbe) pause.probeAt = now;
		switch (verdict.name) {
			case 'refused':
				this.pauseAfterRefusal(verdict.waitMs, isProbe, now);
				break;
			case 'accepted':
				if (isProbe) this.state = { name: 'rising', maxInFlight: 1 };
				this.raiseMaxInFlight();
				this.applyRemaining(verdict, now);
				break;
			case 'inconclusive':
				this.raiseMaxInFlight();
		}
	}

	private stateAt(now: number): RisingState | CountedState | PausedState {
		const { state } = this;
		return state.name === 'counted' && now >= state.until ? START : state;
	}

	private raiseMaxInFlight(): void {
		const { state } = this;
		if (state.name === 'rising') this.state = { ...state, maxInFlight: state.maxInFlight + 1 };
	}

	/** Starts a pause, or extends the current pause. */
	private pauseAfterRefusal(waitMs: number | undefined, isProbe: boolean, now: number): void {
		const { refusals = 0 } = this.currentPause ?? {};
		const count = isProbe || !this.currentPause ? refusals + 1 : refusals;
		this.pauseUntil(now + (waitMs ?? computeBackoffMs(count)), count, now);
	}

	/** Applies the number of remaining requests. During a pause, only the number 0 has an effect. */
	private applyRemaining(
		{ remaining, resetAfterMs = PROBE_INTERVAL_MS }: AcceptedVerdict,
		now: number,
	): void {
		const { state } = this;
		const until = now + resetAfterMs;
		if (remaining === undefined) return;
		if (remaining === 0) this.pauseUntil(until, 0, now);
		// Responses can arrive out of order, so within a window only a smaller remaining number counts
		else if (state.name === 'rising' || (state.name === 'counted' && remaining < state.left)) {
			this.state = { name: 'counted', left: remaining, until };
		}
	}

	private pauseUntil(at: number, refusals: number, now: number): void {
		const { since = now, probeAt = at } = this.currentPause ?? {};
		this.state = { name: 'paused', since, probeAt: Math.max(probeAt, at), refusals };
	}
}
