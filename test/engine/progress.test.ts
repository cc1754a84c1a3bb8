import { errorOf, get } from './harness';
import { expectTrueStates } from './progress';
import { json, responding, withRecorder, type Reply } from './recorder';

test('an error of several items says of each other one what the service saw', async () => {
	const told = new Set<string>();
	for (let seed = 1; seed <= 8; seed++) {
		for (const state of await expectTrueStates(seed)) told.add(state.replace(/\d+/g, 'n'));
	}
	expect(told).toContain('completed');
});

test('requests in flight finish when an item fails, and no other item is started', async () => {
	const held: Array<() => void> = [];
	const releaseAll = () => held.splice(0).forEach((release) => release());
	const reply: Reply = (response, request, number) => {
		if (request.url === '/messages/2') {
			held.push(() => json(response, 404, { error: { code: 'ERR_MSG_NOT_FOUND' } }));
		} else held.push(() => responding({})(response, request, number));
		// The first two responses let two more requests start
		if (number === 60) held.splice(0, 2).forEach((release) => release());
		if (number === 62) {
			held.shift()?.();
			setTimeout(releaseAll, 100);
		}
	};
	await withRecorder(reply, async (recorder) => {
		const input = Array.from({ length: 70 }, (_, id) => ({ id: String(id) }));
		const { description } = await errorOf(recorder, get('={{ $json.id }}'), { input });
		expect(description).toContain(
			'Items 0 to 1 and 3 to 62 were completed. Items 63 to 69 were not started.',
		);
		// The failed request's place went to item 62 before its response was read
		expect(recorder.requests).toHaveLength(63);
	});
});
