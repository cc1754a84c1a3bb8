import {
	ChangeOutcomesOfItem,
	findOrCreateChangeOutcomesOfRun,
} from '../../../nodes/CometChat/calls/outcomes';
import {
	ConnectionError,
	FailedAttemptsError,
	StoppedError,
	unwrapFailedAttemptsError,
	requestMayHaveWorked,
} from '../../../nodes/CometChat/transport/failure';

const createSendError = (isInDoubt: boolean, isRepeatable = false) =>
	new FailedAttemptsError({
		error: new ConnectionError('ECONNRESET', 'cut'),
		attempts: 1,
		elapsedMs: 0,
		mayHaveWorked: isInDoubt,
		isRepeatable,
	});

/** Records a change whose request failed, but may have worked. */
function recordDoubt(outcomes: ChangeOutcomesOfItem, part: string, isRepeatable = false): void {
	outcomes.recordPossiblyMade([part]);
	outcomes.recordChangeResult(part, { received: {}, failure: createSendError(true, isRepeatable) });
}

test('returns completed changes, and changes that could be made twice, but no refused ones', () => {
	const outcomes = new ChangeOutcomesOfItem();
	const done = { received: { id: '1' } };
	outcomes.recordChangeResult('done', done);
	recordDoubt(outcomes, 'unknown');
	recordDoubt(outcomes, 'repeatable', true);
	outcomes.recordChangeResult('refused', { received: {}, failure: createSendError(false) });
	outcomes.recordChangeResult('wrong', { received: {}, failure: new Error('wrong') });
	outcomes.recordChangeResult('stopped', { received: {}, failure: new StoppedError() });
	const parts = ['done', 'unknown', 'repeatable', 'refused', 'wrong', 'stopped', 'new'];
	expect(
		parts.filter((part) => outcomes.getChangeResultIfNotResendable(part) !== undefined),
	).toEqual(['done', 'unknown']);
	expect(outcomes.getChangeResultIfNotResendable('done')).toBe(done);
});

test.each<[string, unknown]>([
	['a refusal', createSendError(false, true)],
	['an invalid value', new Error('wrong')],
])('a doubt outlives %s', (_, failure) => {
	const outcomes = new ChangeOutcomesOfItem();
	recordDoubt(outcomes, '', true);
	const results = [1, 2].map(() => outcomes.recordChangeResult('', { received: {}, failure }));
	expect(results.map((result) => requestMayHaveWorked(result.failure))).toEqual([true, true]);
	expect(outcomes.state).toBe('possibly completed');
	outcomes.recordChangeResult('', { received: {} });
	expect(outcomes.state).toBe('completed');
});

test("an entry's refusal after a doubt says that the change may have worked", () => {
	const outcomes = new ChangeOutcomesOfItem();
	outcomes.recordPossiblyMade(['leo', 'noor']);
	const [leo, noor, mira] = ['leo', 'noor', 'mira'].map(
		(part) => outcomes.recordChangeResult(part, { received: {}, failure: 'No such user' }).failure,
	);
	expect([leo, noor].map(requestMayHaveWorked)).toEqual([true, true]);
	expect([leo, noor].map(unwrapFailedAttemptsError)).toEqual(['No such user', 'No such user']);
	expect(mira).toBe('No such user');
});

test('entries that fail together after a doubt share the cause of their failure', () => {
	const outcomes = new ChangeOutcomesOfItem();
	outcomes.recordPossiblyMade(['leo', 'mira']);
	const failure = createSendError(false, true);
	const [leo, mira, noor] = ['leo', 'mira', 'noor'].map(
		(part) => outcomes.recordChangeResult(part, { received: {}, failure }).failure,
	);
	expect([leo, mira].map(requestMayHaveWorked)).toEqual([true, true]);
	expect(unwrapFailedAttemptsError(leo)).toBe(unwrapFailedAttemptsError(mira));
	expect(unwrapFailedAttemptsError(leo)).toBe(unwrapFailedAttemptsError(failure));
	expect(noor).toBe(failure);
});

test('a stopped run keeps its doubts', () => {
	const outcomes = new ChangeOutcomesOfItem();
	outcomes.recordPossiblyMade(['']);
	const failure = new StoppedError();
	expect(outcomes.recordChangeResult('', { received: {}, failure }).failure).toBe(failure);
	expect([outcomes.getChangeResultEvenIfFailed(''), outcomes.state]).toEqual([
		undefined,
		'possibly completed',
	]);
});

test.each<[number, number, number, string | undefined]>([
	[1, 0, 1, 'completed'],
	[0, 0, 1, undefined],
	[0, 1, 1, 'possibly completed'],
	[50, 0, 75, 'partly completed (50 of 75)'],
	[50, 10, 75, 'partly completed (50 of 75, possibly 60)'],
])('%i completed and %i unknown of %i changes are "%s"', (done, unknown, wanted, state) => {
	const outcomes = new ChangeOutcomesOfItem();
	outcomes.changeCount = wanted;
	for (let part = 0; part < done; part++)
		outcomes.recordChangeResult(`done ${part}`, { received: {} });
	for (let part = 0; part < unknown; part++) recordDoubt(outcomes, `unknown ${part}`);
	outcomes.recordChangeResult('refused', { received: {}, failure: createSendError(false) });
	expect(outcomes.state).toBe(state);
});

test('shares outcomes between the attempts of an execution, but not between executions', () => {
	const execution = {};
	expect(findOrCreateChangeOutcomesOfRun(execution)).toBe(
		findOrCreateChangeOutcomesOfRun(execution),
	);
	expect(findOrCreateChangeOutcomesOfRun({})).not.toBe(findOrCreateChangeOutcomesOfRun(execution));
});
