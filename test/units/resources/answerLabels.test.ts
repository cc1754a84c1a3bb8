import {
	cleanAndCheckChoices,
	cleanAndCheckButtonLabel,
} from '../../../nodes/CometChat/resources/message/answerLabels';

const labelsOf = (count: number) => Array.from({ length: count }, (_, index) => `Label ${index}`);

const LONGEST = 'x'.repeat(100);

// sendAndWait.test.ts tests values beyond these limits
test.each([
	['two labels', labelsOf(2)],
	['ten labels', labelsOf(10)],
	['a label of 100 characters', ['Yes', LONGEST]],
])('accepts choices with %s', (_, choices) => {
	expect(cleanAndCheckChoices(choices, 'Choices')).toEqual(choices);
});

test('accepts a button label of 100 characters', () => {
	expect(cleanAndCheckButtonLabel(LONGEST, 'Approve Button Label')).toBe(LONGEST);
});
