import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { get, list, run, useSandbox } from './harness';
import type { RunSetup } from './harness';

const sandbox = useSandbox({ groups: 30_000, validate: false });

/** Generous: what is being waited for takes a minute. */
const AT_ONCE_MS = 2_000;

const MODES: WorkflowExecuteMode[] = ['manual', 'trigger'];

/** Starts a run, stops it after so many requests came in, and gives what happened then. */
async function stopAfter(requests: number, parameters: INodeParameters, setup: RunSetup) {
	const { log } = sandbox();
	const stop = new AbortController();
	let sent = 0;
	const onRequest = () => void sent++;
	const running = run(sandbox(), parameters, { ...setup, signal: stop.signal, onRequest });
	while (log.length < requests) await wait(5);
	// So that what has come is answered, and the node waits for something
	await wait(150);
	const sentBefore = sent;
	const stoppedAt = performance.now();
	stop.abort();
	const { run: data } = await running;
	const tookMs = performance.now() - stoppedAt;
	await wait(400);
	expect(log.length).toBeLessThanOrEqual(sentBefore);
	return { status: data.status, tookMs, sent: sentBefore, sentLater: sent - sentBefore };
}

const messages = (count: number) => ({
	input: Array.from({ length: count }, (_, index) => ({ id: String(101 + (index % 5)) })),
});

describe.each(MODES)('stopping an execution in %s mode', (mode) => {
	test('ends the wait for a rate limit at once', async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 60 } } }]);
		const { tookMs, ...rest } = await stopAfter(1, get('={{ $json.id }}'), {
			mode,
			...messages(10),
		});
		expect(tookMs).toBeLessThan(AT_ONCE_MS);
		expect(rest).toMatchObject({ status: 'canceled', sentLater: 0 });
	});

	test('ends the wait for another try of each item at once', async () => {
		const headers = { 'retry-after': '60' };
		sandbox().setFaults([{ effect: { status: { status: 503, headers } } }]);
		const { tookMs, ...rest } = await stopAfter(10, get('={{ $json.id }}'), {
			mode,
			...messages(10),
		});
		expect(tookMs).toBeLessThan(AT_ONCE_MS);
		expect(rest).toEqual({ status: 'canceled', sent: 10, sentLater: 0 });
	});

	test('ends a page loop at once', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 40 } } }]);
		const { tookMs, ...rest } = await stopAfter(
			20,
			list({ returnAll: true, options: { perPage: 10 } }),
			{ mode },
		);
		expect(tookMs).toBeLessThan(AT_ONCE_MS);
		expect(rest).toMatchObject({ status: 'canceled', sentLater: 0 });
		expect(rest.sent).toBeLessThan(200);
	});

	test('sends none of the items that are still queued', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 200 } } }]);
		const { tookMs, ...rest } = await stopAfter(60, get('={{ $json.id }}'), {
			mode,
			...messages(600),
		});
		expect(tookMs).toBeLessThan(AT_ONCE_MS);
		expect(rest).toMatchObject({ status: 'canceled', sentLater: 0 });
		expect(rest.sent).toBeLessThan(400);
	});

	test('sends nothing more under "Continue" and "Retry on Fail" either', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 200 } } }]);
		const { tookMs, ...rest } = await stopAfter(20, get('={{ $json.id }}'), {
			mode,
			onError: 'continueRegularOutput',
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 },
			...messages(200),
		});
		expect(tookMs).toBeLessThan(AT_ONCE_MS);
		expect(rest).toMatchObject({ status: 'canceled', sentLater: 0 });
		expect(rest.sent).toBeLessThan(200);
	});
});
