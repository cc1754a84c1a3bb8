import { DescribedError } from '../../../nodes/CometChat/errors/inputError';
import {
	formatCount,
	joinSentences,
	formatSeconds,
	formatError,
} from '../../../nodes/CometChat/errors/formatText';

test('joins sentences, and adds a missing period', () => {
	expect(joinSentences(['One', undefined, 'Two.', '', 'Three!', 'Four…', 'Five?'])).toBe(
		'One. Two. Three! Four… Five?',
	);
});

test.each([
	[0, '0 seconds'],
	[949, '0.9 seconds'],
	[951, '1 second'],
	[12_345, '12.3 seconds'],
	[3_600_000, '3,600 seconds'],
])('formats %i ms as %s', (ms, text) => expect(formatSeconds(ms)).toBe(text));

test('formats counts with thousands separators', () => {
	expect([7, 2_000_000].map(formatCount)).toEqual(['7', '2,000,000']);
});

test.each<[Error, string]>([
	[new DescribedError('It failed', 'Do this'), 'It failed. Do this.'],
	[new DescribedError('It failed', ''), 'It failed'],
	[new DescribedError('It failed: do this', 'do this'), 'It failed: do this'],
	[Object.assign(new Error('It failed'), { description: null }), 'It failed'],
	[new Error('It failed'), 'It failed'],
])('formats %p as %s', (error, text) => expect(formatError(error)).toBe(text));

test('adds a period after a code in brackets', () => {
	expect(joinSentences(['CometChat replied: No (ERR_X)', 'page: is wrong'])).toBe(
		'CometChat replied: No (ERR_X). page: is wrong.',
	);
});
