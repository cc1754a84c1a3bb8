import { NODE, errorOf, get, itemsOf, run, useSandbox, settle } from './harness';
import type { Reply } from './recorder';
import { responding, withRecorder } from './recorder';

const sandbox = useSandbox();

const LIMITED = { tooManyRequests: { seconds: 1 } };

/** Input for so many Get items, over the sample messages in turn. */
function messages(count: number) {
	const ids = sandbox()
		.store.messages()
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

	test("is followed by a pause where Retry-After asks for none, and is no attempt of 'Max Attempts'", async () => {
		const retryAfter = '0';
		sandbox().setFaults([{ match: { times: 2 }, effect: { tooManyRequests: { retryAfter } } }]);
		const parameters = getEach({ maxTries: 1 });
		expect(await itemsOf(sandbox(), parameters, { input: messages(1) })).toHaveLength(1);
		expect(sandbox().log.map(({ status }) => status)).toEqual([429, 429, 200]);
		const times = sandbox().log.map(({ at }) => at);
		for (const [index, at] of times.slice(1).entries()) {
			expect(at - times[index]).toBeGreaterThanOrEqual(240);
		}
	});

	test("that lasts longer than 'Max Wait' ends the run at once", async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 3600 } } }]);
		const { message, description, httpCode } = await errorOf(sandbox(), getEach({ maxWait: 60 }), {
			input: messages(100),
		});
		await settle(sandbox());
		expect(sandbox().log.length).toBeLessThanOrEqual(60);
		expect(httpCode).toBe('429');
		expect(message).toBe("CometChat's rate limit was reached");
		expect(description).toContain(
			[
				"Raise 'Max Wait (Seconds)' under Settings → Retry Options.",
				'Make fewer requests at the same time.',
				"Stopped after 1 attempt: the next would have to wait 3,600 seconds, more than 'Max Wait (Seconds)' allows.",
				'CometChat replied: Too many requests. Please try again later (ERR_TOO_MANY_REQUESTS)',
			].join(' '),
		);
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

	test("without Retry-After is waited for no longer than 'Max Wait' and one pause", async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { retryAfter: 'none' } } }]);
		const { message, description } = await errorOf(sandbox(), getEach({ maxWait: 1 }), {
			input: messages(1),
		});
		const { log } = sandbox();
		expect(log.length).toBeGreaterThan(1);
		expect(log[log.length - 1].at - log[0].at).toBeLessThan(3_500);
		expect(message).toBe("CometChat's rate limit was reached");
		expect(description).toMatch(
			/Stopped after \d attempts and [\d.]+ seconds? of waiting: the next would have to wait [\d.]+ seconds?, more than 'Max Wait \(Seconds\)' allows/,
		);
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

	test('end with an item that fails when the workflow is to stop', async () => {
		sandbox().setFaults([
			{ match: { path: '/v3/messages/999' }, effect: { latency: { ms: 1 } } },
			{ match: { path: '^/v3/messages/1' }, effect: { latency: { ms: 200 } } },
		]);
		const input = messages(300);
		input[3] = { id: '999' };
		const { message, context } = await errorOf(sandbox(), getEach(), { input });
		expect(message).toMatch(/^No message has this ID/);
		expect(context).toMatchObject({ itemIndex: 3 });
		// Those that were under way, and one that had taken the place of the failed one
		expect(sandbox().log.length).toBeLessThanOrEqual(61);
	});
});
