import { Outcomes, outcomesOf } from '../../../../nodes/CometChat/operation/idempotency';
import { ConnectionError, SendError } from '../../../../nodes/CometChat/transport/failure';
import { StoppedError } from '../../../../nodes/CometChat/transport/limiter';
import { InterruptedError } from '../../../../nodes/CometChat/transport/send';

const sendError = (outcomeUnknown: boolean) =>
	new SendError({
		error: new ConnectionError('ECONNRESET', 'cut'),
		attempts: 1,
		waitedMs: 0,
		outcomeUnknown,
	});

/** Sends and counts; what is thrown comes from the list. */
function sender(...errors: Error[]) {
	let sent = 0;
	return async () => {
		const error = errors[sent++];
		if (error) throw error;
		return sent;
	};
}

test('what was done is not sent again, and is returned again, also while it is under way', async () => {
	const outcomes = new Outcomes();
	const change = sender();
	const both = [outcomes.once(0, 0, change), outcomes.once(0, 0, change)];
	expect(await Promise.all(both)).toEqual([1, 1]);
	expect(await outcomes.once(0, 0, change)).toBe(1);
});

test('each item, and each request of an item, is a change of its own', async () => {
	const outcomes = new Outcomes();
	const change = sender();
	const places = [
		[0, 0],
		[0, 1],
		[1, 0],
		[1, 11],
		[11, 1],
	];
	for (const [index, part] of places) await outcomes.once(index, part, change);
	expect(await change()).toBe(places.length + 1);
});

test('what may have been done is not sent again: the error is the same', async () => {
	for (const thrown of [sendError(true), new InterruptedError(sendError(true))]) {
		const outcomes = new Outcomes();
		const change = sender(thrown);
		await expect(outcomes.once(0, 0, change)).rejects.toBe(thrown);
		// In the next attempt at the run nothing was stopped
		const again: unknown = await outcomes.once(0, 0, change).catch((error: unknown) => error);
		expect(again).toBeInstanceOf(SendError);
		expect(again).toMatchObject({ failure: { outcomeUnknown: true } });
	}
});

test.each([
	['was surely not done', sendError(false)],
	['was stopped before it was sent', new StoppedError()],
	['was stopped, and surely not done', new InterruptedError(sendError(false))],
	['ended with another error', new Error('wrong')],
])('what %s is sent again', async (_, error) => {
	const outcomes = new Outcomes();
	const change = sender(error);
	await expect(outcomes.once(0, 0, change)).rejects.toBe(error);
	expect(await outcomes.once(0, 0, change)).toBe(2);
});

test('all attempts at one execution share what became of it, and no other execution does', () => {
	const execution = {};
	expect(outcomesOf(execution)).toBe(outcomesOf(execution));
	expect(outcomesOf({})).not.toBe(outcomesOf(execution));
});
