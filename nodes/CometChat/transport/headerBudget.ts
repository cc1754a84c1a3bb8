import type { LimitHints } from './limitHeaders';

/** Longest wait, in milliseconds, for a window to end while no request has been refused. */
const LONGEST_TRUST = 3_000;

/** The same when nothing is left, but it is not known when there will be more. */
const SHORT_TRUST = 400;

/** Clocks differ: come a little after the end of a window, in milliseconds, not before. */
const MARGIN = 20;

/** A reset that moves on by more than this, in milliseconds, is not the end of the same window. */
const MOVED = 500;

/** How a refusal in spite of room changes the share that is used of it, and how a pass does. */
const SHARE_LESS = 0.8;
const SHARE_MORE = 1.02;
const LEAST_SHARE = 0.1;

/** As many requests in a row that pass although nothing was left make what is said useless. */
const DOUBTS = 3;

/** A limit that never leaves more than one request over is learned sooner from what is refused. */
const LEAST_ROOM = 2;

/**
 * How many requests the headers of the responses leave room for. They are hints: one request goes
 * to see when they leave no room, at the end of the window or after a few seconds; and where they
 * are missing or contradict what happens there is no budget.
 */
export class HeaderBudget {
	private left: number | undefined;

	/** The largest value of `left` so far */
	private most = 0;

	/** When the first value of `left` came */
	private knownSince = 0;

	/** When the value of `left` came */
	private readAt = -Infinity;

	/** When one request may go although nothing is left */
	private probeAt = 0;

	private resetsAt: number | undefined;

	/** Whether the limit is a bucket that fills all the time: then nothing happens when it is full */
	private isFilling = false;

	/** How many requests passed in a row that were sent when nothing was left, and left nothing */
	private doubts = 0;

	/** Others use the limit too: how much of what is left this run may take at once */
	private share = 1;

	/** Whether a refusal said that something was left */
	private isContradicted = false;

	get isKnown(): boolean {
		const isUseful = this.left !== undefined && this.most >= LEAST_ROOM;
		return isUseful && !this.isContradicted && this.doubts < DOUBTS;
	}

	/** @param sentAt when the request was sent that got this response, in milliseconds since 1970 */
	read({ remaining, resetMs }: LimitHints, refused: boolean, sentAt: number, now: number): void {
		// Responses overtake each other, and what is left only sinks within a window. Only a request
		// that was sent after the lowest number came tells of a new window.
		const isNewer = this.left === undefined || sentAt >= this.readAt;
		if (remaining === undefined) {
			if (isNewer && !refused) this.left = undefined;
			return;
		}
		this.most = Math.max(this.most, remaining);
		if (refused && remaining >= 1) this.isContradicted = true;
		if (remaining >= 1) this.doubts = 0;
		else if (isNewer && !refused) this.doubts++;
		if (this.left !== undefined && sentAt >= this.knownSince) {
			const share = this.share * (refused ? SHARE_LESS : SHARE_MORE);
			this.share = Math.min(1, Math.max(LEAST_SHARE, share));
		}
		if (!this.isKnown) this.knownSince = now;
		// A window that ended while requests were under way leaves more than the one before
		const mayBeNext = isNewer || remaining > (this.left ?? Infinity);
		this.noteReset(resetMs, refused, mayBeNext, now);
		if (isNewer || remaining < (this.left ?? Infinity)) {
			this.left = Math.floor(remaining);
			this.readAt = now;
		}
		this.probeAt = now + this.trustMs(resetMs);
	}

	/** When the next request may be sent, in milliseconds since 1970. */
	nextAt(inFlight: number): number {
		return this.hasRoom(inFlight) ? -Infinity : this.probeAt;
	}

	sent(inFlight: number, now: number): void {
		if (!this.hasRoom(inFlight)) this.probeAt = now + LONGEST_TRUST;
	}

	private hasRoom(inFlight: number): boolean {
		const { left = Infinity } = this;
		return inFlight < left && inFlight < Math.max(1, left * this.share);
	}

	private noteReset(
		resetMs: number | undefined,
		refused: boolean,
		mayBeNext: boolean,
		now: number,
	) {
		const resetsAt = resetMs === undefined ? undefined : now + resetMs;
		if (refused) this.isFilling = false;
		else if (!mayBeNext && resetsAt !== undefined && this.resetsAt !== undefined) {
			this.isFilling ||= resetsAt > this.resetsAt + MOVED;
		}
		this.resetsAt = resetsAt;
	}

	private trustMs(resetMs: number | undefined): number {
		if (resetMs === undefined || this.isFilling) {
			return this.left === 0 ? SHORT_TRUST : LONGEST_TRUST;
		}
		return Math.min(resetMs + MARGIN, LONGEST_TRUST);
	}
}
