import type { IDataObject } from 'n8n-workflow';
import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

import {
	AS_ROUTED,
	NODE,
	errorOf,
	get,
	itemsOf,
	jsonOf,
	list,
	removeReaction,
	run,
	useSandbox,
	wire,
} from './harness';
import { WAYS } from './operations';
import { json, withRecorder } from './recorder';

const sandbox = useSandbox();

/** Some versions of n8n keep the connection of a response that came, and none of those that did not. */
const CLOSING = { connection: 'close' };

/** Generous: what is being waited for takes a minute. */
const AT_ONCE_MS = 3_000;

const batching = (batchSize: number, batchInterval: number) => ({
	requestOptions: { batching: { batch: { batchSize, batchInterval } } },
});

/** As n8n runs the node itself, with custom operations and, before there were any, without. */
const NODE_WAYS: Array<[string, object]> = [
	['custom operations', {}],
	["n8n's RoutingNode", AS_ROUTED],
];

async function elapsed(work: () => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	await work();
	return performance.now() - startedAt;
}

describe("n8n's Batching", () => {
	const GET_EACH = { ...get('={{ $json.id }}'), ...batching(1, 60_000) };

	test('ends its pause when the execution is stopped', async () => {
		const stop = new AbortController();
		const input = [{ id: '101' }, { id: '102' }];
		const running = run(sandbox(), GET_EACH, { input, signal: stop.signal });
		while (sandbox().log.length === 0) await wait(5);
		await wait(100);
		const tookMs = await elapsed(async () => {
			stop.abort();
			await running;
		});
		expect((await running).run.status).toBe('canceled');
		expect(tookMs).toBeLessThan(AT_ONCE_MS);
		expect(sandbox().log).toHaveLength(1);
	});

	test('ends its pause when an item fails, whose error shows at once', async () => {
		const input = [{ id: 'absent' }, { id: '102' }];
		const tookMs = await elapsed(async () => {
			const { message } = await errorOf(sandbox(), GET_EACH, { input });
			expect(message).toBe('No message has this ID');
		});
		expect(tookMs).toBeLessThan(AT_ONCE_MS);
		expect(sandbox().log).toHaveLength(1);
	});

	test.each(NODE_WAYS)(
		'sends nothing after an item that failed, through %s',
		async (_, settings) => {
			const parameters = { ...get('={{ $json.id }}'), ...batching(2, 200) };
			const input = ['absent', '101', '102', '103', '104'].map((id) => ({ id }));
			const { context } = await errorOf(sandbox(), parameters, { input, settings });
			expect(context).toMatchObject({ itemIndex: 0 });
			await wait(700);
			// The other one of the first batch may have been stopped before it arrived
			const later = ['/102', '/103', '/104'];
			const lines = wire(sandbox());
			expect(lines).toContain('GET /messages/absent');
			expect(lines.filter((line) => later.some((id) => line.endsWith(id)))).toEqual([]);
		},
	);

	test.each(NODE_WAYS)('sends every batch, through %s', async (_, settings) => {
		const parameters = { ...get('={{ $json.id }}'), ...batching(2, 100) };
		const input = ['101', '102', '103', '104', '105'].map((id) => ({ id }));
		const items = await itemsOf(sandbox(), parameters, { input, settings });
		expect(items.map(({ json: { id } }) => id)).toEqual(input.map(({ id }) => id));
	});
});

