import {
	MAX_IN_FLIGHT,
	Pace,
	StoppedError,
	WaitTooLongError,
} from '../../../../nodes/CometChat/transport/pace';

const always = () => true;

/** A task that ends when it is told to, and tells how many run at once. */
function gate() {
	const open: Array<() => void> = [];
	const started: string[] = [];
	let running = 0;
	let most = 0;
	return {
		started,
		get running() {
			return running;
		},
		get most() {
			return most;
		},
		task: (name: string) => async () => {
			started.push(name);
			most = Math.max(most, ++running);
			await new Promise<void>((resolve) => open.push(resolve));
			running--;
			return name;
		},
		/** Ends the task that has run longest. */
		endOne: async () => {
			open.shift()?.();
			await turn();
		},
	};
}

/** Lets everything that is ready run. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => 'not refused',
		(error: unknown) => error,
	);
}

describe('tasks under way', () => {
	test('are never more than allowed, start in order, and each ends with its own result', async () => {
		const pace = new Pace(3);
		const { task, started, endOne } = gate();
		const names = ['a', 'b', 'c', 'd', 'e'];
		const results = Promise.all(names.map((name) => pace.run(task(name), false, always)));
		await turn();
		expect(started).toEqual(['a', 'b', 'c']);
		await endOne();
		expect(started).toEqual(['a', 'b', 'c', 'd']);
		for (let i = 0; i < 4; i++) await endOne();
		expect(await results).toEqual(names);
	});

	test('are at most as many as n8n should open connections for, when nothing else is said', async () => {
		const pace = new Pace();
		const tasks = gate();
		const results = Array.from({ length: 200 }, (_, i) =>
			pace.run(tasks.task(String(i)), false, always),
		);
		await turn();
		expect(tasks.running).toBe(MAX_IN_FLIGHT);
		while (tasks.running > 0) await tasks.endOne();
		expect(await Promise.all(results)).toHaveLength(200);
		expect(tasks.most).toBe(MAX_IN_FLIGHT);
	});

	test('leave their place to the next one when they fail', async () => {
		const pace = new Pace(1);
		const failing = pace.run(() => Promise.reject(new Error('failed')), false, always);
		const next = pace.run(() => Promise.resolve('next'), false, always);
		await expect(failing).rejects.toThrow('failed');
		expect(await next).toBe('next');
	});

	test('that were tried before go ahead of those that were not', async () => {
		const pace = new Pace(1);
		const { task, started, endOne } = gate();
		const runs = [
			pace.run(task('running'), false, always),
			pace.run(task('new'), false, always),
			pace.run(task('again'), true, always),
		];
		for (let i = 0; i < 3; i++) await endOne();
		await turn();
		expect(started).toEqual(['running', 'again', 'new']);
		while (started.length < 3 || runs.length === 0) await endOne();
		await endOne();
		await Promise.all(runs);
	});
});

describe('a pause', () => {
	test('holds everybody, then lets one go first, and each success one more', async () => {
		const pace = new Pace(8);
		const { task, started, endOne } = gate();
		pace.pause(80);
		const from = Date.now();
		const runs = ['a', 'b', 'c', 'd', 'e'].map((name) => pace.run(task(name), false, always));
		await turn();
		expect(started).toEqual([]);
		pace.taken(); // of a request sent before the pause: not a sign that it is over
		while (started.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		expect(Date.now() - from).toBeGreaterThanOrEqual(79);
		expect(started).toEqual(['a']);
		pace.taken();
		await endOne();
		expect(started).toEqual(['a', 'b', 'c']);
		pace.taken();
		await endOne();
		expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
		for (let i = 0; i < 3; i++) await endOne();
		await Promise.all(runs);
	});

	test('never gets shorter, and one that grows while it lasts is kept to its end', async () => {
		const pace = new Pace(2);
		const from = Date.now();
		pace.pause(40);
		const run = pace.run(() => Promise.resolve(Date.now() - from), false, always);
		pace.pause(120);
		pace.pause(1);
		expect(await run).toBeGreaterThanOrEqual(119);
	});

	test('longer than a task may wait refuses that task, not the others', async () => {
		const pace = new Pace(1);
		const { task, endOne } = gate();
		const running = pace.run(task('running'), false, always);
		const limits: number[] = [];
		const impatient = pace.run(task('impatient'), false, (ms) => {
			limits.push(ms);
			return ms < 10;
		});
		const patient = pace.run(() => Promise.resolve('patient'), false, always);
		pace.pause(60);
		expect(await refusalOf(impatient)).toBeInstanceOf(WaitTooLongError);
		expect(limits[0]).toBe(0);
		expect(limits[1]).toBeGreaterThan(50);
		await endOne();
		expect(await running).toBe('running');
		expect(await patient).toBe('patient');
	});

	test('refuses at once a task that comes later and may not wait so long', async () => {
		const pace = new Pace();
		pace.pause(60_000);
		const error = await refusalOf(
			pace.run(
				() => Promise.resolve(),
				false,
				(ms) => ms <= 1_000,
			),
		);
		expect(error).toBeInstanceOf(WaitTooLongError);
		expect(error).toMatchObject({ message: expect.stringContaining('"Max Wait"') });
		expect(error instanceof WaitTooLongError && error.waitMs).toBeGreaterThan(59_000);
	});
});

describe('stopping', () => {
	test('ends waits, refuses who waits for room or for the end of a pause, and starts nothing more', async () => {
		const pace = new Pace(1);
		const { task, started, endOne } = gate();
		const running = pace.run(task('running'), false, always);
		const queued = refusalOf(pace.run(task('queued'), false, always));
		const waiting = refusalOf(pace.wait(3_600_000));
		await turn();
		expect(pace.stopped).toBe(false);
		pace.abort();
		expect(pace.stopped).toBe(true);
		for (const refused of [queued, waiting]) expect(await refused).toBeInstanceOf(StoppedError);
		expect(await refusalOf(pace.run(task('late'), true, always))).toBeInstanceOf(StoppedError);
		expect(await refusalOf(pace.wait(5))).toBeInstanceOf(StoppedError);
		await endOne();
		expect(await running).toBe('running');
		expect(started).toEqual(['running']);
	});

	test('ends the common pause too', async () => {
		const pace = new Pace();
		const { task, started } = gate();
		pace.pause(3_600_000);
		const held = [1, 2, 3].map((n) => refusalOf(pace.run(task(String(n)), false, always)));
		await turn();
		pace.abort();
		for (const refused of held) expect(await refused).toBeInstanceOf(StoppedError);
		await turn();
		expect(started).toEqual([]);
	});

	test('comes from the signal with which n8n cancels an execution', async () => {
		const cancel = new AbortController();
		const pace = new Pace(4, cancel.signal);
		const waiting = refusalOf(pace.wait(3_600_000));
		cancel.abort();
		expect(await waiting).toBeInstanceOf(StoppedError);
		expect(pace.stopped).toBe(true);
	});

	test('counts from the start when the execution was cancelled before', async () => {
		const pace = new Pace(4, AbortSignal.abort());
		expect(await refusalOf(pace.run(() => Promise.resolve(), false, always))).toBeInstanceOf(
			StoppedError,
		);
	});
});

describe('wait', () => {
	test('lasts as long as asked, also when that is longer than one timer', async () => {
		const pace = new Pace();
		const from = Date.now();
		await pace.wait(1_100);
		expect(Date.now() - from).toBeGreaterThanOrEqual(1_100);
	});

	test('of no time at all ends without a timer', async () => {
		await expect(new Pace().wait(0)).resolves.toBeUndefined();
	});
});
