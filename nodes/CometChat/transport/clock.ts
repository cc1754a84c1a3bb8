import { sleep } from 'n8n-workflow';

/** Longest single timer, in milliseconds: n8n has none that can be cancelled. */
export const LONGEST_NAP = 100;

/** What the limiter waits by. A test has one of its own, which does not take real time. */
export interface Clock {
	/** Milliseconds since some moment, for durations: goes on evenly when somebody sets the machine's clock */
	now(): number;
	/** Milliseconds since 1970, as the machine's clock has them now */
	today(): number;
	/** Resolves after so many milliseconds, or soon after the signal is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: () => performance.now(),

	today: () => Date.now(),

	async sleep(ms, signal) {
		const end = this.now() + ms;
		for (let rest = ms; rest > 0 && !signal?.aborted; rest = end - this.now()) {
			await sleep(Math.min(rest, LONGEST_NAP));
		}
	},
};
