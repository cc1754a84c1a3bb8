import { getChangeState } from '../../../nodes/CometChat/errors/progress';

test.each<[number, number, number, string | undefined]>([
	[1, 0, 1, 'completed'],
	[0, 0, 1, undefined],
	[0, 1, 1, 'possibly completed'],
	[50, 0, 75, 'partly completed (50 of 75)'],
	[50, 10, 75, 'partly completed (50 of 75, possibly 60)'],
])('%i completed and %i unknown of %i changes are "%s"', (done, unknown, wanted, state) => {
	expect(getChangeState(done, unknown, wanted)).toBe(state);
});
