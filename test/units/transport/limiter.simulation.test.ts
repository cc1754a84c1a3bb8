import { seededRandom } from '../../../tools/sandbox/faults';
import { RateLimitTracker } from '../../../nodes/CometChat/transport/rateLimit';
import { simulate, type Load, type SentHeaders, type Simulation } from './limiter.simulation';

beforeEach(() => void jest.spyOn(Math, 'random').mockImplementation(seededRandom(1)));

const perMinute = (requests: number) => ({ requests, ms: 60_000 });

const run = async (simulation: Omit<Simulation, 'latencyMs' | 'seed'> & { seed?: number }) =>
	await simulate({ latencyMs: 80, seed: 1, ...simulation });

test.each<[SentHeaders, number, number]>([
	['all', 1.1, 0],
	['resetWhenRefused', 1.1, 3],
	['allWhenRefused', 1.15, 200],
	['retryAfter', 1.15, 200],
	['none', 2, 300],
])(
	'sends 1,000 requests at 250 per minute with the headers %s',
	async (sentHeaders, time, refused) => {
		const { standard } = await run({
			windows: { standard: perMinute(250) },
			runs: [[{ limits: ['standard'], count: 1_000 }]],
			sentHeaders,
		});
		expect(standard).toMatchObject({ passed: 1_000, failed: 0 });
		expect(standard.relativeTime).toBeLessThanOrEqual(time);
		expect(standard.refused).toBeLessThanOrEqual(refused);
	},
);

/**
 * Creates a load for each user who sends messages. Each message counts against its sender's limit and
 * against the limit shared by all senders, of which the client doesn't know.
 */
const messages = (name: string, users: string[], count = 1): Load[] =>
	users.map((user) => ({ limits: [`send ${user}`, 'send'], count, name }));

const users = (count: number) => Array.from({ length: count }, (_, index) => `user ${index}`);

// limiter.soak.ts sends more
test.each<[SentHeaders, number, number]>([
	['all', 1.15, 300],
	['resetWhenRefused', 1.15, 300],
	['retryAfter', 1.15, 300],
	['none', 2, 1_200],
])(
	'sends 300 messages of 300 users at 100 per minute with the headers %s',
	async (sentHeaders, time, refused) => {
		const { all } = await run({
			windows: { send: perMinute(100) },
			runs: [messages('all', users(300))],
			sentHeaders,
		});
		expect(all).toMatchObject({ passed: 300, failed: 0 });
		expect(all.relativeTime).toBeLessThanOrEqual(time);
		expect(all.refused).toBeLessThanOrEqual(refused);
	},
);

test('sends the messages of users with limits of their own at once', async () => {
	const windows = Object.fromEntries(users(20).map((user) => [`send ${user}`, perMinute(30)]));
	const exhausted = messages('exhausted', ['user 0'], 5).map((load) => ({
		...load,
		usedElsewhere: 28,
	}));
	const runs = [[...messages('all', users(20).slice(1), 20), ...exhausted]];
	const outcomes = await run({ windows, runs, sentHeaders: 'all' });
	expect(outcomes.all).toMatchObject({ passed: 380, refused: 0, failed: 0 });
	expect(outcomes.all.elapsedMs).toBeLessThanOrEqual(3_000);
	expect(outcomes.exhausted).toMatchObject({ passed: 5, failed: 0 });
});

const allHeaders: SentHeaders[] = ['all', 'retryAfter', 'none'];

