import { parseJsonOrText } from '../../../nodes/CometChat/helpers/exactJson';

test.each([
	['{"id":9007199254740991}', { id: 9_007_199_254_740_991 }],
	['{"id":9007199254740993}', { id: '9007199254740993' }],
])('reads an integer as text if JavaScript would round it: %s', (text, value) => {
	expect(parseJsonOrText(text)).toEqual(value);
});
