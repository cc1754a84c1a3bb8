import { AS_TOOL, NODE, errorOf, get, itemsOf, run, useSandbox } from './harness';

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

describe('a rate limit', () => {
	test('is waited out by the seconds in Retry-After, and no item is sent meanwhile', async () => {
		const inFlight = Array.from({ length: 59 }, (_, index) => index + 2);
		sandbox().setFaults([
			{ match: { nth: [1] }, effect: LIMITED },
			{ match: { nth: inFlight }, effect: { latency: { ms: 150 } } },
		]);
		const input = messages(90);
		const items = await itemsOf(sandbox(), getEach(), { input });
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
		expect(sandbox().log).toHaveLength(91);
		const sent = afterFirst429();
		// Up to 60 are under way when the limit is met; whatever else there is waits
		expect(sent.filter((ms) => ms < 500).length).toBeLessThanOrEqual(60);
		expect(sent.filter((ms) => ms >= 500 && ms < 980)).toEqual([]);
	});

	test('is waited out by the date in Retry-After', async () => {
		sandbox().setFaults([
			{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 1, retryAfter: 'date' } } },
		]);
		expect(await itemsOf(sandbox(), getEach(), { input: messages(3) })).toHaveLength(3);
		const sent = afterFirst429();
		expect(sandbox().log).toHaveLength(4);
		expect(sent.filter((ms) => ms > 500 && ms < 980)).toEqual([]);
		expect(Math.max(...sent)).toBeGreaterThanOrEqual(980);
	});

	test('without Retry-After is waited out longer and longer', async () => {
		sandbox().setFaults([
			{ match: { times: 4 }, effect: { tooManyRequests: { retryAfter: 'none' } } },
		]);
		expect(await itemsOf(sandbox(), getEach(), { input: messages(1) })).toHaveLength(1);
		const times = sandbox().log.map(({ at }) => at);
		const gaps = times.slice(1).map((at, index) => at - times[index]);
		expect(gaps).toHaveLength(4);
		// At least half of what was waited so far is certain, the rest is jitter
		gaps.forEach((gap, index) => {
			const least = Math.max(250, (times[index] - times[0]) / 2);
			expect(gap).toBeGreaterThanOrEqual(least - 10);
		});
	});

	test('is followed by one request first, whose response lets the others go', async () => {
		sandbox().setFaults([
			{ match: { nth: [1] }, effect: LIMITED },
			{ effect: { latency: { ms: 40 } } },
		]);
		await itemsOf(sandbox(), getEach(), { input: messages(80) });
		const sent = afterFirst429();
		const late = sandbox().log.filter((_, index) => sent[index] > 900);
		expect(late.map(({ inFlight }) => inFlight).slice(0, 3)).toEqual([1, 1, 2]);
	});

	test('lets more requests go again after responses such as 404', async () => {
		sandbox().setFaults([
			{ match: { nth: [1] }, effect: LIMITED },
			{ effect: { latency: { ms: 20 } } },
		]);
		const input = Array.from({ length: 90 }, (_, index) => ({ id: `absent-${index}` }));
		await run(sandbox(), getEach(), { input, onError: 'continueRegularOutput' });
		const sent = afterFirst429();
		const late = sandbox().log.filter((_, index) => sent[index] > 900);
		const widest = Math.max(...late.map(({ inFlight }) => inFlight));
		expect(widest).toBeGreaterThan(4);
	});

	test("is no attempt: 'Max Attempts' counts only what failed", async () => {
		sandbox().setFaults([
			{ match: { times: 3 }, effect: { tooManyRequests: { retryAfter: 'none' } } },
		]);
		const parameters = getEach({ maxTries: 1 });
		expect(await itemsOf(sandbox(), parameters, { input: messages(1) })).toHaveLength(1);
		expect(sandbox().log.map(({ status }) => status)).toEqual([429, 429, 429, 200]);
	});

	test.each([
		['the node', {}],
		['an agent', AS_TOOL],
	])("that lasts longer than 'Max Wait' ends the run of %s at once", async (_, settings) => {
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 3600 } } }]);
		const { message, description, httpCode } = await errorOf(sandbox(), getEach({ maxWait: 60 }), {
			input: messages(200),
			settings,
		});
		expect(sandbox().log.length).toBeLessThanOrEqual(60);
		expect(httpCode).toBe('429');
		expect(message).toMatch(/^CometChat's rate limit was reached/);
		expect(description).toBe(
			[
				"Raise 'Max Wait (Seconds)' under Options.",
				'Make fewer requests at the same time.',
				"Stopped after 1 attempt: the next would have to wait 3,600 seconds, more than 'Max Wait (Seconds)' allows.",
				'CometChat replied: Too many requests. Please try again later (ERR_TOO_MANY_REQUESTS).',
			].join(' '),
		);
	});

	test.each([
		['the node', {}],
		['an agent', AS_TOOL],
	])(
		"that lasts longer than 'Max Wait' leaves the queued items of %s unsent, and they say so",
		async (_, settings) => {
			sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 3600 } } }]);
			const result = await run(sandbox(), getEach({ maxWait: 60 }), {
				input: messages(200),
				onError: 'continueRegularOutput',
				settings,
			});
			const errors = result.items(NODE).map(({ json }) => String(json.error));
			expect(errors).toHaveLength(200);
			const sent = sandbox().log.length;
			expect(sent).toBeLessThanOrEqual(60);
			const unsent = errors.filter((text) => text.includes('The item was not sent'));
			expect(unsent).toHaveLength(200 - sent);
			for (const text of unsent) {
				expect(text).toMatch(
					/The item was not sent: the rate limit lasts another 3,(600|599\.\d) seconds, more than 'Max Wait \(Seconds\)' allows\.$/,
				);
			}
			expect(errors.every((text) => text.includes("Raise 'Max Wait (Seconds)'"))).toBe(true);
		},
	);

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
			/Stopped after \d attempts and [\d.]+ seconds? of waiting: the next would have to wait [\d.]+ seconds?, more than 'Max Wait \(Seconds\)' allows\. CometChat replied: /,
		);
	});
});
