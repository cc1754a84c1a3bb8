import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { formatError } from '../../nodes/CometChat/helpers/formatText';
import type { ActiveTrigger } from '../../tools/n8nEngine/poll';
import type { FaultRule } from '../../tools/sandbox/faults';
import type { StoredMessage } from '../../tools/sandbox/store/messages';
import { countCases } from '../countCases';
import { FAULTS, START, activate, useClockedSandbox, type ClockedSandbox } from './harness';

const GROUPS = ['all-hands', 'frontend', 'lunch', 'makers'];

const USERS = ['jonas', 'mira', 'noor', 'yuki'];

const PLACES = { groups: GROUPS, users: USERS };

const LABELS = { groups: "'Groups to Watch'", users: "'Users to Watch'" };

/** Codes with which CometChat refuses a single list. */
const CODES = ['ERR_BANNED_GROUPMEMBER', 'ERR_GROUP_NOT_JOINED', 'ERR_PERMISSION_DENIED'];

const refusal = (code: string) => ({ status: { status: 403, body: { error: { code } } } });

const place = fc.nat(3);

/** A random change in the service. */
const change = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('send' as const),
			count: fc.constantFrom(1, 1, 2, 3, 45),
			sender: fc.constantFrom('leo', 'leo', ...USERS),
			receiver: fc.constantFrom(...GROUPS, ...GROUPS, ...USERS),
			mentioned: fc.subarray([...USERS, 'all']),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			// Makes a place disappear, or come back if it has disappeared
			do: fc.constantFrom('delete' as const, 'deactivate' as const, 'deny' as const),
			place,
		}),
	},
	fc.record({ do: fc.constant('rename' as const), place }),
	fc.record({
		// Bans a user from a group, or lifts the ban and lets the user join
		do: fc.constant('ban' as const),
		group: fc.constantFrom(...GROUPS),
		user: fc.constantFrom(...USERS),
	}),
);

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

interface Sending {
	count: number;
	sender: string;
	receiver: string;
	mentioned: string[];
}

const action = fc.oneof(
	{ weight: 4, arbitrary: change },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('wait' as const),
			seconds: fc.constantFrom(1, 60, 299, 500, 1_000, 90_000),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			// Adds a place to the watched places, or takes it out of them
			do: fc.constant('list' as const),
			place,
			/** True to kill n8n before it saves the state */
			isKilled: fc.boolean(),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			// "kill" and "killInPoll" lose the state that n8n hasn't saved
			do: fc.constantFrom('poll', 'poll', 'poll', 'restart', 'kill', 'killInPoll'),
		}),
	},
	fc.record({
		do: fc.constant('pollAndChange' as const),
		/** Number of the response after which the service changes */
		response: fc.integer({ min: 1, max: 4 }),
		change,
	}),
	fc.record({
		// Refuses one request of a poll, or lets it fail
		do: fc.constant('fault' as const),
		nth: fc.integer({ min: 1, max: 4 }),
		effect: fc.constantFrom(
			...CODES.map(refusal),
			...FAULTS,
			{ status: { status: 503 } },
			{ tooManyRequests: { seconds: 600 } },
		),
	}),
);

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const createHistory = (watch: keyof typeof PLACES) =>
	fc.record({
		watch: fc.constant(watch),
		watched: fc.subarray(PLACES[watch], { minLength: 1 }),
		settings: fc.record({
			maxMessagesPerPage: fc.constantFrom(0, 20),
			messageIds: fc.constantFrom('text', 'number'),
			idBoundary: fc.constantFrom('exclusive', 'inclusive'),
			clockSkew: fc.constantFrom(0, 240, -240, -3_600),
			dateShown: fc.constantFrom('right', 'right', 'missing'),
		}),
		maxItems: fc.constantFrom(10, 30, 10_000),
		actions: fc.array(action, { minLength: 5, maxLength: 35 }),
	});

type History = ReturnType<typeof createHistory> extends fc.Arbitrary<infer T> ? T : never;

/** Numbers of messages that had been sent before and after the poll that first read a place. */
interface Following {
	mayStart: number;
	mustStart: number;
}

