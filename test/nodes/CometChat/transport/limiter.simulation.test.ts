import type { Outcome, Policy, Simulation } from './limiter.simulation';
import {
	changing,
	fixedWindow,
	HEADERS,
	noLimit,
	simulate,
	tokenBucket,
} from './limiter.simulation';

const SECOND = 1_000;
const MINUTE = 60_000;

type Kind = 'window' | 'bucket';
const KINDS: Kind[] = ['window', 'bucket'];

function limitOf(kind: Kind, limit: number, periodMs: number): Policy {
	return kind === 'window' ? fixedWindow(limit, periodMs) : tokenBucket(limit, periodMs);
}

function average(values: number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What was refused for each request that passed, and the time as a multiple of the least. */
interface Measured {
	outcomes: Outcome[];
	refused: number;
	time: number;
}

async function measure(simulation: Simulation, seeds: number): Promise<Measured> {
	const outcomes: Outcome[] = [];
	for (let seed = 1; seed <= seeds; seed++) outcomes.push(await simulate({ ...simulation, seed }));
	for (const outcome of outcomes) {
		expect(outcome.passed).toBe(simulation.count * (simulation.runs ?? 1));
		expect(outcome.failed).toBe(0);
		expect(outcome.inOrder).toBe(true);
		expect(outcome.mostInFlight).toBeLessThanOrEqual(60);
	}
	return {
		outcomes,
		refused: average(outcomes.map(({ refused, passed }) => refused / passed)),
		time: average(outcomes.map(({ elapsedMs, leastMs }) => elapsedMs / leastMs)),
	};
}

interface Case {
	name: string;
	count: number;
	limit: number;
	periodMs: number;
	seeds: number;
	/** Most time without helpful headers */
	time: number;
}

const LOW: Case[] = [
	{ name: '200 at 10 a second', count: 200, limit: 10, periodMs: SECOND, seeds: 6, time: 1.25 },
	{ name: '200 at 2 a second', count: 200, limit: 2, periodMs: SECOND, seeds: 3, time: 1.25 },
	{ name: '200 at 1 a second', count: 200, limit: 1, periodMs: SECOND, seeds: 3, time: 1.25 },
];

const HIGH: Case[] = [
	{ name: '1,000 at 50 a second', count: 1_000, limit: 50, periodMs: SECOND, seeds: 6, time: 1.15 },
	{
		name: '1,000 at 100 in two seconds',
		count: 1_000,
		limit: 100,
		periodMs: 2 * SECOND,
		seeds: 6,
		time: 1.15,
	},
	{
		name: '5,000 at 500 in six seconds',
		count: 5_000,
		limit: 500,
		periodMs: 6_000,
		seeds: 1,
		time: 1.15,
	},
	{
		name: '2,000 at 500 a minute',
		count: 2_000,
		limit: 500,
		periodMs: MINUTE,
		seeds: 1,
		time: 1.15,
	},
	{
		name: '30,000 at 20,000 a minute',
		count: 30_000,
		limit: 20_000,
		periodMs: MINUTE,
		seeds: 1,
		time: 1.15,
	},
];

describe.each(KINDS)('a limit that is a %s', (kind) => {
	const policyOf = (of: Case) => () => limitOf(kind, of.limit, of.periodMs);

	test.each(
		(['retryAfter', 'full'] as const).flatMap((headers) => LOW.map((of) => ({ ...of, headers }))),
	)('lets $name pass, with headers: $headers', async ({ headers, ...of }) => {
		for (const latencyMs of [1, 20, 80]) {
			const { count, seeds } = of;
			const simulation = { policy: policyOf(of), headers: HEADERS[headers], latencyMs, count };
			const { refused, time } = await measure(simulation, seeds);
			expect({ latencyMs, refused, isMost: refused <= 0.15 }).toMatchObject({ isMost: true });
			expect({ latencyMs, time, isMost: time <= of.time }).toMatchObject({ isMost: true });
		}
	});

	test.each(
		(['full', 'ofPasses'] as const).flatMap((headers) => HIGH.map((of) => ({ ...of, headers }))),
	)('is hardly ever exceeded by $name, with headers: $headers', async ({ headers, ...of }) => {
		for (const latencyMs of of.count > 10_000 ? [20] : [1, 20, 80]) {
			const { count, seeds } = of;
			const simulation = { policy: policyOf(of), headers: HEADERS[headers], latencyMs, count };
			const { refused, time } = await measure(simulation, Math.min(2, seeds));
			expect({ latencyMs, refused, isMost: refused <= 0.02 }).toMatchObject({ isMost: true });
			expect({ latencyMs, time, isMost: time <= 1.1 }).toMatchObject({ isMost: true });
		}
	});

	test('costs no window or pause when requests are under way as one ends', async () => {
		const policy = () => limitOf(kind, 333, SECOND);
		for (let seed = 1; seed <= 12; seed++) {
			const life = { policy, headers: HEADERS.full, latencyMs: 80, count: 2_000, seed };
			const { elapsedMs, leastMs, refused } = await simulate(life);
			expect({ seed, isMost: elapsedMs <= 1.1 * leastMs }).toMatchObject({ isMost: true });
			expect(refused).toBeLessThanOrEqual(2);
		}
	});

	describe.each(['retryAfter', 'none'] as const)('with headers: %s', (headers) => {
		test.each(HIGH)('lets $name pass', async (of) => {
			for (const latencyMs of of.count > 10_000 ? [20] : [1, 20, 80]) {
				const { count, seeds } = of;
				const simulation = { policy: policyOf(of), headers: HEADERS[headers], latencyMs, count };
				const { refused, time } = await measure(simulation, seeds);
				expect({ latencyMs, refused, isMost: refused <= 0.15 }).toMatchObject({ isMost: true });
				expect({ latencyMs, time, isMost: time <= of.time }).toMatchObject({ isMost: true });
			}
		});
	});

	describe.each(['full', 'retryAfter', 'none'] as const)('with headers: %s', (headers) => {
		test.each([
			{ limit: 10, count: 100, refusals: 0.15 },
			{ limit: 1, count: 67, refusals: 0.2 },
		])(
			'is shared by three runs of a process at $limit a second',
			async ({ limit, count, refusals }) => {
				for (const latencyMs of [1, 20, 80]) {
					const policy = () => limitOf(kind, limit, SECOND);
					const shared = { policy, headers: HEADERS[headers], latencyMs, count, runs: 3 };
					const { outcomes, time, refused } = await measure({ ...shared, together: true }, 6);
					expect({ latencyMs, time, isMost: time <= 1.25 }).toMatchObject({ isMost: true });
					expect(refused).toBeLessThanOrEqual(refusals);
					for (const { endedMs } of outcomes) {
						expect(Math.min(...endedMs)).toBeGreaterThan(0.75 * Math.max(...endedMs));
					}
				}
			},
		);

		test('lets 300 runs of one request each pass', async () => {
			const policy = () => limitOf(kind, 10, SECOND);
			const events = { policy, headers: HEADERS[headers], latencyMs: 20, count: 1, runs: 300 };
			const { time, refused } = await measure({ ...events, together: true }, 6);
			expect(time).toBeLessThanOrEqual(1.25);
			expect(refused).toBeLessThanOrEqual(0.15);
		});
	});

	test.each([
		['full', 1.25],
		['retryAfter', 1.6],
		['none', 1.6],
	] as const)('is shared by three processes, with headers: %s', async (headers, most) => {
		const measured: Measured[] = [];
		for (const latencyMs of [1, 20, 80]) {
			const policy = () => limitOf(kind, 10, SECOND);
			const simulation = { policy, headers: HEADERS[headers], latencyMs, count: 100, runs: 3 };
			measured.push(await measure(simulation, 6));
		}
		expect(average(measured.map(({ time }) => time))).toBeLessThanOrEqual(most);
		for (const { endedMs } of measured.flatMap(({ outcomes }) => outcomes)) {
			expect(Math.max(...endedMs)).toBeLessThan(75 * SECOND);
		}
	});

	test.each(['full', 'retryAfter', 'none'] as const)(
		"is shared with the app's own servers, with headers: %s",
		async (headers) => {
			const { outcomes } = await measure(
				{
					policy: () => limitOf(kind, 50, SECOND),
					headers: HEADERS[headers],
					latencyMs: 20,
					count: 1_000,
					othersPerSecond: (elapsedMs) => 20 + 5 * Math.sin(elapsedMs / 7_000),
				},
				3,
			);
			expect(average(outcomes.map(({ elapsedMs }) => elapsedMs))).toBeLessThan(60 * SECOND);
		},
	);

	test.each(['full', 'retryAfter', 'none'] as const)(
		'may change and be dropped, with headers: %s',
		async (headers) => {
			const policy = () =>
				changing([
					{ fromMs: 0, policy: limitOf(kind, 100, SECOND) },
					{ fromMs: 10 * SECOND, policy: limitOf(kind, 5, SECOND) },
					{ fromMs: 40 * SECOND, policy: noLimit },
				]);
			const { outcomes } = await measure(
				{ policy, headers: HEADERS[headers], latencyMs: 20, count: 8_000 },
				4,
			);
			const inSeconds = (from: number, to: number) =>
				average(
					outcomes.map(({ perSecond }) =>
						perSecond.slice(from, to).reduce((sum, passed) => sum + (passed ?? 0), 0),
					),
				);
			expect(inSeconds(1, 10)).toBeGreaterThan(800);
			expect(inSeconds(15, 40)).toBeGreaterThan(105);
			expect(average(outcomes.map(({ refused }) => refused))).toBeLessThan(350);
			expect(average(outcomes.map(({ elapsedMs }) => elapsedMs))).toBeLessThan(55 * SECOND);
		},
	);
});

test.each([1, 20, 80])('no limit costs nothing at %i ms', async (latencyMs) => {
	const simulation = { policy: () => noLimit, headers: HEADERS.none, latencyMs, count: 2_000 };
	const { time, refused } = await measure(simulation, 3);
	expect(refused).toBe(0);
	expect(time).toBeLessThan(1.05);
});
