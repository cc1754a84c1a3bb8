import type { Clock } from './clock';
import { LONGEST_NAP } from './clock';
import { HeaderBudget } from './headerBudget';
import type { LimitHints } from './limitHeaders';
import { readLimitHints } from './limitHeaders';
import { RateEstimate } from './rateEstimate';
import { WaitingQueue } from './waitingQueue';

/** Requests in flight at the start, and how many more each response that is no refusal lets in. */
const FIRST_IN_FLIGHT = 16;
const MORE_PER_RESPONSE = 1;

/**
 * Milliseconds without a response after which one request more may go, so that slow responses to one
 * run do not hold up the others; and the same while a request shows whether a pause is over.
 */
const LONGEST_SILENCE = 1_000;
const LONGEST_PROBE = 3_000;

/** Backoff while nothing gets through, in milliseconds; up to half of it is left to chance. */
const LEAST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;

/** How the backoff grows, as a share of the time in which nothing passed. */
const LEAST_GROWTH = 0.05;
const PASSES_PER_PROBE = 15;

const TOO_MANY_REQUESTS = 429;

/** What a gateway answers in the service's place says nothing about the limit. */
const GATEWAY_ERROR = 500;

/** A rate limit lasts longer than the request may wait. */
export class RateLimitError extends Error {
	constructor(
		/** The last refusal this request itself got; undefined when it was never sent */
		readonly response: LimitedResponse | undefined,
		/** How often this request was sent */
		readonly attempts: number,
		/** Milliseconds this request waited after its first attempt, or at all when it was never sent */
		readonly waitedMs: number,
		/** Milliseconds the next wait would have lasted */
		readonly requiredMs: number,
	) {
		super('The rate limit lasts longer than the request may wait');
	}
}

/** What is looked at in a response. */
export interface LimitedResponse {
	statusCode: number;
	/** With lower-case names */
	headers: Record<string, unknown>;
}

export function isRefusal({ statusCode }: LimitedResponse): boolean {
	return statusCode === TOO_MANY_REQUESTS;
}

/** A request on its way, however often it is sent. */
export interface LimitedRequest {
	line: Line;
	order: number;
	sequence: number;
	maxWaitMs: number;
	attempts: number;
	response: LimitedResponse | undefined;
	waitedMs: number;
	waitingSince: number;
	sentAt: number;
	/** Of the rate estimate; undefined for one that is sent to see whether a pause is over */
	cycle: number | undefined;
	admit: () => void;
	refuse: (error: Error) => void;
}

/** The requests of one run that wait for a rate limit. */
export class Line {
	readonly queue = new WaitingQueue<LimitedRequest>();

	/** The shortest wait that any request allows: while it is not reached, none of them gives up */
	leastMaxWaitMs = Infinity;

	inFlight = 0;

	/** Whether any request of the run was sent */
	hasSent = false;

	/** @param since when the run began, in milliseconds since 1970 */
	constructor(
		readonly limit: RateLimit,
		private readonly maxInFlight: number,
		readonly since: number,
	) {}

	get isReady(): boolean {
		return this.queue.length > 0 && this.inFlight < this.maxInFlight;
	}
}

/**
 * The rate limit of an app as all runs meet it that use the app at the same time: lets each request
 * be sent as soon as it should pass.
 *
 * - A refusal (status 429) pauses everyone for as long as `Retry-After` says, else for a backoff. The
 *   refused request waits in its place again. After the pause one request goes first; the others
 *   follow when it has passed.
 * - Where responses say how many requests are left, no more are in flight (`HeaderBudget`).
 * - Where they do not, the rate that passes is learned from the refusals (`RateEstimate`).
 * - A request gives up when a pause lasts longer than it may wait, or nothing has passed for so long.
 * - The runs take turns.
 */
export class RateLimit {
	private readonly budget = new HeaderBudget();

	private readonly estimate = new RateEstimate();

	private readonly lines = new Set<Line>();

	/** Those that may send, in the order of their turns */
	private readonly ready = new Set<Line>();

	private inFlight = 0;

	/** How many may be in flight; grows until only the runs bound it */
	private width = FIRST_IN_FLIGHT;

