import { fixedWindow, HEADERS, simulate } from './limiter.simulation';

test('200 requests pass at 10 a second, in order, with no more in flight than allowed', async () => {
	const outcome = await simulate({
		policy: () => fixedWindow(10, 1_000),
		headers: HEADERS.retryAfter,
		latencyMs: 20,
		count: 200,
	});
	expect(outcome).toMatchObject({ passed: 200, failed: 0, inOrder: true });
	expect(outcome.elapsedMs / outcome.leastMs).toBeLessThan(1.25);
});
