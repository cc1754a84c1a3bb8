import type { LogEntry } from '../../sandbox/server';
import { NODE, get, itemsOf, removeReaction, run, useSandbox } from './harness';

const sandbox = useSandbox({ validate: false });

/** The free plan's 500 a minute, with a minute that lasts a second. */
const FREE_PLAN = { tokenBucket: { perMinute: 500, timeScale: 60 } };

/** Input for so many Get items, over the sample messages in turn. */
function messages(count: number) {
	const ids = sandbox()
		.store.messages()
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

test('three executions at the same time share what is known of a limit, and take turns', async () => {
	sandbox().setFaults([
		{ effect: { window: { requests: 10, ms: 1_000, rateHeaders: 'x-ratelimit' } } },
	]);
	const ids = [...new Set(messages(100).map(({ id }) => id))].slice(0, 3);
	const input = Array.from({ length: 40 }, () => ({}));
	await Promise.all(ids.map(async (id) => await itemsOf(sandbox(), get(id), { input })));
	const passed = sandbox().log.filter(({ status }) => status === 200);
	expect(passed).toHaveLength(120);
	// Those that were sent before anything was known, and few afterwards
	expect(sandbox().stats.byStatus[429]).toBeLessThan(120);
	const firstHalf = passed.slice(0, 60).map(({ path }) => path.split('/').at(-1));
	for (const id of ids) {
		expect(firstHalf.filter((asked) => asked === id).length).toBeGreaterThan(12);
	}
}, 90_000);

describe('500 Remove Reactions with random faults under "Continue"', () => {
	const COUNT = 500;

	/** Reactions of their own for so many items, spread over the sample messages. */
	function addReactions() {
		const { store } = sandbox();
		const all = store.messages();
		return Array.from({ length: COUNT }, (_, index) => {
			const { id, sender } = all[index % all.length];
			const reaction = `r-${index}`;
			store.addReaction(id, sender, reaction);
			return { id, reaction, uid: sender };
		});
	}

	const isThere = ({ id, reaction }: { id: string; reaction: string }) =>
		sandbox()
			.store.reactions(id)
			.some((made) => made.reaction === reaction);

	/** Whether the service did, or for all the client knows may have done, what was asked. */
	const maybeDone = ({ status }: LogEntry) => [0, 200, 502, 503].includes(status);

	test.each([11, 12])(
		'are each applied once or reported, none lost, none doubled (seed %i)',
		async (seed) => {
			const input = addReactions();
			sandbox().setFaults([
				{ match: { rate: 0.015, seed }, effect: { tooManyRequests: { retryAfter: 'none' } } },
				{ match: { rate: 0.08, seed: seed + 100 }, effect: { status: { status: 503 } } },
				{ match: { rate: 0.05, seed: seed + 200 }, effect: { status: { status: 502 } } },
				{ match: { rate: 0.05, seed: seed + 300 }, effect: { cutBefore: true } },
				{ match: { rate: 0.05, seed: seed + 400 }, effect: { cutAfter: true } },
				{ match: { rate: 0.2, seed: seed + 500 }, effect: { latency: { ms: 5, jitterMs: 30 } } },
			]);
			const result = await run(
				sandbox(),
				removeReaction('={{ $json.id }}', '={{ $json.reaction }}', '={{ $json.uid }}', {
					options: { maxTries: 12 },
				}),
				{ input, onError: 'continueRegularOutput' },
			);
			const items = result.items(NODE);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));

			const byReaction: Record<string, LogEntry[]> = {};
			for (const entry of sandbox().log) {
				(byReaction[entry.path.split('/').at(-1) ?? ''] ??= []).push(entry);
			}
			let unknown = 0;
			input.forEach((item, index) => {
				const entries = byReaction[item.reaction] ?? [];
				expect(entries.length).toBeGreaterThan(0);
				// Nothing is sent again once it may have been carried out
				expect(entries.slice(0, -1).filter(maybeDone)).toEqual([]);
				const { error } = items[index].json;
				if (error === undefined) {
					expect(isThere(item)).toBe(false);
					expect(entries.at(-1)?.status).toBe(200);
				} else {
					unknown++;
					expect(error).toMatch(
						/^CometChat may already have removed the reaction\. Check the message/,
					);
				}
			});
			// 502, 503 and cut connections: about one in five
			expect(unknown).toBeGreaterThan(20);
			expect(unknown).toBeLessThan(150);
			expect(input.filter(isThere).length).toBeLessThanOrEqual(unknown);
		},
		90_000,
	);
});
