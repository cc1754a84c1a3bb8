import type { LimitHints } from './limitHeaders';

/** Longest wait, in milliseconds, for a window to end while no request has been refused. */
const LONGEST_TRUST = 3_000;

/** The same when the service says that nothing is left, but not until when. */
const SHORT_TRUST = 400;

/** Clocks differ: come a little after the end of a window, in milliseconds, not before. */
const MARGIN = 20;

/** Requests that pass although nothing was left, before the waits get shorter. */
const DOUBTS = 16;

/**
 * How many requests the headers of the responses leave room for. They are hints: when they are
 * missing there is no budget, when a refusal contradicts them they are no longer read, and when
 * they leave no room one request goes to see, at the end of the window or after a few seconds.
 */
export class HeaderBudget {
	private left: number | undefined;

	/** When the value of `left` came */
	private readAt = -Infinity;

	/** When one request may go although nothing is left */
	private probeAt = 0;

	/** How often a request passed in a row that was sent when nothing was left, and left nothing */
	private doubts = 0;

	private contradicted = false;

	get isKnown(): boolean {
		return this.left !== undefined;
	}

	/** @param sentAt when the request was sent that got this response, in milliseconds since 1970 */
	read({ remaining, resetMs }: LimitHints, refused: boolean, sentAt: number, now: number): void {
		if (refused && remaining !== undefined && remaining > 0) this.contradicted = true;
		// Responses overtake each other, and what is left only sinks within a window. Only a request
		// that was sent after the lowest number came tells of a new window.
		const isNewer = sentAt >= this.readAt;
		if (this.contradicted || (remaining === undefined && isNewer && !refused)) {
			this.left = undefined;
			return;
		}
		if (remaining === undefined) return;
		this.countDoubts(refused, remaining, isNewer);
		if (this.left === undefined || isNewer || remaining < this.left) {
			this.left = Math.floor(remaining);
			this.readAt = now;
		}
		this.probeAt = now + this.trustMs(resetMs);
	}

	/** When the next request may be sent; Infinity when that is up to a response. */
	nextAt(inFlight: number): number {
		if (this.left === undefined || inFlight < this.left) return -Infinity;
		return this.probeAt;
	}

	sent(inFlight: number, now: number): void {
		if (this.left !== undefined && inFlight >= this.left) this.probeAt = now + LONGEST_TRUST;
	}

	private countDoubts(refused: boolean, remaining: number, isNewer: boolean): void {
		if (refused || remaining >= 1) this.doubts = 0;
		else if (isNewer) this.doubts++;
	}

	private trustMs(resetMs: number | undefined): number {
		const none = this.left === 0 ? SHORT_TRUST : LONGEST_TRUST;
		const longest = resetMs === undefined ? none : Math.min(resetMs + MARGIN, LONGEST_TRUST);
		return longest / 2 ** Math.floor(this.doubts / DOUBTS);
	}
}
