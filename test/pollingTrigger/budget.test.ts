import type { INodeParameters } from 'n8n-workflow';

import type { ActiveTrigger } from '../../tools/n8nEngine/poll';
import {
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

afterEach(() => {
	if (jest.isMockFunction(AbortSignal.timeout)) jest.mocked(AbortSignal.timeout).mockRestore();
});

const TOO_LONG =
	"A poll can take at most 27 seconds. Nothing is lost: the next poll starts over. If this happens again, poll less often, or add 'Filters' to make a long list of groups shorter.";

const descriptionOf = (error: Error): unknown => Reflect.get(error, 'description');

/** Portion of n8n's time limit of 30 seconds that the trigger uses, in milliseconds */
const USED_MS = 27_000;

/**
 * Activates a copy of a trigger with the same state. The copy's poll times out when the given request is
 * sent.
 */
function activateWithTimeout(trigger: ActiveTrigger, request: number): ActiveTrigger {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const timer = new AbortController();
	jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((ms) => (ms === USED_MS ? timer.signal : timeout(ms)));
	let requests = 0;
	return activate(sandbox(), created, {
		staticData: trigger.staticData(),
		budgetMs: 30_000,
		onRequest: () => {
			if (++requests === request) timer.abort();
		},
	});
}

test('fails if the list is too long for one poll, and loses nothing', async () => {
	sandbox().setSettings({ maxPerPage: 20 });
	const trigger = await started(sandbox(), created);
	const guids = guidsOf(50);
	happen(sandbox(), ...guids);
	const slow = activateWithTimeout(trigger, 3);
	expect((await errorOfPoll(slow)).message).toBe(`The poll took too long. ${TOO_LONG}`);
	expect(slow.staticData()).toBe(trigger.staticData());
	expect(await guidsOfPoll(trigger)).toEqual(guids);
});

test('fails in time if a response never ends, and polls again later', async () => {
	const trigger = await started(sandbox(), created);
	happen(sandbox(), 'fresh');
	const hanging = activateWithTimeout(trigger, 1);
	sandbox().setFaults([{ match: { nth: [1] }, effect: { trickle: { everyMs: 20 } } }]);
	expect((await errorOfPoll(hanging)).message).toBe(`The poll took too long. ${TOO_LONG}`);
	sandbox().setFaults(undefined);
	jest.mocked(AbortSignal.timeout).mockRestore();
	expect(await guidsOfPoll(hanging)).toEqual(['fresh']);
});

test("names 'Longest Retry Wait' if a wait exceeds the option", async () => {
	const parameters = { ...created, requestOptions: { maxWait: 2 } };
	const trigger = await started(sandbox(), parameters, { budgetMs: 100_000 });
	sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 60 } } }]);
	expect(descriptionOf(await errorOfPoll(trigger))).toMatch(
		/^The next attempt .* 60 seconds, which is too long\. Raise 'Longest Retry Wait \(Seconds\)'/,
	);
});

test.each<[string, object, number]>([
	['no time limit', { isBudgetUnknown: true }, 270_000],
	['a short time limit', { budgetMs: 30_000 }, USED_MS],
])('uses most of the time with %s', async (_, options, expected) => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	await started(sandbox(), created, options);
	expect(timeout).toHaveBeenCalledWith(expected);
});
