import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { ActiveTrigger } from '../../tools/n8nEngine/poll';
import type { FaultEffect, FaultRule } from '../../tools/sandbox/faults';
import { START, activate, type ClockedSandbox } from './harness';

/** Faults that concern all lists, and make a poll fail. */
const GENERAL_FAULTS: FaultEffect[] = [
	{ echoKey: { status: 401 } },
	{ cutBefore: true },
	{ tooManyRequests: { seconds: 600 } },
];

/** Faults that concern a single list. */
const LIST_FAULTS: FaultEffect[] = [
	{ html: true },
	{ status: { status: 503 } },
	{ status: { status: 403, body: { error: { code: 'ERR_GROUP_NOT_JOINED' } } } },
	{ status: { status: 404, body: { error: { code: 'ERR_GROUP_NO_ACCESS' } } } },
];

const request = fc.integer({ min: 1, max: 5 });

/** A random action in n8n, or a change of time. `change` is a random change in the service. */
export const createAction = <C>(change: fc.Arbitrary<C>) =>
	fc.oneof(
		{ weight: 9, arbitrary: fc.record({ change }) },
		{
			weight: 4,
			arbitrary: fc.record({ wait: fc.constantFrom(0, 1, 7, 60, 299, 500, 1_000, 4_000, 90_000) }),
		},
		{
			weight: 1,
			// Number of hours that n8n's clock is ahead of the service's
			arbitrary: fc.record({ ahead: fc.constantFrom(0, -4, 4, -20, 20) }),
		},
		{
			weight: 7,
			arbitrary: fc.record({
				// "crash" and "crashInPoll" lose the state that n8n has not saved
				do: fc.constantFrom('poll', 'poll', 'poll', 'poll', 'restart', 'crash', 'crashInPoll'),
			}),
		},
		// The time runs out when the poll sends its nth request
		{ weight: 3, arbitrary: fc.record({ timeoutAt: request }) },
		{
			weight: 2,
			arbitrary: fc.record({
				fault: fc.constantFrom(...GENERAL_FAULTS, ...LIST_FAULTS),
				nth: request,
			}),
		},
		// The service changes after the nth response of a poll
		{ weight: 2, arbitrary: fc.record({ changeInPoll: change, response: request }) },
		// n8n starts while the service can't be reached
		{ weight: 1, arbitrary: fc.record({ outage: fc.constantFrom(...GENERAL_FAULTS) }) },
	);

export type Action<C> =
	ReturnType<typeof createAction<C>> extends fc.Arbitrary<infer T> ? T : never;

/** A random history. `firstTimeoutAt` is the number of the request at which the first poll runs out of time. */
export const createHistory = <C>(change: fc.Arbitrary<C>, settings: fc.Arbitrary<object>) =>
	fc.record({
		settings,
		clockSkew: fc.constantFrom(0, 240, -240, 3_600, -3_600),
		dateShown: fc.constantFrom('right', 'right', 'missing'),
		maxItems: fc.constantFrom(3, 20, 40, 10_000),
		/** Number of seconds that n8n's clock is ahead during the first poll */
		ahead: fc.constantFrom(0, 0, 43_200, 2 * 86_400, -3 * 86_400),
		firstTimeoutAt: fc.oneof({ weight: 3, arbitrary: fc.constant(Infinity) }, request),
		actions: fc.array(createAction(change), { minLength: 4, maxLength: 25 }),
	});

export type History<C> =
	ReturnType<typeof createHistory<C>> extends fc.Arbitrary<infer T> ? T : never;

/** Time limits of polls, in milliseconds. */
const POLL_LIMITS = [12_000, 50_000];

/** Replaces the time limit of polls, so that a test decides when the time runs out. */
export function mockTimeLimit(): { startPoll: () => AbortController; restore: () => void } {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	let limit = new AbortController();
	const spy = jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((ms) => (POLL_LIMITS.includes(ms) ? limit.signal : timeout(ms)));
	return { startPoll: () => (limit = new AbortController()), restore: () => spy.mockRestore() };
}

/**
 * Replays a random history against the trigger and the sandbox. A subclass knows what the service contains, and checks
 * that each occurrence starts the workflow once.
 */
export abstract class PollHistory<C> {
	/** Number of times that each occurrence started the workflow, by its key */
	protected returned = new Map<string, number>();

	/** State in n8n's database, and what had been returned when n8n saved the state */
	private saved = { staticData: '{}', returned: new Map<string, number>() };

	private trigger?: ActiveTrigger;

	/** Called before each request and after each response of the sandbox */
	private onRequest?: () => void;
	onResponse?: () => void;

	protected faults: FaultRule[] = [];

	constructor(
		protected readonly sandbox: ClockedSandbox,
		protected readonly history: History<C>,
		private readonly startPoll: () => AbortController,
	) {
		sandbox.reset();
		Object.assign(sandbox.clock, { now: START, ahead: 0 });
		const { settings, clockSkew, dateShown } = history;
		sandbox.setSettings({ ...settings, clockSkew, dateShown });
	}

	protected abstract readonly parameters: INodeParameters;

	/** Creates what exists before the first poll. */
	protected abstract prepare(): void;

