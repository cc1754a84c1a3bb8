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
	let read = 0;
	jest.spyOn(Map.prototype, Symbol.iterator).mockImplementation(function* (
		this: Map<unknown, unknown>,
	): MapIterator<[unknown, unknown]> {
		for (const entry of this.entries()) {
			read++;
			yield entry;
		}
		return undefined;
	});
	expect(calls.find('999')).toBeDefined();
	// The oldest, which isn't old enough to be forgotten
	expect(read).toBe(1);
});