	/** When a request was last sent, or ended */
	private lastEventAt = -Infinity;

	/** When the pause ends */
	private resumesAt = -Infinity;

	/** When the first refusal came since a request passed; undefined when none did */
	private blockedSince: number | undefined;

	/** The request that shows whether a pause is over */
	private probe: LimitedRequest | undefined;

	/** When the next timer ends */
	private wakesAt = Infinity;

	/** @param random numbers from 0 up to 1 */
	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/** Whether no run uses it. */
	get isUnused(): boolean {
		return this.lines.size === 0;
	}

	/** A run begins. */
	join(maxInFlight: number): Line {
		const line = new Line(this, maxInFlight, this.clock.now());
		this.lines.add(line);
		return line;
	}

	/**
	 * A run has ended.
	 *
	 * @returns its requests that waited
	 */
	leave(line: Line): LimitedRequest[] {
		this.lines.delete(line);
		this.ready.delete(line);
		return line.queue.takeAll(() => true);
	}

	/**
	 * Waits until the request may be sent.
	 *
	 * @throws RateLimitError when that takes too long
	 */
	async turnOf(request: LimitedRequest): Promise<void> {
		const { line } = request;
		request.waitingSince = this.clock.now();
		line.leastMaxWaitMs = Math.min(line.leastMaxWaitMs, request.maxWaitMs);
		if (this.pauseMs > request.maxWaitMs && !this.probe) {
			if (line.hasSent) throw this.giveUp(request);
			// Only others met the refusal, and it may be over: each run sees for itself
			this.launch(request, request.waitingSince);
			return;
		}
		const turn = new Promise<void>((admit, refuse) => {
			request.admit = admit;
			request.refuse = refuse;
		});
		line.queue.add(request);
		this.takeTurns(line);
		this.admit();
		await turn;
	}

	/** A request got a response. */
	responded(request: LimitedRequest, response: LimitedResponse): void {
		if (isRefusal(response)) this.refused(request, response);
		else if (response.statusCode < GATEWAY_ERROR) this.passed(request, response);
	}

	/** A request that was sent is no longer under way. */
	ended(request: LimitedRequest): void {
		const { line } = request;
		this.lastEventAt = this.clock.now();
		this.inFlight--;
		line.inFlight--;
		if (this.probe === request) {
			this.probe = undefined;
			this.refuseImpatient();
		}
		this.takeTurns(line);
		this.admit();
	}

	/** Whether a request may not wait for the rest of the pause, or nothing has passed for too long. */
	isImpatient({ maxWaitMs, line }: LimitedRequest): boolean {
		return this.pauseMs > maxWaitMs || this.blockedMs(line) >= maxWaitMs;
	}

	giveUp(request: LimitedRequest): RateLimitError {
		this.endWait(request);
		const { response, attempts, waitedMs } = request;
		return new RateLimitError(response, attempts, waitedMs, this.pauseMs);
	}

	/** What is left of the pause, in milliseconds. */
	private get pauseMs(): number {
		return Math.max(0, Math.floor(this.resumesAt - this.clock.now()));
	}

	/** How long nothing has passed, in milliseconds, while this run was there. */
	private blockedMs({ since }: Pick<Line, 'since'>): number {
		if (this.blockedSince === undefined) return 0;
		return this.clock.now() - Math.max(this.blockedSince, since);
	}

	private endWait(request: LimitedRequest): void {
		request.waitedMs += this.clock.now() - request.waitingSince;
	}

	private takeTurns(line: Line): void {
		if (line.isReady && this.lines.has(line)) this.ready.add(line);
		else this.ready.delete(line);
	}

	/** Sends whatever may be sent now, and comes back when the next may be. */
	private admit(): void {
		for (;;) {
			const [line] = this.ready;
			if (line === undefined) return;
			const now = this.clock.now();
			const at = this.nextAt(now);
			if (at > now) {
				void this.wakeAt(at, now);
				return;
			}
			const request = line.queue.takeFirst();
			if (request) this.launch(request, now);
			this.ready.delete(line);
			this.takeTurns(line);
		}
	}

