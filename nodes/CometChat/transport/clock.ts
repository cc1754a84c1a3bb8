import { sleep } from 'n8n-workflow';

/** Maximum length of a timer in milliseconds. n8n's timers can't be canceled. */
export const MAX_SLEEP_MS = 100;

/** Clock for waiting. Tests use a clock that takes no real time. */
export interface Clock {
	/** Milliseconds for durations. Setting the machine's clock doesn't affect them. */
	now(): number;
	/** Milliseconds since 1970, by the machine's clock */
	today(): number;
	/** Resolves after a number of milliseconds, or soon after the signal aborts. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: () => performance.now(),

	today: () => Date.now(),

	async sleep(ms, signal) {
		const end = this.now() + ms;
		for (let rest = ms; rest > 0 && !signal?.aborted; rest = end - this.now()) {
			await sleep(Math.min(rest, MAX_SLEEP_MS));
		}
	},
};
