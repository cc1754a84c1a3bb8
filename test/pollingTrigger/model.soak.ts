import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { ActiveTrigger } from '../../tools/n8nEngine/poll';
import { GROUP_AND_REPORT_OVERLAP_SECONDS } from '../../nodes/CometChat/pollingTrigger/newGroupsOrReports';
import { countCases } from '../countCases';
import { FAULTS, START, activate, useClockedSandbox, type ClockedSandbox } from './harness';

const EVENTS = ['groupCreated', 'groupUpdated', 'groupJoined'] as const;

/** A random action in the service, n8n, or the trigger. */
const action = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({
			do: fc.constantFrom(
				'create',
				'create',
				'change',
				'change',
				'writeTheSame',
				'join',
				'join',
				'leave',
				'delete',
				'createAgain',
			),
			/** Index of the group, counting from the newest */
			group: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 60 })),
			/** Number of seconds that the service's clock is ahead of n8n's when the group changes */
			ahead: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constant(86_400)),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('burst'), count: fc.integer({ min: 5, max: 45 }) }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			// Polls a list of several pages, minutes or an hour after its groups were created. During the poll,
			// one group disappears from the list, and another group may appear in the list.
			do: fc.constant('pollMovingList'),
			/** Number of seconds between the two changes that the poll should find */
			gap: fc.constantFrom(GROUP_AND_REPORT_OVERLAP_SECONDS + 10, 3_600),
			/** Index of the group with the first change, counting from the newest */
			early: fc.nat({ max: 60 }),
			/** Number of the response after which the list changes */
			response: fc.integer({ min: 1, max: 2 }),
			/** Index of the group that disappears, counting from the newest */
			gone: fc.nat({ max: 30 }),
			/** Index of the group that appears, counting from the oldest, if a group appears */
			added: fc.option(fc.nat({ max: 5 })),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('wait'),
			seconds: fc.oneof(fc.nat({ max: 7 }), fc.constantFrom(60, 400, 4_000)),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('setClock'),
			/** Number of hours that n8n's clock is ahead of the service's */
			hours: fc.constantFrom(0, -4, 4, -20, 20),
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			// "crashInPoll" crashes n8n before the poll's state is saved
			do: fc.constantFrom('poll', 'poll', 'poll', 'restart', 'crash', 'crashInPoll'),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('failingPoll'),
			effect: fc.constantFrom(...FAULTS),
			request: fc.integer({ min: 1, max: 3 }),
		}),
	},
);

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const createHistory = (event: (typeof EVENTS)[number]) =>
	fc.record({
		event: fc.constant(event),
		settings: fc.record({
			boundary: fc.constantFrom('inclusive', 'exclusive'),
			totalPages: fc.constantFrom('count', 'next'),
			hideUpdatedAt: fc.boolean(),
			maxPerPage: fc.constantFrom(0, 20),
			totalShown: fc.constantFrom('right', 'missing'),
			clockSkew: fc.constantFrom(0, 240, -240, 3_600, -3_600),
			dateShown: fc.constantFrom('right', 'right', 'missing'),
		}),
		maxItems: fc.constantFrom(1, 2, 15, 10_000),
		/** Number of seconds that n8n's clock is ahead during the first poll */
		ahead: fc.constantFrom(0, 0, 43_200, 2 * 86_400, -3 * 86_400),
		actions: fc.array(action, { minLength: 3, maxLength: 14 }),
	});

type History = ReturnType<typeof createHistory> extends fc.Arbitrary<infer T> ? T : never;

interface ModelGroup {
	guid: string;
	createdAt: number;
	/** Number of the group's last change, which is also used as the group's name */
	change: number;
	/** Time of the last update, in Unix seconds, including updates that change nothing */
	changedAt: number;
	/** True if the trigger may return the same version again, after an update that changed nothing */
	mayRepeat?: boolean;
	/** Time when the user joined the group, in Unix seconds. Undefined while the user isn't a member. */
	joinedAt?: number;
}

/** Replays a sequence of actions against the trigger and the sandbox, and checks every poll. */
class HistoryRun {
	private readonly groups: ModelGroup[] = [];

	private numbers = 0;

	private trigger: ActiveTrigger;

