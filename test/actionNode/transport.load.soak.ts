import { CONTINUE, NODE, get, itemsOf, run, useSandbox } from './harness';

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

test('2,100 items that each take 1.5 seconds at first all return, although 2,000 can be in progress', async () => {
	const ids = sandbox()
		.store.messages.all()
		.map(({ id }) => id);
	const input = Array.from({ length: 2_100 }, (_, index) => ({ id: ids[index % ids.length] }));
	sandbox().setFaults([{ match: { times: 60 }, effect: { latency: { ms: 1_500 } } }]);
	expect(await itemsOf(sandbox(), get('={{ $json.id }}'), { input })).toHaveLength(2_100);
});
