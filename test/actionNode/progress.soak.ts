import { expectTrueStates } from './progress';

test('The errors of 300 runs report the true state of each other item', async () => {
	let reported = 0;
	for (let seed = 100; seed < 400; seed++) reported += (await expectTrueStates(seed)).length;
	expect(reported).toBeGreaterThan(500);
});
