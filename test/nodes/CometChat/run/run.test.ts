import { Outcomes } from '../../../../nodes/CometChat/results/outcomes';
import { Run } from '../../../../nodes/CometChat/run/run';

const runOf = (signal?: AbortSignal) => new Run(new Outcomes(), signal);

test('changes of one target take turns in the order in which they asked; others go at once', async () => {
	const run = runOf();
	const log: string[] = [];
	const turns = ['a', 'b', 'a', 'a'].map((target, index) => {
		const turn = run.turns.take([target]);
		void (turn.ready ?? Promise.resolve()).then(() => log.push(`${target}${index}`));
		return turn;
	});
	const settled = async () => await new Promise<void>((resolve) => setImmediate(resolve));
	await settled();
	expect(log).toEqual(['a0', 'b1']);
	turns[0].end();
	await settled();
	expect(log).toEqual(['a0', 'b1', 'a2']);
	turns[2].end();
	await settled();
	expect(log).toEqual(['a0', 'b1', 'a2', 'a3']);
});

test('a run is stopped with the execution', () => {
	const cancel = new AbortController();
	const run = runOf(cancel.signal);
	expect([run.isCanceled, run.limiter.stopped]).toEqual([false, false]);
	cancel.abort();
	expect([run.isCanceled, run.limiter.stopped]).toEqual([true, true]);
	// One that fails stops its own run, and not the execution
	const failed = runOf();
	failed.limiter.stop();
	expect(failed.isCanceled).toBe(false);
});

test('a change waits for all changes of its target before it, also when the last of them never began', async () => {
	const run = runOf();
	const [first, second, third] = [0, 1, 2].map(() => run.turns.take(['/groups/team']));
	second.end();
	const begun = await Promise.race([
		Promise.resolve(third.ready).then(() => true),
		new Promise((resolve) => setImmediate(() => resolve(false))),
	]);
	first.end();
	expect(begun).toBe(false);
});

test('a change of several targets waits for each of them, and all of them wait for it', async () => {
	const run = runOf();
	const [ann, both, bob, zoe] = [['ann'], ['ann', 'bob'], ['bob'], ['zoe']].map((targets) =>
		run.turns.take(targets),
	);
	expect([ann, both, bob, zoe].map(({ ready }) => ready === undefined)).toEqual([
		true,
		false,
		false,
		true,
	]);
	ann.end();
	await both.ready;
	both.end();
	await bob.ready;
	bob.end();
	await new Promise(setImmediate);
	// Nothing of what is over is kept
	expect(run.turns.take(['ann', 'bob']).ready).toBeUndefined();
});
