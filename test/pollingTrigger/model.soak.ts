import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { SINGLE_LIST_OVERLAP_SECONDS } from '../../nodes/CometChat/pollingTrigger/newSingleListEvents';
import { MESSAGE_OVERLAP_SECONDS } from '../../nodes/CometChat/pollingTrigger/newMessages';
import type { FaultRule } from '../../tools/sandbox/faults';
import type { StoredMessage } from '../../tools/sandbox/store/messages';
import { countCases } from '../countCases';
import { useClockedSandbox } from './harness';
import { PollHistory, createHistory, mockTimeLimit, type History } from './pollHistory';

let running: { onResponse?: () => void } | undefined;
const sandbox = useClockedSandbox({
	...{ validate: false, logLimit: 200 },
	onRequest: () => running?.onResponse?.(),
});

let timeLimit: ReturnType<typeof mockTimeLimit>;
beforeAll(() => {
	timeLimit = mockTimeLimit();
});
afterAll(() => timeLimit.restore());

const groupChange = fc.oneof(
	{
		weight: 9,
		arbitrary: fc.record({
			do: fc.constantFrom(
				...['create', 'create', 'change', 'change', 'writeTheSame', 'join', 'join'],
				...['leave', 'delete', 'createAgain'],
			),
			/** Index of the group, counting from the newest */
			group: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 60 })),
			/** Number of seconds that the service's clock is ahead when the group changes */
			ahead: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constant(86_400)),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ burst: fc.integer({ min: 5, max: 60 }) }) },
);

type GroupChange = typeof groupChange extends fc.Arbitrary<infer T> ? T : never;

const groupSettings = fc.record({
	boundary: fc.constantFrom('inclusive', 'exclusive'),
	totalPages: fc.constantFrom('count', 'next'),
	hideUpdatedAt: fc.boolean(),
	maxPerPage: fc.constantFrom(0, 20),
	totalShown: fc.constantFrom('right', 'missing'),
});

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

/** Groups that are created, changed or joined. The key of an occurrence consists of the GUID and the version. */
class GroupHistory extends PollHistory<GroupChange> {
	private readonly groups: ModelGroup[] = [];

	/** Keys of occurrences that happened before, or during, the first successful poll */
	private readonly before = new Set<string>();
	private readonly during = new Set<string>();

	private numbers = 0;

	constructor(
		private readonly event: string,
		history: History<GroupChange>,
	) {
		// Without CometChat's time, the first poll for changed groups relies on n8n's clock
		const changes = event === 'groupUpdated' ? { dateShown: 'right' as const } : {};
		super(sandbox(), { ...history, ...changes }, timeLimit.startPoll);
		sandbox().clear();
	}

	protected get parameters(): INodeParameters {
		return {
			...{ event: this.event, onBehalfOf: this.event === 'groupJoined' ? 'leo' : '' },
			...{ output: 'raw', options: { maxItems: this.history.maxItems } },
			requestOptions: { maxTries: 1 },
		};
	}

	protected prepare(): void {
		this.apply({ burst: 45 });
	}

	protected apply(change: GroupChange): void {
		const { clock } = this.sandbox;
		if ('burst' in change) {
			for (let index = 0; index < change.burst; index++) {
				this.create();
				if (index % 2 === 0) this.change(this.groups.at(-1), 'join');
			}
			return;
		}
		clock.now += change.ahead;
		if (change.do === 'create') this.create();
		else this.change(this.groups.at(-1 - (change.group % this.groups.length)), change.do);
		clock.now -= change.ahead;
	}

	private create(): void {
		const number = ++this.numbers;
		this.createGroup(number === 1 ? '__proto__' : `g${number}`, number, 'mira');
	}

