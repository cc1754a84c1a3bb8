import { ItemOutcomes, getOutcomes } from '../../../nodes/CometChat/calls/outcomes';
import {
	ConnectionError,
	SendError,
	StoppedError,
} from '../../../nodes/CometChat/transport/failure';

const createSendError = (outcomeUnknown: boolean) =>
	new SendError({
		error: new ConnectionError('ECONNRESET', 'cut'),
		attempts: 1,
		elapsedMs: 0,
		mayHaveWorked: outcomeUnknown,
		outcomeUnknown,
	});

test('returns completed and possibly completed changes, but not refused ones', () => {
	const outcomes = new ItemOutcomes();
	const done = { sent: { id: '1' } };
	const unknown = { sent: {}, failure: createSendError(true) };
	outcomes.record('done', done);
	outcomes.record('unknown', unknown);
	outcomes.record('refused', { sent: {}, failure: createSendError(false) });
	outcomes.record('wrong', { sent: {}, failure: new Error('wrong') });
	outcomes.record('stopped', { sent: {}, failure: new StoppedError() });
	// A change that is repeated without harm, and that was stopped between its attempts
	outcomes.record('repeatable', { sent: {}, failure: new StoppedError(true) });
	const parts = ['done', 'unknown', 'refused', 'wrong', 'stopped', 'repeatable', 'new'];
	expect(parts.map((part) => outcomes.recall(part))).toEqual([done, unknown, ...Array(5)]);
	expect(outcomes.counts).toEqual({ done: 1, unknown: 2, refused: 2 });
});

test('shares outcomes between the attempts of an execution, but not between executions', () => {
	const execution = {};
	expect(getOutcomes(execution)).toBe(getOutcomes(execution));
	expect(getOutcomes({})).not.toBe(getOutcomes(execution));
});
