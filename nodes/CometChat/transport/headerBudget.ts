import type { LimitHints } from './limitHeaders';
import { WINDOW_MS } from './limitHeaders';

/** The end of a window is told in whole seconds: that of the next one is so many milliseconds later. */
const NEXT_WINDOW_MS = 1_000;

/** How many requests the headers of the responses leave in the current window. */
export class HeaderBudget {
	private left = Infinity;

	/** When the window ends, in milliseconds since 1970 */
	private endsAt = -Infinity;

	private readAt = -Infinity;

	/** Whether a request passed although nothing was left: the number is of something else */
	private isWrong = false;

	/** When the next request may be sent beside so many in flight, in milliseconds since 1970. */
	opensAt(inFlight: number): number {
		return inFlight < this.left ? -Infinity : this.endsAt;
	}

	/**
	 * Reads what a response says whose request passed.
	 *
	 * @param sentAt when the request was sent, in milliseconds since 1970
	 * @param isProbe whether it was sent to see if a pause is over
	 */
	read({ remaining, resetMs }: LimitHints, sentAt: number, isProbe: boolean, now: number): void {
		if (remaining === undefined) return;
		const isNextWindow = resetMs !== undefined && now + resetMs >= this.endsAt + NEXT_WINDOW_MS;
		// Responses overtake each other, and what is left only sinks within a window
		if (sentAt < this.readAt && !isNextWindow && remaining >= this.left) return;
		this.isWrong = remaining === 0 && (this.isWrong || isProbe);
		this.left = this.isWrong ? Infinity : remaining;
		// One request goes to see when nothing is left and nobody says until when
		this.endsAt = now + (resetMs ?? (remaining === 0 ? 0 : WINDOW_MS));
		this.readAt = now;
	}

	/** Forgets what is left, for a refusal says more. */
	forget(): void {
		this.left = Infinity;
	}
}
