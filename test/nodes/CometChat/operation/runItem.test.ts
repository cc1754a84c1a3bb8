import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InputError } from '../../../../nodes/CometChat/transport/input';
import { MAX_IN_FLIGHT, StoppedError } from '../../../../nodes/CometChat/transport/pace';
import type { Pace } from '../../../../nodes/CometChat/transport/pace';
import type { Work } from '../../../../nodes/CometChat/transport/run';
import { operation } from '../../../../nodes/CometChat/transport/run';
import type { Channel } from '../../../../nodes/CometChat/transport/send';
import { ConnectionError } from '../../../../nodes/CometChat/transport/errors';
import { contextsOf, templateOf } from '../context';
import type { ContextOptions } from '../context';
import { KEY } from '../service';

const credentials = { apiKey: KEY, region: 'us', appId: 'app' };

const template = templateOf({ url: '/groups' });

const contexts = (options: Partial<ContextOptions> = {}) => contextsOf({ credentials, ...options });

const onError = { onError: 'continueRegularOutput' as const };

/** Runs the work for the items of one run, as n8n does: all at once. */
const run = async (work: Work, options: Partial<ContextOptions> = {}) =>
	await Promise.allSettled(
		contexts(options).map((context) => operation(work).call(context, template)),
	);

async function reasonOf(work: Work, options: Partial<ContextOptions> = {}): Promise<Error> {
	const [result] = await run(work, options);
	if (result.status === 'fulfilled') throw new Error('nothing failed');
	return result.reason;
}

describe('an operation', () => {
	test('gives every entity that the work keeps, paired with its input', async () => {
		const results = await run(
			async (context, _template, _channel, keep) => {
				keep([{ n: context.getItemIndex() }]);
				keep([{ more: true }]);
			},
			{ count: 2 },
		);
		expect(results).toEqual(
			[0, 1].map((item) => ({
				status: 'fulfilled',
				value: [
					{ json: { n: item }, pairedItem: { item } },
					{ json: { more: true }, pairedItem: { item } },
				],
			})),
		);
	});

	test('hands the work the credential, the options and one pace for all items of the run', async () => {
		const channels: Channel[] = [];
		const work: Work = async (_context, _template, channel) => void channels.push(channel);
		const first = { parameters: { options: { maxTries: 2, maxWait: 7 } }, count: 3 };
		for (const context of contexts(first)) {
			await operation(work).call(context, templateOf({ url: '/groups', timeout: 9 }));
		}
		expect(channels[0]).toMatchObject({
			credentials,
			settings: { timeout: 9 },
			patience: { maxTries: 2, maxWaitMs: 7_000 },
		});
		expect(new Set(channels.map(({ pace }) => pace)).size).toBe(1);
		await run(work);
		expect(channels[3].pace).not.toBe(channels[0].pace);
	});

	test('begins anew when n8n tries the whole run again', async () => {
		const paces: Pace[] = [];
		const work: Work = async (_context, _template, { pace }) => {
			paces.push(pace);
			throw new InputError('Limit', 'is wrong');
		};
		const items = contexts({ count: 2 });
		for (const context of [...items, ...items]) {
			await operation(work)
				.call(context, template)
				.catch(() => {});
		}
		expect(paces[0]).toBe(paces[1]);
		expect(paces[2]).toBe(paces[3]);
		expect(paces[2]).not.toBe(paces[0]);
		expect(paces[2].stopped).toBe(true);
	});

	test('keeps the items of a run at the pace of the run', async () => {
		let running = 0;
		let most = 0;
		await run(
			async (_context, _template, { pace }) => {
				const task = async () => {
					most = Math.max(most, ++running);
					await new Promise((resolve) => setImmediate(resolve));
					running--;
				};
				await pace.run(task, false, () => true);
			},
			{ count: 2 * MAX_IN_FLIGHT },
		);
		expect(most).toBe(MAX_IN_FLIGHT);
	});
});

