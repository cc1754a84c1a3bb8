import { Outcomes } from '../../../nodes/CometChat/calls/outcomes';
import { Run } from '../../../nodes/CometChat/run/run';

const createRun = (signal?: AbortSignal) => new Run(new Outcomes(), signal);

const flush = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** Takes a turn for each list of targets, and logs each turn's index when the turn starts. */
function takeTurns(...targets: string[][]) {
	const run = createRun();
	const log: number[] = [];
	const turns = targets.map((each, index) => {
		const turn = run.turns.take(each);
		void turn.ready.then(() => log.push(index));
		return turn;
	});
	/** Ends the given turns and returns all turns that have started in this run, in order. */
	const end = async (...indexes: number[]) => {
		for (const index of indexes) turns[index].end();
		await flush();
		return log;
	};
	return { end };
}

test('changes to the same target run in order, and changes to other targets run without waiting', async () => {
	const { end } = takeTurns(['a'], ['b'], ['a'], ['a']);
	expect(await end()).toEqual([0, 1]);
	expect(await end(0)).toEqual([0, 1, 2]);
	expect(await end(2)).toEqual([0, 1, 2, 3]);
});

test('a change waits for all earlier changes to its target, even if some end before they started', async () => {
	const { end } = takeTurns(['a'], ['a'], ['a']);
	expect(await end(1)).toEqual([0]);
});

test('a change to several targets waits for each target, and later changes to these targets wait for the change', async () => {
	const { end } = takeTurns(['ann'], ['ann', 'bob'], ['bob'], ['zoe']);
	expect(await end()).toEqual([0, 3]);
	expect(await end(0)).toEqual([0, 3, 1]);
	expect(await end(1)).toEqual([0, 3, 1, 2]);
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
