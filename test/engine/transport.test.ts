import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import type { FaultEffect, Settings } from '../../tools/sandbox/server';
import {
	AS_TOOL,
	errorOf,
	get,
	itemsOf,
	jsonOf,
	list,
	NODE,
	removeReaction,
	run,
	type RunSetup,
	useSandbox,
} from './harness';
import { json, type Reply, responding, withRecorder } from './recorder';
import { expectRemovedOrReported } from './removals';

const sandbox = useSandbox();

const LIMITED = { tooManyRequests: { seconds: 1 } };

/** Input for so many Get items, over the sample messages in turn. */
function messages(count: number) {
	const ids = sandbox()
		.store.messages.all()
		.map(({ id }) => id);
	return Array.from({ length: count }, (_, index) => ({ id: ids[index % ids.length] }));
}

const getEach = (requestOptions = {}) => get('={{ $json.id }}', { requestOptions });

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

	test("that lasts longer than 'Longest Retry Wait' leaves the queued items unsent, and they say so", async () => {
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
				/The item was not sent: the rate limit lasts another 3,(600|599\.\d) seconds, more than 'Longest Retry Wait \(Seconds\)' allows/,
			);
		}
		expect(errors.every((text) => text.includes("Raise 'Longest Retry Wait (Seconds)'"))).toBe(
			true,
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
});

/** Pages that one list has under way at most. */
const MAX_AHEAD = 8;

/** The sample data has 46 groups. */
const TOTAL = 46;

const MEANINGS: Array<Settings['totalPages']> = ['count', 'next'];

const all = (perPage: number) => list({ returnAll: true, options: { perPage } });

const guids = (groups: Array<Record<string, unknown>>) => groups.map(({ guid }) => guid);

/** The groups of the sandbox in the order of the service, by one request. */
async function inOrder() {
	const ordered = guids(await jsonOf(sandbox(), all(1_000)));
	sandbox().log.length = 0;
	return ordered;
}

const pagesAsked = () => sandbox().log.map(({ query }) => Number(query.page));

describe.each(MEANINGS)('when total_pages is the %s', (totalPages) => {
	beforeEach(() => sandbox().setSettings({ totalPages }));

	test('a long list is fetched ahead, costs few pages too many, and keeps its order', async () => {
		const ordered = await inOrder();
		sandbox().setFaults([{ effect: { latency: { ms: 5, jitterMs: 60 } } }]);
		expect(guids(await jsonOf(sandbox(), all(1)))).toEqual(ordered);
		const { requests, peakInFlight } = sandbox().stats;
		expect(pagesAsked().length).toBeLessThanOrEqual(TOTAL + MAX_AHEAD - 1);
		expect(new Set(pagesAsked()).size).toBe(pagesAsked().length);
		expect(requests).toBeGreaterThanOrEqual(TOTAL);
		expect(peakInFlight).toBe(MAX_AHEAD);
	});

	test('a limit is reached although the list moves', async () => {
		sandbox().setFaults([{ effect: { moveList: { insert: 3 } } }]);
		const given = guids(await jsonOf(sandbox(), list({ limit: 40, options: { perPage: 10 } })));
		expect(given).toHaveLength(40);
		expect(new Set(given).size).toBe(40);
	});

	test('a service that repeats one page for ever is noticed', async () => {
		sandbox().setFaults([{ effect: { repeatPage: true } }]);
		const { message, description } = await errorOf(sandbox(), all(10));
		expect(message).toBe(
			'CometChat sent the same groups again on pages 2 to 4, so the list stopped',
		);
		expect(description).toMatch(/^Set 'Limit', or add a filter\. The 10 items fetched before this/);
		expect(pagesAsked().length).toBeLessThanOrEqual(4 + MAX_AHEAD);
	});
});

test('pages that fail now and then are fetched again, and the list is complete', async () => {
	const ordered = await inOrder();
	sandbox().setFaults([
		{ match: { nth: [2, 5] }, effect: { status: { status: 503 } } },
		{ match: { nth: [3] }, effect: { cutAfter: true } },
	]);
	expect(guids(await jsonOf(sandbox(), all(10)))).toEqual(ordered);
});

test("more groups than an agent's tool can return are refused", async () => {
	await withRecorder(
		(response, { url }) => {
			const page = Number(new URL(url, 'http://service').searchParams.get('page'));
			const data = Array.from({ length: 1_000 }, (_, index) => ({ guid: `${page}-${index}` }));
			const pagination = { total: 100_001, total_pages: 101, per_page: 1_000, count: 1_000 };
			json(response, 200, { data, meta: { pagination: { ...pagination, current_page: page } } });
		},
		async (recorder) => {
			const error = await errorOf(recorder, list({ returnAll: true }), { settings: AS_TOOL });
			expect(error.message).toMatch(/^The list has more than 100,000 items/);
			expect(error.message).toContain("Set 'Limit', add a filter, or set 'Output' to 'Pages'");
		},
	);
});

