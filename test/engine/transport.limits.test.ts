import { NODE, errorOf, get, itemsOf, run, useSandbox } from './harness';

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
			{ match: { times: 3 }, effect: { tooManyRequests: { retryAfter: 'none' } } },
		]);
		expect(await itemsOf(sandbox(), getEach(), { input: messages(1) })).toHaveLength(1);
		const times = sandbox().log.map(({ at }) => at);
		const gaps = times.slice(1).map((at, index) => at - times[index]);
		expect(gaps).toHaveLength(3);
		// Half of 0.5, 1 and 2 seconds is certain, the rest is jitter
		[250, 500, 1000].forEach((least, index) => {
			expect(gaps[index]).toBeGreaterThanOrEqual(least - 5);
		});
	});

	test('is followed by one request first, whose answer lets the others go', async () => {
		sandbox().setFaults([
			{ match: { nth: [1] }, effect: LIMITED },
			{ effect: { latency: { ms: 40 } } },
		]);
		await itemsOf(sandbox(), getEach(), { input: messages(80) });
		const sent = afterFirst429();
		const late = sandbox().log.filter((_, index) => sent[index] > 900);
		expect(late.map(({ inFlight }) => inFlight).slice(0, 3)).toEqual([1, 1, 2]);
	});

	test('lets the width grow again after answers such as 404', async () => {
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

	test('is tried no more often than "Max Tries" says, and the message says how long it waited', async () => {
		sandbox().setFaults([{ effect: LIMITED }]);
		const { message, httpCode } = await errorOf(sandbox(), getEach({ maxTries: 2 }), {
			input: messages(1),
		});
		expect(sandbox().log).toHaveLength(2);
		expect(httpCode).toBe('429');
		expect(message).toMatch(/^CometChat limits the rate of requests: raise "Max Wait" or/);
		expect(message).toMatch(/Gave up after 2 tries and 1(\.\d)? s of waiting\./);
	});

	test('that lasts longer than "Max Wait" ends the run at once', async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 3600 } } }]);
		const error = await errorOf(sandbox(), getEach({ maxWait: 60 }), { input: messages(200) });
		expect(sandbox().log.length).toBeLessThanOrEqual(60);
		expect(error.message).toContain('raise "Max Wait" or "Max Tries" in Options');
		expect(error.message).toContain(
			'Gave up after 1 try and 0 s of waiting: the next try would have to wait 3600 s, longer than "Max Wait" allows.',
		);
	});

	test('that lasts longer than "Max Wait" leaves the queued items unsent, and they say so', async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 3600 } } }]);
		const result = await run(sandbox(), getEach({ maxWait: 60 }), {
			input: messages(200),
			onError: 'continueRegularOutput',
		});
		const errors = result.items(NODE).map(({ json }) => String(json.error));
		expect(errors).toHaveLength(200);
		const sent = sandbox().log.length;
		expect(sent).toBeLessThanOrEqual(60);
		const unsent = errors.filter((text) => text.includes('This request was not sent'));
		expect(unsent).toHaveLength(200 - sent);
		expect(unsent[0]).toMatch(/the limit lasts 3(600|599\.\d) s, longer than "Max Wait" allows/);
		expect(errors.every((text) => text.includes('raise "Max Wait"'))).toBe(true);
	});

	test('without Retry-After is given up before "Max Wait" is over', async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { retryAfter: 'none' } } }]);
		const { message } = await errorOf(sandbox(), getEach({ maxWait: 1, maxTries: 100 }), {
			input: messages(1),
		});
		const { log } = sandbox();
		expect(log.length).toBeGreaterThan(1);
		expect(log[log.length - 1].at - log[0].at).toBeLessThan(1_100);
		expect(message).toMatch(/of waiting: the next try would have to wait .* "Max Wait" allows/);
	});
});
