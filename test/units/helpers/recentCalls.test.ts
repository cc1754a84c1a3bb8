import { RecentWebhookCalls } from '../../../nodes/CometChat/helpers/recentCalls';
import { createContext, setClock } from './recentCalls.harness';

afterEach(() => jest.restoreAllMocks());

test.each([
	[60_000, true],
	[60_001, false],
])('after %i ms, a call is known: %p', (ms, isKnown) => {
	const calls = new RecentWebhookCalls<string>();
	setClock(0);
	calls.addAndForgetOnErrorResponse('key', createContext(), 'content');
	setClock(ms);
	expect(calls.find('key') !== undefined).toBe(isKnown);
});

test('a call is found as fast among 30,000 recent calls as among 30', () => {
	const measure = (count: number): number => {
		const calls = new RecentWebhookCalls<string>();
		for (let n = 0; n < count; n++)
			calls.addAndForgetOnErrorResponse(String(n), createContext(), '');
		const start = process.hrtime.bigint();
		for (let n = 0; n < 3_000; n++) calls.find(String(n));
		return Number(process.hrtime.bigint() - start);
	};
	const few = measure(30);
	expect(measure(30_000)).toBeLessThan(30 * few);
});
