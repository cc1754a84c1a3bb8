import fc from 'fast-check';

import { MESSAGE_OVERLAP_SECONDS } from '../../nodes/CometChat/pollingTrigger/newEntries';
import type { ActiveTrigger } from '../../tools/n8nEngine/poll';
import type { StoredMessage } from '../../tools/sandbox/store/messages';
import { activate, errorOfPoll, started, useClockedSandbox } from './harness';

const sandbox = useClockedSandbox({ validate: false, logLimit: 10 });

const GROUPS = ['lunch', 'makers', 'all-hands'];

const PARAMETERS = {
	...{ event: 'messageSent', watch: 'groups', groupIds: GROUPS },
	...{ options: { maxGroups: 40 }, requestOptions: { maxTries: 1 } },
};

/** Maximum age of a held message when moderation releases it, so that the trigger must still find it. */
const MAX_HELD_SECONDS = MESSAGE_OVERLAP_SECONDS - 60;

const index = fc.nat(1_000);

const action = fc.oneof(
	fc.record({
		kind: fc.constant('send' as const),
		group: fc.constantFrom(...GROUPS, 'watercooler'),
		count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(130)),
		isHeld: fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, fc.constant(true)),
	}),
	fc.record({
		kind: fc.constantFrom('edit' as const, 'delete' as const, 'release' as const),
		index,
	}),
	fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(0, 1, 60, 299, 1_000) }),
	fc.record({ kind: fc.constant('poll' as const) }),
	fc.record({ kind: fc.constant('restart' as const) }),
	fc.record({ kind: fc.constant('fail' as const), nth: fc.integer({ min: 1, max: 4 }) }),
);

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** A trigger, and the messages that it must return. */
class HistoryRun {
	private readonly sent: StoredMessage[] = [];
	private readonly returned = new Map<string, number>();
	/** IDs of messages that were deleted, or held back for too long, before a poll could return them */
	private readonly mayBeMissing = new Set<string>();

	constructor(private trigger: ActiveTrigger) {}

	async perform(step: Action): Promise<void> {
		if (step.kind === 'send') this.send(step.group, step.count, step.isHeld);
		else if (step.kind === 'wait') sandbox().clock.now += step.seconds;
		else if (step.kind === 'poll') await this.poll();
		else if (step.kind === 'fail') await this.failingPoll(step.nth);
		else if (step.kind === 'restart') this.restart();
		else if ('index' in step) this.change(step.kind, step.index);
	}

	/** Releases all held messages, and polls until a poll returns nothing. */
	async end(): Promise<void> {
		this.sent.forEach((message) => this.release(message));
		while (await this.poll());
		const expected = this.sent.filter(
			({ id, receiver }) => GROUPS.includes(receiver) && !this.mayBeMissing.has(id),
		);
		expect(expected.filter(({ id }) => !this.returned.has(id)).map(({ id }) => id)).toEqual([]);
		expect([...this.returned].filter(([, count]) => count > 1)).toEqual([]);
	}

	private send(receiver: string, count: number, isHeld: boolean): void {
		const moderation = isHeld ? { moderation: { status: 'pending' as const } } : {};
		for (let number = 0; number < count; number++) {
			this.sent.push(
				sandbox().store.sendMessage({ sender: 'leo', receiver, text: 'Hi', ...moderation }),
			);
		}
	}

	private change(kind: 'edit' | 'delete' | 'release', position: number): void {
		const message = this.sent[position % Math.max(this.sent.length, 1)];
		if (message === undefined) return;
		if (kind === 'release') this.release(message);
		else if (message.deletedAt !== undefined) return;
		else if (kind === 'edit') sandbox().store.editMessage(message.id, { text: 'New' }, 'leo');
		else {
			sandbox().store.deleteMessage(message.id, { by: 'leo' });
			this.mayBeMissing.add(message.id);
		}
	}

	private release(message: StoredMessage): void {
		if (message.moderation?.status !== 'pending') return;
		message.moderation = { status: 'approved' };
		if (sandbox().clock.now - message.sentAt > MAX_HELD_SECONDS) this.mayBeMissing.add(message.id);
	}

	private async poll(): Promise<boolean> {
		const items = await this.trigger.poll();
		if (items === null) return false;
		for (const { json } of items) {
			const id = String(json.id);
			this.returned.set(id, (this.returned.get(id) ?? 0) + 1);
		}
		return true;
	}

	private async failingPoll(nth: number): Promise<void> {
		const before = this.trigger.staticData();
		sandbox().setFaults([{ match: { nth: [nth] }, effect: { html: true } }]);
		try {
			// A poll with fewer requests doesn't fail
			if (nth <= GROUPS.length) {
				await errorOfPoll(this.trigger);
				expect(this.trigger.staticData()).toBe(before);
			}
		} finally {
			sandbox().setFaults(undefined);
		}
	}

	private restart(): void {
		this.trigger = activate(sandbox(), PARAMETERS, { staticData: this.trigger.staticData() });
	}
}

test('In any history, each message starts the workflow once', async () => {
	const history = fc.array(action, { minLength: 5, maxLength: 30 });
	const property = fc.asyncProperty(history, async (steps) => {
		sandbox().reset();
		const run = new HistoryRun(await started(sandbox(), PARAMETERS));
		for (const step of steps) await run.perform(step);
		await run.end();
	});
	await fc.assert(property, { numRuns: 300 });
}, 1_800_000);

test('A burst of 10,000 messages starts the workflow once for each message', async () => {
	const trigger = await started(sandbox(), { ...PARAMETERS, options: {} });
	for (let number = 0; number < 10_000; number++) {
		if (number % 1_000 === 0) sandbox().clock.now += 1;
		const receiver = GROUPS[number % GROUPS.length];
		sandbox().store.sendMessage({ sender: 'leo', receiver, text: String(number) });
	}
	const items = (await trigger.poll()) ?? [];
	expect(items.map(({ json }) => Number(json.text))).toEqual(
		Array.from({ length: 10_000 }, (_, number) => number),
	);
	expect(await trigger.poll()).toBeNull();
}, 600_000);
