import type { IDataObject } from 'n8n-workflow';

import { sendBatches } from '../../../../nodes/CometChat/results/sendBatches';
import type { BatchResponse, Result } from '../../../../nodes/CometChat/description/types';
import { SendError, StatusError } from '../../../../nodes/CometChat/transport/failure';
import { StoppedError } from '../../../../nodes/CometChat/transport/limiter';
import { callOf } from './call';

const each: BatchResponse = {
	each: {
		name: 'member',
		plural: 'members',
		id: 'uid',
		columns: { uid: ({ uid }) => uid, success: ({ success }) => success },
		resultOf: (sent, entry) => ({
			entity: { uid: entry, success: sent !== undefined },
			sent: sent && { part: sent.part },
			failure: sent?.refused === entry ? 'refused' : undefined,
		}),
	},
	listParameter: 'uids',
	batchSize: 2,
	entry: 'member',
	failedText: 'could not be added',
	unknownText: 'may have been added',
};

const status = (statusCode: number) =>
	new SendError({
		error: new StatusError({ statusCode, headers: {}, body: '' }),
		attempts: 1,
		waitedMs: 0,
		outcomeUnknown: false,
	});

const UIDS = ['a', 'b', 'c', 'd', 'e'];

/** The results of sending five UIDs, two at a time, and what was sent. */
async function sent(respond: (part: number) => unknown, values: IDataObject = {}) {
	const bodies: unknown[] = [];
	const call = callOf(
		() => undefined,
		{ uids: UIDS, output: 'simplified', ...values },
		{ uids: UIDS, scope: 'x' },
	);
	// The list in the body is the one that was read
	const body = { ...call.request.body, uids: call.values.uids as string[] };
	const results: Result[] = [];
	const generator = sendBatches(each, {
		...call,
		request: { method: 'POST', path: '/members', body },
		client: {
			send: async (request, read, part = 0) => {
				bodies[part] = request.body;
				return read({ statusCode: 200, headers: {}, body: { data: await respond(part) } });
			},
		},
	});
	for await (const some of generator) results.push(...some);
	return { bodies, results };
}

test('each entry has a result, in order, and each batch its part of the list in the body', async () => {
	const { bodies, results } = await sent((part) => ({ part, refused: 'c' }));
	expect(bodies).toEqual([
		{ uids: ['a', 'b'], scope: 'x' },
		{ uids: ['c', 'd'], scope: 'x' },
		{ uids: ['e'], scope: 'x' },
	]);
	expect(results).toEqual(
		UIDS.map((entry) => ({
			entity: { uid: entry, success: true },
			sent: { part: Math.floor(UIDS.indexOf(entry) / 2) },
			entry,
			failure: entry === 'c' ? 'refused' : undefined,
		})),
	);
});

test('Raw is what was sent for the entry, with its UID', async () => {
	const { results } = await sent((part) => ({ part }), { output: 'raw' });
	expect(results.map(({ entity }) => entity)).toEqual(
		UIDS.map((uid, index) => ({ uid, part: Math.floor(index / 2) })),
	);
});

test.each<[string, Error]>([
	...[400, 403, 404, 428, 430, 500].map((code): [string, Error] => [
		`status ${code}`,
		status(code),
	]),
	[
		'a connection that broke',
		new SendError({ error: new Error('cut'), attempts: 1, waitedMs: 0, outcomeUnknown: true }),
	],
])('a batch that ended with %s leaves the next ones alone', async (_, error) => {
	const { bodies, results } = await sent((part) => {
		if (part === 0) throw error;
		return { ok: true };
	});
	expect(bodies).toHaveLength(3);
	expect(results.map(({ failure }) => failure)).toEqual([
		error,
		error,
		undefined,
		undefined,
		undefined,
	]);
	expect(results[0].entity).toEqual({ uid: 'a', success: false });
});

test.each<[string, Error]>([
	...[401, 429].map((code): [string, Error] => [`status ${code}`, status(code)]),
	['anything else', new Error('odd')],
	[
		'a connection that did not come about',
		new SendError({ error: new Error('cut'), attempts: 1, waitedMs: 0, outcomeUnknown: false }),
	],
])('after %s no other batch is sent, and its entries have failed as well', async (_, error) => {
	const { bodies, results } = await sent((part) => {
		if (part === 1) throw error;
		return { ok: true };
	});
	expect(bodies).toHaveLength(2);
	expect(results.map(({ failure }) => failure)).toEqual([
		undefined,
		undefined,
		error,
		error,
		error,
	]);
});

test('when the run is stopped no entry has failed', async () => {
	const stopped = new StoppedError();
	await expect(
		sent(() => {
			throw stopped;
		}),
	).rejects.toBe(stopped);
});
