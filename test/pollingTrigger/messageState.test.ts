import fc from 'fast-check';

import {
	readMessageState,
	decodeMessageTimes,
	toSavedMessageState,
	encodeMessageTimes,
} from '../../nodes/CometChat/pollingTrigger/messageState';

const id = fc.oneof(
	fc.nat().map(String),
	fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String),
	fc.string(),
	fc.constantFrom('', '0', '007', '-1', '1e3', '__proto__', 'a b', 'a:b', '"'),
);

test('stored messages are read as they were', () => {
	const messages = fc.array(fc.tuple(id, fc.nat()));
	fc.assert(
		fc.property(messages, (entries) => {
			const times = new Map(entries);
			expect(new Map(decodeMessageTimes(encodeMessageTimes(times)))).toEqual(times);
		}),
	);
});

test('the messages of sixteen bursts of 10,000 take less than 1 MB', () => {
	const times = new Map<string, number>();
	for (let burst = 0; burst < 16; burst++) {
		for (let number = 0; number < 10_000; number++) {
			// Every seventh message of the app is in a watched group
			const later = burst * 10_000 + number;
			times.set(String(100_000_000 + later * 7), 1_800_000_000 + burst * 60 + (number % 10));
		}
	}
	expect(encodeMessageTimes(times).length).toBeLessThan(1_000_000);
});

test('10,000 mentions of 100 users are stored once, not once per user', () => {
	const keys = Array.from({ length: 100 }, (_, number) => `user-${number}`);
	const state = {
		positions: new Map(keys.map((key) => [key, { lastSeenAt: 1_800_000_000 }])),
		handled: new Map(
			Array.from({ length: 10_000 }, (_, number) => [
				String(number),
				{ at: 1_800_000_000, listKeys: keys },
			]),
		),
		existing: new Map([['user-7', new Map([['5', 1_800_000_000]])]]),
		refused: ['user-3'],
	};
	const saved: unknown = JSON.parse(JSON.stringify(toSavedMessageState(state, 'now')));
	expect(JSON.stringify(saved).length).toBeLessThan(50_000);
	const fingerprints = { current: 'now', ofEarlierVersions: 'before' };
	const { handled, ...others } = readMessageState(saved, fingerprints, keys);
	expect([handled.size, handled.get('9999')]).toEqual([
		10_000,
		{ at: 1_800_000_000, listKeys: keys },
	]);
	expect({ ...others, handled }).toMatchObject({ existing: state.existing, refused: ['user-3'] });
	expect(readMessageState(saved, fingerprints, ['user-8'])).toMatchObject({
		...{ positions: new Map([['user-8', { lastSeenAt: 1_800_000_000 }]]), existing: new Map() },
		refused: [],
	});
});
