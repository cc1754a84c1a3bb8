import { NODE, get, run, useSandbox } from './harness';
import { expectRemovedOrReported } from './removals';

const sandbox = useSandbox({ validate: false });

test.each([11, 12])(
	'500 Remove Reactions with random faults are each applied once or reported (seed %i)',
	async (seed) => {
		const reported = await expectRemovedOrReported(sandbox(), 500, seed);
		// 502, 503 and cut connections: about one in five
		expect(reported).toBeGreaterThan(20);
		expect(reported).toBeLessThan(150);
	},
	90_000,
);

test('A message that the user may not see holds up a run for its first 4 seconds only, however many there are', async () => {
	const input = Array.from({ length: 600 }, () => ({}));
	const parameters = get('101', { onBehalfOf: 'tomas' });
	const { items } = await run(sandbox(), parameters, { input, onError: 'continueRegularOutput' });
	expect(items(NODE).filter(({ json }) => json.error)).toHaveLength(600);
	const { log } = sandbox();
	expect(log[log.length - 1].at - log[0].at).toBeGreaterThanOrEqual(3_500);
	// Each item is sent until the run is 4 seconds old, 6 times at most
	expect(log.length).toBeGreaterThan(600);
	expect(log.length).toBeLessThanOrEqual(600 * 6);
});
