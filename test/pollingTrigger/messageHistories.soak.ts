import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { MESSAGE_OVERLAP_SECONDS } from '../../nodes/CometChat/pollingTrigger/newMessages';
import type { ActiveTrigger } from '../../tools/n8nEngine/poll';
import type { StoredMessage } from '../../tools/sandbox/store/messages';
import { countCases } from '../countCases';
import { FAULTS, GROUPS, START, activate, useClockedSandbox } from './harness';

let history: HistoryRun | undefined;
const sandbox = useClockedSandbox({
	...{ validate: false, logLimit: 10 },
	onRequest: () => history?.onResponse(),
});

/** Watched users. Both are members of All Hands, only Jonas is a member of Frontend. */
const USERS = ['mira', 'jonas'];

const IGNORED = 'felix';

interface WatchCase {
	parameters: INodeParameters;
	/** True if the message starts the workflow, unless its sender is ignored */
	isHeard: (message: StoredMessage) => boolean;
}

const WATCHES: Record<string, WatchCase> = {
	Groups: {
		parameters: { watch: 'groups', groupIds: GROUPS },
		isHeard: ({ receiver }) => GROUPS.includes(receiver),
	},
	Users: {
		parameters: { watch: 'users', userIds: USERS },
		isHeard: (message) =>
			USERS.some((uid) => {
				const { sender, receiver, text = '' } = message;
				const isMentioned = text.includes(`<@uid:${uid}>`);
				return sender !== uid && (receiver === uid || (isMentioned && canSee(message, uid)));
			}),
	},
	'Whole App': { parameters: { watch: 'app' }, isHeard: () => true },
};

const canSee = (message: StoredMessage, uid: string) => sandbox().store.canSee(message, uid);

/** Maximum age of a held message when moderation releases it, so that the trigger must still find it. */
const MAX_HELD_SECONDS = MESSAGE_OVERLAP_SECONDS - 60;

const index = fc.nat(1_000);

const sending = {
	sender: fc.constantFrom('leo', 'leo', ...USERS, IGNORED, 'app_system'),
	receiver: fc.constantFrom(...GROUPS, 'frontend', ...USERS, 'noor'),
	mentioned: fc.subarray(USERS),
	isHeld: fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, fc.constant(true)),
};

const action = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('send' as const),
			count: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.constant(130)),
			...sending,
		}),
	},
	fc.record({
		kind: fc.constantFrom('edit' as const, 'delete' as const, 'release' as const),
		index,
	}),
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			seconds: fc.constantFrom(0, 1, 60, 299, 299, 500, 1_000),
		}),
	},
	fc.record({
		// Sets the number of hours that n8n's clock is ahead of the service's
		kind: fc.constant('setClock' as const),
		hours: fc.constantFrom(0, -4, 4, -20, 20),
	}),
	{
		weight: 4,
		arbitrary: fc.record({
			// "crash" and "crashInPoll" lose the state that n8n has not saved
			kind: fc.constantFrom('poll', 'poll', 'poll', 'poll', 'restart', 'crash', 'crashInPoll'),
		}),
	},
	fc.record({
		kind: fc.constant('pollAndSend' as const),
		/** Number of the response after which messages are sent */
		response: fc.integer({ min: 1, max: 3 }),
		count: fc.constantFrom(1, 130),
		...sending,
	}),
	fc.record({
		kind: fc.constant('fail' as const),
		nth: fc.integer({ min: 1, max: 4 }),
		effect: fc.constantFrom(...FAULTS),
	}),
);

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

type Sending = Pick<Action & { count: number; isHeld: boolean }, 'count' | 'isHeld'> & {
	sender: string;
	receiver: string;
	mentioned: string[];
};

const historySettings = fc.record({
	settings: fc.record({
		maxMessagesPerPage: fc.constantFrom(0, 20),
		nextShown: fc.constantFrom('more', 'always', 'never'),
		idBoundary: fc.constantFrom('exclusive', 'inclusive'),
		messageOrder: fc.constantFrom('ascending', 'descending'),
		messagesMeta: fc.constantFrom('next', 'cursor'),
		limitShown: fc.constantFrom('right', 'missing'),
		messageIds: fc.constantFrom('text', 'number'),
		emptyPage: fc.constantFrom('list', 'null', 'object'),
		clockSkew: fc.constantFrom(0, 240, -240, 3_600, -3_600),
		dateShown: fc.constantFrom('right', 'right', 'missing'),
	}),
	maxItems: fc.constantFrom(20, 40, 10_000),
	/** Number of seconds that n8n's clock is ahead during the first poll */
	ahead: fc.constantFrom(0, 0, 43_200, 2 * 86_400, -3 * 86_400),
	actions: fc.array(action, { minLength: 5, maxLength: 30 }),
});

type HistorySettings = typeof historySettings extends fc.Arbitrary<infer T> ? T : never;

/** A trigger, and the messages that it must return. */
class HistoryRun {
	private readonly sent: StoredMessage[] = [];
	private returned = new Map<string, number>();
	/** IDs of messages that were deleted, or held back for too long, before a poll could return them */
	private readonly mayBeMissing = new Set<string>();
	/** Called after the given number of responses */
	private pending: { responses: number; send: () => void } | undefined;
	private readonly parameters: INodeParameters;
	private trigger: ActiveTrigger;
	/** Number of seconds that the service's clock is ahead of `clock.now` */
	private readonly skew: number;
	/** State in n8n's database, and the messages that had been returned when n8n saved the state */
	private saved = { staticData: '{}', returned: this.returned };

	constructor(
		private readonly watch: WatchCase,
		{ maxItems, settings: { clockSkew } }: HistorySettings,
	) {
		this.skew = clockSkew;
		this.parameters = {
			...{ event: 'messageSent', ...watch.parameters, requestOptions: { maxTries: 1 } },
			options: { maxItems, ignoreUsers: [IGNORED] },
		};
		this.trigger = this.activate();
	}

