import type { Case } from '../../bench/cases';
import { lookupIn, median, medianOf } from '../../bench/statistics';
import { measured } from './measured';

const run: Case = { work: 'groups', size: 1_000, latencyMs: 20 };

describe('the median', () => {
	test('is the middle of an odd number of figures, whatever their order', () => {
		expect(median([30, 1, 2])).toBe(2);
	});

	test('is the mean of the two middle ones of an even number', () => {
		expect(median([40, 1, 2, 10])).toBe(6);
	});

	test('orders by size and not by digits', () => {
		expect(median([9, 10, 100])).toBe(10);
	});

	test('does not exist for nothing', () => {
		expect(() => median([])).toThrow(RangeError);
	});

	test('is taken of each figure by itself', () => {
		const rounds = [
			measured({ ms: 1, peakMb: 300 }),
			measured({ ms: 2, peakMb: 100 }),
			measured({ ms: 9, peakMb: 200 }),
		];
		expect(medianOf(rounds)).toEqual(measured({ ms: 2, peakMb: 200 }));
	});
});

describe('looking up', () => {
	test('finds a contender by the case and not by its object', () => {
		const lookup = lookupIn([{ run, contender: 'ours', rounds: [measured({ ms: 7 })] }]);
		expect(lookup({ ...run }, 'ours')?.ms).toBe(7);
	});

	test('finds nothing for another case or contender', () => {
		const lookup = lookupIn([{ run, contender: 'ours', rounds: [measured({ ms: 7 })] }]);
		expect(lookup({ ...run, latencyMs: 0 }, 'ours')).toBeUndefined();
		expect(lookup(run, 'floor')).toBeUndefined();
	});

	test('finds nothing for a contender that failed in a later round', () => {
		const rounds = [measured({ ms: 7 })];
		const lookup = lookupIn([{ run, contender: 'ours', rounds, failure: 'It broke' }]);
		expect(lookup(run, 'ours')).toBeUndefined();
	});
});
