import { expectTrueStates } from './progress';

test('an error of several items says of each other one what the service saw', async () => {
	const told = new Set<string>();
	for (let seed = 1; seed <= 8; seed++) {
		for (const state of await expectTrueStates(seed)) told.add(state.replace(/\d+/g, 'n'));
	}
	// What each run meets depends on time; the soak meets all of it
	expect(told).toContain('carried out');
	expect(told.size).toBeGreaterThan(2);
});
