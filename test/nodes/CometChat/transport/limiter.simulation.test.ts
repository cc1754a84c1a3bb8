import { simulate, type Told } from './limiter.simulation';

const window = (requests: number) => ({ requests, ms: 60_000 });

describe('2,000 requests at 500 a minute all pass', () => {
	test.each<[Told, number, number]>([
		['all', 1.1, 0],
		['resetWhenRefused', 1.1, 3],
		['retryAfter', 1.15, 160],
		['nothing', 1.6, 200],
	])('with headers: %s', async (told, time, refused) => {
		const load = { limit: 'standard', count: 2_000, window: window(500) };
		const { standard } = await simulate({ runs: [[load]], told, latencyMs: 80, seed: 1 });
		expect(standard).toMatchObject({ passed: 2_000, failed: 0 });
		expect(standard.time).toBeLessThanOrEqual(time);
		expect(standard.refused).toBeLessThanOrEqual(refused);
	});
});

test('one user who sends too much holds up nobody else', async () => {
	const gets = { limit: 'standard', count: 1_500, window: window(20_000) };
	const sends = { limit: 'send ann', count: 75, window: window(30) };
	const others = { limit: 'send bob', count: 20, window: window(30) };
	const common = { told: 'all', latencyMs: 80, seed: 1 } as const;
	const alone = (await simulate({ ...common, runs: [[gets]] })).standard;
	const together = await simulate({ ...common, runs: [[gets, sends, others]] });
	expect(together.standard).toMatchObject({ passed: 1_500, refused: 0, failed: 0 });
	expect(together.standard.elapsedMs).toBeLessThanOrEqual(1.5 * alone.elapsedMs);
	expect(together['send ann']).toMatchObject({ passed: 75, failed: 0 });
	expect(together['send ann'].time).toBeLessThanOrEqual(1.2);
	expect(together['send bob']).toMatchObject({ passed: 20, refused: 0, failed: 0 });
	expect(together['send bob'].elapsedMs).toBeLessThanOrEqual(1.5 * alone.elapsedMs);
});
