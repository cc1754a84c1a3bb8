import { CONTINUE, NODE, get, run, useSandbox } from './harness';

const sandbox = useSandbox({ validate: false });

test('600 items that the user may not see are retried only in the first 4 seconds of a run', async () => {
	const input = Array.from({ length: 600 }, () => ({}));
	const parameters = get('101', { onBehalfOf: 'tomas' });
	const { items } = await run(sandbox(), parameters, { ...CONTINUE, input });
	expect(items(NODE).filter(({ json }) => json.error)).toHaveLength(600);
	const { log } = sandbox();
	expect(log[log.length - 1].at - log[0].at).toBeGreaterThanOrEqual(3_500);
	// Each item is requested at most 6 times
	expect(log.length).toBeGreaterThan(600);
	expect(log.length).toBeLessThanOrEqual(600 * 6);
});
