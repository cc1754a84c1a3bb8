import { ChangeOutcomesOfRun } from '../../../nodes/CometChat/calls/outcomes';
import { SharedRunState } from '../../../nodes/CometChat/run/run';

const createRun = (signal?: AbortSignal) => new SharedRunState(new ChangeOutcomesOfRun(), signal);

test('a change waits for all earlier changes to its target, even if some end before they started', async () => {
	const { turns } = createRun();
	const [first, second, third] = ['a', 'a', 'a'].map((target) => turns.reserveTurn([target]));
	let hasStarted = false;
	void third.ready.then(() => (hasStarted = true));
	second.end();
	await new Promise(setImmediate);
	expect(hasStarted).toBe(false);
	first.end();
	await third.ready;
});

test.each([
	[10, 'id 9 (2 items). If'],
	[11, 'id 9 (2 items), and others. If'],
])('of %i IDs that items share, the hint lists ten: %s', (count, end) => {
	const run = createRun();
	for (let id = 0; id < count; id++) {
		run.recordIdToExplainSharedIds(`id ${id}`, id, false);
		run.recordIdToExplainSharedIds(`id ${id}`, count + id, true);
	}
	expect(run.allHints).toEqual([expect.stringContaining(end)]);
});

test('a canceled execution stops its run, but a stopped run is not canceled', () => {
	const cancel = new AbortController();
	const run = createRun(cancel.signal);
	expect([run.isCanceled, run.limiter.stopped]).toEqual([false, false]);
	cancel.abort();
	expect([run.isCanceled, run.limiter.stopped]).toEqual([true, true]);
	const failed = createRun();
	failed.limiter.stop();
	expect(failed.isCanceled).toBe(false);
});
