import { seededRandom } from '../../../../tools/sandbox/faults';
import { simulate, type Load, type Told } from './limiter.simulation';

beforeEach(() => void jest.spyOn(Math, 'random').mockImplementation(seededRandom(1)));

const perMinute = (requests: number) => ({ requests, ms: 60_000 });

const common = { latencyMs: 80, seed: 1 };

describe('2,000 requests at 500 a minute all pass', () => {
	test.each<[Told, number, number]>([
		['all', 1.1, 0],
		['resetWhenRefused', 1.1, 3],
		['retryAfter', 1.15, 160],
		['nothing', 1.6, 200],
	])('with headers: %s', async (told, time, refused) => {
		const windows = { standard: perMinute(500) };
		const runs = [[{ limits: ['standard'], count: 2_000 }]];
		const { standard } = await simulate({ ...common, windows, runs, told });
		expect(standard).toMatchObject({ passed: 2_000, failed: 0 });
		expect(standard.time).toBeLessThanOrEqual(time);
		expect(standard.refused).toBeLessThanOrEqual(refused);
	});
});

/** Messages of users who count for their own limit and for the limit of all users. */
const messages = (name: string, users: string[], count = 1): Load[] =>
	users.map((user) => ({ limits: [`send ${user}`, 'send'], count, name }));

const users = (count: number) => Array.from({ length: count }, (_, index) => `user ${index}`);

describe('800 messages of 800 users, of whom 100 may send in a minute, all pass', () => {
	test.each<[Told, number]>([
		['all', 1.15],
		['retryAfter', 1.15],
		['nothing', 1.6],
	])('with headers: %s', async (told, time) => {
		for (let seed = 1; seed <= 2; seed++) {
			const windows = { send: perMinute(100) };
			const runs = [messages('all', users(800))];
			const { all } = await simulate({ ...common, seed, windows, runs, told });
			expect(all).toMatchObject({ passed: 800, failed: 0 });
			expect(all.time).toBeLessThanOrEqual(time);
			expect(all.refused).toBeLessThanOrEqual(80);
		}
	});
});

describe('a user who may send no more holds up nobody else', () => {
	test.each<Told>(['all', 'retryAfter', 'nothing'])('with headers: %s', async (told) => {
		const windows = { 'send ann': perMinute(30) };
		const runs = [[...messages('ann', ['ann'], 300), ...messages('others', users(30))]];
		const { ann, others } = await simulate({ ...common, windows, runs, told });
		expect(others).toMatchObject({ passed: 30, failed: 0 });
		expect(others.elapsedMs).toBeLessThanOrEqual(3_000);
		expect(ann).toMatchObject({ passed: 300, failed: 0 });
	});

	test('not even if another server sent the messages of this user', async () => {
		const windows = { 'send ann': perMinute(30) };
		const runs = [
			[
				...messages('ann', ['ann'], 1).map((load) => ({ ...load, usedElsewhere: 30 })),
				...messages('others', users(200)),
			],
		];
		const { ann, others } = await simulate({ ...common, windows, runs, told: 'retryAfter' });
		expect(others).toMatchObject({ passed: 200, refused: 0, failed: 0 });
		expect(others.elapsedMs).toBeLessThanOrEqual(3_000);
		expect(ann).toMatchObject({ passed: 1, failed: 0 });
	});

	test('nor requests of another kind', async () => {
		const windows = { standard: perMinute(20_000), 'send ann': perMinute(30) };
		const gets = { limits: ['standard'], count: 1_500 };
		const runs = [[gets, ...messages('ann', ['ann'], 75), ...messages('bob', ['bob'], 20)]];
		const alone = await simulate({ ...common, windows, runs: [[gets]], told: 'all' });
		const { standard, ann, bob } = await simulate({ ...common, windows, runs, told: 'all' });
		const most = 1.5 * alone.standard.elapsedMs;
		expect(standard).toMatchObject({ passed: 1_500, refused: 0, failed: 0 });
		expect(standard.elapsedMs).toBeLessThanOrEqual(most);
		expect(ann).toMatchObject({ passed: 75, failed: 0 });
		expect(bob).toMatchObject({ passed: 20, refused: 0, failed: 0 });
		expect(bob.elapsedMs).toBeLessThanOrEqual(most);
	});
});

test.each<Told>(['all', 'retryAfter', 'nothing'])(
	'a single request waits for one window at most while another run sends thousands: %s',
	async (told) => {
		const windows = { standard: perMinute(500) };
		const run = (name: string, count: number): Load[] => [{ limits: ['standard'], count, name }];
		const runs = [run('long', 2_000), run('short', 1), run('middle', 200)];
		const { short, middle } = await simulate({ ...common, windows, runs, told });
		expect(short).toMatchObject({ passed: 1, failed: 0 });
		expect(short.elapsedMs).toBeLessThanOrEqual(60_000);
		expect(middle.elapsedMs).toBeLessThanOrEqual(90_000);
	},
);

test('a single message of another run goes in the next window, although a long run fills each window', async () => {
	const windows = { send: perMinute(30) };
	const run = (name: string, count: number): Load[] => [{ limits: ['send'], count, name }];
	const runs = [run('long', 200), run('short', 1)];
	const { short, long } = await simulate({ ...common, windows, runs, told: 'retryAfter' });
	expect(short).toMatchObject({ passed: 1, failed: 0 });
	expect(short.elapsedMs).toBeLessThanOrEqual(120_000);
	expect(long).toMatchObject({ passed: 200, failed: 0 });
});
