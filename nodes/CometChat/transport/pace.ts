import { sleep } from 'n8n-workflow';

/** Requests of one node run that may be under way at once. n8n opens a connection for each. */
export const MAX_IN_FLIGHT = 60;

/** Longest single timer, in milliseconds: what is left behind when a wait is cancelled. */
const LONGEST_NAP = 1_000;

/** The run was stopped, by the user or by an item that failed: nothing more is sent. */
export class StoppedError extends Error {}

/** Waiting for the rate limit would take longer than "Max Wait" allows. */
export class WaitTooLongError extends Error {
	constructor(readonly waitMs: number) {
		super('The rate limit lasts longer than "Max Wait" allows');
	}
}

/** Whether a task would sit out a pause of so many milliseconds. */
export type MayWait = (ms: number) => boolean;

interface Waiting {
	admit: () => void;
	refuse: (error: Error) => void;
	mayWait: MayWait;
}

/**
 * The pace that all items of one node run share: a bounded number of requests in flight, and one
 * common pause when the service limits the rate, so that the other items do not go on hammering.
 * After a pause one request goes first, and each success lets one more go at a time.
 */
export class Pace {
	private inFlight = 0;

	private width: number;

	private resumesAt = 0;

	private waking = false;

	private readonly queue: Waiting[] = [];

	private readonly stop = new AbortController();

	constructor(
		private readonly maxInFlight = MAX_IN_FLIGHT,
		cancelled?: AbortSignal,
	) {
		this.width = maxInFlight;
		if (cancelled?.aborted) this.abort();
		else cancelled?.addEventListener('abort', () => this.abort(), { once: true });
	}

	/** Sends nothing more: whatever waits is refused with a StoppedError. */
	abort(): void {
		this.stop.abort();
		for (const waiting of this.queue.splice(0)) waiting.refuse(new StoppedError());
	}

	/** What is left of the common pause. */
	private get pauseMs(): number {
		return Math.max(0, this.resumesAt - Date.now());
	}

	get stopped(): boolean {
		return this.stop.signal.aborted;
	}

	/**
	 * Runs a task as soon as there is room and no pause.
	 *
	 * @param first a task that was tried before goes ahead of those that were not
	 * @param mayWait when a pause is longer than it allows, the task is not run
	 * @throws StoppedError when the run was stopped, WaitTooLongError when the pause is too long
	 */
	async run<T>(task: () => Promise<T>, first: boolean, mayWait: MayWait): Promise<T> {
		await this.enter(first, mayWait);
		try {
			return await task();
		} finally {
			this.inFlight--;
			this.admit();
		}
	}

	/** The service limits the rate: nobody sends for so many milliseconds, then one at a time. */
	pause(ms: number): void {
		this.resumesAt = Math.max(this.resumesAt, Date.now() + ms);
		this.width = 1;
		const pauseMs = this.pauseMs;
		for (const waiting of this.queue.splice(0)) {
			if (waiting.mayWait(pauseMs)) this.queue.push(waiting);
			else waiting.refuse(new WaitTooLongError(pauseMs));
		}
	}

	/** The service took a request: after a pause, one more may be in flight. */
	taken(): void {
		if (this.pauseMs === 0) this.width = Math.min(this.maxInFlight, this.width + 1);
	}

	/** Waits for so many milliseconds, unless the run is stopped before. */
	async wait(ms: number): Promise<void> {
		const end = Date.now() + ms;
		let stopWaiting = () => {};
		const stopped = new Promise<void>((resolve) => {
			stopWaiting = resolve;
		});
		this.stop.signal.addEventListener('abort', stopWaiting, { once: true });
		try {
			for (let rest = ms; rest > 0 && !this.stopped; rest = end - Date.now()) {
				await Promise.race([sleep(Math.min(rest, LONGEST_NAP)), stopped]);
			}
		} finally {
			this.stop.signal.removeEventListener('abort', stopWaiting);
		}
		if (this.stopped) throw new StoppedError();
	}

	private async enter(first: boolean, mayWait: MayWait): Promise<void> {
		if (this.stopped) throw new StoppedError();
		if (!mayWait(this.pauseMs)) throw new WaitTooLongError(this.pauseMs);
		await new Promise<void>((admit, refuse) => {
			const waiting = { admit, refuse, mayWait };
			if (first) this.queue.unshift(waiting);
			else this.queue.push(waiting);
			this.admit();
		});
	}

	private admit(): void {
		if (this.queue.length === 0) return;
		if (this.pauseMs > 0) {
			void this.wakeAfterPause();
			return;
		}
		while (this.inFlight < this.width) {
			const waiting = this.queue.shift();
			if (!waiting) return;
			this.inFlight++;
			waiting.admit();
		}
	}

	private async wakeAfterPause(): Promise<void> {
		if (this.waking) return;
		this.waking = true;
		try {
			await this.wait(this.pauseMs);
		} catch {
			return; // stopped: abort() has refused everyone who waited
		} finally {
			this.waking = false;
		}
		this.admit();
	}
}
