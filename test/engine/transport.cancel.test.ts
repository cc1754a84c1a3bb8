import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import type { FaultEffect } from '../../sandbox/server';
import { get, list, run, useSandbox, type RunSetup } from './harness';

const sandbox = useSandbox({ groups: 3_000, validate: false });

/** Generous: what is being waited for takes a minute. */
const AT_ONCE_MS = 2_000;

const messages = (count: number) => ({
	input: Array.from({ length: count }, (_, index) => ({ id: String(101 + (index % 5)) })),
});

interface Stop {
	effect: FaultEffect;
	/** After so many requests the execution is stopped */
	after: number;
	parameters: INodeParameters;
	setup: RunSetup;
	/** Most requests that may have been sent by then */
	most: number;
}

const GET_EACH = get('={{ $json.id }}');

const STOPS: Array<[string, Stop]> = [
	[
		'ends the wait for a rate limit at once',
		{
			effect: { tooManyRequests: { seconds: 60 } },
			after: 1,
			parameters: GET_EACH,
			setup: messages(10),
			most: 10,
		},
	],
	[
		'ends the wait for another try of each item at once',
		{
			effect: { status: { status: 503, headers: { 'retry-after': '60' } } },
			after: 10,
			parameters: GET_EACH,
			setup: { ...messages(10), mode: 'trigger' },
			most: 10,
		},
	],
	[
		'ends a page loop at once',
		{
			effect: { latency: { ms: 30 } },
			after: 20,
			parameters: list({ returnAll: true, options: { perPage: 10 } }),
			setup: { mode: 'trigger' },
			most: 200,
		},
	],
	[
		'sends none of the items that are still queued, not under "Continue" and "Retry On Fail" either',
		{
			effect: { latency: { ms: 150 } },
			after: 20,
			parameters: GET_EACH,
			setup: {
				...messages(400),
				onError: 'continueRegularOutput',
				settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 },
			},
			most: 250,
		},
	],
];

describe('Stopping an execution', () => {
	test.each(STOPS)('%s', async (_, { effect, after, parameters, setup, most }) => {
		sandbox().setFaults([{ effect }]);
		const { log } = sandbox();
		const stop = new AbortController();
		let sent = 0;
		const onRequest = () => void sent++;
		const running = run(sandbox(), parameters, { ...setup, signal: stop.signal, onRequest });
		while (log.length < after) await wait(5);
		// So that what has come is answered, and the node waits for something
		await wait(60);
		const sentBefore = sent;
		const stoppedAt = performance.now();
		stop.abort();
		const { run: data } = await running;
		expect(performance.now() - stoppedAt).toBeLessThan(AT_ONCE_MS);
		await wait(200);
		expect(data.status).toBe('canceled');
		expect(sent).toBe(sentBefore);
		expect(sentBefore).toBeLessThanOrEqual(most);
		expect(log.length).toBeLessThanOrEqual(sentBefore);
	});
});
