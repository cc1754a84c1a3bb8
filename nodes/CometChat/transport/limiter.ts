import { SLEEP_STEP_MS, realClock, type Clock } from '../helpers/clock';
import { StoppedError } from './failure';
import { RateLimitTracker } from './rateLimit';
import { readLimitVerdict, type ResponseWithRateLimitHeaders } from './rateLimitHeaders';

/** Maximum requests in flight per run. Also limits the open connections, because n8n opens one per request. */
export const MAX_IN_FLIGHT_PER_RUN = 60;

/** Thrown if a rate limit lasts longer than the request may wait. */
export class WaitTooLongError extends Error {
	/** @param disallowedWaitMs milliseconds until the rate limit ends */
	constructor(readonly disallowedWaitMs: number) {
		super('The rate limit lasts longer than the request may wait');
	}
}

/** A request that is waiting to be sent. */
interface QueuedAttempt {
	order: number;
	send: (now: number) => void;
	reject: (error: Error) => void;
}

/** A run's waiting requests that count toward the same limit and have the same maximum wait. */
class Lane {
	/** Sorted by `order` */
	readonly requests: QueuedAttempt[] = [];
	/** List that contains this lane, sorted by `order`. Undefined if the lane is empty. */
	list?: Lane[];

	constructor(
		readonly limit: LimitWithQueue,
		readonly maxWaitMs: number,
	) {}

	/** `order` of the first request, or 0 if the lane is empty */
	get order(): number {
		return this.requests[0]?.order ?? 0;
	}

	/** Moves the lane to its place in a list. If the list is undefined, only removes the lane from its current list. */
	moveTo(list: Lane[] | undefined): void {
		this.list?.splice(this.list.indexOf(this), 1);
		this.list = list;
		if (list) insertByOrder(list, this);
	}
}

/** Inserts a value into a list sorted by `order`, after values with an equal `order`. */
function insertByOrder<T extends { order: number }>(list: T[], value: T): void {
	const place = list.findLastIndex(({ order }) => order <= value.order) + 1;
	list.splice(place, 0, value);
}

/** A rate limit, and the lanes that are waiting for the limit to open. */
class LimitWithQueue {
	/** Runs in progress that use the limit */
	readonly users = new Set<RequestLimiter>();
	/** Waiting lanes of each run. The run that sends the next request comes first. */
	readonly turns = new Map<RequestLimiter, Lane[]>();
	/** Lower bound for the `maxWaitMs` of all waiting lanes */
	private minWaitMs = Infinity;

	readonly rate = new RateLimitTracker();

	/** Adds a run's lane. Runs that are already waiting go first. */
	add(run: RequestLimiter, lane: Lane): void {
		const lanes = this.turns.get(run) ?? [];
		this.turns.set(run, lanes);
		lane.moveTo(lanes);
		this.minWaitMs = Math.min(this.minWaitMs, lane.maxWaitMs);
	}

	isOpen(now: number): boolean {
		return this.rate.getEarliestSendTime(now) <= now;
	}

	/** Returns the time at which the limit opens for waiting requests, or undefined if no requests wait. */
	dueAt(now: number): number | undefined {
		return this.turns.size > 0 ? this.rate.getEarliestSendTime(now) : undefined;
	}

	/**
	 * Sends the waiting requests that the limit allows now, if their runs have free places. The runs take turns,
	 * one request each. Refuses requests that can't wait until the limit opens.
	 */
	sendDue(now: number): void {
		// A run that is deleted and set again moves to the end of the Map, so the loop visits the run again
		for (const [run, lanes] of this.turns) {
			if (!this.isOpen(now)) break;
			this.turns.delete(run);
			run.sendFirstOrQueueForFreePlace(lanes, now);
			if (lanes.length > 0) this.turns.set(run, lanes);
		}
		if (this.rate.getTooLongPauseMsOrZero(this.minWaitMs, 0, now) > 0) {
			for (const [run, lanes] of this.turns) {
				for (const lane of [...lanes]) run.rejectLaneIfWaitTooLong(lane, now);
				if (lanes.length === 0) this.turns.delete(run);
			}
		}
		if (this.turns.size === 0) this.minWaitMs = Infinity;
	}
}

/** Rate limits that runs share. Outside of tests, all runs in the process share one instance. */
export class SharedRateLimits {
	/** Limits that runs in progress use, keyed by the `key` parameter of `RequestLimiter.send` */
	private readonly limits = new Map<string, LimitWithQueue>();
	/** Runs that have to check whether they can send another request, see `fillFreePlacesOfRun` */
	private readonly starting = new Set<RequestLimiter>();
	private isWaiting = false;