	/** When the next request may be sent, unless a response comes sooner. */
	private nextAt(now: number): number {
		if (this.blockedSince !== undefined) {
			return this.probe
				? Math.max(this.resumesAt, this.probe.sentAt + LONGEST_PROBE)
				: this.resumesAt;
		}
		if (this.inFlight >= this.width) return this.lastEventAt + LONGEST_SILENCE;
		return this.budget.isKnown ? this.budget.nextAt(this.inFlight) : this.estimate.nextAt(now);
	}

	private launch(request: LimitedRequest, now: number): void {
		if (request.attempts > 0) this.endWait(request);
		request.attempts++;
		request.sentAt = now;
		this.lastEventAt = now;
		if (this.blockedSince === undefined) {
			request.cycle = this.estimate.sent(now);
			this.budget.sent(this.inFlight, now);
		} else {
			request.cycle = undefined;
			this.probe = request;
		}
		this.inFlight++;
		this.width = Math.max(this.width, this.inFlight);
		request.line.inFlight++;
		request.line.hasSent = true;
		request.admit();
	}

	private passed(request: LimitedRequest, { headers }: LimitedResponse): void {
		const now = this.clock.now();
		const { sentAt, cycle } = request;
		this.budget.read(readLimitHints(headers, now), false, sentAt, now);
		this.estimate.pass(cycle);
		this.width += MORE_PER_RESPONSE;
		const showsEnd = sentAt >= this.resumesAt || this.probe === request;
		if (this.blockedSince !== undefined && showsEnd) {
			this.estimate.resume(sentAt);
			this.blockedSince = undefined;
			this.resumesAt = sentAt;
		}
	}

	private refused(request: LimitedRequest, response: LimitedResponse): void {
		const now = this.clock.now();
		const hints = readLimitHints(response.headers, now);
		this.budget.read(hints, true, request.sentAt, now);
		if (this.blockedSince === undefined) this.estimate.pause(now);
		this.blockedSince ??= now;
		this.resumesAt = Math.max(this.resumesAt, now + this.askedMs(hints, request.maxWaitMs));
		request.response = response;
		request.waitingSince = now;
		this.refuseImpatient();
	}

	/** How long a refusal asks everyone to wait, in milliseconds. */
	private askedMs({ retryAfterMs, resetMs }: LimitHints, maxWaitMs: number): number {
		const chance = 0.5 + 0.5 * this.random();
		if (retryAfterMs) return Math.max(retryAfterMs, LEAST_BACKOFF * chance);
		// The more passes there are, the more probes are affordable: the end of a window is found sooner
		const growth = clamp(PASSES_PER_PROBE / this.estimate.passed, LEAST_GROWTH, 1);
		const blockedMs = this.blockedMs({ since: -Infinity });
		const backoff = clamp(blockedMs * growth, LEAST_BACKOFF, LONGEST_BACKOFF) * chance;
		// A hint must not end a request that might pass sooner
		const untilReset = Math.min(resetMs ?? 0, LONGEST_BACKOFF);
		return untilReset <= maxWaitMs ? Math.max(backoff, untilReset) : backoff;
	}

	/** Those that wait give up, too, when they may not wait so long. */
	private refuseImpatient(): void {
		for (const line of this.lines) {
			if (Math.max(this.pauseMs, this.blockedMs(line)) < line.leastMaxWaitMs) continue;
			for (const request of line.queue.takeAll((waiting) => this.isImpatient(waiting))) {
				request.refuse(this.giveUp(request));
			}
			this.takeTurns(line);
		}
	}

	/** Comes back at a time, or sooner: a timer that is no longer needed should not last long. */
	private async wakeAt(at: number, now: number): Promise<void> {
		const wakesAt = Math.min(at, now + LONGEST_NAP);
		if (this.wakesAt <= wakesAt) return;
		this.wakesAt = wakesAt;
		await this.clock.sleep(wakesAt - now);
		if (this.wakesAt !== wakesAt) return; // another timer ended sooner
		this.wakesAt = Infinity;
		this.admit();
	}
}

function clamp(value: number, least: number, most: number): number {
	return Math.min(most, Math.max(least, value));
}
