import { DescribedError } from '../../../nodes/CometChat/errors/describedErrors';
import {
	formatNumber,
	joinSentences,
	formatMsAsSeconds,
	joinMessageAndDescription,
	getErrorMessage,
} from '../../../nodes/CometChat/helpers/formatText';

test.each([
	[['One', undefined, 'Two.', '', 'Three!', 'Four…', 'Five?'], 'One. Two. Three! Four… Five?'],
	[['It said: No (ERR_X)', 'page: is wrong'], 'It said: No (ERR_X). page: is wrong.'],
])('joins the sentences %j, and adds missing periods', (sentences, text) => {
	expect(joinSentences(sentences)).toBe(text);
});

test.each([
	[0, '0 seconds'],
	[949, '0.9 seconds'],
	[951, '1 second'],
	[12_345, '12.3 seconds'],
	[3_600_000, '3,600 seconds'],
])('formats %i ms as %s', (ms, text) => expect(formatMsAsSeconds(ms)).toBe(text));

test('formats counts with thousands separators', () => {
	expect([7, 2_000_000].map(formatNumber)).toEqual(['7', '2,000,000']);
});

test.each([
	[new DescribedError('It failed', 'Do this'), 'It failed'],
	[{ reason: 'No' }, '{"reason":"No"}'],
	['No', 'No'],
	[undefined, ''],
])('reads the message of what was thrown: %p', (thrown, message) => {
	expect(getErrorMessage(thrown)).toBe(message);
});

test.each<[Error, string]>([
	[new DescribedError('It failed', 'Do this'), 'It failed. Do this.'],
	[new DescribedError('It failed', ''), 'It failed'],
	[new DescribedError('It failed: do this', 'do this'), 'It failed: do this'],
	[Object.assign(new Error('It failed'), { description: null }), 'It failed'],
	[new Error('It failed'), 'It failed'],
])('formats %p as %s', (error, text) => expect(joinMessageAndDescription(error)).toBe(text));
