import { ItemOutcomes, Outcomes, getOutcomes } from '../../../../nodes/CometChat/results/outcomes';
import { ConnectionError, SendError } from '../../../../nodes/CometChat/transport/failure';
import { StoppedError } from '../../../../nodes/CometChat/transport/limiter';

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

test('what was done is not sent again, and is returned again', async () => {
	const outcomes = new ItemOutcomes();
	const change = sender();
	expect(await outcomes.once(change)).toBe(1);
	expect(await outcomes.once(change)).toBe(1);
	expect(outcomes.counts).toEqual({ done: 1, unknown: 0 });
});

test('each item, and each part of an item, is a change of its own', () => {
	const outcomes = new Outcomes();
	outcomes.of(1).recordDone('ann', 'A');
	expect(outcomes.of(1).recall('ann')).toEqual({ done: 'A' });
	expect(outcomes.of(1).recall('bob')).toBeUndefined();
	expect(outcomes.of(11).recall('ann')).toBeUndefined();
});

test('what may have been done is not sent again: the error is the same', async () => {
	const outcomes = new ItemOutcomes();
	const thrown = sendError(true);
	const change = sender(thrown);
	await expect(outcomes.once(change)).rejects.toBe(thrown);
	expect(outcomes.counts).toEqual({ done: 0, unknown: 1 });
	await expect(outcomes.once(change)).rejects.toBe(thrown);
});

test.each([
	['was surely not done', sendError(false)],
	['was stopped before it was sent', new StoppedError()],
	['ended with another error', new Error('wrong')],
])('what %s is sent again', async (_, error) => {
	const outcomes = new ItemOutcomes();
	const change = sender(error);
	await expect(outcomes.once(change)).rejects.toBe(error);
	expect(outcomes.counts).toEqual({ done: 0, unknown: 0 });
	expect(await outcomes.once(change)).toBe(2);
});

test('all attempts at one execution share what became of it, and no other execution does', () => {
	const execution = {};
	expect(getOutcomes(execution)).toBe(getOutcomes(execution));
	expect(getOutcomes({})).not.toBe(getOutcomes(execution));
});
