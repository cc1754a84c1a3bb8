import { MAX_SLEEP_MS, systemClock, type Clock } from './clock';
import { RateLimit, type LimitedResponse, type SentRequest } from './rateLimit';

/** Maximum requests in flight per run. n8n opens a connection for each. */
export const MAX_IN_FLIGHT = 60;

/** The run was stopped, so the request was not sent. */
export class StoppedError extends Error {
	constructor() {
		super('The run was stopped');
	}
}

/** A rate limit lasts longer than the request may wait. */
export class RateLimitError extends Error {
	/** @param requiredMs milliseconds until the rate limit ends */
	constructor(readonly requiredMs: number) {
		super('The rate limit lasts longer than the request may wait');
	}
}

/** A request that waits to be sent, or is in flight. */
interface QueuedRequest extends SentRequest {
	limits: RateLimit[];
	order: number;
	maxWaitMs: number;
	admit: () => void;
	refuse: (error: Error) => void;
}

/** Runs that share rate limits: all runs of a process. */
export class SharedLimits {
	/** The run that has sent most recently comes last */
	readonly runs = new Set<RequestLimiter>();

	/** Time at which the next request may be sent; Infinity if only a response can tell */
	private wakesAt = Infinity;
	private isNapping = false;

	constructor(readonly clock: Clock = systemClock) {}

	/** Sends the requests that may be sent now, and the others when they may be sent. */
	admit(): void {
		const now = this.clock.now();
		this.wakesAt = Math.min(...[...this.runs].map((run) => run.admit(now)));
		if (this.wakesAt < Infinity && !this.isNapping) void this.admitLater();
	}

	private async admitLater(): Promise<void> {
		this.isNapping = true;
		const restMs = () => this.wakesAt - this.clock.now();
		for (let ms = restMs(); ms > 0 && ms < Infinity; ms = restMs()) {
			await this.clock.sleep(Math.min(ms, MAX_SLEEP_MS));
		}
		this.isNapping = false;
		this.admit();
	}
}

const ofThisProcess = new SharedLimits();

/**
 * Requests of a run. They are sent in order, up to 60 at once, as fast as the service's rate limits
 * allow. A request that meets a closed limit doesn't hold up requests that meet other limits.
 */
export class RequestLimiter {
	/** How many more requests may be in flight */
	freePlaces = MAX_IN_FLIGHT;

	private readonly waiting: QueuedRequest[] = [];
	private readonly used = new Map<string, RateLimit>();
	private readonly stopping = new AbortController();
	private readonly since: number;

	/** @param signal aborted when the user cancels the execution: `stop()` lets requests in flight finish */
	constructor(
		readonly signal?: AbortSignal,
		private readonly shared = ofThisProcess,
	) {
		this.since = shared.clock.now();
		shared.runs.add(this);
		if (signal?.aborted) this.stop();
		else signal?.addEventListener('abort', this.stop);
	}

	get stopped(): boolean {
		return this.stopping.signal.aborted;
	}

	/** Milliseconds since the run began. */
	get ageMs(): number {
		return this.shared.clock.now() - this.since;
	}

	/** Starts no more requests. Each waiting request throws a StoppedError. */
	readonly stop = (): void => {
		this.stopping.abort();
		this.signal?.removeEventListener('abort', this.stop);
		this.shared.runs.delete(this);
		this.shared.admit();
		for (const { refuse } of this.waiting.splice(0)) refuse(new StoppedError());
	};

	/** Waits for a number of milliseconds. Throws a StoppedError as soon as the run is stopped. */
	async wait(ms: number): Promise<void> {
		await this.shared.clock.sleep(ms, this.stopping.signal);
		if (this.stopped) throw new StoppedError();
	}

	/**
	 * Waits until a request may be sent.
	 *
	 * @param keys names of the rate limits that count the request: a limit that users share comes second
	 * @param order waiting requests with a smaller number go first
	 * @param maxWaitMs longest wait for a rate limit, in milliseconds
	 * @throws RateLimitError, StoppedError
	 */
	async acquire(keys: string[], order: number, maxWaitMs: number): Promise<QueuedRequest> {
		if (this.stopped) throw new StoppedError();
		const limits = keys.map((key, index) => this.limitOf(key, index > 0));
		const place = this.waiting.findLastIndex((other) => other.order <= order) + 1;
		return await new Promise((resolve, refuse) => {
			const request = { limits, order, maxWaitMs, sentAt: 0, isOnly: false, refuse };
			const queued = { ...request, admit: () => resolve(queued) };
			this.waiting.splice(place, 0, queued);
			this.shared.admit();
		});
	}

	/**
	 * Notes how a request ended, and sends the next requests.
	 *
	 * @param response undefined if there was none
	 */
	release(request: QueuedRequest, response?: LimitedResponse): void {
		const { clock } = this.shared;
		this.freePlaces++;
		for (const limit of request.limits) {
			limit.release(request, response, clock.now(), clock.today());
		}
		this.shared.admit();
	}

	/** Sends what may be sent, in order. Returns the time at which the next request may be sent. */
	admit(now: number): number {
		let wakesAt = Infinity;
		for (let index = 0; index < this.waiting.length && this.freePlaces > 0;) {
			const request = this.waiting[index];
			let opensAt = now;
			let excessMs = 0;
			for (const limit of request.limits) {
				opensAt = Math.max(opensAt, limit.opensAt(now));
				excessMs = Math.max(excessMs, limit.excessMs(request.maxWaitMs, this.since, now));
			}
			if (opensAt > now && excessMs === 0) {
				wakesAt = Math.min(wakesAt, opensAt);
				index++;
				continue;
			}
			this.waiting.splice(index, 1);
			if (opensAt <= now) this.launch(request, now);
			else request.refuse(new RateLimitError(excessMs));
		}
		return wakesAt;
	}

	private launch(request: QueuedRequest, now: number): void {
		const { runs } = this.shared;
		this.freePlaces--;
		// Runs take turns
		runs.delete(this);
		runs.add(this);
		request.sentAt = now;
		[request.isOnly] = request.limits.map((limit) => limit.launch(now));
		request.admit();
	}

	/** A rate limit, with what runs in progress know about it. */
	private limitOf(key: string, isShared: boolean): RateLimit {
		const known = [this, ...this.shared.runs].map(({ used }) => used.get(key)).find(Boolean);
		const limit = known ?? new RateLimit(isShared);
		this.used.set(key, limit);
		return limit;
	}
}
