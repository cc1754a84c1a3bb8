import type { INodeParameters } from 'n8n-workflow';

import type { PollSource } from '../../nodes/CometChat/pollingTrigger/polledEvents';
import type { ActivationOptions, ActiveTrigger } from '../../tools/n8nEngine/poll';
import type { Settings } from '../../tools/sandbox/settings';
import {
	EVENTS,
	activate,
	errorOfPoll,
	guidsOf,
	guidsOfPoll,
	happen,
	started,
	useClockedSandbox,
} from './harness';

const sandbox = useClockedSandbox({ validate: false });

const created: INodeParameters = { event: 'groupCreated' };

const watching = (groupIds: string[]): INodeParameters => ({
	...{ event: 'messageSent', watch: 'groups', groupIds },
});

afterEach(() => {
	if (jest.isMockFunction(AbortSignal.timeout)) jest.mocked(AbortSignal.timeout).mockRestore();
});

const wait = (seconds: number) => {
	sandbox().clock.now += seconds;
};

const send = (text: string, receiver: string) =>
	sandbox().store.sendMessage({ sender: 'leo', receiver, text });

const textsOfPoll = async (trigger: ActiveTrigger): Promise<unknown[]> =>
	((await trigger.poll()) ?? []).map(({ json }) => json.text);

/** Time limit of the poll that n8n awaits while it activates a trigger, in milliseconds */
const FIRST_LIMIT_MS = 12_000;

/** Creates a signal like `AbortSignal.timeout`, which aborts the first poll when `abort` is called. */
function mockFirstLimit(): AbortController {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const timer = new AbortController();
	jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((ms) => (ms === FIRST_LIMIT_MS ? timer.signal : timeout(ms)));
	return timer;
}

/** Activates a copy of a trigger with the same state. Its first poll runs out of time at the given request. */
function activateWithTimeout(
	staticData: string,
	parameters: INodeParameters,
	request: number,
	options: Partial<ActivationOptions> = {},
): ActiveTrigger {
	if (jest.isMockFunction(AbortSignal.timeout)) jest.mocked(AbortSignal.timeout).mockRestore();
	const timer = mockFirstLimit();
	let requests = 0;
	return activate(sandbox(), parameters, {
		staticData,
		onRequest: () => {
			if (++requests === request) timer.abort();
		},
		...options,
	});
}

describe.each(EVENTS)('%s', (_, parameters) => {
	test('goes on in the next poll if the time runs out, and returns each group once', async () => {
		sandbox().setSettings({ maxPerPage: 20 });
		const trigger = await started(sandbox(), parameters);
		wait(400);
		const guids = guidsOf(90);
		happen(sandbox(), ...guids);
		const logs: string[] = [];
		const slow = activateWithTimeout(trigger.staticData(), parameters, 3, {
			onInfo: (log) => logs.push(log),
		});
		const first = (await guidsOfPoll(slow)) ?? [];
		expect(first.length).toBeGreaterThan(0);
		expect(first.length).toBeLessThan(90);
		expect(logs).toEqual([
			`The poll of "CometChat Polling Trigger" in "Workflow" ended after 12 seconds, and the next poll goes on. If this happens often, add 'Filters' to make the list of groups shorter.`,
		]);
		wait(60);
		happen(sandbox(), 'meanwhile');
		const slowAgain = activateWithTimeout(slow.staticData(), parameters, 2);
		const second = (await guidsOfPoll(slowAgain)) ?? [];
		const later = activateWithTimeout(slowAgain.staticData(), parameters, Infinity);
		sandbox().log.length = 0;
		const unread = (await guidsOfPoll(later)) ?? [];
		// Goes on with the page that the last poll had no time to read
		expect(Number(sandbox().log[0]?.query.page)).toBeGreaterThan(1);
		const rest = [...unread, ...((await guidsOfPoll(later)) ?? [])];
		expect([...first, ...second, ...rest].sort()).toEqual([...guids, 'meanwhile']);
		expect(await later.poll()).toBeNull();
		wait(4_000);
		happen(sandbox(), 'afterwards');
		expect(await guidsOfPoll(later)).toEqual(['afterwards']);
		expect(await later.poll()).toBeNull();
		sandbox().log.length = 0;
		await later.poll();
		expect(sandbox().log.length).toBeLessThan(9);
	});

	test.each<[string, Settings['dateShown']]>([
		["CometChat's", 'right'],
		["the newest group's", 'missing'],
	])('starts at %s time if the first poll runs out of time', async (_time, dateShown) => {
		sandbox().setSettings({ maxPerPage: 20, dateShown });
		happen(sandbox(), ...guidsOf(90));
		wait(1);
		const trigger = activateWithTimeout('{}', parameters, 2);
		expect(await trigger.poll()).toBeNull();
		wait(1);
		happen(sandbox(), 'fresh');
		const later = activateWithTimeout(trigger.staticData(), parameters, Infinity);
		expect(await guidsOfPoll(later)).toEqual(['fresh']);
		expect(await later.poll()).toBeNull();
	});
});

