import { SLEEP_STEP_MS, realClock } from '../../../nodes/CometChat/helpers/clock';

const countTimers = () =>
	process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test("follows a change of the system's date, but keeps measuring durations", () => {
	jest.useFakeTimers();
	const before = realClock.now();
	jest.setSystemTime(1_000_000);
	expect(realClock.systemTime()).toBe(1_000_000);
	expect(realClock.now()).toBe(before);
	jest.useRealTimers();
});

test('sleeps longer than a single timer does', async () => {
	const from = performance.now();
	await realClock.sleep(SLEEP_STEP_MS + 50);
	expect(performance.now() - from).toBeGreaterThanOrEqual(SLEEP_STEP_MS + 50);
});

test('starts no timer to sleep for 0 ms', async () => {
	const before = countTimers();
	const waiting = realClock.sleep(0);
	expect(countTimers()).toBe(before);
	await waiting;
});

test('leaves no timer when it is aborted', async () => {
	const stop = new AbortController();
	const sleeps = Array.from({ length: 100 }, () => realClock.sleep(60_000, stop.signal));
	const during = countTimers();
	stop.abort();
	await Promise.all(sleeps);
	// Other timers of the process may have started or ended, too
	expect(countTimers()).toBeLessThan(during - 50);
	await realClock.sleep(60_000, stop.signal);
});