	/** Last version returned by the trigger, keyed by GUID */
	private returned = new Map<string, unknown>();

	/** State in n8n's database, and the group versions that had been returned when the state was saved */
	private saved = { staticData: '{}', returned: this.returned };

	/** Called after each response of the sandbox */
	onResponse?: () => void;

	constructor(
		private readonly sandbox: ClockedSandbox,
		private readonly history: History,
	) {
		sandbox.reset();
		sandbox.clear();
		sandbox.clock.now = START;
		sandbox.setSettings(history.settings);
		this.trigger = this.activate();
	}

	/**
	 * Replays all actions, then polls until every change has been returned.
	 *
	 * @throws Error if a poll returns the wrong groups
	 */
	async run(): Promise<void> {
		this.create();
		this.change(this.groups[0], 'join');
		const { clock } = this.sandbox;
		clock.now += 1_000;
		clock.ahead = this.history.ahead;
		if ((await this.trigger.poll()) !== null) throw new Error('The first poll returned groups');
		clock.ahead = 0;
		for (const group of this.groups) this.returned.set(group.guid, this.expectedVersion(group));
		this.save();
		for (const each of this.history.actions) await this.act(each);
		clock.ahead = 0;
		while (await this.poll());
		for (const group of this.groups) {
			const due = this.expectedVersion(group);
			if (due !== undefined && this.returned.get(group.guid) !== due) {
				throw new Error(`"${group.guid}" was never returned`);
			}
		}
	}

	private activate(): ActiveTrigger {
		const { event, maxItems } = this.history;
		const parameters: INodeParameters = {
			event,
			onBehalfOf: event === 'groupJoined' ? 'leo' : '',
			output: 'raw',
			options: { maxItems },
			requestOptions: { maxTries: 1 },
		};
		return activate(this.sandbox, parameters, { staticData: this.saved.staticData });
	}

	private save(): void {
		this.saved = { staticData: this.trigger.staticData(), returned: new Map(this.returned) };
	}

	private restart(): void {
		this.returned = new Map(this.saved.returned);
		this.trigger = this.activate();
	}

	/** Version that the trigger should return for a group after the group's last event. */
	private expectedVersion({ createdAt, change, joinedAt }: ModelGroup): unknown {
		return this.returnedVersion({ createdAt, name: String(change), joinedAt });
	}

	private returnedVersion({ createdAt, name, joinedAt }: IDataObject): unknown {
		const { event } = this.history;
		if (event === 'groupCreated') return createdAt;
		return event === 'groupUpdated' ? [createdAt, name].join(' ') : joinedAt;
	}

	private async act(each: Action): Promise<void> {
		const { clock, setFaults } = this.sandbox;
		if ('group' in each) {
			clock.now += each.ahead;
			if (each.do === 'create') this.create();
			else this.change(this.groups.at(-1 - (each.group % this.groups.length)), each.do);
			clock.now -= each.ahead;
		} else if ('count' in each) {
			this.createMany(each.count);
		} else if ('gone' in each) {
			await this.pollMovingList(each);
		} else if ('seconds' in each) {
			clock.now += each.seconds;
		} else if ('hours' in each) {
			clock.ahead = each.hours * 3_600;
		} else if ('effect' in each) {
			setFaults([{ match: { nth: [each.request] }, effect: each.effect }]);
			await this.failingPoll();
			setFaults(undefined);
		} else if (each.do === 'poll') {
			await this.poll();
		} else {
			if (each.do === 'crashInPoll') await this.trigger.poll();
			if (each.do === 'restart') this.save();
			this.restart();
		}
	}

	private create(): void {
		const number = ++this.numbers;
		const guid = number === 1 ? '__proto__' : `g${number}`;
		this.createGroup(guid, number, 'mira');
	}

	private createGroup(guid: string, change: number, owner: string): void {
		const { store } = this.sandbox;
		const { createdAt } = store.createGroup({ guid, name: String(change), owner });
		this.groups.push({ guid, createdAt, change, changedAt: createdAt });
	}

	private createMany(count: number): void {
		for (let index = 0; index < count; index++) {
			this.create();
			if (index % 2 === 0) this.change(this.groups.at(-1), 'join');
		}
	}