	private createGroup(guid: string, change: number, owner: string): void {
		const { createdAt } = this.sandbox.store.createGroup({ guid, name: String(change), owner });
		this.groups.push({ guid, createdAt, change, changedAt: createdAt });
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
			group.mayRepeat ||= clock.now - group.changedAt > SINGLE_LIST_OVERLAP_SECONDS;
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

	protected beginPoll(): () => void {
		if (this.readState()) return () => {};
		const { now } = this.sandbox.clock;
		const second = now + this.history.clockSkew;
		const earlier = this.groups.filter(
			({ createdAt, changedAt, joinedAt = 0 }) =>
				Math.max(createdAt, joinedAt) < second && changedAt < now,
		);
		const keys = earlier.map((group) => this.keyOf(group));
		return () => {
			if (!this.readState()) return;
			for (const key of keys) this.before.add(key);
			for (const group of this.groups) this.during.add(this.keyOf(group));
		};
	}

	private keyOf({ guid, createdAt, change, joinedAt }: ModelGroup): string {
		return this.keyOfItem({ guid, createdAt, name: String(change), joinedAt });
	}

	private keyOfItem({ guid, createdAt, name, joinedAt }: IDataObject): string {
		const { event } = this;
		const version =
			event === 'groupCreated'
				? [createdAt]
				: event === 'groupUpdated'
					? [createdAt, name]
					: [joinedAt];
		return [guid, ...version].join(' ');
	}

	protected check(item: IDataObject): string {
		const key = this.keyOfItem(item);
		const group = this.groups.find(({ guid }) => guid === item.guid);
		if (group?.mayRepeat) {
			group.mayRepeat = false;
			this.returned.delete(key);
		} else if (this.before.has(key)) throw new Error(`${key} existed before the first poll`);
		return key;
	}

	protected settle(): void {}

	protected listDue(): string[] {
		return this.groups
			.filter(({ joinedAt }) => this.event !== 'groupJoined' || joinedAt !== undefined)
			.map((group) => this.keyOf(group))
			.filter((key) => !this.during.has(key));
	}
}

const GROUPS = ['all-hands', 'frontend', 'lunch', 'makers'];

const USERS = ['jonas', 'mira', 'noor', 'yuki'];

const IGNORED = 'felix';

const PLACES = { groups: GROUPS, users: USERS, app: [''] };

const place = fc.nat(3);

const sending = fc.record({
	count: fc.constantFrom<number>(1, 1, 2, 3, 45, 130),
	sender: fc.constantFrom('leo', 'leo', ...USERS, IGNORED, 'app_system'),
	receiver: fc.constantFrom(...GROUPS, ...GROUPS, ...USERS),
	mentioned: fc.subarray([...USERS, 'all']),
	isHeld: fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, fc.constant(true)),
});

type Sending = typeof sending extends fc.Arbitrary<infer T> ? T : never;

const messageChange = fc.oneof(
	{ weight: 5, arbitrary: sending },
	{
		weight: 2,
		arbitrary: fc.record({
			message: fc.constantFrom('edit', 'delete', 'release', 'release'),
			index: fc.nat(1_000),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			// Makes a place disappear, or come back; "watch" adds a place to the watched places, or removes it
			place,
			what: fc.constantFrom('delete', 'deactivate', 'deny', 'rename', 'watch', 'watch'),
		}),
	},
	{
		weight: 1,
		// Bans a user from a group, or lifts the ban and lets the user join
		arbitrary: fc.record({ group: fc.constantFrom(...GROUPS), user: fc.constantFrom(...USERS) }),
	},
);

type MessageChange = typeof messageChange extends fc.Arbitrary<infer T> ? T : never;

const messageSettings = fc.record({
	maxMessagesPerPage: fc.constantFrom(0, 20),
	nextShown: fc.constantFrom('more', 'always', 'never'),
	idBoundary: fc.constantFrom('exclusive', 'inclusive'),
	messageOrder: fc.constantFrom('ascending', 'descending'),
	messagesMeta: fc.constantFrom('next', 'cursor'),
	limitShown: fc.constantFrom('right', 'missing'),
	messageIds: fc.constantFrom('text', 'number'),
	emptyPage: fc.constantFrom('list', 'null', 'object'),
});

/** Maximum age of a held message when moderation releases it, so that the trigger must still find it. */
const MAX_HELD_SECONDS = MESSAGE_OVERLAP_SECONDS - 60;

/** Numbers of messages that had been sent before and after the poll that first read a place. */
interface Following {
	mayStart: number;
	mustStart: number;
}

/** Messages in watched groups, for watched users, or in the whole app. The key of an occurrence is the message's ID. */
class MessageHistory extends PollHistory<MessageChange> {
	private readonly sent: StoredMessage[] = [];

	/** Messages that a place may have lost, e.g. because the group was deleted before a poll, by place */
	private readonly mayMiss = new Map<string, Set<StoredMessage>>();

	private readonly denied = new Set<string>();

	private readonly deleted = new Set<string>();

	private watched: string[];

	private following = new Map<string, Following>();

	private savedFollowing = this.following;

	constructor(
		private readonly watch: keyof typeof PLACES,
		watched: string[],
		history: History<MessageChange>,
	) {
		super(sandbox(), history, timeLimit.startPoll);
		this.watched = watched;
	}

	protected get parameters(): INodeParameters {
		const { watch, watched } = this;
		return {
			...{ event: 'messageSent', watch, groupIds: watched, userIds: watched },
			options: { maxItems: this.history.maxItems, ignoreUsers: [IGNORED] },
			requestOptions: { maxTries: 1 },
		};
	}

