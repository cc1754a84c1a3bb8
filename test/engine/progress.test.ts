import { errorOf, get, useSandbox } from './harness';
import { expectTrueStates } from './progress';

const sandbox = useSandbox();

test('an error of several items says of each other one what the service saw', async () => {
	const told = new Set<string>();
	for (let seed = 1; seed <= 8; seed++) {
		for (const state of await expectTrueStates(seed)) told.add(state.replace(/\d+/g, 'n'));
	}
	// What each run meets depends on time; the soak meets all of it
	expect(told).toContain('carried out');
	expect(told.size).toBeGreaterThan(2);
});

test('an error of several items that only read says which of them were read', async () => {
	const one = { batch: { batchSize: 1, batchInterval: 500 } };
	const parameters = get('={{ $json.id }}', { requestOptions: { batching: one } });
	const input = ['101', '102', '999', '103'].map((id) => ({ id }));
	const { description } = await errorOf(sandbox(), parameters, { input });
	expect(description).toContain('Items 0 to 1 were carried out. Item 3 was not started.');
});
