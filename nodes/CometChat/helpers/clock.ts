import { sleep } from 'n8n-workflow';

/**
 * Maximum duration of one timer, in milliseconds. Longer waits use several timers, because `sleep` can't be
 * canceled in older n8n versions.
 */
export const SLEEP_STEP_MS = 100;

/** Clock and timer. Tests can use a simulated clock, so that waiting takes no real time. */
export interface Clock {
	/** Monotonic time in milliseconds, for measuring durations. Unaffected by system clock changes. */
	now(): number;
	/** Current time in milliseconds since 1970, according to the system clock */
	systemTime(): number;
	/** Waits for a number of milliseconds. Resolves early, within `SLEEP_STEP_MS`, if the signal aborts. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
	now: () => performance.now(),

	systemTime: () => Date.now(),

	async sleep(ms, signal) {
		const end = this.now() + ms;
		for (let rest = ms; rest > 0 && !signal?.aborted; rest = end - this.now()) {
			await sleep(Math.min(rest, SLEEP_STEP_MS));
		}
	},
};