/** What a restart of n8n restores. */
interface Saved {
	staticData: string;
	/** Number of times that each message started the workflow, by ID */
	returned: Map<string, number>;
	following: Map<string, Following>;
}

/** Replays a sequence of actions against the trigger and the sandbox, and checks every poll. */
class HistoryRun {
	private readonly sent: StoredMessage[] = [];

	/** Messages that a place may have lost, e.g. because the group was deleted before a poll, by place */
	private readonly mayMiss = new Map<string, Set<StoredMessage>>();

	private readonly denied = new Set<string>();

	private readonly deleted = new Set<string>();

	private watched: string[];

	private returned = new Map<string, number>();

	private following = new Map<string, Following>();

	private saved: Saved = { staticData: '{}', returned: new Map(), following: new Map() };

	private trigger: ActiveTrigger;

	private oneTimeFaults: FaultRule[] = [];

	/** Called after each response of the sandbox */
	onResponse?: () => void;

	constructor(
		private readonly sandbox: ClockedSandbox,
		private readonly history: History,
	) {
		sandbox.reset();
		Object.assign(sandbox.clock, { now: START, ahead: 0 });
		sandbox.setSettings(history.settings);
		this.watched = [...history.watched];
		this.trigger = this.activate();
	}

	/** @throws Error if a poll returns wrong messages, or if a message never starts the workflow */
	async run(): Promise<void> {
		const early = { sender: 'leo', mentioned: ['all'], count: 25 };
		for (const receiver of GROUPS) this.send({ ...early, receiver });
		for (const step of this.history.actions) await this.act(step);
		await this.end();
	}

	/** Brings back all places, polls until a poll returns nothing, and looks for missing messages. */
	private async end(): Promise<void> {
		for (const name of [...this.deleted]) this.bringBack(name);
		for (const uid of USERS) this.sandbox.store.people.deactivate(uid, false);
		this.denied.clear();
		while (await this.poll());
		for (const [index, message] of this.sent.entries()) {
			if (this.returned.has(message.id)) continue;
			const missing = this.watched.find(
				(name) =>
					index >= (this.following.get(name)?.mustStart ?? Infinity) &&
					this.isFor(message, name) &&
					!this.mayMiss.get(name)?.has(message),
			);
			if (missing) throw new Error(`Message ${message.id} never started the workflow`);
		}
	}

	private isFor({ sender, receiver, receiverType, text = '' }: StoredMessage, name: string) {
		if (this.history.watch === 'groups') return receiverType === 'group' && receiver === name;
		if (sender === name) return false;
		if (receiverType === 'user') return receiver === name || text.includes(`<@uid:${name}>`);
		return text.includes(`<@uid:${name}>`) || text.includes('<@all:all>');
	}

	private isVisible(message: StoredMessage, name: string): boolean {
		return this.history.watch === 'groups' || this.sandbox.store.canSee(message, name);
	}

	private activate(): ActiveTrigger {
		const { watch, maxItems } = this.history;
		const field = watch === 'groups' ? 'groupIds' : 'userIds';
		const parameters: INodeParameters = {
			...{ event: 'messageSent', watch, [field]: this.watched },
			options: { maxItems: maxItems, appEvents: 'safe' },
			requestOptions: { maxTries: 1 },
		};
		return activate(this.sandbox, parameters, { staticData: this.saved.staticData });
	}

