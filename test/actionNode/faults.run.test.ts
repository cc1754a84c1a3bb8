import { setTimeout as wait } from 'node:timers/promises';

import {
	AS_TOOL,
	CONTINUE,
	errorOf,
	get,
	itemsOf,
	jsonOf,
	list,
	removeReaction,
	runChild,
	useSandbox,
} from './harness';
import { json, withRecorder, type Reply } from './recorder';
import { watchSignals } from './watchSignals';

const sandbox = useSandbox();

/**
 * Header that closes the connection after the response. Without this header, some n8n versions keep the
 * connection open.
 */
const CLOSING = { connection: 'close' };

/**
 * Maximum run time in milliseconds. Longer than the requests' time limit, and shorter than the default
 * maximum wait.
 */
const SOON_MS = 20_000;

const GET_EACH = get('={{ $json.id }}');

describe('Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	test('with "Continue" retries only the changes that failed', async () => {
		/** Messages that the user Mira can see. Only the first message lacks her reaction. */
		const ids = ['101', '102', '108', '109', '110'];
		for (const id of ids.slice(1)) sandbox().store.addReaction(id, 'mira', 'mark');
		const items = await jsonOf(sandbox(), removeReaction('={{ $json.id }}', 'mark', 'mira'), {
			...{ ...CONTINUE, settings, input: ids.map((id) => ({ id })) },
		});
		const [first, ...others] = items;
		expect(first.error).toContain('(ERR_REACTION_NOT_FOUND)');
		expect(others.map(({ id, error }) => [id, error])).toEqual(
			ids.slice(1).map((id) => [id, undefined]),
		);
		const sent = sandbox().log.map(({ path }) => path.split('/')[3]);
		expect(sent.sort()).toEqual(['101', '101', ...ids]);
	});

	test('retries all reads', async () => {
		sandbox().setFaults([{ match: { nth: [3] }, effect: { status: { status: 400 } } }]);
		const input = Array.from({ length: 80 }, (_, index) => ({ id: String(101 + (index % 16)) }));
		const items = await itemsOf(sandbox(), GET_EACH, { input, settings });
		expect(items.map(({ json: { id } }) => id)).toEqual(input.map(({ id }) => id));
		expect(sandbox().log.length).toBeGreaterThanOrEqual(83);
	});

	test('does not wait for a rate limit of the first attempt', async () => {
		sandbox().setFaults([{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 3600 } } }]);
		expect(await itemsOf(sandbox(), get('101'), { settings })).toHaveLength(1);
		expect(sandbox().log.map(({ status }) => status)).toEqual([429, 200]);
	});
});

/** Returns the first of 100 pages, rejects the second page, and never responds to later pages. */
const hangingPages: Reply = (response, { url }) => {
	const page = Number(new URL(url, 'http://service').searchParams.get('page'));
	const data = Array.from({ length: 10 }, (_, index) => ({ guid: `${page}-${index}` }));
	const meta = { pagination: { total: 1_000, total_pages: 100, per_page: 10, current_page: page } };
	if (page === 1) json(response, 200, { data, meta }, CLOSING);
	if (page === 2) setTimeout(() => json(response, 400, {}, CLOSING), 100);
};

test('After failures, runs end soon, and leave neither open connections nor unhandled rejections', async () => {
	const reply: Reply = (response, recorded, number) => {
		if (recorded.url.startsWith('/groups')) hangingPages(response, recorded, number);
		else if (recorded.url.endsWith('/105')) json(response, 400, {});
	};
	await withRecorder(reply, async ({ baseUrl, apiKey }) => {
		const { errors, unhandled, times, endedAt } = await runChild<{
			errors: string[];
			unhandled: string[];
			times: number[];
			endedAt: number;
		}>('leftovers.child.ts', [baseUrl, apiKey]);
		expect(errors).toEqual(Array(3).fill(expect.stringMatching(/^CometChat rejected a field/)));
		expect(unhandled).toEqual([]);
		for (const ms of times) expect(ms).toBeLessThan(SOON_MS);
		// An open connection keeps the process alive
		expect(Date.now() - endedAt).toBeLessThan(SOON_MS);
	});
}, 120_000);

test.each([
	['successful', {}],
	['successful', AS_TOOL],
	['failing', {}],
])("A %s run removes its listeners from the execution's signal (%j)", async (kind, settings) => {
	const parameters = list({
		...{ returnAll: true, options: { perPage: 10 } },
		requestOptions: { timeout: 300 },
	});
	const signals = watchSignals();
	let during = 0;
	const onRequest = () => {
		during = Math.max(during, signals.countLeft());
	};
	try {
		if (kind === 'successful') await itemsOf(sandbox(), parameters, { onRequest, settings });
		else {
			await withRecorder(hangingPages, async (recorder) => {
				await errorOf(recorder, parameters, { onRequest });
			});
		}
		await wait(400);
		expect(during).toBeGreaterThan(1);
		expect(signals.countLeft()).toBe(0);
	} finally {
		signals.stop();
	}
});
