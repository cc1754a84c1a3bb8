import { ItemOutcomes, Outcomes, getOutcomes } from '../../../../nodes/CometChat/results/outcomes';
import { ConnectionError, SendError } from '../../../../nodes/CometChat/transport/failure';
import { StoppedError } from '../../../../nodes/CometChat/transport/limiter';

const createSendError = (outcomeUnknown: boolean) =>
	new SendError({
		error: new ConnectionError('ECONNRESET', 'cut'),
		attempts: 1,
		waitedMs: 0,
		outcomeUnknown,
	});

/** Creates a function that throws the given errors, one per call, then returns the number of calls. */
function createSender(...errors: Error[]) {
	let sent = 0;
	return async () => {
		const error = errors[sent++];
		if (error) throw error;
		return sent;
	};
}

test("returns a completed change's result without sending the change again", async () => {
	const outcomes = new ItemOutcomes();
	const change = createSender();
	expect(await outcomes.once(change)).toBe(1);
	expect(await outcomes.once(change)).toBe(1);
	expect(outcomes.counts).toEqual({ done: 1, unknown: 0 });
});

test('separates the outcomes of items and of parts of an item', () => {
	const outcomes = new Outcomes();
	outcomes.of(1).recordDone('ann', 'A');
	expect(outcomes.of(1).recall('ann')).toEqual({ done: 'A' });
	expect(outcomes.of(1).recall('bob')).toBeUndefined();
	expect(outcomes.of(11).recall('ann')).toBeUndefined();
});

test('throws the same error for a possibly completed change without sending the change again', async () => {
	const outcomes = new ItemOutcomes();
	const thrown = createSendError(true);
	const change = createSender(thrown);
	for (let attempt = 0; attempt < 2; attempt++) {
		await expect(outcomes.once(change)).rejects.toBe(thrown);
		expect(outcomes.counts).toEqual({ done: 0, unknown: 1 });
	}
});

test.each([
	['failed', createSendError(false)],
	['was stopped before it was sent', new StoppedError()],
	['ended with another error', new Error('wrong')],
])('sends a change again that %s', async (_, error) => {
	const outcomes = new ItemOutcomes();
	const change = createSender(error);
	await expect(outcomes.once(change)).rejects.toBe(error);
	expect(outcomes.counts).toEqual({ done: 0, unknown: 0 });
	expect(await outcomes.once(change)).toBe(2);
});

test('shares outcomes between the attempts of an execution, but not between executions', () => {
	const execution = {};
	expect(getOutcomes(execution)).toBe(getOutcomes(execution));
	expect(getOutcomes({})).not.toBe(getOutcomes(execution));
});
