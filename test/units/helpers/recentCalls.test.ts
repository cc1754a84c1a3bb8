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

test('a call is found among 1,000 recent calls without reading the others', () => {
	const calls = new RecentWebhookCalls<string>();
	for (let n = 0; n < 1_000; n++) calls.addAndForgetOnErrorResponse(String(n), createContext(), '');
	// All iterators of a Map have this method
	const next = jest.spyOn(Object.getPrototypeOf(new Map().entries()) as Iterator<unknown>, 'next');
	const forEach = jest.spyOn(Map.prototype, 'forEach');
	const found = calls.find('999');
	const read = next.mock.calls.length + forEach.mock.calls.length;
	jest.restoreAllMocks();
	expect(found).toBeDefined();
	// The oldest, which isn't old enough to be forgotten
	expect(read).toBe(1);
});
