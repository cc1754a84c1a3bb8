import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { findOrCreateChangeOutcomesOfRun } from '../../nodes/CometChat/calls/outcomes';
import { RecentWebhookCalls } from '../../nodes/CometChat/helpers/recentCalls';
import { RequestLimiter, SharedRateLimits } from '../../nodes/CometChat/transport/limiter';
import { createContext, setClock } from './helpers/recentCalls.harness';
import { MINUTE, OK, setUp } from './transport/limiter.harness';

/** Frees all objects that nothing refers to. Takes seconds in a process that has run many tests. */
async function collectGarbage(): Promise<void> {
	setFlagsFromString('--expose-gc');
	const collect: () => void = runInNewContext('gc');
	// A WeakRef keeps its object until the current job ends
	await new Promise((resolve) => setImmediate(resolve));
	collect();
}

afterEach(() => jest.restoreAllMocks());

test("a finished execution's outcomes are freed", async () => {
	const remember = () => {
		const execution = {};
		findOrCreateChangeOutcomesOfRun(execution)
			.findOrCreateForItem(0)
			.recordChangeResult('', { received: {} });
		return new WeakRef(execution);
	};
	const executions = Array.from({ length: 10 }, remember);
	await collectGarbage();
	expect(executions.filter((execution) => execution.deref() !== undefined)).toEqual([]);
});

test('the limits of a stopped run are freed', async () => {
	const { clock, settle } = setUp();
	const shared = new SharedRateLimits(clock);
	const execute = async (key: string): Promise<Array<WeakRef<object>>> => {
		const limiter = new RequestLimiter(undefined, shared);
		await settle(limiter.send(key, 0, MINUTE, async () => await Promise.resolve(OK)));
		const kept = [limiter, shared.joinLimit(key, limiter)];
		limiter.stop();
		return kept.map((each) => new WeakRef(each));
	};
	const ended = [...(await execute('user 1')), ...(await execute('user 2'))];
	const other = new RequestLimiter(undefined, shared);
	await settle(other.send('app', 0, MINUTE, async () => await Promise.resolve(OK)));
	await collectGarbage();
	expect(ended.filter((each) => each.deref() !== undefined)).toEqual([]);
	other.stop();
});

test('the next webhook call frees the calls that are no longer recent', async () => {
	const calls = new RecentWebhookCalls<object>();
	const add = (key: string) => {
		const content = { key };
		calls.addAndForgetOnErrorResponse(key, createContext(), content);
		return new WeakRef(content);
	};
	setClock(0);
	const old = ['a', 'b', 'c'].map(add);
	setClock(60_001);
	calls.find('d');
	const recent = add('d');
	await collectGarbage();
	expect(old.filter((content) => content.deref() !== undefined)).toEqual([]);
	expect(recent.deref()).toEqual({ key: 'd' });
});