	constructor(readonly clock: Clock = realClock) {}

	/** Finds or creates the limit for a run's requests, and keeps the limit until its last run is removed. */
	joinLimit(key: string, run: RequestLimiter): LimitWithQueue {
		const limit = this.limits.get(key) ?? new LimitWithQueue();
		this.limits.set(key, limit);
		limit.users.add(run);
		return limit;
	}

	/** Removes a stopped run, and the limits that no other run uses. */
	removeRun(run: RequestLimiter): void {
		for (const [key, { users, turns }] of this.limits) {
			turns.delete(run);
			if (users.delete(run) && users.size === 0) this.limits.delete(key);
		}
	}

	/**
	 * Fills a run's free places with the requests that wait for a place. If several runs add requests at the same
	 * time, the runs take turns, one request each.
	 */
	async fillFreePlacesOfRun(run: RequestLimiter): Promise<void> {
		const isFirst = this.starting.size === 0;
		this.starting.add(run);
		if (!isFirst) return;
		await Promise.resolve();
		const now = this.clock.now();
		for (const each of this.starting) {
			this.starting.delete(each);
			if (each.sendOrQueueFirstWaitingForPlace(now)) this.starting.add(each);
		}
	}

	/** Makes sure that requests waiting for a limit are sent when the limit opens. */
	scheduleWaitingRequests(limit: LimitWithQueue, now: number): void {
		if (limit.dueAt(now) !== undefined && !this.isWaiting) void this.sendWhenDueUntilNoneWaits();
	}

	private async sendWhenDueUntilNoneWaits(): Promise<void> {
		this.isWaiting = true;
		for (
			let ms = this.msUntilNextLimitIsDue();
			ms !== undefined;
			ms = this.msUntilNextLimitIsDue()
		) {
			await this.clock.sleep(Math.min(ms, SLEEP_STEP_MS));
			const now = this.clock.now();
			for (const limit of this.limits.values()) if (limit.isOpen(now)) limit.sendDue(now);
		}
		this.isWaiting = false;
	}

	/** Returns the milliseconds until the next limit opens for waiting requests, or undefined if no requests wait. */
	private msUntilNextLimitIsDue(): number | undefined {
		const now = this.clock.now();
		let dueAt: number | undefined;
		for (const limit of this.limits.values()) {
			const at = limit.dueAt(now);
			if (at !== undefined) dueAt = Math.min(dueAt ?? at, at);
		}
		return dueAt === undefined ? undefined : dueAt - now;
	}
}

const processLimits = new SharedRateLimits();

/**
 * Sends a run's requests in order, with as many in flight as CometChat's rate limits allow, but at most
 * `MAX_IN_FLIGHT_PER_RUN`. A request that waits for a rate limit doesn't hold up requests that count toward other
 * limits. Work outside an execution, e.g. a poll, also counts as a run.
 */
export class RequestLimiter {
	/** Number of requests that the run may send in addition to its requests in flight */
	freePlaces = MAX_IN_FLIGHT_PER_RUN;

	private readonly lanes = new Map<string, Lane>();
	/** Lanes that are waiting for a free place */
	private readonly ready: Lane[] = [];
	private readonly stopping = new AbortController();
	private readonly startedAt: number;