	protected prepare(): void {
		const early = { sender: 'leo', mentioned: ['all'], count: 25, isHeld: false };
		for (const receiver of GROUPS) this.send({ ...early, receiver });
	}

	protected override save(): void {
		super.save();
		this.savedFollowing = new Map(this.following);
	}

	protected override restart(activationMode?: 'init'): void {
		super.restart(activationMode);
		this.following = new Map(this.savedFollowing);
	}

	protected apply(change: MessageChange): void {
		if ('count' in change) this.send(change);
		else if ('message' in change) this.changeMessage(change.message, change.index);
		else if ('user' in change) this.ban(change.group, change.user);
		else this.changePlace(change.what, PLACES[this.watch][change.place] ?? '');
	}

	private send({ receiver, sender, mentioned, count, isHeld }: Sending): void {
		const { store } = this.sandbox;
		const receiverType = USERS.includes(receiver) ? 'user' : 'group';
		if (this.deleted.has(receiver) && receiverType === 'group') return;
		const mentions = mentioned.map((uid) => (uid === 'all' ? '<@all:all>' : `<@uid:${uid}>`));
		const text = ['Hi', ...mentions].join(' ');
		for (let number = 0; number < count; number++) {
			const moderation = isHeld ? { moderation: { status: 'pending' as const } } : {};
			const message = store.sendMessage({ sender, receiver, receiverType, text, ...moderation });
			this.sent.push(message);
			for (const uid of USERS) if (!store.canSee(message, uid)) this.miss(uid, message);
		}
	}

	private miss(name: string, message: StoredMessage): void {
		this.mayMiss.set(name, (this.mayMiss.get(name) ?? new Set()).add(message));
	}

	private missEverywhere(message: StoredMessage): void {
		for (const name of Object.values(PLACES).flat()) this.miss(name, message);
	}

	private missGroup(guid: string, ...names: string[]): void {
		for (const message of this.sent) {
			if (message.receiver === guid) for (const name of names) this.miss(name, message);
		}
	}

	private changeMessage(what: string, index: number): void {
		const message = this.sent[index % Math.max(this.sent.length, 1)];
		if (message === undefined) return;
		if (what === 'release') this.release(message);
		else if (message.deletedAt !== undefined || this.deleted.has(message.receiver)) return;
		else if (what === 'edit') {
			this.sandbox.store.editMessage(message.id, { metadata: {} }, 'leo');
		} else {
			this.sandbox.store.deleteMessage(message.id, { by: 'leo' });
			this.missEverywhere(message);
		}
	}

	private release(message: StoredMessage): void {
		if (message.moderation?.status !== 'pending') return;
		message.moderation = { status: 'approved' };
		const now = this.sandbox.clock.now + this.history.clockSkew;
		if (now - message.sentAt > MAX_HELD_SECONDS) this.missEverywhere(message);
	}