/** Longer than the machine needs, shorter than the faults take. */
const TIMEOUT = { requestOptions: { timeout: 1_000 } };

/** Each of the first messages of the sample data meets one of the effects, the first time it is asked for. */
function meet(effects: FaultEffect[]) {
	const messages = sandbox().store.messages.all().slice(0, effects.length);
	sandbox().setFaults(
		effects.map((effect, index) => ({
			match: { path: `^/v3/messages/${messages[index].id}(/|$)`, nth: [1] },
			effect,
		})),
	);
	return messages.map(({ id, sender }) => ({ id, sender }));
}

/** How often each of the messages was asked for. */
const timesSent = (input: Array<{ id: string }>) =>
	input.map(({ id }) => sandbox().log.filter(({ path }) => path.split('/')[3] === id).length);

const NO_ANSWER: FaultEffect = { latency: { ms: 2_500 } };

describe('Remove Reaction', () => {
	const REMOVE_EACH = removeReaction('={{ $json.id }}', 'mark', '={{ $json.sender }}', TIMEOUT);

	const isThere = (id: string) =>
		sandbox()
			.store.messages.reactionsOf(id)
			.some(({ reaction }) => reaction === 'mark');

	/** Reactions of their senders to messages that meet the effects. */
	function reactions(effects: FaultEffect[]) {
		const input = meet(effects);
		for (const { id, sender } of input) sandbox().store.addReaction(id, sender, 'mark');
		return input;
	}

	test('is never sent again after what leaves its outcome unknown, and says so', async () => {
		/** Whether the reaction is still there. */
		const unsafe: Array<[FaultEffect, boolean]> = [
			[{ cutBefore: true }, true],
			[{ cutAfter: true }, false],
			[NO_ANSWER, true],
			[{ trickle: { everyMs: 100, forMs: 4_000 } }, false],
			[{ status: { status: 500 } }, true],
			[{ status: { status: 502, body: 'Bad gateway' } }, true],
			[{ status: { status: 503 } }, true],
			[{ status: { status: 408 } }, true],
			[{ status: { status: 504 } }, true],
			[{ html: true }, true],
			[{ empty: true }, false],
			[{ brokenJson: true }, false],
		];
		const input = reactions(unsafe.map(([effect]) => effect));
		const { items } = await run(sandbox(), REMOVE_EACH, {
			input,
			onError: 'continueRegularOutput',
		});
		const errors = items(NODE).map(({ json }) => String(json.error));
		expect(errors).toHaveLength(unsafe.length);
		for (const error of errors) {
			expect(error).toMatch(
				/^CometChat may already have removed the reaction\. Check the message before you run this item again\. /,
			);
			expect(error).not.toContain('Try again');
		}
		expect(timesSent(input)).toEqual(unsafe.map(() => 1));
		expect(input.map(({ id }) => isThere(id))).toEqual(unsafe.map(([, stays]) => stays));
	});

	test('under random faults is carried out once or reported, each of many', async () => {
		expect(await expectRemovedOrReported(sandbox(), 60, 11)).toBeGreaterThan(3);
	});
});

/** Generous: what is being waited for takes a minute. */
const AT_ONCE_MS = 2_000;

interface Stop {
	effect: FaultEffect;
	/** After so many requests the execution is stopped */
	after: number;
	parameters: INodeParameters;
	/** Input items */
	count?: number;
	setup?: RunSetup;
	/** Most requests that may have been sent by then */
	most: number;
}

const STOPS: Array<[string, Stop]> = [
	[
		'ends the wait for a rate limit at once',
		{
			effect: { tooManyRequests: { seconds: 60 } },
			after: 1,
			parameters: getEach(),
			count: 10,
			most: 10,
		},
	],
	[
		'ends the wait for another try of each item at once',
		{
			effect: { status: { status: 503, headers: { 'retry-after': '60' } } },
			after: 10,
			parameters: getEach(),
			count: 10,
			setup: { mode: 'trigger' },
			most: 10,
		},
	],
	[
		'ends a page loop at once',
		{
			effect: { latency: { ms: 150 } },
			after: 20,
			parameters: all(1),
			setup: { mode: 'trigger' },
			most: 40,
		},
	],
	[
		'sends none of the items that are still queued, not under "Continue" and "Retry On Fail" either',
		{
			effect: { latency: { ms: 150 } },
			after: 20,
			parameters: getEach(),
			count: 400,
			setup: {
				onError: 'continueRegularOutput',
				settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 },
			},
			most: 250,
		},
	],
];

describe('Stopping an execution', () => {
	test.each(STOPS)('%s', async (_, { effect, after, parameters, count = 1, setup, most }) => {
		sandbox().setFaults([{ effect }]);
		const { log } = sandbox();
		const stop = new AbortController();
		let sent = 0;
		const onRequest = () => void sent++;
		const running = run(sandbox(), parameters, {
			...{ ...setup, input: messages(count), signal: stop.signal, onRequest },
		});
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