	/**
	 * @param signal signal that aborts when n8n cancels the execution or, outside an execution, at the time
	 * limit for all requests together. Unlike `stop()`, the signal also aborts requests in flight.
	 */
	constructor(
		readonly signal?: AbortSignal,
		private readonly shared = processLimits,
	) {
		this.startedAt = shared.clock.now();
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

	/** Stops sending requests. `send` throws a StoppedError for each request that is still waiting. */
	readonly stop = (): void => {
		this.stopping.abort();
		this.signal?.removeEventListener('abort', this.stop);
		this.shared.removeRun(this);
		for (const lane of this.lanes.values()) rejectAllInLane(lane, new StoppedError());
	};

	/** Waits for a number of milliseconds. @throws StoppedError within `SLEEP_STEP_MS` after the run is stopped */
	async sleepUnlessStopped(ms: number): Promise<void> {
		await this.shared.clock.sleep(ms, this.stopping.signal);
		if (this.stopped) throw new StoppedError();
	}

	/**
	 * Sends a request as soon as its rate limit allows and fewer than `MAX_IN_FLIGHT_PER_RUN` of the run's requests are
	 * in flight.
	 *
	 * @param key name of the rate limit that the request counts toward
	 * @param order position in the queue: requests with a smaller number are sent first
	 * @param maxWaitMs longest pause of the rate limit that the run waits out, in milliseconds
	 * @throws WaitTooLongError, StoppedError, or any error that `attempt` throws
	 */
	async send<T extends ResponseWithRateLimitHeaders>(
		key: string,
		order: number,
		maxWaitMs: number,
		attempt: () => Promise<T>,
	): Promise<T> {
		if (this.stopped) throw new StoppedError();
		const { clock } = this.shared;
		const lane = this.findOrCreateLane(key, maxWaitMs);
		const sentAt = await new Promise<number>((send, reject) => {
			const request = { order, send, reject };
			insertByOrder(lane.requests, request);
			if (lane.requests[0] === request) lane.moveTo(lane.list ?? this.ready);
			this.fillFreePlaces();
		});
		let response: T | undefined;
		try {
			response = await attempt();
			return response;
		} finally {
			const now = clock.now();
			lane.limit.rate.recordEndAndApplyVerdict(
				sentAt,
				readLimitVerdict(response, clock.systemTime()),
				now,
			);
			this.freePlaces++;
			lane.limit.sendDue(now);
			this.shared.scheduleWaitingRequests(lane.limit, now);
			this.fillFreePlaces();
		}
	}

	/**
	 * Called while a limit is open. Sends the first of the run's requests that wait for this limit. If the run has no
	 * free place, the run's lanes wait for a place instead.
	 *
	 * @param lanes the run's lanes that wait for the limit
	 */
	sendFirstOrQueueForFreePlace(lanes: Lane[], now: number): void {
		if (this.freePlaces === 0) {
			for (const lane of [...lanes]) lane.moveTo(this.ready);
			return;
		}
		const [lane] = lanes;
		if (lane) this.sendFirstInLaneNow(lane, now);
	}

	/** Refuses a lane's requests if their limit's pause is longer than they may wait. */
	rejectLaneIfWaitTooLong(lane: Lane, now: number): void {
		const disallowedWaitMs = lane.limit.rate.getTooLongPauseMsOrZero(
			lane.maxWaitMs,
			this.startedAt,
			now,
		);
		if (disallowedWaitMs > 0) rejectAllInLane(lane, new WaitTooLongError(disallowedWaitMs));
	}

	/**
	 * Sends the first request that waits for a free place. If a rate limit doesn't allow the request, or if other
	 * lanes wait for the limit, the request's lane waits for the limit instead.
	 *
	 * @returns false if no place is free or no request waits for a place
	 */
	sendOrQueueFirstWaitingForPlace(now: number): boolean {
		const [lane] = this.ready;
		if (lane === undefined || this.freePlaces === 0) return false;
		const { limit } = lane;
		if (limit.turns.size > 0 || !limit.isOpen(now)) this.rejectLaneOrQueueItForLimit(lane, now);
		else this.sendFirstInLaneNow(lane, now);
		return true;
	}

	/** Fills the free places with the requests that wait for a place. */
	private fillFreePlaces(): void {
		if (this.freePlaces > 0 && this.ready.length > 0) void this.shared.fillFreePlacesOfRun(this);
	}

	private sendFirstInLaneNow(lane: Lane, now: number): void {
		const request = lane.requests.shift();
		lane.moveTo(lane.requests.length > 0 ? lane.list : undefined);
		this.freePlaces--;
		lane.limit.rate.recordStart(now);
		request?.send(now);
	}

	/** Makes a lane wait for its limit. Refuses the lane's requests if a pause exceeds their maximum wait. */
	private rejectLaneOrQueueItForLimit(lane: Lane, now: number): void {
		this.rejectLaneIfWaitTooLong(lane, now);
		if (lane.requests.length === 0) return;
		lane.limit.add(this, lane);
		this.shared.scheduleWaitingRequests(lane.limit, now);
	}

	private findOrCreateLane(limitKey: string, maxWaitMs: number): Lane {
		const key = `${maxWaitMs} ${limitKey}`;
		const lane = this.lanes.get(key) ?? new Lane(this.shared.joinLimit(limitKey, this), maxWaitMs);
		this.lanes.set(key, lane);
		return lane;
	}
}

function rejectAllInLane(lane: Lane, error: Error): void {
	lane.moveTo(undefined);
	for (const { reject } of lane.requests.splice(0)) reject(error);
}
