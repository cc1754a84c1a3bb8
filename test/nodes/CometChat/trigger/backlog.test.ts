import { Backlog } from '../../../../nodes/CometChat/trigger/backlog';
import type { Occurrence } from '../../../../nodes/CometChat/trigger/events';

const occurrence = (guid: string, at: number): Occurrence => ({
	group: { guid },
	guid,
	at,
	version: String(at),
	isTimed: true,
});

function backlogOf(most: number, times: number[]): Backlog {
	const backlog = new Backlog(most);
	times.forEach((at, index) => backlog.add(occurrence(`g${index}`, at)));
	return backlog;
}

const timesIn = (backlog: Backlog) => backlog.oldest().map(({ at }) => at);

test('gives the oldest first', () => {
	const backlog = backlogOf(10, [3, 1, 2]);
	expect(timesIn(backlog)).toEqual([1, 2, 3]);
	expect(backlog.isCut).toBe(false);
});

test('keeps the oldest when there are too many, in whatever order they come', () => {
	const times = [9, 1, 8, 2, 7, 3, 6, 4, 5, 0];
	for (const given of [times, [...times].reverse()]) {
		const backlog = backlogOf(3, given);
		expect(timesIn(backlog)).toEqual([0, 1, 2]);
		expect(backlog.isCut).toBe(true);
	}
});

test('as many as it may keep are not too many', () => {
	const backlog = backlogOf(3, [1, 2, 3]);
	expect(timesIn(backlog)).toHaveLength(3);
	expect(backlog.isCut).toBe(false);
});

test('of one group the last one counts', () => {
	const backlog = new Backlog(10);
	backlog.add(occurrence('a', 1));
	backlog.add(occurrence('a', 5));
	expect(timesIn(backlog)).toEqual([5]);
});

test('takes everything when there is no limit', () => {
	const backlog = backlogOf(Infinity, [2, 1]);
	expect(timesIn(backlog)).toEqual([1, 2]);
	expect(backlog.isCut).toBe(false);
});
