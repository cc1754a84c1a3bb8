import type { INodeParameters } from 'n8n-workflow';

import type { ActiveTrigger } from '../../engine/poll';
import { activate, errorOfPoll, guidsOfPoll, useClockedSandbox } from './harness';

const sandbox = useClockedSandbox({ validate: false });

/** Milliseconds: time for three or four pages that take a little more than LATENCY each. */
const BUDGET = 2_500;
const LATENCY = 500;

const leased = { budgetMs: BUDGET, isLeased: true };

const EVENTS: Array<[string, INodeParameters]> = [
	['groupCreated', { event: 'groupCreated' }],
	['groupUpdated', { event: 'groupUpdated' }],
	['groupJoined', { event: 'groupJoined', onBehalfOf: 'leo' }],
];

function happen(guid: string): void {
	const { store } = sandbox();
	store.createGroup({ guid, owner: 'mira' });
	store.joinGroup(guid, 'leo');
}

/** So many groups, one a second. */
function happenTimes(count: number, prefix = 'g'): string[] {
	const guids = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
	for (const guid of guids) {
		sandbox().clock.now++;
		happen(guid);
	}
	return guids;
}

function slow(): void {
	sandbox().setFaults([{ effect: { latency: { ms: LATENCY } } }]);
}

/** A poll, and whether it had to end before the list did. */
async function partOf(trigger: ActiveTrigger): Promise<{ guids: unknown[]; hasMoved: boolean }> {
	const before = trigger.staticData();
	const guids = (await guidsOfPoll(trigger)) ?? [];
	return { guids, hasMoved: trigger.staticData() !== before };
}

describe.each(EVENTS)('%s', (_, parameters) => {
	test('9,000 groups behind, and slow pages: nothing is lost, nothing comes twice', async () => {
		const trigger = activate(sandbox(), parameters, leased);
		expect(await trigger.poll()).toBeNull();
		const guids = happenTimes(9_000);
		slow();
		const given: unknown[] = [];
		const doomed = new Set(['g12', 'g4321', 'g8999']);
		for (let polls = 1; ; polls++) {
			const part = await partOf(trigger);
			if (part.guids.length === 0 && given.length > 8_000) break;
			expect(part.hasMoved).toBe(true);
			expect(polls).toBeLessThan(12);
			given.push(...part.guids);
			if (polls === 1) {
				// It took several polls, or this shows nothing
				expect(given.length).toBeLessThan(6_000);
				for (const guid of doomed) sandbox().store.deleteGroup(guid);
				guids.push(...happenTimes(5, 'later'));
			}
		}
		expect(given).toHaveLength(new Set(given).size);
		const missing = new Set(guids);
		for (const guid of [...given, ...doomed]) missing.delete(String(guid));
		expect([...missing]).toEqual([]);
	}, 120_000);

	test('all created in one second, with a small Max Groups and a crash in between', async () => {
		const limited = { ...parameters, options: { maxGroups: 700 } };
		const first = activate(sandbox(), limited, leased);
		expect(await first.poll()).toBeNull();
		sandbox().clock.now += 60;
		const guids = Array.from({ length: 3_000 }, (_, index) => `g${index}`);
		for (const guid of guids) happen(guid);
		const given = [...((await guidsOfPoll(first)) ?? [])];
		const staticData = first.staticData();
		await first.poll();
		const again = activate(sandbox(), limited, { ...leased, staticData });
		for (;;) {
			const part = await guidsOfPoll(again);
			if (!part) break;
			expect(part.length).toBeLessThanOrEqual(700);
			given.push(...part);
		}
		expect(given).toHaveLength(3_000);
		expect(new Set(given)).toEqual(new Set(guids));
	}, 60_000);

	test('a rate limit that begins in the middle: what was read is returned, then it goes on', async () => {
		const trigger = activate(sandbox(), parameters, leased);
		await trigger.poll();
		const guids = happenTimes(2_500);
		sandbox().setFaults([{ match: { nth: [3, 4] }, effect: { tooManyRequests: { seconds: 60 } } }]);
		const first = await guidsOfPoll(trigger);
		expect(first?.length).toBeGreaterThan(500);
		expect(first?.length).toBeLessThan(2_500);
		expect(await guidsOfPoll(trigger).catch((error: Error) => error.message)).toBe(
			"CometChat's rate limit was reached",
		);
		const rest = await guidsOfPoll(trigger);
		expect([...(first ?? []), ...(rest ?? [])].sort()).toEqual([...guids].sort());
		expect(await trigger.poll()).toBeNull();
	}, 60_000);

	test('a rate limit that is longer than the poll is an error at once, with what to do', async () => {
		const trigger = activate(sandbox(), parameters, leased);
		await trigger.poll();
		happen('fresh');
		const before = trigger.staticData();
		sandbox().log.length = 0;
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 60 } } }]);
		const error = await errorOfPoll(trigger);
		expect(error.message).toBe("CometChat's rate limit was reached");
		expect(Reflect.get(error, 'description')).toContain(
			"Wait for the next poll, or set 'Poll Times' to poll less often. Stopped after 1 attempt: the next would have to wait 60 seconds, more than the 2.3 seconds of a poll.",
		);
		expect(sandbox().log).toHaveLength(1);
		expect(trigger.staticData()).toBe(before);
		sandbox().setFaults(undefined);
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
	});

	test('a rate limit that is shorter is waited for', async () => {
		const trigger = activate(sandbox(), parameters, leased);
		await trigger.poll();
		happen('fresh');
		sandbox().setFaults([{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 1 } } }]);
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
	});

	test('a body that trickles ends with an error in time, and silences no later poll', async () => {
		for (const isLeased of [true, false]) {
			sandbox().reset();
			const trigger = activate(sandbox(), parameters, { budgetMs: 1_500, isLeased });
			await trigger.poll();
			happen('fresh');
			sandbox().setFaults([{ effect: { trickle: { everyMs: 20 } } }]);
			const hanging = errorOfPoll(trigger);
			// In n8n without leases a poll is overtaken by the next one: both have the same static data
			if (!isLeased) expect(await trigger.poll()).toBeNull();
			const error = await hanging;
			expect(error.message).toBe('CometChat did not respond in time');
			expect(Reflect.get(error, 'description')).toBe(
				'A poll may take 1.4 seconds. Wait for the next poll.',
			);
			sandbox().setFaults(undefined);
			expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		}
	});
});

