import { isDeepStrictEqual } from 'node:util';

import {
	restoreMessagePollState,
	serializeMessagePollState,
} from '../../nodes/CometChat/pollingTrigger/messageState';

const store = (state: Parameters<typeof serializeMessagePollState>[0]): unknown =>
	JSON.parse(JSON.stringify(serializeMessagePollState(state, 'now')));

const keysOf = (count: number) => Array.from({ length: count }, (_, number) => `user-${number}`);

const burstOf = (count: number, listKeys: (number: number) => string[]) =>
	new Map(
		Array.from({ length: count }, (_, number) => [
			String(100_000_000 + number * 7),
			{ at: 1_800_000_000 + (number % 10), listKeys: listKeys(number) },
		]),
	);

test('a stored state is read as it was, without the lists that are no longer watched', () => {
	const keys = ['mira', '__proto__', 'noor'];
	const state = {
		positions: new Map([
			['mira', { lastSeenAt: 5, anchorAt: 2, resume: { after: '007', since: 4 } }],
			['__proto__', { lastSeenAt: 6, newestAtStart: { id: '1e3', at: 4 } }],
			['noor', { lastSeenAt: 7, newestAtStart: { at: 4 } }],
		]),
		handled: new Map([
			['18446744073709551617', { at: 3, listKeys: ['mira', 'noor'] }],
			['__proto__', { at: 4, listKeys: ['__proto__'] }],
		]),
		refused: ['noor'],
		unread: ['mira'],
	};
	expect(restoreMessagePollState(store(state), 'now', keys)).toEqual(state);
	expect(restoreMessagePollState(store(state), 'now', ['noor', 'new'])).toEqual({
		positions: new Map([['noor', { lastSeenAt: 7, newestAtStart: { at: 4 } }]]),
		handled: new Map([['18446744073709551617', { at: 3, listKeys: ['noor'] }]]),
		...{ refused: ['noor'], unread: [] },
	});
	expect(restoreMessagePollState(store(state), 'other', keys).positions.size).toBe(0);
});

test.each<[string, (number: number) => string[]]>([
	['in 100 groups', (number) => [`user-${number % 100}`]],
	['that mention all of 100 users', () => keysOf(100)],
])('10,000 messages %s are stored in less than 300 kB', (_, listKeys) => {
	const position = { lastSeenAt: 1_800_000_000, anchorAt: 1_799_999_000 };
	const newestAtStart = { id: '123456789', at: 1_799_999_000 };
	const state = {
		positions: new Map(keysOf(100).map((key) => [key, { ...position, newestAtStart }])),
		handled: burstOf(10_000, listKeys),
		...{ refused: [], unread: [] },
	};
	expect(JSON.stringify(store(state)).length).toBeLessThan(300_000);
	// Compares a million keys. Jest's `toEqual` takes seconds for them.
	expect(isDeepStrictEqual(restoreMessagePollState(store(state), 'now', keysOf(100)), state)).toBe(
		true,
	);
});
