import { OutcomesOfAllAttempts, getOutcomes } from '../../../nodes/CometChat/calls/outcomes';
import {
	ConnectionError,
	RequestError,
	StoppedError,
	unwrapRequestError,
	mayHaveWorked,
} from '../../../nodes/CometChat/transport/failure';
import { collectGarbage } from '../../collectGarbage';

const createSendError = (isInDoubt: boolean, isRepeatable = false) =>
	new RequestError({
		error: new ConnectionError('ECONNRESET', 'cut'),
		attempts: 1,
		elapsedMs: 0,
		mayHaveWorked: isInDoubt,
		isRepeatable,
	});

/** Records a change whose request failed, but may have worked. */
function recordDoubt(outcomes: OutcomesOfAllAttempts, part: string, isRepeatable = false): void {
	outcomes.doubt([part]);
	outcomes.record(part, { received: {}, failure: createSendError(true, isRepeatable) });
}

test('returns completed changes, and changes that could be made twice, but no refused ones', () => {
	const outcomes = new OutcomesOfAllAttempts();
	const done = { received: { id: '1' } };
	outcomes.record('done', done);
	recordDoubt(outcomes, 'unknown');
	recordDoubt(outcomes, 'repeatable', true);
	outcomes.record('refused', { received: {}, failure: createSendError(false) });
	outcomes.record('wrong', { received: {}, failure: new Error('wrong') });
	outcomes.record('stopped', { received: {}, failure: new StoppedError() });
	const parts = ['done', 'unknown', 'repeatable', 'refused', 'wrong', 'stopped', 'new'];
	expect(parts.filter((part) => outcomes.getFinal(part) !== undefined)).toEqual([
		'done',
		'unknown',
	]);
	expect(outcomes.getFinal('done')).toBe(done);
});

test.each<[string, unknown]>([
	['a refusal', createSendError(false, true)],
	['an invalid value', new Error('wrong')],
])('a doubt outlives %s', (_, failure) => {
	const outcomes = new OutcomesOfAllAttempts();
	recordDoubt(outcomes, '', true);
	const results = [1, 2].map(() => outcomes.record('', { received: {}, failure }));
	expect(results.map((result) => mayHaveWorked(result.failure))).toEqual([true, true]);
	expect(outcomes.state).toBe('possibly completed');
	outcomes.record('', { received: {} });
	expect(outcomes.state).toBe('completed');
});

test("an entry's refusal after a doubt says that the change may have worked", () => {
	const outcomes = new OutcomesOfAllAttempts();
	outcomes.doubt(['leo', 'noor']);
	const [leo, noor, mira] = ['leo', 'noor', 'mira'].map(
		(part) => outcomes.record(part, { received: {}, failure: 'No such user' }).failure,
	);
	expect([leo, noor].map(mayHaveWorked)).toEqual([true, true]);
	expect([leo, noor].map(unwrapRequestError)).toEqual(['No such user', 'No such user']);
	expect(mira).toBe('No such user');
});

test('entries that fail together after a doubt share the cause of their failure', () => {
	const outcomes = new OutcomesOfAllAttempts();
	outcomes.doubt(['leo', 'mira']);
	const failure = createSendError(false, true);
	const [leo, mira, noor] = ['leo', 'mira', 'noor'].map(
		(part) => outcomes.record(part, { received: {}, failure }).failure,
	);
	expect([leo, mira].map(mayHaveWorked)).toEqual([true, true]);
	expect(unwrapRequestError(leo)).toBe(unwrapRequestError(mira));
	expect(unwrapRequestError(leo)).toBe(unwrapRequestError(failure));
	expect(noor).toBe(failure);
});

test('a stopped run keeps its doubts', () => {
	const outcomes = new OutcomesOfAllAttempts();
	outcomes.doubt(['']);
	const failure = new StoppedError();
	expect(outcomes.record('', { received: {}, failure }).failure).toBe(failure);
	expect([outcomes.get(''), outcomes.state]).toEqual([undefined, 'possibly completed']);
});

test.each<[number, number, number, string | undefined]>([
	[1, 0, 1, 'completed'],
	[0, 0, 1, undefined],
	[0, 1, 1, 'possibly completed'],
	[50, 0, 75, 'partly completed (50 of 75)'],
	[50, 10, 75, 'partly completed (50 of 75, possibly 60)'],
])('%i completed and %i unknown of %i changes are "%s"', (done, unknown, wanted, state) => {
	const outcomes = new OutcomesOfAllAttempts();
	outcomes.changeCount = wanted;
	for (let part = 0; part < done; part++) outcomes.record(`done ${part}`, { received: {} });
	for (let part = 0; part < unknown; part++) recordDoubt(outcomes, `unknown ${part}`);
	outcomes.record('refused', { received: {}, failure: createSendError(false) });
	expect(outcomes.state).toBe(state);
});

test('shares outcomes between the attempts of an execution, but not between executions', () => {
	const execution = {};
	expect(getOutcomes(execution)).toBe(getOutcomes(execution));
	expect(getOutcomes({})).not.toBe(getOutcomes(execution));
});

test('are forgotten with the execution, so that a long-running n8n needs no more memory', async () => {
	const remember = () => {
		const execution = {};
		getOutcomes(execution).of(0).record('', { received: {} });
		return new WeakRef(execution);
	};
	const executions = Array.from({ length: 10 }, remember);
	await collectGarbage();
	expect(executions.filter((execution) => execution.deref() !== undefined)).toEqual([]);
});
