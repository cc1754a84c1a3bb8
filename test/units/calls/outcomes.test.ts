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
	const parts = ['done', 'unknown', 'refused', 'wrong', 'stopped', 'new'];
	expect(parts.map((part) => outcomes.recall(part))).toEqual([done, unknown, ...Array(4)]);
});

test.each<[number, number, number, string | undefined]>([
	[1, 0, 1, 'completed'],
	[0, 0, 1, undefined],
	[0, 1, 1, 'possibly completed'],
	[50, 0, 75, 'partly completed (50 of 75)'],
	[50, 10, 75, 'partly completed (50 of 75, possibly 60)'],
])('%i completed and %i unknown of %i changes are "%s"', (done, unknown, wanted, state) => {
	const outcomes = new ItemOutcomes();
	outcomes.wanted = wanted;
	for (let part = 0; part < done; part++) outcomes.record(`done ${part}`, { sent: {} });
	for (let part = 0; part < unknown; part++) {
		outcomes.record(`unknown ${part}`, { sent: {}, failure: createSendError(true) });
	}
	outcomes.record('refused', { sent: {}, failure: createSendError(false) });
	expect(outcomes.state).toBe(state);
});

test('shares outcomes between the attempts of an execution, but not between executions', () => {
	const execution = {};
	expect(getOutcomes(execution)).toBe(getOutcomes(execution));
	expect(getOutcomes({})).not.toBe(getOutcomes(execution));
});