	/** Changes the service, or the trigger's parameters. */
	protected abstract apply(change: C): void;

	/** Records what existed when a poll began, and what existed when it ended. Returns a function for its end. */
	protected abstract beginPoll(): (isFailed: boolean) => void;

	/** Returns the key of an occurrence that started the workflow. @throws Error if it must not start the workflow */
	protected abstract check(item: IDataObject): string;

	/** Ends all obstacles in the service. */
	protected abstract settle(): void;

	/** Returns the keys of the occurrences that must have started the workflow. */
	protected abstract listDue(): string[];

	/** True if a failed poll has a reason. */
	protected isFailureExpected(): boolean {
		return this.faults.length > 0;
	}

	/** @throws Error if a poll returns a wrong occurrence, or if an occurrence is missing at the end */
	async run(): Promise<void> {
		const { clock } = this.sandbox;
		this.prepare();
		clock.now += 1_000;
		clock.ahead = this.history.ahead;
		// Without CometChat's time, a first poll that runs out of time relies on n8n's clock
		const { dateShown, firstTimeoutAt } = this.history;
		if ((await this.poll(dateShown === 'missing' ? Infinity : firstTimeoutAt)) > 0)
			throw new Error('The first poll returned items');
		clock.ahead = 0;
		this.save();
		clock.now += 1;
		for (const action of this.history.actions) await this.act(action);
		clock.ahead = 0;
		this.settle();
		for (let rest = 2; rest > 0; rest--) while ((await this.poll()) > 0) rest = 2;
		const missing = this.listDue().filter((key) => !this.returned.has(key));
		if (missing.length > 0) throw new Error(`${missing.join()} never started the workflow`);
	}

	private async act(action: Action<C>): Promise<void> {
		const { clock } = this.sandbox;
		if ('change' in action) this.apply(action.change);
		else if ('wait' in action) clock.now += action.wait;
		else if ('ahead' in action) clock.ahead = action.ahead * 3_600;
		else if ('timeoutAt' in action) await this.poll(action.timeoutAt);
		else if ('fault' in action) {
			await this.pollWith([{ match: { nth: [action.nth] }, effect: action.fault }]);
		} else if ('outage' in action) {
			this.save();
			this.restart('init');
			if ((await this.pollWith([{ effect: action.outage }])) !== 0) throw new Error('Polled');
		} else if ('response' in action) {
			let responses = 0;
			this.onResponse = () => {
				if (++responses === action.response) this.apply(action.changeInPoll);
			};
			await this.poll();
			this.onResponse = undefined;
		} else if (action.do === 'poll') await this.poll();
		else {
			if (action.do === 'crashInPoll') await this.poll();
			if (action.do === 'restart') this.save();
			this.restart();
		}
	}

	protected save(): void {
		if (!this.trigger) return;
		this.saved = { staticData: this.trigger.staticData(), returned: new Map(this.returned) };
	}

	protected restart(activationMode?: 'init'): void {
		this.returned = new Map(this.saved.returned);
		this.trigger = activate(this.sandbox, this.parameters, {
			staticData: this.saved.staticData,
			activationMode,
			onRequest: () => this.onRequest?.(),
		});
	}

	/** Returns the trigger's state. Undefined before a poll has succeeded. */
	protected readState(): IDataObject | undefined {
		const nodes = Object.values(JSON.parse(this.trigger?.staticData() ?? '{}') as IDataObject);
		return (nodes[0] as IDataObject | undefined)?.state as IDataObject | undefined;
	}

	private async pollWith(faults: FaultRule[]): Promise<number> {
		this.faults = faults;
		const count = await this.poll();
		this.faults = [];
		return count;
	}

	/**
	 * Runs a poll and checks what it returns.
	 *
	 * @param timeoutAt number of the request at which the time runs out
	 * @returns the number of items
	 */
	private async poll(timeoutAt = Infinity): Promise<number> {
		if (!this.trigger) this.restart();
		const limit = this.startPoll();
		let requests = 0;
		this.onRequest = () => {
			if (++requests === timeoutAt) limit.abort();
		};
		this.sandbox.setFaults(this.listFaults());
		const endPoll = this.beginPoll();
		const before = JSON.stringify(this.readState());
		const items = await this.trigger?.poll().catch((error: unknown) => {
			if (!(error instanceof Error) || !/^Node(Api|Operation)Error$/.test(error.name)) throw error;
			if (!this.isFailureExpected() && !limit.signal.aborted) throw error;
			if (JSON.stringify(this.readState()) !== before)
				throw new Error('A failed poll saved a state');
			return undefined;
		});
		this.sandbox.setFaults(undefined);
		endPoll(items === undefined);
		if (!items) return 0;
		if (items.length > this.history.maxItems) throw new Error('A poll returned too many items');
		for (const { json } of items) {
			const key = this.check(json);
			const count = (this.returned.get(key) ?? 0) + 1;
			this.returned.set(key, count);
			if (count > 1) throw new Error(`${key} started the workflow twice`);
		}
		// n8n saves the trigger's state when the workflow starts
		this.save();
		return items.length;
	}

	protected listFaults(): FaultRule[] {
		return this.faults;
	}
}
