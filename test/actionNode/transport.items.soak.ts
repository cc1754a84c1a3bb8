import { get, itemsOf, listMessageInput, useSandbox } from './harness';

const sandbox = useSandbox();

test('The requests of many items continue if there are more items than can be in progress', async () => {
	const input = listMessageInput(sandbox(), 2_100);
	sandbox().setFaults([{ match: { times: 60 }, effect: { latency: { ms: 1_500 } } }]);
	expect(await itemsOf(sandbox(), get('={{ $json.id }}'), { input })).toHaveLength(2_100);
});