	/** Returns the static data. n8n adds an empty object for the trigger before the first poll ends. */
	private readState(): string {
		return this.trigger.staticData().replace(/^\{"node:[^"]*":\{\}\}$/, '{}');
	}

	private save(): void {
		this.saved = {
			staticData: this.trigger.staticData(),
			returned: new Map(this.returned),
			following: new Map(this.following),
		};
	}

	private restart(): void {
		this.returned = new Map(this.saved.returned);
		this.following = new Map(this.saved.following);
		this.trigger = this.activate();
	}

	private async act(step: Action): Promise<void> {
		if ('seconds' in step) this.sandbox.clock.now += step.seconds;
		else if ('isKilled' in step) this.toggleWatched(step);
		else if ('response' in step) await this.pollAndChange(step);
		else if ('effect' in step) await this.pollWithFault(step);
		else if ('place' in step || 'group' in step || 'count' in step) this.apply(step);
		else if (step.do === 'poll') await this.poll();
		else {
			if (step.do === 'killInPoll') await this.trigger.poll().catch(() => {});
			if (step.do === 'restart') this.save();
			this.restart();
		}
	}

	private async pollWithFault({ nth, effect }: Action & { do: 'fault' }): Promise<void> {
		this.oneTimeFaults = [{ match: { nth: [nth] }, effect }];
		await this.poll();
		this.oneTimeFaults = [];
	}

	private toggleWatched(step: { place: number; isKilled: boolean }): void {
		if (!step.isKilled) this.save();
		const name = PLACES[this.history.watch][step.place] ?? '';
		const others = this.watched.filter((each) => each !== name);
		if (others.length === 0) return;
		this.watched = others.length < this.watched.length ? others : [...this.watched, name];
		this.restart();
	}

	private async pollAndChange(step: { response: number; change: Change }): Promise<void> {
		let responses = 0;
		this.onResponse = () => {
			if (++responses === step.response) this.apply(step.change);
		};
		await this.poll();
		this.onResponse = undefined;
	}

	private apply(step: Change): void {
		if (step.do === 'send') this.send(step);
		else if (step.do === 'ban') this.ban(step);
		else this.changePlace(step.do, PLACES[this.history.watch][step.place] ?? '');
	}

	private changePlace(what: 'delete' | 'deactivate' | 'deny' | 'rename', name: string): void {
		const { people } = this.sandbox.store;
		if (what === 'rename') this.rename(name);
		else if (what === 'delete' && this.deleted.has(name)) this.bringBack(name);
		else if (what === 'delete') this.delete(name);
		else if (what === 'deactivate' && this.history.watch === 'users') {
			people.deactivate(name, !people.isDeactivated(name));
		} else if (!this.denied.delete(name)) this.denied.add(name);
	}

	private send({ receiver, sender, mentioned, count }: Sending): void {
		const receiverType = USERS.includes(receiver) ? 'user' : 'group';
		const mentions = mentioned.map((uid) => (uid === 'all' ? '<@all:all>' : `<@uid:${uid}>`));
		if (this.deleted.has(receiver) && receiverType === 'group') return;
		for (let number = 0; number < count; number++) {
			const text = ['Hi', ...mentions].join(' ');
			const message = this.sandbox.store.sendMessage({ sender, receiver, receiverType, text });
			this.sent.push(message);
			for (const name of USERS) if (!this.isVisible(message, name)) this.miss(name, message);
		}
	}

	private miss(name: string, message: StoredMessage): void {
		this.mayMiss.set(name, (this.mayMiss.get(name) ?? new Set()).add(message));
	}

	private missGroup(guid: string, ...names: string[]): void {
		for (const message of this.sent) {
			if (message.receiver === guid) for (const name of names) this.miss(name, message);
		}
	}

	private ban({ group, user }: { group: string; user: string }): void {
		const { store } = this.sandbox;
		const { members = [], banned = [] } = store.groups.get(group) ?? {};
		if (this.deleted.has(group) || !store.people.has(user)) return;
		if (banned.some(({ uid }) => uid === user)) {
			store.unbanMember(group, user);
			store.joinGroup(group, user);
		} else if (members.some(({ uid }) => uid === user)) {
			this.missGroup(group, user);
			store.banMember(group, user);
		} else {
			store.joinGroup(group, user);
		}
	}

	private rename(name: string): void {
		const { store } = this.sandbox;
		if (this.deleted.has(name)) return;
		if (this.history.watch === 'users') store.people.update(name, { name: 'Renamed' });
		else store.updateGroup(name, { name: 'Renamed' });
	}

	private delete(name: string): void {
		const { store } = this.sandbox;
		this.deleted.add(name);
		if (this.history.watch === 'users') store.people.delete(name);
		else {
			this.missGroup(name, name, ...USERS);
			store.deleteGroup(name);
		}
	}

	private bringBack(name: string): void {
		const { store } = this.sandbox;
		this.deleted.delete(name);
		if (this.history.watch === 'users') store.people.create({ uid: name, name });
		else store.createGroup({ guid: name, owner: 'leo' });
	}

	/** Returns the faults that refuse the lists of denied places. Users' lists have the same path. */
	private listFaults(): FaultRule[] {
		const denied = this.history.watch === 'groups' ? [...this.denied] : [];
		return [
			...this.oneTimeFaults,
			...denied.map((name) => ({
				match: { path: `/v3/groups/${name}/` },
				effect: refusal('ERR_GROUP_NOT_JOINED'),
			})),
		];
	}

	/**
	 * Runs a poll and checks the messages it returns.
	 *
	 * @returns true if the poll returned messages
	 */
	private async poll(): Promise<boolean> {
		const { log } = this.sandbox;
		log.length = 0;
		this.sandbox.setFaults(this.listFaults());
		const before = this.readState();
		const mayStart = this.sent.length;
		const outcome = await this.trigger.poll().then(
			(items) => ({ items }),
			(error: unknown) => ({ error }),
		);
		this.sandbox.setFaults(undefined);
		if ('error' in outcome) {
			this.checkError(outcome.error);
			if (this.readState() !== before) throw new Error('A failed poll changed the state');
			return false;
		}
		const mustStart = this.sent.length;
		for (const { json } of outcome.items ?? []) this.check(String(json.id));
		for (const name of this.watched) {
			if (this.following.has(name) || !this.wasRead(name)) continue;
			this.following.set(name, { mayStart, mustStart });
		}
		// A place that was taken out of the list starts afresh when it's added again
		for (const name of this.following.keys()) {
			if (!this.watched.includes(name)) this.following.delete(name);
		}
		if (outcome.items === null) return false;
		if (outcome.items.length > this.history.maxItems) throw new Error('Too many messages');
		// n8n saves the trigger's state when the workflow starts
		this.save();
		return true;
	}

	private listStatuses(name: string): number[] {
		return this.sandbox.log
			.filter(({ path, headers }) =>
				this.history.watch === 'groups'
					? path === `/v3/groups/${name}/messages`
					: headers.onbehalfof === name,
			)
			.map(({ status }) => status);
	}

	private wasRead(name: string): boolean {
		const statuses = this.listStatuses(name);
		return statuses.length > 0 && statuses.every((status) => status === 200);
	}

	/** Only injected faults and the refusal of all lists may end a poll. */
	private checkError(error: unknown): void {
		if (!(error instanceof Error) || error.name !== 'NodeApiError') throw error as Error;
		const refused = this.watched.filter((name) =>
			[403, 404].includes(this.listStatuses(name).at(-1) ?? 0),
		);
		if (refused.length < this.watched.length) {
			if (this.oneTimeFaults.length === 0) throw error;
			return;
		}
		if (!formatError(error).includes(LABELS[this.history.watch])) throw error;
	}

	private check(id: string): void {
		const count = (this.returned.get(id) ?? 0) + 1;
		this.returned.set(id, count);
		if (count > 1) throw new Error(`Message ${id} started the workflow twice`);
		const index = this.sent.findIndex((message) => message.id === id);
		const message = this.sent[index];
		const isAllowed =
			message !== undefined &&
			this.watched.some((name) => {
				const { mayStart = Infinity } = this.following.get(name) ?? {};
				// A user who joins a group sees the messages before
				const isNew = index >= mayStart || this.mayMiss.get(name)?.has(message);
				return this.following.has(name) && this.isFor(message, name) && isNew;
			});
		if (!isAllowed) throw new Error(`Message ${id} started the workflow, but was not new`);
	}
}

let run: HistoryRun | undefined;
const sandbox = useClockedSandbox({
	...{ validate: false, logLimit: 1_000 },
	onRequest: () => run?.onResponse?.(),
});

test.each(['groups', 'users'] as const)(
	'In any history of the watched %s, each message of those that stay starts the workflow once',
	async (watch) => {
		const property = fc.asyncProperty(createHistory(watch), async (history) => {
			run = new HistoryRun(sandbox(), history);
			await run.run();
		});
		await fc.assert(property, { numRuns: countCases({ eachChange: 150, nightly: 700 }) });
	},
	1_800_000,
);