test('the first poll for changed groups reads no list of groups that changed long ago', async () => {
	sandbox().setSettings({ maxPerPage: 5 });
	happen(sandbox(), ...guidsOf(90));
	wait(4_000);
	await started(sandbox(), { event: 'groupUpdated' });
	expect(sandbox().log).toHaveLength(1);
});

/** Parameters for events from each source, with the advice if polls take too long. */
const ADVICE: Record<PollSource, Array<[INodeParameters, string]>> = {
	groups: [[created, "add 'Filters' to make the list of groups shorter"]],
	queue: [[{ event: 'messageFlagged' }, 'review reported messages to make the queue shorter']],
	messages: [
		[watching(['lunch']), 'watch fewer groups or users'],
		[{ event: 'messageSent', watch: 'app' }, 'poll more often'],
	],
};

test.each(Object.values(ADVICE).flat())(
	'a poll that gets no response in time fails, and the next one starts over: %j',
	async (parameters, advice) => {
		const trigger = await started(sandbox(), parameters);
		const hanging = activateWithTimeout(trigger.staticData(), parameters, 1);
		sandbox().setFaults([{ match: { nth: [1] }, effect: { trickle: { everyMs: 20 } } }]);
		expect((await errorOfPoll(hanging)).message).toBe(
			`CometChat did not answer in time. A poll can take at most 12 seconds. Try again later. If this happens again, ${advice}.`,
		);
		expect(hanging.staticData()).toBe(trigger.staticData());
		sandbox().setFaults(undefined);
		expect(await hanging.poll()).toBeNull();
	},
);

test('says that nothing is lost if a later poll gets no response in time', async () => {
	const trigger = await started(sandbox(), created, { budgetMs: 500 });
	sandbox().setFaults([{ effect: { half: 'stall' } }]);
	expect(await errorOfPoll(trigger)).toMatchObject({
		message: 'CometChat did not answer in time',
		description: expect.stringContaining('Nothing is lost: the next poll starts over.'),
	});
});

test('names the last failure if the time runs out between two attempts', async () => {
	const trigger = activate(sandbox(), created, { budgetMs: 1_000 });
	sandbox().setFaults([{ effect: { status: { status: 503 } } }]);
	const { message } = await errorOfPoll(trigger);
	expect(message).toMatch(/status 503/);
});

test('fails if one list is refused and there was no time to read the others', async () => {
	const trigger = activate(sandbox(), watching(['lunch', 'makers']), { budgetMs: 300 });
	const error = { code: 'ERR_GROUP_NO_ACCESS', message: 'No access' };
	sandbox().setFaults([
		{ match: { path: '/v3/groups/lunch/' }, effect: { status: { status: 403, body: { error } } } },
		{ match: { path: '/v3/groups/makers/' }, effect: { half: 'stall' } },
	]);
	expect((await errorOfPoll(trigger)).message).toMatch(/No access \(ERR_GROUP_NO_ACCESS\)/);
});

test("names 'Longest Retry Wait' if a wait exceeds the option", async () => {
	const parameters = { ...created, requestOptions: { maxWait: 2 } };
	const trigger = await started(sandbox(), parameters, { budgetMs: 100_000 });
	sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 60 } } }]);
	expect(Reflect.get(await errorOfPoll(trigger), 'description')).toMatch(
		/^The next attempt .* (59\.9|60) seconds, which is too long\. Raise 'Longest Retry Wait \(Seconds\)'/,
	);
});