test('the first look at a long list takes several polls, and gives nothing', async () => {
	happenTimes(6_000);
	const parameters = { event: 'groupJoined', onBehalfOf: 'leo' };
	const trigger = activate(sandbox(), parameters, leased);
	slow();
	const states: string[] = [];
	while (states.length < 3 || states.at(-1)?.includes('isFirst')) {
		expect(await trigger.poll()).toBeNull();
		states.push(trigger.staticData());
		expect(states.length).toBeLessThan(8);
	}
	expect(states[0]).toContain('isFirst');
	expect(new Set(states).size).toBeGreaterThan(1);
	sandbox().setFaults(undefined);
	sandbox().clock.now += 60;
	happen('fresh');
	expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
	expect(await trigger.poll()).toBeNull();
}, 60_000);

test('a service without times, and groups that change while polls go on: each change comes once', async () => {
	sandbox().setSettings({ hideUpdatedAt: true });
	const trigger = activate(
		sandbox(),
		{ event: 'groupUpdated', options: { maxGroups: 400 } },
		leased,
	);
	await trigger.poll();
	const guids = happenTimes(1_500);
	const given = (await guidsOfPoll(trigger)) ?? [];
	sandbox().clock.now += 60;
	for (const guid of given.slice(0, 5)) {
		sandbox().store.updateGroup(String(guid), { name: 'Changed' });
	}
	const changed = given.slice(0, 5);
	for (;;) {
		const part = await guidsOfPoll(trigger);
		if (!part) break;
		given.push(...part);
	}
	expect(given.sort()).toEqual([...guids, ...changed].sort());
});

test('works in versions of n8n that tell no time', async () => {
	const trigger = activate(sandbox(), { event: 'groupCreated' }, { isBudgetUnknown: true });
	expect(await trigger.poll()).toBeNull();
	happen('fresh');
	expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
});