describe('a failing item', () => {
	test('fails the run with the index of the item', async () => {
		const error = await reasonOf(async () => {
			throw new InputError('Limit', 'is wrong', 'Lower "Limit".');
		});
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: '"Limit" is wrong. Lower "Limit".',
			context: { itemIndex: 0 },
		});
	});

	test('says how many items came before, and how to keep them', async () => {
		const { message } = await reasonOf(async (_context, _template, _channel, keep) => {
			keep([{ a: 1 }, { a: 2 }]);
			throw new ConnectionError('ECONNRESET', 'cut');
		});
		expect(message).toMatch(/ 2 items had come before: to keep them, set "On Error"/);
	});

	test('holds the key nowhere', async () => {
		const error = await reasonOf(async () => {
			throw new ConnectionError('ECONNRESET', `refused ${KEY}`);
		});
		expect(error).toBeInstanceOf(NodeApiError);
		expect(JSON.stringify([{ ...error }, error.message, error.stack])).not.toContain(KEY);
	});

	test('stops the others, which give nothing, and nothing more is sent', async () => {
		const sent: number[] = [];
		const results = await run(
			async (context, _template, { pace }) => {
				const index = context.getItemIndex();
				if (index === 0) throw new InputError('Limit', 'is wrong');
				await pace.wait(60_000);
				sent.push(index);
			},
			{ count: 3 },
		);
		expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
		expect(results[1]).toMatchObject({ value: [] });
		expect(sent).toEqual([]);
	});

	test('on "Continue" is an item of its own, after what came, and the others go on', async () => {
		const results = await run(
			async (context, _template, _channel, keep) => {
				keep([{ ok: true }]);
				if (context.getItemIndex() === 0) throw new ConnectionError('ECONNRESET', `cut ${KEY}`);
			},
			{ count: 2, settings: onError },
		);
		expect(results).toMatchObject([
			{
				status: 'fulfilled',
				value: [
					{ json: { ok: true }, pairedItem: { item: 0 } },
					{
						json: {
							error: expect.stringMatching(/^The connection was cut.* 1 items? that came before/),
						},
						pairedItem: { item: 0 },
					},
				],
			},
			{ status: 'fulfilled', value: [{ json: { ok: true }, pairedItem: { item: 1 } }] },
		]);
		expect(JSON.stringify(results)).not.toContain(KEY);
	});

	test('of wrong options is refused like any other value', async () => {
		const work: Work = async () => {};
		const wrong = { parameters: { options: { maxTries: 0 } } };
		expect((await reasonOf(work, wrong)).message).toContain('"Max Tries" must be a whole number');
	});
});

describe('stopping the execution', () => {
	test('ends every item with nothing, and n8n itself says that it was stopped', async () => {
		const cancel = new AbortController();
		const running = run(async (_context, _template, { pace }) => await pace.wait(60_000), {
			count: 3,
			signal: cancel.signal,
		});
		setTimeout(() => cancel.abort(), 20);
		expect(await running).toEqual([0, 1, 2].map(() => ({ status: 'fulfilled', value: [] })));
	});

	test('is no error on "Continue" either', async () => {
		const work: Work = async () => {
			throw new StoppedError();
		};
		expect(await run(work, { settings: onError })).toEqual([{ status: 'fulfilled', value: [] }]);
	});
});

describe("with n8n's Batching", () => {
	const batching = { requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 60 } } } };

	const failing: Work = async () => {
		throw new InputError('Limit', 'is wrong');
	};

	/** Starts the items one after the other, as n8n does, and tells when the first one was rejected. */
	async function rejectedAfter(count: number, started: number, options: Partial<ContextOptions>) {
		const items = contexts({ count, parameters: batching, ...options });
		let begun = 0;
		let rejectedAt = NaN;
		const results = [];
		for (const context of items.slice(0, started)) {
			begun++;
			const result = operation(failing).call(context, template);
			results.push(
				result.catch(() => {
					if (Number.isNaN(rejectedAt)) rejectedAt = begun;
				}),
			);
			await new Promise((resolve) => setTimeout(resolve, 60));
		}
		await Promise.all(results);
		return rejectedAt;
	}

	test('an item is rejected only after n8n has started the last one', async () => {
		expect(await rejectedAfter(3, 3, {})).toBe(3);
	});

	test('an item is rejected all the same when n8n starts no further one', async () => {
		expect(await rejectedAfter(5, 1, {})).toBe(1);
	});

	test('of a node that runs once there is nothing to wait for', async () => {
		expect(await rejectedAfter(3, 1, { settings: { executeOnce: true } })).toBe(1);
	});
});
