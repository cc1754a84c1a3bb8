import type { IDataObject } from 'n8n-workflow';
import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

import {
	AS_TOOL,
	errorOf,
	get,
	itemsOf,
	jsonOf,
	list,
	removeReaction,
	useSandbox,
	wire,
} from './harness';
import { json, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox();

/** Some versions of n8n keep the connection of a response that came, and none of those that did not. */
const CLOSING = { connection: 'close' };

/** Generous: what is being waited for takes a minute. */
const AT_ONCE_MS = 3_000;

const GET_EACH = get('={{ $json.id }}');

async function elapsed(work: () => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	await work();
	return performance.now() - startedAt;
}

describe('Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	const REMOVE_EACH = removeReaction('={{ $json.id }}', '={{ $json.reaction }}', 'mira');

	/** Requests per reaction. */
	function counts(): number[] {
		const lines = wire(sandbox());
		return [0, 1, 2, 3, 4].map(
			(index) => lines.filter((line) => line.endsWith(`/reactions/r${index}`)).length,
		);
	}

	/** Messages that mira may see. */
	const IDS = ['101', '102', '108', '109', '110'];

	/** Five reactions of mira, each to a message of its own, of which the first was never made. */
	function reactions(): IDataObject[] {
		const input = IDS.map((id, index) => ({ id, reaction: `r${index}` }));
		for (const { id, reaction } of input.slice(1))
			sandbox().store.addReaction(id, 'mira', reaction);
		return input;
	}

	test('repeats no removal under "Continue", where the good ones stay good', async () => {
		const [first, ...others] = await jsonOf(sandbox(), REMOVE_EACH, {
			input: reactions(),
			settings,
			onError: 'continueRegularOutput',
		});
		expect(first.error).toContain('(ERR_REACTION_NOT_FOUND)');
		expect(others.map(({ id, error }) => [id, error])).toEqual(
			IDS.slice(1).map((id) => [id, undefined]),
		);
		expect(counts()).toEqual([3, 1, 1, 1, 1]);
	});

	test('reads again what may have changed, all of it', async () => {
		sandbox().setFaults([{ match: { nth: [3] }, effect: { status: { status: 400 } } }]);
		const input = Array.from({ length: 80 }, (_, index) => ({ id: String(101 + (index % 16)) }));
		const items = await itemsOf(sandbox(), GET_EACH, { input, settings });
		expect(items.map(({ json: { id } }) => id)).toEqual(input.map(({ id }) => id));
		expect(sandbox().log.length).toBeGreaterThanOrEqual(83);
	});

	test('is not held back by a rate limit of the first attempt', async () => {
		sandbox().setFaults([{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 3600 } } }]);
		expect(await itemsOf(sandbox(), get('101'), { settings })).toHaveLength(1);
		expect(sandbox().log.map(({ status }) => status)).toEqual([429, 200]);
	});
});

/** A list of 100 pages, whose first page comes, whose second is refused and whose others hang. */
const hangingPages: Reply = (response, { url }) => {
	const page = Number(new URL(url, 'http://service').searchParams.get('page'));
	const data = Array.from({ length: 10 }, (_, index) => ({ guid: `${page}-${index}` }));
	const meta = { pagination: { total: 1_000, total_pages: 100, per_page: 10, current_page: page } };
	if (page === 1) json(response, 200, { data, meta }, CLOSING);
	if (page === 2) setTimeout(() => json(response, 400, {}, CLOSING), 100);
};

describe('After a failure', () => {
	const TIMEOUT = { requestOptions: { timeout: 300 } };

	const ALL = { ...list({ returnAll: true, options: { perPage: 10 } }), ...TIMEOUT };

	test('an item that fails is reported when the time limit of hanging requests ends', async () => {
		await withRecorder(
			(response, { url }) => {
				const body = { error: { code: 'ERR_MSG_NOT_FOUND' } };
				if (url.endsWith('/999')) json(response, 404, body, CLOSING);
			},
			async (recorder) => {
				const input = ['101', '102', '999', '103'].map((id) => ({ id }));
				const tookMs = await elapsed(async () => {
					const { message } = await errorOf(recorder, { ...GET_EACH, ...TIMEOUT }, { input });
					expect(message).toMatch(/^No message has this ID/);
				});
				expect(tookMs).toBeLessThan(AT_ONCE_MS);
				expect(recorder.requests).toHaveLength(4);
				await wait(50);
				expect(await recorder.connections()).toBe(0);
			},
		);
	});

	test('pages fetched ahead leave no socket behind', async () => {
		await withRecorder(hangingPages, async (recorder) => {
			const { description } = await errorOf(recorder, ALL);
			expect(description).toContain('The 10 items fetched before this are lost');
			expect(recorder.requests.length).toBeGreaterThan(4);
			await wait(400);
			expect(await recorder.connections()).toBe(0);
		});
	});

	test.each([
		['good', {}],
		['good', AS_TOOL],
		['failing', {}],
	])(
		'no listener stays on the signal of the execution (a %s run of %j)',
		async (which, settings) => {
			const added = new Map<AbortSignal, number>();
			const add = AbortSignal.prototype.addEventListener;
			jest.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
				this: AbortSignal,
				...args: Parameters<typeof add>
			) {
				added.set(this, (added.get(this) ?? 0) + 1);
				add.apply(this, args);
			});
			// n8n's signal outlives the requests, so it gets the most listeners
			const listeners = () => {
				const [[signal]] = [...added].sort(([, a], [, b]) => b - a);
				return getEventListeners(signal, 'abort').length;
			};
			let during = 0;
			const onRequest = () => {
				during = Math.max(during, listeners());
			};
			try {
				if (which === 'good') await itemsOf(sandbox(), ALL, { onRequest, settings });
				else {
					await withRecorder(hangingPages, async (recorder) => {
						await errorOf(recorder, ALL, { onRequest });
					});
				}
				await wait(400);
				expect(during).toBeGreaterThan(1);
				expect(listeners()).toBe(0);
			} finally {
				jest.restoreAllMocks();
			}
		},
	);

	test('nothing of a run holds its process, and no rejection is left unhandled', async () => {
		const reply: Reply = (response, recorded, number) => {
			if (recorded.url.startsWith('/groups')) hangingPages(response, recorded, number);
			else if (recorded.url.endsWith('/105')) json(response, 400, {});
		};
		await withRecorder(reply, async (recorder) => {
			const child = join(__dirname, 'leftovers.child.ts');
			const { stdout } = await promisify(execFile)(
				process.execPath,
				['--import', 'tsx', child, recorder.baseUrl, recorder.apiKey],
				{ cwd: join(__dirname, '../..') },
			);
			const exitedAt = Date.now();
			const { errors, unhandled, endedAt } = JSON.parse(stdout) as {
				errors: string[];
				unhandled: string[];
				endedAt: number;
			};
			expect(errors).toHaveLength(3);
			for (const error of errors) expect(error).toMatch(/^CometChat rejected a field value/);
			expect(unhandled).toEqual([]);
			expect(exitedAt - endedAt).toBeLessThan(AT_ONCE_MS);
		});
	});
});
