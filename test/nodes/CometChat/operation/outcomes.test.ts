import { Outcomes } from '../../../../nodes/CometChat/operation/outcomes';
import { ConnectionError, SendError } from '../../../../nodes/CometChat/transport/failure';
import { StoppedError } from '../../../../nodes/CometChat/transport/limiter';
import { InterruptedError } from '../../../../nodes/CometChat/transport/send';
import type { RestRequest } from '../../../../nodes/CometChat/transport/types';

const remove: RestRequest = { method: 'DELETE', path: '/messages/5/reactions/a' };
const get: RestRequest = { method: 'GET', path: '/messages/5' };

const sendError = (outcomeUnknown: boolean) =>
	new SendError({
		error: new ConnectionError('ECONNRESET', 'cut'),
		attempts: 1,
		waitedMs: 0,
		outcomeUnknown,
	});

/** Sends and counts; what is thrown in an attempt comes from the list. */
function sender(...errors: Array<Error | undefined>) {
	let sent = 0;
	return {
		get sent() {
			return sent;
		},
		send: async () => {
			const error = errors[sent++];
			if (error) throw error;
			return { answer: sent };
		},
	};
}

test('what was done is not sent again in a later attempt at the run, and is returned again', async () => {
	const outcomes = new Outcomes();
	const work = sender();
	expect(await outcomes.once(0, remove, work.send)).toEqual({ answer: 1 });
	expect(await outcomes.once(0, { ...remove }, work.send)).toEqual({ answer: 1 });
	expect(work.sent).toBe(1);
});

test('two items may ask for the same thing, and one item for two', async () => {
	const outcomes = new Outcomes();
	const work = sender();
	await outcomes.once(0, remove, work.send);
	await outcomes.once(1, remove, work.send);
	await outcomes.once(0, { ...remove, path: '/messages/6/reactions/a' }, work.send);
	await outcomes.once(0, { ...remove, body: { a: 1 } }, work.send);
	await outcomes.once(0, { ...remove, headers: { onBehalfOf: 'ann' } }, work.send);
	expect(work.sent).toBe(5);
});

test('what only reads is sent every time', async () => {
	const outcomes = new Outcomes();
	const work = sender();
	await outcomes.once(0, get, work.send);
	expect(await outcomes.once(0, get, work.send)).toEqual({ answer: 2 });
});

test('what may have been done is not sent again: the error is the same', async () => {
	for (const thrown of [sendError(true), new InterruptedError(sendError(true))]) {
		const outcomes = new Outcomes();
		const work = sender(thrown);
		await expect(outcomes.once(0, remove, work.send)).rejects.toBe(thrown);
		await expect(outcomes.once(0, remove, work.send)).rejects.toMatchObject({
			failure: { outcomeUnknown: true },
		});
		await expect(outcomes.once(0, remove, work.send)).rejects.not.toBeInstanceOf(StoppedError);
		expect(work.sent).toBe(1);
	}
});

test.each([
	['was surely not done', sendError(false)],
	['was never sent', new StoppedError()],
	['was refused as an input', new Error('wrong')],
])('what %s is sent again', async (_, error) => {
	const outcomes = new Outcomes();
	const work = sender(error);
	await expect(outcomes.once(0, remove, work.send)).rejects.toBe(error);
	expect(await outcomes.once(0, remove, work.send)).toEqual({ answer: 2 });
});