	async run({ ahead, actions }: HistorySettings): Promise<void> {
		const { clock } = sandbox();
		// The first poll only records these messages
		const early = { isHeld: false, mentioned: USERS, sender: 'leo', receiver: 'all-hands' };
		this.send({ ...early, count: 30 });
		const recorded = this.sent.splice(0).map(({ id }) => id);
		clock.ahead = ahead;
		expect(await this.trigger.poll()).toBeNull();
		clock.ahead = 0;
		this.save();
		for (const step of actions) await this.perform(step);
		await this.end();
		expect(recorded.filter((id) => this.returned.has(id))).toEqual([]);
	}

	onResponse(): void {
		if (this.pending === undefined || --this.pending.responses > 0) return;
		const { send } = this.pending;
		this.pending = undefined;
		send();
	}

	private async perform(step: Action): Promise<void> {
		const { clock } = sandbox();
		if (step.kind === 'pollAndSend') {
			this.pending = { responses: step.response, send: () => this.send(step) };
			await this.poll();
			this.pending = undefined;
		} else if (step.kind === 'send') this.send(step);
		else if (step.kind === 'wait') clock.now += step.seconds;
		else if (step.kind === 'setClock') clock.ahead = step.hours * 3_600;
		else if (step.kind === 'fail') await this.failingPoll(step);
		else if ('index' in step) this.change(step.kind, step.index);
		else if (step.kind === 'poll') await this.poll();
		else {
			if (step.kind === 'crashInPoll') await this.trigger.poll();
			if (step.kind === 'restart') this.save();
			this.restart();
		}
	}

	/** Releases all held messages, polls until a poll returns nothing, and checks what the polls returned. */
	private async end(): Promise<void> {
		sandbox().clock.ahead = 0;
		this.sent.forEach((message) => this.release(message));
		while (await this.poll());
		const heard = this.sent
			.filter(({ sender }) => ![IGNORED, 'app_system'].includes(sender))
			.filter((message) => this.watch.isHeard(message))
			.map(({ id }) => id);
		const missing = heard.filter((id) => !this.returned.has(id) && !this.mayBeMissing.has(id));
		expect(missing).toEqual([]);
		expect([...this.returned.keys()].filter((id) => !heard.includes(id))).toEqual([]);
		expect([...this.returned].filter(([, count]) => count > 1)).toEqual([]);
	}

	private send({ sender, receiver, mentioned, count, isHeld }: Sending): void {
		const receiverType = [...USERS, 'noor'].includes(receiver) ? 'user' : 'group';
		const text = ['Hi', ...mentioned.map((uid) => `<@uid:${uid}>`)].join(' ');
		for (let number = 0; number < count; number++) {
			const moderation = isHeld ? { moderation: { status: 'pending' as const } } : {};
			const message = { sender, receiver, receiverType, text, ...moderation } as const;
			this.sent.push(sandbox().store.sendMessage(message));
		}
	}

	private change(kind: 'edit' | 'delete' | 'release', position: number): void {
		const message = this.sent[position % Math.max(this.sent.length, 1)];
		if (message === undefined) return;
		if (kind === 'release') this.release(message);
		else if (message.deletedAt !== undefined) return;
		else if (kind === 'edit') sandbox().store.editMessage(message.id, { metadata: {} }, 'leo');
		else {
			sandbox().store.deleteMessage(message.id, { by: 'leo' });
			this.mayBeMissing.add(message.id);
		}
	}

	private release(message: StoredMessage): void {
		if (message.moderation?.status !== 'pending') return;
		message.moderation = { status: 'approved' };
		const { now } = sandbox().clock;
		if (now + this.skew - message.sentAt > MAX_HELD_SECONDS) this.mayBeMissing.add(message.id);
	}

	private activate(): ActiveTrigger {
		return activate(sandbox(), this.parameters, { staticData: this.saved.staticData });
	}

	private save(): void {
		this.saved = { staticData: this.trigger.staticData(), returned: new Map(this.returned) };
	}

	private restart(): void {
		this.returned = new Map(this.saved.returned);
		this.trigger = this.activate();
	}

	private async poll(): Promise<boolean> {
		const items = await this.trigger.poll();
		if (items === null) return false;
		for (const { json } of items) {
			const id = String(json.id);
			this.returned.set(id, (this.returned.get(id) ?? 0) + 1);
		}
		// n8n saves the trigger's state when the workflow starts
		this.save();
		return true;
	}

	/**
	 * Runs a poll that may fail because of an injected fault. A failed poll must not change the trigger's
	 * state.
	 */
	private async failingPoll({ nth, effect }: Action & { kind: 'fail' }): Promise<void> {
		const before = this.trigger.staticData();
		sandbox().setFaults([{ match: { nth: [nth] }, effect }]);
		try {
			await this.poll();
		} catch (error) {
			if (!(error instanceof Error) || error.name !== 'NodeApiError') throw error;
			expect(this.trigger.staticData()).toBe(before);
		} finally {
			sandbox().setFaults(undefined);
		}
	}
}

test.each(Object.entries(WATCHES))(
	'In any history, each message starts a workflow that watches %s once, if it is for the workflow',
	async (_, watch) => {
		const property = fc.asyncProperty(historySettings, async (settings) => {
			sandbox().reset();
			sandbox().setSettings(settings.settings);
			Object.assign(sandbox().clock, { now: START, ahead: 0 });
			history = new HistoryRun(watch, settings);
			await history.run(settings);
		});
		await fc.assert(property, { numRuns: countCases({ eachChange: 2, nightly: 100 }) });
	},
	1_800_000,
);