describe.each(NODE_WAYS)('Retry On Fail, through %s,', (_, settings) => {
	const retrying = { ...settings, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	const REMOVE_EACH = removeReaction('={{ $json.id }}', '={{ $json.reaction }}', 'mira');

	/** Requests per reaction. */
	function counts(): number[] {
		const lines = wire(sandbox());
		return [0, 1, 2, 3, 4].map(
			(index) => lines.filter((line) => line.endsWith(`/reactions/r${index}`)).length,
		);
	}

	/** Five reactions of mira, of which the first was never made. */
	function reactions(): IDataObject[] {
		const input = [0, 1, 2, 3, 4].map((index) => ({ id: '101', reaction: `r${index}` }));
		for (const { id, reaction } of input.slice(1))
			sandbox().store.addReaction(id, 'mira', reaction);
		return input;
	}

	test('repeats no removal that was done, and returns its result again', async () => {
		const input = reactions();
		// Refused twice, then the reaction is there
		const result = run(sandbox(), REMOVE_EACH, {
			input,
			settings: retrying,
			onRequest: () => {
				if (counts()[0] === 2) sandbox().store.addReaction('101', 'mira', 'r0');
			},
		});
		const { error, items } = await result;
		expect(error).toBeUndefined();
		expect(items(NODE).map(({ json: { id }, pairedItem }) => [id, pairedItem])).toEqual(
			input.map((__, item) => ['101', { item }]),
		);
		expect(counts()).toEqual([3, 1, 1, 1, 1]);
	});

	test('repeats no removal that was done when the run ends with an error', async () => {
		const input = reactions();
		const { message, context } = await errorOf(sandbox(), REMOVE_EACH, {
			input,
			settings: retrying,
		});
		expect(message).toBe('CometChat found nothing at this address');
		expect(context).toMatchObject({ itemIndex: 0 });
		const [first, ...others] = counts();
		expect(first).toBe(3);
		expect(Math.max(...others)).toBe(1);
	});

	test('repeats no removal under "Continue", where the good ones stay good', async () => {
		const input = reactions();
		const result = await run(sandbox(), REMOVE_EACH, {
			input,
			settings: retrying,
			onError: 'continueRegularOutput',
		});
		const [first, ...others] = result.items(NODE);
		expect(first.json.error).toMatch(/^CometChat found nothing at this address/);
		expect(others.map(({ json: { id, error } }) => [id, error])).toEqual(
			others.map(() => ['101', undefined]),
		);
		expect(counts()).toEqual([3, 1, 1, 1, 1]);
	});

	test('repeats nothing whose outcome is not known, and says so again', async () => {
		sandbox().setFaults([{ match: { method: 'DELETE' }, effect: { cutAfter: true } }]);
		const [, second] = reactions();
		const { message } = await errorOf(sandbox(), REMOVE_EACH, {
			input: [second],
			settings: retrying,
		});
		expect(message).toBe('CometChat may already have removed the reaction');
		expect(counts()[1]).toBe(1);
	});

	test('sends each of two equal items: each means its own', async () => {
		const send = {
			resource: 'message',
			operation: 'send',
			groupId: 'all-hands',
			text: '={{ $json.text }}',
		};
		const input = [{ text: 'same' }, { text: 'same' }, { text: 'other' }];
		sandbox().setFaults([{ match: { nth: [1] }, effect: { status: { status: 400 } } }]);
		const sent = await jsonOf(sandbox(), send, { input, settings: retrying });
		expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
		expect(sandbox().log.length).toBe(4);
	});

	test('adds no member twice', async () => {
		const parameters = {
			resource: 'group',
			operation: 'addMembers',
			groupId: '={{ $json.guid }}',
			uids: ['ext_sam-99'],
		};
		const input = [{ guid: 'nowhere' }, { guid: 'all-hands' }];
		const result = await run(sandbox(), parameters, {
			input,
			settings: retrying,
			onError: 'continueRegularOutput',
		});
		expect(result.items(NODE)[1].json).toEqual({
			uid: 'ext_sam-99',
			scope: 'participant',
			success: true,
		});
		expect(wire(sandbox()).filter((line) => line.includes('all-hands'))).toHaveLength(1);
	});

	test('reads again what may have changed', async () => {
		const input = [{ id: '999' }, { id: '101' }];
		await errorOf(sandbox(), get('={{ $json.id }}'), { input, settings: retrying });
		expect(wire(sandbox()).filter((line) => line.endsWith('/999'))).toHaveLength(3);
	});
});

describe.each(WAYS)('After a failure, through %s,', (_, settings) => {
	let countOpen = async (): Promise<number> => await Promise.resolve(NaN);

	test('an item that fails is reported although its neighbours hang', async () => {
		await withRecorder(
			(response, { url }) => {
				const body = { error: { code: 'ERR_MSG_NOT_FOUND' } };
				if (url.endsWith('/999')) json(response, 404, body, CLOSING);
			},
			async (recorder) => {
				const input = ['101', '102', '999', '103'].map((id) => ({ id }));
				const tookMs = await elapsed(async () => {
					const { message } = await errorOf(recorder, get('={{ $json.id }}'), { input, settings });
					expect(message).toMatch(/^No message has this ID/);
				});
				expect(tookMs).toBeLessThan(AT_ONCE_MS);
				await wait(100);
				expect(await recorder.connections()).toBe(0);
			},
		);
	});

	test('pages fetched ahead leave no socket behind', async () => {
		await withRecorder(hangingPages, async (recorder) => {
			const parameters = list({ returnAll: true, options: { perPage: 10 } });
			const { description } = await errorOf(recorder, parameters, { settings });
			expect(description).toContain('The 10 items fetched before this are lost');
			expect(recorder.requests.length).toBeGreaterThan(4);
			await wait(100);
			expect(await recorder.connections()).toBe(0);
		});
	});

	test('pages fetched ahead end although other items go on', async () => {
		let open = Infinity;
		await withRecorder(
			(response, request, number) => {
				if (!request.url.includes('searchKey=slow')) return hangingPages(response, request, number);
				setTimeout(() => {
					void countOpen().then((count) => {
						open = count;
						json(response, 200, { data: [] });
					});
				}, 1_000);
			},
			async (recorder) => {
				countOpen = recorder.connections;
				const parameters = list({
					returnAll: true,
					filters: { searchKey: '={{ $json.searchKey }}' },
					options: { perPage: 10 },
				});
				const result = await run(recorder, parameters, {
					input: [{ searchKey: 'fails' }, { searchKey: 'slow' }],
					onError: 'continueRegularOutput',
					settings,
				});
				expect(result.items(NODE)).toHaveLength(11);
				expect(recorder.requests.length).toBeGreaterThan(5);
			},
		);
		// Only that of the slow one
		expect(open).toBe(1);
	});

	test.each(['good', 'failing'])('nothing listens to a stop any more (a %s run)', async (which) => {
		const signals: AbortSignal[] = [];
		const Real = globalThis.AbortController;
		globalThis.AbortController = class extends Real {
			constructor() {
				super();
				signals.push(this.signal);
			}
		};
		// The first one that is made is that of n8n's execution
		const listeners = () => getEventListeners(signals[0], 'abort').length;
		let during = 0;
		const onRequest = () => {
			during = Math.max(during, listeners());
		};
		try {
			const parameters = list({ returnAll: true, options: { perPage: 10 } });
			const setup = { settings, onRequest };
			if (which === 'good') await itemsOf(sandbox(), parameters, setup);
			else {
				await withRecorder(hangingPages, async (recorder) => {
					await errorOf(recorder, parameters, setup);
				});
			}
		} finally {
			globalThis.AbortController = Real;
		}
		await wait(50);
		expect(during).toBeGreaterThan(0);
		expect(listeners()).toBe(0);
	});
});

/** A list of 100 pages, whose first page comes, whose second is refused and whose others hang. */
function hangingPages(...[response, { url }]: Parameters<Parameters<typeof withRecorder>[0]>) {
	const page = Number(new URL(url, 'http://service').searchParams.get('page'));
	const data = Array.from({ length: 10 }, (_, index) => ({ guid: `${page}-${index}` }));
	const meta = { pagination: { total: 1_000, total_pages: 100, per_page: 10, current_page: page } };
	if (page === 1) json(response, 200, { data, meta }, CLOSING);
	if (page === 2) setTimeout(() => json(response, 400, {}, CLOSING), 200);
}

test.each([
	['pages', 'n8n-nodes-cometchat.cometChat'],
	['pages', 'n8n-nodes-cometchat.cometChatTool'],
	['items', 'n8n-nodes-cometchat.cometChat'],
	['items', 'n8n-nodes-cometchat.cometChatTool'],
])('Nothing of a run that failed holds its process (%s of %s)', async (scenario, type) => {
	const reply: typeof hangingPages = (response, recorded) => {
		if (scenario === 'pages') hangingPages(response, recorded, 0);
		else if (recorded.url.endsWith('/105')) json(response, 400, {});
	};
	await withRecorder(reply, async (recorder) => {
		const { stdout } = await promisify(execFile)(
			process.execPath,
			[
				'--import',
				'tsx',
				join(__dirname, 'leftovers.child.ts'),
				recorder.baseUrl,
				recorder.apiKey,
				scenario,
				type,
			],
			{ cwd: join(__dirname, '../..') },
		);
		const exitedAt = Date.now();
		const { error, endedAt } = JSON.parse(stdout) as { error: string; endedAt: number };
		expect(error).toMatch(/^CometChat rejected a field value/);
		expect(exitedAt - endedAt).toBeLessThan(AT_ONCE_MS);
	});
});
