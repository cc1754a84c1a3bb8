import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { PROBE_INTERVAL_MS } from '../../nodes/CometChat/transport/rateLimit';
import type { FaultEffect } from '../../tools/sandbox/server';
import {
	CONTINUE,
	NODE,
	errorOf,
	get,
	group,
	itemsOf,
	jsonOf,
	list,
	listMessageInput,
	removeReaction,
	run,
	type RunSetup,
	useSandbox,
} from './harness';

const sandbox = useSandbox();

const getEach = (requestOptions = {}) => get('={{ $json.id }}', { requestOptions });

describe('A rate limit', () => {
	test('delays requests for the seconds in Retry-After, and then starts with a single request', async () => {
		const { store, log } = sandbox();
		const guids = Array.from(
			{ length: 70 },
			(_, n) => store.createGroup({ guid: `item-${n}` }).guid,
		);
		sandbox().setFaults([
			{ match: { path: '^.*/item-0$', times: 1 }, effect: { tooManyRequests: { seconds: 1 } } },
			// These requests succeed during the pause, which must not end the pause
			{ match: { path: '^.*/item-([1-9]|[1-5]\\d)$' }, effect: { latency: { ms: 100 } } },
			{ effect: { latency: { ms: 30 } } },
		]);
		const input = guids.map((guid) => ({ guid }));
		const parameters = group('get', { output: 'raw', groupId: '={{ $json.guid }}' });
		const items = await itemsOf(sandbox(), parameters, { input });
		expect(items.map(({ json }) => json.guid)).toEqual(guids);
		expect(log).toHaveLength(71);
		const [refused, probe] = log.filter(({ path }) => path.endsWith('/item-0'));
		expect(refused.status).toBe(429);
		// Node's timers can end early by some milliseconds
		expect(probe.at - refused.at - refused.ms).toBeGreaterThanOrEqual(980);
		// The first 60 requests may already be in flight when CometChat refuses the first request
		const later = log.filter(({ path }) => guids.indexOf(path.split('/').at(-1) ?? '') >= 60);
		expect(later).toHaveLength(10);
		const passedAt = probe.at + Math.min(probe.ms, PROBE_INTERVAL_MS);
		for (const { at } of later) expect(at).toBeGreaterThanOrEqual(passedAt);
	});

	test("longer than 'Longest Retry Wait' fails queued items without sending them", async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 3600 } } }]);
		const setup = { ...CONTINUE, input: listMessageInput(sandbox(), 100) };
		const { items } = await run(sandbox(), getEach({ maxWait: 60 }), setup);
		const errors = items(NODE).map(({ json }) => String(json.error));
		expect(errors).toHaveLength(100);
		const unsent = errors.filter((text) => text.includes('The item was not sent'));
		expect(unsent.length).toBeGreaterThanOrEqual(40);
		expect(sandbox().log.length).toBeLessThanOrEqual(60);
		for (const text of unsent) {
			expect(text).toMatch(
				/The item was not sent: the rate limit lasts another 3,(600|599\.\d) seconds, which is too long/,
			);
		}
		for (const text of errors) expect(text).toContain("Raise 'Longest Retry Wait (Seconds)'");
	});
});

describe('The requests of many items', () => {
	test('are limited to 60 at the same time, and return items in order', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 20, jitterMs: 40 } } }]);
		const input = listMessageInput(sandbox(), 180);
		let started = 0;
		let startedAtOnce = 0;
		let release = () => {};
		const released = new Promise<void>((resolve) => (release = resolve));
		// Holds the first requests until 60 have started, and gives another one time to start
		const onRequest = async () => {
			if (++started === 60) {
				for (let turns = 0; turns < 100; turns++) await nextTurn();
				startedAtOnce = started;
				release();
			}
			await released;
		};
		const items = await itemsOf(sandbox(), getEach(), { input, onRequest });
		expect(startedAtOnce).toBe(60);
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
		const { requests, peakInFlight, peakConnections } = sandbox().stats;
		expect(requests).toBe(180);
		expect(peakInFlight).toBeLessThanOrEqual(60);
		expect(peakConnections).toBeLessThanOrEqual(64);
	});
});

/** Maximum number of page requests that a list sends at the same time. */
const MAX_AHEAD = 8;

/** Number of groups in the sandbox's sample data. */
const TOTAL = 46;

const all = (perPage: number) => list({ returnAll: true, options: { perPage } });

const guidsOf = async (parameters: INodeParameters) =>
	(await jsonOf(sandbox(), parameters)).map(({ guid }) => guid);

/** Fetches all GUIDs with one request, and clears the sandbox's request log. */
async function readInOrder() {
	const ordered = await guidsOf(all(1_000));
	sandbox().log.length = 0;
	return ordered;
}

const requestedPages = () => sandbox().log.map(({ query }) => Number(query.page));

