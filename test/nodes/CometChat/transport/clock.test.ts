import { LONGEST_NAP, systemClock } from '../../../../nodes/CometChat/transport/clock';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** How many milliseconds a wait lasts. */
async function lasting(wait: Promise<void>): Promise<number> {
	const from = performance.now();
	let isOver = false;
	void wait.then(() => (isOver = true));
	while (!isOver) {
		expect(jest.getTimerCount()).toBe(1);
		await jest.advanceTimersByTimeAsync(10);
	}
	return performance.now() - from;
}

test('durations go on when somebody sets the clock, and the date follows it', () => {
	const before = systemClock.now();
	jest.setSystemTime(1_000_000);
	expect(systemClock.today()).toBe(1_000_000);
	expect(systemClock.now()).toBe(before);
});

test('a wait lasts as long as it should, in naps', async () => {
	expect(await lasting(systemClock.sleep(350))).toBe(350);
	expect(LONGEST_NAP).toBe(100);
});

test('a wait of nothing is none', async () => {
	await systemClock.sleep(0);
	expect(jest.getTimerCount()).toBe(0);
});

test('a wait ends with the nap in which it is aborted, and leaves no timer', async () => {
	const stop = new AbortController();
	setTimeout(() => stop.abort(), 0);
	await jest.advanceTimersByTimeAsync(0);
	await systemClock.sleep(1_000, stop.signal);
	expect(jest.getTimerCount()).toBe(0);
	const late = new AbortController();
	const waiting = lasting(systemClock.sleep(1_000, late.signal));
	await jest.advanceTimersByTimeAsync(140);
	late.abort();
	expect(await waiting).toBeLessThanOrEqual(210);
	expect(jest.getTimerCount()).toBe(0);
});
