import { expectTrueStates } from './progress';

test('in 300 runs an error says of each other item what the service saw', async () => {
	let told = 0;
	for (let seed = 100; seed < 400; seed++) told += (await expectTrueStates(seed)).length;
	expect(told).toBeGreaterThan(500);
});
