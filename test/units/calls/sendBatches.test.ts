import type { IDataObject } from 'n8n-workflow';

import { ChangeOutcomesOfItem } from '../../../nodes/CometChat/calls/outcomes';
import { sendListInBatches } from '../../../nodes/CometChat/calls/sendBatches';
import type { BatchResponseSettings, UnconvertedResult } from '../../../nodes/CometChat/types';
import {
	FailedAttemptsError,
	ErrorResponseError,
	StoppedError,
} from '../../../nodes/CometChat/transport/failure';
import { createCall } from './call';

const each: BatchResponseSettings = {
	each: {
		name: 'member',
		plural: 'members',
		id: 'uid',
		columns: { uid: ({ uid }) => uid, success: ({ success }) => success },
		resultOf: (sent, entry) => ({
			columns: { success: sent !== undefined },
			received: sent ? { part: sent.part } : {},
			failure: sent?.refused === entry ? 'refused' : undefined,
		}),
	},
	listParameter: 'uids',
	batchSize: 2,
	entry: 'member',
	changed: 'added',
};

const fail = (error: Error, isInDoubt = false) =>
	new FailedAttemptsError({
		error,
		attempts: 1,
		elapsedMs: 0,
		mayHaveWorked: isInDoubt,
		isRepeatable: false,
	});

const failWithStatus = (statusCode: number): [string, Error] => [
	`status ${statusCode}`,
	fail(new ErrorResponseError({ statusCode, headers: {}, body: '' })),
];

const UIDS = ['a', 'b', 'c', 'd', 'e'];

/** Sends five UIDs in batches of two, and returns the results and request bodies. */
async function sendAll(
	respond: (part: number) => unknown,
	values: IDataObject = {},
	outcomes = new ChangeOutcomesOfItem(),
	doubtedPart?: number,
) {
	const bodies: unknown[] = [];
	const call = createCall(() => undefined, { uids: UIDS, output: 'simplified', ...values });
	const results: UnconvertedResult[] = [];
	const generator = sendListInBatches(each, {
		...{ ...call, outcomes },
		// `sendListInBatches` requires the body and the values to contain the same list
		request: { method: 'POST', path: '/members', body: { uids: UIDS, scope: 'x' } },
		client: {
			...call.client,
			sendAndReadAsOutcome: async (request, read) => {
				const part = bodies.push(request.body) - 1;
				const failedAttemptMayHaveWorked = part === doubtedPart;
				try {
					const response = { statusCode: 200, headers: {}, body: { data: await respond(part) } };
					return { value: read(response), failedAttemptMayHaveWorked };
				} catch (failure) {
					return { failure: failure as Error, failedAttemptMayHaveWorked };
				}
			},
		},
	});
	for await (const some of generator) results.push(...some);
	return { bodies, results };
}

test('sends one batch of the list per request, and returns a result for each entry, in order', async () => {
	const { bodies, results } = await sendAll((part) => ({ part, refused: 'c' }));
	expect(bodies).toEqual([
		{ uids: ['a', 'b'], scope: 'x' },
		{ uids: ['c', 'd'], scope: 'x' },
		{ uids: ['e'], scope: 'x' },
	]);
	expect(results).toEqual(
		UIDS.map((entry, index) => ({
			columns: { success: true },
			// CometChat's part of the response does not contain the UID
			received: { uid: entry, part: Math.floor(index / 2) },
			entry,
			failure: entry === 'c' ? 'refused' : undefined,
		})),
	);
});

test.each<[string, Error]>([
	...[400, 403, 404, 428, 430, 500].map(failWithStatus),
	['a broken connection', fail(new Error('cut'), true)],
])('sends the next batches after %s', async (_, error) => {
	const { bodies, results } = await sendAll((part) => {
		if (part === 0) throw error;
		return { ok: true };
	});
	expect(bodies).toHaveLength(3);
	const failures = [error, error, undefined, undefined, undefined];
	expect(results.map(({ failure }) => failure)).toEqual(failures);
	expect(results[0]).toMatchObject({ received: { uid: 'a' }, columns: { success: false } });
});

test.each<[string, Error]>([
	...[401, 429].map(failWithStatus),
	['an unknown error', new Error('odd')],
	['a connection that was not established', fail(new Error('cut'))],
])('sends no more batches after %s, and fails their entries', async (_, error) => {
	const { bodies, results } = await sendAll((part) => {
		if (part === 1) throw error;
		return { ok: true };
	});
	expect(bodies).toHaveLength(2);
	const failures = [undefined, undefined, error, error, error];
	expect(results.map(({ failure }) => failure)).toEqual(failures);
});

test.each([
	[undefined, undefined],
	[0, 'possibly completed'],
])('throws when the run is stopped, after a doubt in batch %s', async (doubted, state) => {
	const stopped = new StoppedError();
	const outcomes = new ChangeOutcomesOfItem();
	const sending = sendAll(() => Promise.reject(stopped), {}, outcomes, doubted);
	await expect(sending).rejects.toBe(stopped);
	expect(outcomes.state).toBe(state);
});

test('remembers which entries may have been changed', async () => {
	const outcomes = new ChangeOutcomesOfItem();
	await sendAll(() => ({ ok: true }), {}, outcomes, 1);
	expect(UIDS.filter((uid) => outcomes.isPossiblyMade(uid))).toEqual(['c', 'd']);
});