	private async pollMovingList(list: {
		gap: number;
		early: number;
		response: number;
		gone: number;
		added: number | null;
	}): Promise<void> {
		const isJoined = this.history.event === 'groupJoined';
		const { clock } = this.sandbox;
		this.createMany(isJoined ? 90 : 45);
		if (list.gap > 1_000) {
			// Only one group changes before the gap, so the poll's oldest entry may be the one that it misses
			while (await this.poll());
			clock.now += list.gap;
			const early = this.groups.at(-1 - (list.early % this.groups.length));
			if (isJoined) this.change(early, 'leave');
			this.change(early, isJoined ? 'join' : 'change');
		}
		clock.now += list.gap;
		this.create();
		this.change(this.groups.at(-1), 'join');
		let responses = 0;
		this.onResponse = () => {
			if (++responses !== list.response) return;
			this.change(this.groups.at(-1 - list.gone), isJoined ? 'leave' : 'delete');
			if (list.added === null) return;
			this.change(this.groups.at(list.added), isJoined ? 'join' : 'change');
		};
		await this.poll();
		this.onResponse = undefined;
	}

	private change(group: ModelGroup | undefined, what: string): void {
		const { store, clock } = this.sandbox;
		if (!group) return;
		const { guid } = group;
		if (what === 'change') {
			group.change = ++this.numbers;
			group.changedAt = clock.now;
			store.updateGroup(guid, { name: String(group.change) });
		} else if (what === 'join' && group.joinedAt === undefined) {
			const { members } = store.joinGroup(guid, 'leo');
			group.joinedAt = members.find(({ uid }) => uid === 'leo')?.joinedAt;
		} else if (what === 'leave') {
			store.leaveGroup(guid, 'leo');
			group.joinedAt = undefined;
		} else if (what === 'writeTheSame') {
			store.updateGroup(guid, {});
			group.mayRepeat ||= clock.now - group.changedAt > GROUP_AND_REPORT_OVERLAP_SECONDS;
			group.changedAt = clock.now;
		} else if (what === 'delete' || what === 'createAgain') {
			store.deleteGroup(guid);
			this.groups.splice(this.groups.indexOf(group), 1);
			if (what === 'delete') return;
			// The app creates a group with the same GUID and the same content
			clock.now++;
			this.createGroup(guid, group.change, 'app_system');
		}
	}

	/**
	 * Runs a poll and checks the groups it returns.
	 *
	 * @returns true if the poll returned groups
	 */
	private async poll(): Promise<boolean> {
		const items = await this.trigger.poll();
		if (items === null) return false;
		if (items.length === 0) throw new Error('A poll returned an empty list');
		if (items.length > this.history.maxItems) throw new Error('A poll returned too many groups');
		for (const { json } of items) {
			const guid = String(json.guid);
			const due = this.returnedVersion(json);
			const group = this.groups.find((each) => each.guid === guid);
			if (this.returned.get(guid) === due && !group?.mayRepeat) {
				throw new Error(`"${guid}" was returned twice`);
			}
			if (group) group.mayRepeat = false;
			this.returned.set(guid, due);
		}
		// n8n saves the trigger's state when the workflow starts
		this.save();
		return true;
	}

	/**
	 * Runs a poll that may fail because of an injected fault. A failed poll must not change the trigger's
	 * state.
	 */
	private async failingPoll(): Promise<void> {
		const before = this.trigger.staticData();
		try {
			await this.poll();
		} catch (error) {
			if (!(error instanceof Error) || error.name !== 'NodeApiError') throw error;
			if (this.trigger.staticData() !== before) throw new Error('A failed poll changed the state');
		}
	}
}

let run: HistoryRun | undefined;
const sandbox = useClockedSandbox({
	...{ validate: false, logLimit: 10 },
	onRequest: () => run?.onResponse?.(),
});

test.each(EVENTS)(
	'%s: returns each change once in any history',
	async (event) => {
		const property = fc.asyncProperty(createHistory(event), async (history) => {
			run = new HistoryRun(sandbox(), history);
			await run.run();
		});
		await fc.assert(property, { numRuns: countCases({ eachChange: 10, nightly: 700 }) });
	},
	600_000,
);
