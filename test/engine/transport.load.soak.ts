import { NODE, get, itemsOf, run, useSandbox } from './harness';
import { expectRemovedOrReported } from './removals';

const sandbox = useSandbox({ validate: false });

/** The free plan's 500 a minute, with a minute that lasts a second. */
const FREE_PLAN = { tokenBucket: { perMinute: 500, timeScale: 60 } };

/** Input for so many Get items, over the sample messages in turn. */
function messages(count: number) {
	const ids = sandbox()
		.store.messages.all()
		.map(({ id }) => id);
	return Array.from({ length: count }, (_, index) => ({ id: ids[index % ids.length] }));
}

test('2,000 Get items pass a limit of 500 a minute, every one and in order', async () => {
	sandbox().setFaults([
		{ effect: FREE_PLAN },
		// On a machine too slow to reach the limit there is one 429 nevertheless
		{ match: { nth: [100] }, effect: { tooManyRequests: { seconds: 1 } } },
	]);
	const input = messages(2_000);
	const items = await itemsOf(sandbox(), get('={{ $json.id }}'), { input });
	expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
	const { byStatus } = sandbox().stats;
	expect(byStatus[200]).toBe(2_000);
	expect(byStatus[429]).toBeGreaterThan(0);
	// Not hammered: what was refused is a small part
	expect(byStatus[429]).toBeLessThan(400);
}, 90_000);

test.each(['none', 'x-rate-limit'] as const)(
	'200 Get items pass 10 a second, with the default options (headers: %s)',
	async (rateHeaders) => {
		sandbox().setFaults([{ effect: { window: { requests: 10, ms: 1_000, rateHeaders } } }]);
		const input = messages(200);
		const items = await itemsOf(sandbox(), get('={{ $json.id }}'), { input });
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
	},
	120_000,
);

test('two executions at the same time that share a limit both finish', async () => {
	sandbox().setFaults([{ effect: FREE_PLAN }]);
	const input = messages(700);
	const runs = await Promise.all(
		[0, 1].map(async () => await itemsOf(sandbox(), get('={{ $json.id }}'), { input })),
	);
	for (const items of runs) {
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
	}
	expect(sandbox().stats.byStatus[200]).toBe(1_400);
}, 90_000);

test('three executions at the same time that share a limit take turns', async () => {
	sandbox().setFaults([{ effect: { window: { requests: 10, ms: 1_000, rateHeaders: 'none' } } }]);
	const ids = [...new Set(messages(100).map(({ id }) => id))].slice(0, 3);
	const input = Array.from({ length: 40 }, () => ({}));
	await Promise.all(ids.map(async (id) => await itemsOf(sandbox(), get(id), { input })));
	const passed = sandbox().log.filter(({ status }) => status === 200);
	expect(passed).toHaveLength(120);
	const firstHalf = passed.slice(0, 60).map(({ path }) => path.split('/').at(-1));
	for (const id of ids) {
		expect(firstHalf.filter((asked) => asked === id).length).toBeGreaterThan(8);
	}
}, 90_000);

test.each([11, 12])(
	'500 Remove Reactions with random faults are each applied once or reported (seed %i)',
	async (seed) => {
		const reported = await expectRemovedOrReported(sandbox(), 500, seed);
		// 502, 503 and cut connections: about one in five
		expect(reported).toBeGreaterThan(20);
		expect(reported).toBeLessThan(150);
	},
	90_000,
);

test('A message that the user may not see holds up a run for its first 4 seconds only, however many there are', async () => {
	const input = Array.from({ length: 600 }, () => ({}));
	const parameters = get('101', { onBehalfOf: 'tomas' });
	const { items } = await run(sandbox(), parameters, { input, onError: 'continueRegularOutput' });
	expect(items(NODE).filter(({ json }) => json.error)).toHaveLength(600);
	const { log } = sandbox();
	expect(log[log.length - 1].at - log[0].at).toBeGreaterThanOrEqual(3_500);
	// 180 items are under way at once: those that begin later are sent once
	expect(log.length).toBeGreaterThan(600 + 180);
	expect(log.length).toBeLessThanOrEqual(600 + 180 * 5);
});
