import { sleep } from 'n8n-workflow';

/** Longest single timer, in milliseconds: what is left behind when a wait is cancelled. */
export const LONGEST_NAP = 1_000;

/** What the limiter waits by. A simulation has one of its own, which does not take real time. */
export interface Clock {
	/** Milliseconds since 1970. Never runs backwards. */
	now(): number;
	/** Resolves after so many milliseconds, or when the signal is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's time, which goes on evenly when somebody sets the machine's clock. */
export const systemClock: Clock = {
	now: () => performance.timeOrigin + performance.now(),

	async sleep(ms, signal) {
		const end = this.now() + ms;
		let wake = () => {};
		const aborted = new Promise<void>((resolve) => {
			wake = resolve;
		});
		signal?.addEventListener('abort', wake, { once: true });
		try {
			// n8n has no timer that can be cancelled
			for (let rest = ms; rest > 0 && !signal?.aborted; rest = end - this.now()) {
				await Promise.race([sleep(Math.min(rest, LONGEST_NAP)), aborted]);
			}
		} finally {
			signal?.removeEventListener('abort', wake);
		}
	},
};
