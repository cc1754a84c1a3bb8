import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { RecentWebhookCalls } from '../../../nodes/CometChat/helpers/recentCalls';
import type { HttpContext } from '../../../nodes/CometChat/helpers/webhookResponse';
import { collectGarbage } from '../../collectGarbage';

function createContext(): HttpContext {
	const response = new ServerResponse(new IncomingMessage(new Socket()));
	return { getRequestObject: () => ({ method: 'POST' }), getResponseObject: () => response };
}

/** Mocks `performance.now`, which measures durations. */
function setClock(ms: number): void {
	jest.spyOn(performance, 'now').mockReturnValue(1_000_000 + ms);
}

afterEach(() => jest.restoreAllMocks());

test.each([
	[60_000, true],
	[60_001, false],
])('after %i ms, a call is known: %p', (ms, isKnown) => {
	const calls = new RecentWebhookCalls<string>();
	setClock(0);
	calls.add('key', createContext(), 'content');
	setClock(ms);
	expect(calls.find('key') !== undefined).toBe(isKnown);
});

test('the next call frees the memory of calls that are no longer recent', async () => {
	const calls = new RecentWebhookCalls<object>();
	const add = (key: string) => {
		const content = { key };
		calls.add(key, createContext(), content);
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

test('a call is found as fast among 30,000 recent calls as among 30', () => {
	const measure = (count: number): number => {
		const calls = new RecentWebhookCalls<string>();
		for (let n = 0; n < count; n++) calls.add(String(n), createContext(), '');
		const start = process.hrtime.bigint();
		for (let n = 0; n < 3_000; n++) calls.find(String(n));
		return Number(process.hrtime.bigint() - start);
	};
	const few = measure(30);
	expect(measure(30_000)).toBeLessThan(30 * few);
});