describe("A user's exhausted limit", () => {
	test.each(allHeaders)("doesn't delay other users with the headers %s", async (sentHeaders) => {
		const windows = { 'send ann': perMinute(30) };
		const runs = [[...messages('ann', ['ann'], 300), ...messages('others', users(30))]];
		const { ann, others } = await run({ windows, runs, sentHeaders });
		expect(others).toMatchObject({ passed: 30, failed: 0 });
		expect(others.elapsedMs).toBeLessThanOrEqual(3_000);
		expect(ann).toMatchObject({ passed: 300, failed: 0 });
	});

	test("doesn't delay other users if another server sent the user's messages", async () => {
		const windows = { 'send ann': perMinute(30) };
		const [ann] = messages('ann', ['ann']);
		const runs = [[{ ...ann, usedElsewhere: 30 }, ...messages('others', users(200))]];
		const outcomes = await run({ windows, runs, sentHeaders: 'retryAfter' });
		expect(outcomes.others).toMatchObject({ passed: 200, refused: 0, failed: 0 });
		expect(outcomes.others.elapsedMs).toBeLessThanOrEqual(3_000);
		expect(outcomes.ann).toMatchObject({ passed: 1, failed: 0 });
	});

	test("doesn't delay requests of another kind", async () => {
		const windows = { standard: perMinute(20_000), 'send ann': perMinute(30) };
		const gets = { limits: ['standard'], count: 1_500 };
		const runs = [[gets, ...messages('ann', ['ann'], 75), ...messages('bob', ['bob'], 20)]];
		const alone = await run({ windows, runs: [[gets]], sentHeaders: 'all' });
		const { standard, ann, bob } = await run({ windows, runs, sentHeaders: 'all' });
		const maxMs = 1.5 * alone.standard.elapsedMs;
		expect(standard).toMatchObject({ passed: 1_500, refused: 0, failed: 0 });
		expect(standard.elapsedMs).toBeLessThanOrEqual(maxMs);
		expect(ann).toMatchObject({ passed: 75, failed: 0 });
		expect(bob).toMatchObject({ passed: 20, refused: 0, failed: 0 });
		expect(bob.elapsedMs).toBeLessThanOrEqual(maxMs);
	});
});

describe('A single request beside a long run', () => {
	const load = (limit: string, name: string, count: number): Load[] => [
		{ limits: [limit], count, name },
	];

	test.each(allHeaders)('waits for at most one window with the headers %s', async (sentHeaders) => {
		const windows = { standard: perMinute(250) };
		const loads: Array<[string, number]> = [
			['long', 1_000],
			['short', 1],
			['middle', 100],
		];
		const runs = loads.map(([name, count]) => load('standard', name, count));
		const { short, middle } = await run({ windows, runs, sentHeaders });
		expect(short).toMatchObject({ passed: 1, failed: 0 });
		expect(short.elapsedMs).toBeLessThanOrEqual(60_000);
		expect(middle.elapsedMs).toBeLessThanOrEqual(90_000);
	});

	test('is sent in the next window if the long run fills each window', async () => {
		const windows = { send: perMinute(30) };
		const runs = [load('send', 'long', 200), load('send', 'short', 1)];
		const { short, long } = await run({ windows, runs, sentHeaders: 'retryAfter' });
		expect(short).toMatchObject({ passed: 1, failed: 0 });
		expect(short.elapsedMs).toBeLessThanOrEqual(120_000);
		expect(long).toMatchObject({ passed: 200, failed: 0 });
	});
});

test.each(allHeaders)(
	'Two long runs share each window with the headers %s',
	async (sentHeaders) => {
		const windows = { send: perMinute(30) };
		const runs = ['a', 'b'].map((name): Load[] => [{ limits: ['send'], count: 75, name }]);
		const { a, b } = await run({ windows, runs, sentHeaders });
		expect([a, b]).toMatchObject(runs.map(() => ({ passed: 75, failed: 0 })));
		expect(Math.abs(a.elapsedMs - b.elapsedMs)).toBeLessThanOrEqual(30_000);
	},
);

describe('Many runs at one limit', () => {
	const windows = { standard: { requests: 300, ms: 1_000 } };
	const split = (count: number, runs: number): Load[][] =>
		Array.from({ length: runs }, () => [{ limits: ['standard'], count: count / runs }]);

	/** Returns how often the limit is examined per request. */
	async function countChecks(runs: number, sentHeaders: SentHeaders): Promise<number> {
		const checks = ['getEarliestSendTime', 'getTooLongPauseMsOrZero'] as const;
		const spies = checks.map((name) => jest.spyOn(RateLimitTracker.prototype, name));
		const { standard } = await run({ windows, runs: split(1_000, runs), sentHeaders });
		const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
		for (const spy of spies) spy.mockRestore();
		return count / (standard.passed + standard.refused);
	}

	test.each<SentHeaders>(['all', 'retryAfter'])(
		'take no more work per request than a few runs, with the headers %s',
		async (sentHeaders) => {
			const few = await countChecks(5, sentHeaders);
			expect(few).toBeLessThanOrEqual(2 * (await countChecks(1, sentHeaders)));
			expect(await countChecks(50, sentHeaders)).toBeLessThanOrEqual(1.1 * few);
		},
	);

	test('fill each window without refusals', async () => {
		const { standard } = await run({ windows, runs: split(6_000, 40), sentHeaders: 'all' });
		expect(standard).toMatchObject({ passed: 6_000, refused: 0, failed: 0 });
		expect(standard.relativeTime).toBeLessThanOrEqual(1.1);
	});
});