test.each<[string, object, number, number]>([
	['no time limit', { isBudgetUnknown: true }, FIRST_LIMIT_MS, 50_000],
	['a time limit of 30 seconds', { budgetMs: 30_000 }, FIRST_LIMIT_MS, 27_000],
	['a time limit of 10 seconds', { budgetMs: 10_000 }, 9_000, 9_000],
])('with %s, the first poll and later polls end in time', async (_, options, first, later) => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	const trigger = await started(sandbox(), created, options);
	expect(timeout.mock.calls[0]).toEqual([first]);
	timeout.mockClear();
	await trigger.poll();
	expect(timeout.mock.calls[0]).toEqual([later]);
});

describe('Many groups', () => {
	const groupIds = guidsOf(80);
	const parameters = watching(groupIds);

	beforeEach(() => {
		for (const guid of groupIds) sandbox().store.createGroup({ guid });
	});

	test('are read at the same time', async () => {
		let requests = 0;
		let release = () => {};
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		const onRequest = async () => {
			if (++requests === 60) release();
			await released;
		};
		await started(sandbox(), parameters, { onRequest });
		expect(requests).toBe(80);
	});

	test('start the workflow once for each message, although no poll can read all of them', async () => {
		for (const guid of groupIds) send('before', guid);
		wait(1);
		let staticData = () => '{}';
		let found: unknown[] = [];
		const pollOnce = async () => {
			const trigger = activateWithTimeout(staticData(), parameters, 150);
			found = [...found, ...(await textsOfPoll(trigger))];
			({ staticData } = trigger);
		};
		await pollOnce();
		wait(1);
		for (const guid of groupIds) send(guid, guid);
		for (let poll = 0; poll < 5; poll++) await pollOnce();
		expect(found.map(String).sort()).toEqual(groupIds);
	});

	test('cause no more requests after the time has run out', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 30 } } }]);
		let requests = 0;
		const onRequest = () => {
			requests++;
		};
		await activate(sandbox(), parameters, { budgetMs: 50, onRequest })
			.poll()
			.catch(() => {});
		const before = requests;
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(requests).toBe(before);
		expect(requests).toBeLessThan(80);
	});
});

test.each<[string, INodeParameters, number]>([
	['', {}, 10_000],
	[' and 7 items per poll', { maxItems: 7 }, 7],
])(
	'with 5 requests per poll%s, a long list of messages starts the workflow once for each, in order',
	async (_, options, maxItems) => {
		sandbox().setSettings({ maxMessagesPerPage: 10 });
		const parameters = { ...watching(['lunch', 'makers']), options };
		const trigger = await started(sandbox(), parameters);
		wait(4_000);
		const texts = Array.from({ length: 100 }, (_each, number) => `m${1_000 + number}`);
		// 60 messages in one second, and 40 more over 20 minutes
		for (const [number, text] of texts.entries()) {
			if (number > 60) wait(30);
			send(text, 'lunch');
		}
		send('other', 'makers');
		let { staticData } = trigger;
		const found: unknown[] = [];
		let resumed = 0;
		for (let poll = 0; poll < 30; poll++) {
			const slow = activateWithTimeout(staticData(), parameters, 6);
			sandbox().log.length = 0;
			const returned = await textsOfPoll(slow);
			const first = sandbox().log.find(({ path }) => path.includes('lunch'));
			if (first?.query.id !== undefined) resumed++;
			expect(returned.length).toBeLessThanOrEqual(maxItems);
			found.push(...returned);
			({ staticData } = slow);
		}
		expect(found.filter((text) => text !== 'other')).toEqual(texts);
		expect(found).toHaveLength(101);
		// Polls that go on after the last message read, instead of searching again from the start
		expect(resumed).toBeGreaterThan(2);
		wait(4_000);
		send('afterwards', 'lunch');
		const later = activateWithTimeout(staticData(), parameters, Infinity);
		expect(await textsOfPoll(later)).toEqual(['afterwards']);
	},
);