	private ban(group: string, user: string): void {
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

	private changePlace(what: string, name: string): void {
		const { people } = this.sandbox.store;
		if (name === '') return;
		if (what === 'watch') this.toggleWatched(name);
		else if (what === 'rename') this.rename(name);
		else if (what === 'delete' && this.deleted.has(name)) this.bringBack(name);
		else if (what === 'delete') this.delete(name);
		else if (what === 'deactivate' && this.watch === 'users') {
			people.deactivate(name, !people.isDeactivated(name));
		} else if (!this.denied.delete(name)) this.denied.add(name);
	}

	/** Publishes the workflow with another list of places. A place that is added again starts afresh. */
	private toggleWatched(name: string): void {
		const others = this.watched.filter((each) => each !== name);
		// A change during a poll doesn't concern the poll
		if (others.length === 0 || this.onResponse) return;
		this.save();
		this.watched = others.length < this.watched.length ? others : [...this.watched, name];
		this.restart();
	}

	private rename(name: string): void {
		const { store } = this.sandbox;
		if (this.deleted.has(name)) return;
		if (this.watch === 'users') store.people.update(name, { name: 'Renamed' });
		else store.updateGroup(name, { name: 'Renamed' });
	}

	private delete(name: string): void {
		const { store } = this.sandbox;
		this.deleted.add(name);
		if (this.watch === 'users') store.people.delete(name);
		else {
			this.missGroup(name, name, ...USERS, '');
			store.deleteGroup(name);
		}
	}

	private bringBack(name: string): void {
		const { store } = this.sandbox;
		this.deleted.delete(name);
		if (this.watch === 'users') store.people.create({ uid: name, name });
		else store.createGroup({ guid: name, owner: 'leo' });
	}

	/** Adds the faults that refuse the lists of denied groups. Users' lists have the same path. */
	protected override listFaults(): FaultRule[] {
		const denied = this.watch === 'groups' ? [...this.denied] : [];
		const effect = { status: { status: 403, body: { error: { code: 'ERR_GROUP_NOT_JOINED' } } } };
		return [
			...super.listFaults(),
			...denied.map((name) => ({ match: { path: `/v3/groups/${name}/` }, effect })),
		];
	}

	protected override isFailureExpected(): boolean {
		const { people } = this.sandbox.store;
		const isRefused = (name: string) =>
			this.deleted.has(name) || this.denied.has(name) || people.isDeactivated(name);
		// Lists that meet a fault, or that change during the poll, may be the last ones
		return (
			super.isFailureExpected() || this.onResponse !== undefined || this.watched.every(isRefused)
		);
	}

	protected beginPoll(): (isFailed: boolean) => void {
		const { clock } = this.sandbox;
		// A list that the first poll doesn't reach starts at CometChat's time, in whole seconds
		const second = clock.now + this.history.clockSkew;
		const index = this.sent.findIndex(({ sentAt }) => sentAt >= second);
		const mayStart = index < 0 ? this.sent.length : index;
		return (isFailed) => {
			if (isFailed) return;
			const mustStart = this.sent.length;
			const state = this.readState();
			const positions = (state?.positions ?? []) as Array<[string, unknown]>;
			const read = new Set(positions.map(([key]) => key));
			for (const name of read) {
				if (!this.following.has(name)) this.following.set(name, { mayStart, mustStart });
			}
			for (const name of this.following.keys()) if (!read.has(name)) this.following.delete(name);
		};
	}

	private isFor({ sender, receiver, receiverType, text = '' }: StoredMessage, name: string) {
		if (sender === IGNORED || sender === 'app_system') return false;
		if (this.watch === 'app') return true;
		if (this.watch === 'groups') return receiverType === 'group' && receiver === name;
		if (sender === name) return false;
		if (receiverType === 'user') return receiver === name || text.includes(`<@uid:${name}>`);
		return text.includes(`<@uid:${name}>`) || text.includes('<@all:all>');
	}

	protected check({ id }: IDataObject): string {
		const index = this.sent.findIndex((message) => message.id === String(id));
		const message = this.sent[index];
		const isAllowed =
			message !== undefined &&
			this.watched.some((name) => {
				const { mayStart = Infinity } = this.following.get(name) ?? {};
				// A user who joins a group sees the messages before
				const isNew = index >= mayStart || this.mayMiss.get(name)?.has(message);
				return this.isFor(message, name) && isNew;
			});
		if (!isAllowed) throw new Error(`Message ${String(id)} started the workflow, but was not new`);
		return String(id);
	}

	protected settle(): void {
		for (const name of [...this.deleted]) this.bringBack(name);
		for (const uid of USERS) this.sandbox.store.people.deactivate(uid, false);
		this.denied.clear();
		this.sent.forEach((message) => this.release(message));
	}

	protected listDue(): string[] {
		return this.sent
			.filter((message, index) =>
				this.watched.some(
					(name) =>
						index >= (this.following.get(name)?.mustStart ?? Infinity) &&
						this.isFor(message, name) &&
						!this.mayMiss.get(name)?.has(message),
				),
			)
			.map(({ id }) => id);
	}
}

const GROUP_EVENTS = ['groupCreated', 'groupUpdated', 'groupJoined'];

test.each(GROUP_EVENTS)(
	'In any history, %s starts the workflow once for each group',
	async (event) => {
		const property = fc.asyncProperty(
			createHistory(groupChange, groupSettings),
			async (history) => {
				const run = new GroupHistory(event, history);
				running = run;
				await run.run();
			},
		);
		await fc.assert(property, { numRuns: countCases({ eachChange: 30, nightly: 700 }) });
	},
	1_800_000,
);

test.each(['groups', 'users', 'app'] as const)(
	'In any history of the watched %s, each message starts the workflow once',
	async (watch) => {
		const property = fc.asyncProperty(
			fc.subarray(PLACES[watch], { minLength: 1 }),
			createHistory(messageChange, messageSettings),
			async (watched, history) => {
				const run = new MessageHistory(watch, watched, history);
				running = run;
				await run.run();
			},
		);
		await fc.assert(property, { numRuns: countCases({ eachChange: 60, nightly: 700 }) });
	},
	1_800_000,
);