describe.each(['count', 'next'] as const)('If total_pages is the %s, a list', (totalPages) => {
	beforeEach(() => sandbox().setSettings({ totalPages }));

	test('requests pages ahead if their number is known, and keeps their order', async () => {
		const ordered = await readInOrder();
		sandbox().setFaults([{ effect: { latency: { ms: 5, jitterMs: 60 } } }]);
		expect(await guidsOf(all(1))).toEqual(ordered);
		const { requests, peakInFlight } = sandbox().stats;
		// Without a total, a full page may be followed by another page
		expect(requestedPages().length).toBeLessThanOrEqual(TOTAL + MAX_AHEAD);
		expect(new Set(requestedPages()).size).toBe(requestedPages().length);
		expect(requests).toBeGreaterThanOrEqual(TOTAL);
		expect(peakInFlight).toBe(totalPages === 'count' ? MAX_AHEAD : 1);
	});

	test('reaches its limit even if groups move between pages', async () => {
		sandbox().setFaults([{ effect: { newGroups: 3 } }]);
		const guids = await guidsOf(list({ limit: 40, options: { perPage: 10 } }));
		expect(guids).toHaveLength(40);
		expect(new Set(guids).size).toBe(40);
	});

	test('fails if the service returns the same page forever', async () => {
		const guids = (await readInOrder()).slice(0, 10);
		const data = guids.map((guid) => ({ guid }));
		const meta = { pagination: { total: 0, current_page: 1, total_pages: 2 } };
		sandbox().setFaults([{ effect: { status: { status: 200, body: { data, meta } } } }]);
		const { message, description } = await errorOf(sandbox(), all(10));
		expect(message).toBe(
			`CometChat sent nothing new, so the list stopped after 10 groups, the last one with the ID ${String(guids[9])}`,
		);
		expect(description).toMatch(
			/^There may be more\. Turn off 'Return All' and set 'Limit', or add a filter\. Items fetched before the error: 10 /,
		);
		expect(requestedPages().length).toBeLessThanOrEqual(4 + MAX_AHEAD);
	});
});

test('A list retries failed pages', async () => {
	const ordered = await readInOrder();
	sandbox().setFaults([
		{ match: { nth: [2, 5] }, effect: { status: { status: 503 } } },
		{ match: { nth: [3] }, effect: { cutAfter: true } },
	]);
	expect(await guidsOf(all(10))).toEqual(ordered);
});

test('Remove Reaction fails if the reaction was never there, even after another failure', async () => {
	sandbox().setFaults([{ match: { method: 'DELETE', times: 1 }, effect: { tooManyRequests: {} } }]);
	const { message } = await errorOf(sandbox(), removeReaction('101', 'never', 'mira'));
	expect(message).toBe('The user did not add this reaction to this message');
});

interface Stop extends RunSetup {
	effect: FaultEffect;
	/** Number of requests that the service answers at once, before the effect */
	answered?: number;
	/** Minimum number of requests received before the execution is stopped */
	after: number;
	/** Maximum total number of requests */
	most: number;
	/** Number of messages to get. Lists groups if undefined. */
	count?: number;
}

const RATE_LIMIT = { tooManyRequests: { seconds: 60 } };
const BUSY = { status: { status: 503, headers: { 'retry-after': '60' } } };
const ENDLESS = { latency: { ms: 60_000 } };
const RETRYING = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };

test.each<[string, Stop]>([
	['ends the wait for a rate limit', { effect: RATE_LIMIT, after: 1, most: 10, count: 10 }],
	[
		'ends the wait before a retry',
		{ effect: BUSY, after: 10, most: 10, count: 10, mode: 'trigger' },
	],
	['ends a list', { effect: ENDLESS, answered: 12, after: 20, most: 20, mode: 'trigger' }],
	[
		'sends no queued items, even with "Continue" and "Retry On Fail"',
		{
			...{ effect: ENDLESS, answered: 20, after: 80, most: 80, count: 400 },
			...{ settings: RETRYING, ...CONTINUE },
		},
	],
])(
	'Stopping an execution %s',
	async (_, { effect, answered = 0, after, most, count, ...setup }) => {
		const parameters = count === undefined ? all(1) : getEach();
		const input = listMessageInput(sandbox(), count ?? 1);
		const affected = Array.from({ length: 500 }, (_, index) => answered + index + 1);
		sandbox().setFaults([{ match: { nth: affected }, effect }]);
		const { log } = sandbox();
		const stop = new AbortController();
		let sent = 0;
		const onRequest = () => {
			sent++;
		};
		const running = run(sandbox(), parameters, { ...setup, input, signal: stop.signal, onRequest });
		while (log.length < after) await wait(5);
		// Gives the node time to process responses and start its next wait
		await wait(60);
		const sentBefore = sent;
		const stoppedAt = performance.now();
		stop.abort();
		const { run: data } = await running;
		// Less than the 60 seconds that the node would otherwise wait
		expect(performance.now() - stoppedAt).toBeLessThan(20_000);
		await wait(200);
		expect(data.status).toBe('canceled');
		expect(sent).toBe(sentBefore);
		expect(sentBefore).toBeLessThanOrEqual(most);
		expect(log.length).toBeLessThanOrEqual(sentBefore);
	},
);
