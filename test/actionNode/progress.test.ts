import { errorOf, get } from './harness';
import { json, responding, withRecorder, type Reply } from './recorder';

test('After an item fails, requests in flight finish and no other item starts', async () => {
	const held = new Map<string, () => void>();
	const release = (urls: string[]) => {
		for (const url of urls) held.get(url)?.();
	};
	const reply: Reply = (response, request, number) => {
		held.set(request.url, () => {
			held.delete(request.url);
			if (request.url === '/messages/2') json(response, 404, {});
			else responding({})(response, request, number);
		});
		// Each of these two responses lets another request start
		if (number === 60) release(['/messages/0', '/messages/1']);
		if (number === 62) {
			release(['/messages/2']);
			setTimeout(() => release([...held.keys()]), 500);
		}
	};
	await withRecorder(reply, async (recorder) => {
		const input = Array.from({ length: 70 }, (_, id) => ({ id: String(id) }));
		const { description } = await errorOf(recorder, get('={{ $json.id }}'), { input });
		expect(description).toContain(
			'Items 0 to 1 and 3 to 62 were completed. Items 63 to 69 were not started.',
		);
		// Item 62 started as soon as the failed response arrived, before the node had read the response
		expect(recorder.requests).toHaveLength(63);
	});
});

test('Of several failed items, the error is about the first one, whichever response came first', async () => {
	const reply: Reply = (response, { url }) => {
		const error = { code: 'ERR_MESSAGE_ID_NOT_FOUND', message: `No ${url}` };
		setTimeout(() => json(response, 404, { error }), url === '/messages/3' ? 0 : 100);
	};
	await withRecorder(reply, async (recorder) => {
		const input = [{ id: '1' }, { id: '2' }, { id: '3' }];
		const { context, description } = await errorOf(recorder, get('={{ $json.id }}'), { input });
		expect([context.itemIndex, description]).toEqual([0, expect.stringContaining('/messages/1')]);
	});
});
