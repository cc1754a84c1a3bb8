import type { LogEntry, Sandbox } from '../../tools/sandbox/server';
import { NODE, removeReaction, run } from './harness';

/** Whether the service did, or for all the client knows may have done, what was asked. */
const maybeDone = ({ status }: LogEntry) => [0, 200, 502, 503].includes(status);

/**
 * Removes so many reactions of a service with random faults, under "Continue", and expects that each
 * was removed once or reported, none lost and none sent again that may have been carried out.
 *
 * @returns how many were reported
 */
export async function expectRemovedOrReported(
	sandbox: Sandbox,
	count: number,
	seed: number,
): Promise<number> {
	const { store } = sandbox;
	const all = store.messages.all();
	const input = Array.from({ length: count }, (_, index) => {
		const { id, sender } = all[index % all.length];
		const reaction = `r-${index}`;
		store.addReaction(id, sender, reaction);
		return { id, reaction, uid: sender };
	});
	const isThere = ({ id, reaction }: { id: string; reaction: string }) =>
		store.messages.reactionsOf(id).some((made) => made.reaction === reaction);
	sandbox.setFaults([
		{ match: { rate: 0.015, seed }, effect: { tooManyRequests: { retryAfter: 'none' } } },
		{ match: { rate: 0.08, seed: seed + 100 }, effect: { status: { status: 503 } } },
		{ match: { rate: 0.05, seed: seed + 200 }, effect: { status: { status: 502 } } },
		{ match: { rate: 0.05, seed: seed + 300 }, effect: { cutBefore: true } },
		{ match: { rate: 0.05, seed: seed + 400 }, effect: { cutAfter: true } },
		{ match: { rate: 0.2, seed: seed + 500 }, effect: { latency: { ms: 5, jitterMs: 30 } } },
	]);
	const result = await run(
		sandbox,
		removeReaction('={{ $json.id }}', '={{ $json.reaction }}', '={{ $json.uid }}', {
			requestOptions: { maxTries: 12 },
		}),
		{ input, onError: 'continueRegularOutput' },
	);
	const items = result.items(NODE);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));

	const byReaction: Record<string, LogEntry[]> = {};
	for (const entry of sandbox.log) {
		(byReaction[entry.path.split('/').at(-1) ?? ''] ??= []).push(entry);
	}
	let reported = 0;
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
			reported++;
			expect(error).toMatch(/^CometChat may already have removed the reaction\. Check the message/);
		}
	});
	expect(input.filter(isThere).length).toBeLessThanOrEqual(reported);
	return reported;
}
