import { NODE, get, itemsOf, run, useSandbox } from './harness';
import { responding, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox();

const LIMITED = { tooManyRequests: { seconds: 1 } };

/** Input for so many Get items, over the sample messages in turn. */
function messages(count: number) {
	const ids = sandbox()
		.store.messages.all()
		.map(({ id }) => id);
	return Array.from({ length: count }, (_, index) => ({ id: ids[index % ids.length] }));
}

const getEach = (options = {}) => get('={{ $json.id }}', { options });

/** When the first 429 was answered, and when the requests came after that, in milliseconds. */
function afterFirst429() {
	const { log } = sandbox();
	const first = log.find(({ status }) => status === 429);
	if (!first) throw new Error('Nothing was limited');
	const answeredAt = first.at + first.ms;
	return log.map(({ at }) => at - answeredAt);
}

describe('A rate limit', () => {
	test('is waited out by the seconds in Retry-After: one request first, then the others', async () => {
		const inFlight = Array.from({ length: 59 }, (_, index) => index + 2);
		sandbox().setFaults([
			{ match: { nth: [1] }, effect: LIMITED },
			{ match: { nth: inFlight }, effect: { latency: { ms: 100 } } },
			{ effect: { latency: { ms: 30 } } },
		]);
		const input = messages(70);
		const items = await itemsOf(sandbox(), getEach(), { input });
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
		expect(sandbox().log).toHaveLength(71);
		const sent = afterFirst429();
		// Up to 60 are under way when the limit is met; whatever else there is waits
		expect(sent.filter((ms) => ms < 980).length).toBeLessThanOrEqual(60);
		const late = sandbox().log.filter((_, index) => sent[index] >= 980);
		expect(late.map(({ inFlight: many }) => many).slice(0, 2)).toEqual([1, 1]);
	});

	test("that lasts longer than 'Max Wait' leaves the queued items unsent, and they say so", async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 3600 } } }]);
		const result = await run(sandbox(), getEach({ maxWait: 60 }), {
			input: messages(100),
			onError: 'continueRegularOutput',
		});
		const errors = result.items(NODE).map(({ json }) => String(json.error));
		expect(errors).toHaveLength(100);
		const unsent = errors.filter((text) => text.includes('The item was not sent'));
		expect(unsent.length).toBeGreaterThanOrEqual(40);
		expect(sandbox().log.length).toBeLessThanOrEqual(60);
		for (const text of unsent) {
			expect(text).toMatch(
				/The item was not sent: the rate limit lasts another 3,(600|599\.\d) seconds, more than 'Max Wait \(Seconds\)' allows/,
			);
		}
		expect(errors.every((text) => text.includes("Raise 'Max Wait (Seconds)'"))).toBe(true);
	});
});

describe('The requests of many items', () => {
	test('are sent at most 60 at once, over at most 64 connections, and answered in order', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 20, jitterMs: 40 } } }]);
		const input = messages(180);
		const items = await itemsOf(sandbox(), getEach(), { input });
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
		const { requests, peakInFlight, peakConnections } = sandbox().stats;
		expect(requests).toBe(180);
		expect(peakInFlight).toBeLessThanOrEqual(60);
		expect(peakInFlight).toBeGreaterThan(24);
		expect(peakConnections).toBeLessThanOrEqual(64);
	});

	test('are not held up by a slow one', async () => {
		let release = () => {};
		let done = 0;
		const reply: Reply = (response, request, number) => {
			const respond = () => responding({ id: request.url.slice(10) })(response, request, number);
			if (request.url === '/messages/1') {
				release = respond;
				return;
			}
			respond();
			// Waiting in line behind it, only those that were sent along with it could have come
			if (++done === 100) release();
		};
		await withRecorder(reply, async (recorder) => {
			const input = Array.from({ length: 110 }, (_, index) => ({ id: String(index + 1) }));
			const items = await itemsOf(recorder, getEach(), { input });
			expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
		});
	});
});
