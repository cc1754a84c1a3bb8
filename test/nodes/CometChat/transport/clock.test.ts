import { MAX_SLEEP_MS, systemClock } from '../../../../nodes/CometChat/transport/clock';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('durations go on when somebody sets the clock, and the date follows it', () => {
	jest.useFakeTimers();
	const before = systemClock.now();
	jest.setSystemTime(1_000_000);
	expect(systemClock.today()).toBe(1_000_000);
	expect(systemClock.now()).toBe(before);
	jest.useRealTimers();
});

test('a wait lasts as long as it should, in naps', async () => {
	const from = performance.now();
	await systemClock.sleep(MAX_SLEEP_MS + 50);
	expect(performance.now() - from).toBeGreaterThanOrEqual(MAX_SLEEP_MS + 50);
});

test('a wait of nothing is none', async () => {
	const before = timers();
	const waiting = systemClock.sleep(0);
	expect(timers()).toBe(before);
	await waiting;
});

test('a wait ends with the nap in which it is aborted, and leaves no timer', async () => {
	const before = timers();
	const stop = new AbortController();
	const waiting = systemClock.sleep(60_000, stop.signal);
	expect(timers()).toBe(before + 1);
	stop.abort();
	await waiting;
	expect(timers()).toBe(before);
	await systemClock.sleep(60_000, stop.signal);
});
