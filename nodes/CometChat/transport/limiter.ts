import { MAX_SLEEP_MS, systemClock, type Clock } from '../helpers/clock';
import { StoppedError } from './failure';
import { RateLimit, type LimitedRequest, type LimitedResponse } from './rateLimit';

/** Maximum requests in flight per run. n8n opens one connection per request. */
export const MAX_IN_FLIGHT = 60;

/** Thrown if a rate limit lasts longer than the request may wait. */
export class RateLimitError extends Error {
	/** @param requiredMs milliseconds until the rate limit ends */
	constructor(readonly requiredMs: number) {
		super('The rate limit lasts longer than the request may wait');
	}
}

/** A request that is waiting to be sent or is in flight. */
interface QueuedRequest extends LimitedRequest {
	order: number;
	maxWaitMs: number;
	send: () => void;
	refuse: (error: Error) => void;
}

/** Runs that share rate limits. Outside of tests, these are all runs in the process. */
export class SharedLimits {
	/** Runs in progress. The run that sent a request most recently comes last. */
	readonly runs = new Set<RequestLimiter>();

	/** Time at which the next request may be sent. Infinity if the time depends on a pending response. */
	private dueAt = Infinity;
	private isWaiting = false;

	constructor(readonly clock: Clock = systemClock) {}

	/**
	 * Sends all requests that the rate limits allow now, and schedules the next check for the remaining
	 * requests. The runs take turns after each request.
	 */
	sendDue(): void {
		const now = this.clock.now();
		this.dueAt = Infinity;
		let turns = [...this.runs].map((run) => run.sendDue(now));
		while (turns.length > 0) {
			turns = turns.filter((turn) => {
				const { done, value } = turn.next();
				if (done) this.dueAt = Math.min(this.dueAt, value);
				return !done;
			});
		}
		if (this.dueAt < Infinity && !this.isWaiting) void this.waitAndSend();
	}

	private async waitAndSend(): Promise<void> {
		this.isWaiting = true;
		const restMs = () => this.dueAt - this.clock.now();
		for (let ms = restMs(); ms > 0 && ms < Infinity; ms = restMs()) {
			await this.clock.sleep(Math.min(ms, MAX_SLEEP_MS));
		}
		this.isWaiting = false;
		this.sendDue();
	}
}

const processLimits = new SharedLimits();

/**
 * Sends a run's requests in order, with as many in flight as CometChat's rate limits allow. A request that
 * waits for a rate limit doesn't hold up requests that count toward other limits.
 */
export class RequestLimiter {
	/** Number of additional requests that the run may send before a response arrives */
	freePlaces = MAX_IN_FLIGHT;

	private readonly waiting: QueuedRequest[] = [];
	private readonly limits = new Map<string, RateLimit>();
	private readonly stopping = new AbortController();
	private readonly startedAt: number;

	/**
	 * @param signal signal that aborts when the user cancels the execution. Unlike `stop()`, the signal also
	 * aborts requests in flight.
	 */
	constructor(
		readonly signal?: AbortSignal,
		private readonly shared = processLimits,
	) {
		this.startedAt = shared.clock.now();
		shared.runs.add(this);
		if (signal?.aborted) this.stop();
		else signal?.addEventListener('abort', this.stop);
	}

	get stopped(): boolean {
		return this.stopping.signal.aborted;
	}

	/** Milliseconds since the run started. */
	get ageMs(): number {
		return this.shared.clock.now() - this.startedAt;
	}

	/** Stops sending requests. Each waiting request throws a StoppedError. */
	readonly stop = (): void => {
		this.stopping.abort();
		this.signal?.removeEventListener('abort', this.stop);
		this.shared.runs.delete(this);
		this.shared.sendDue();
		for (const { refuse } of this.waiting.splice(0)) refuse(new StoppedError());
	};

	/** Waits for a number of milliseconds. Throws a StoppedError as soon as the run is stopped. */
	async wait(ms: number): Promise<void> {
		await this.shared.clock.sleep(ms, this.stopping.signal);
		if (this.stopped) throw new StoppedError();
	}

	/**
	 * Sends a request as soon as its rate limits allow.
	 *
	 * @param keys names of the rate limits that the request counts toward. The second limit, if any, is shared
	 * by all senders.
	 * @param order position in the queue: requests with a smaller number are sent first
	 * @param maxWaitMs maximum wait for a rate limit, in milliseconds
	 * @throws RateLimitError, StoppedError
	 */
	async send<T extends LimitedResponse>(
		keys: string[],
		order: number,
		maxWaitMs: number,
		attempt: () => Promise<T>,
	): Promise<T> {
		if (this.stopped) throw new StoppedError();
		const limits = keys.map((key) => this.findLimit(key));
		const request = await new Promise<QueuedRequest>((resolve, refuse) => {
			const send = () => resolve(queued);
			const queued = { limits, order, maxWaitMs, sentAt: 0, send, refuse };
			const place = this.waiting.findLastIndex((other) => other.order <= order) + 1;
			this.waiting.splice(place, 0, queued);
			this.shared.sendDue();
		});
		let response: T | undefined;
		try {
			response = await attempt();
			return response;
		} finally {
			const { clock } = this.shared;
			this.freePlaces++;
			for (const limit of limits) limit.release(request, response, clock.now(), clock.today());
			this.shared.sendDue();
		}
	}

	/**
	 * Sends all requests that the rate limits allow now, and yields after each. Returns the time at which the next
	 * request may be sent.
	 */
	*sendDue(now: number): Generator<undefined, number> {
		let dueAt = Infinity;
		for (let index = 0; this.freePlaces > 0;) {
			const request = this.waiting[index];
			if (request === undefined) break;
			let opensAt = now;
			let excessMs = 0;
			for (const limit of request.limits) {
				opensAt = Math.max(opensAt, limit.opensAt(now));
				excessMs = Math.max(excessMs, limit.excessMs(request.maxWaitMs, this.startedAt, now));
			}
			if (opensAt > now && excessMs === 0) {
				dueAt = Math.min(dueAt, opensAt);
				index++;
				continue;
			}
			this.waiting.splice(index, 1);
			if (opensAt > now) {
				request.refuse(new RateLimitError(excessMs));
				continue;
			}
			this.start(request, now);
			yield;
		}
		return dueAt;
	}

	private start(request: QueuedRequest, now: number): void {
		const { runs } = this.shared;
		this.freePlaces--;
		// Move this run to the end, so that runs take turns
		runs.delete(this);
		runs.add(this);
		request.sentAt = now;
		for (const limit of request.limits) limit.start(now);
		request.send();
	}

	/**
	 * Finds a rate limit by its key. If another run in progress uses the limit, both runs share the limit's
	 * state.
	 */
	private findLimit(key: string): RateLimit {
		const known = [...this.shared.runs].map(({ limits }) => limits.get(key)).find(Boolean);
		const limit = known ?? new RateLimit();
		this.limits.set(key, limit);
		return limit;
	}
}
