import { call, listOf } from '../sandbox/client';
import {
	AS_TOOL,
	get,
	itemsOf,
	jsonOf,
	list,
	removeReaction,
	run,
	errorOf,
	NODE,
	useSandbox,
	wire,
} from './harness';

const sandbox = useSandbox();

/** Through n8n's runner for declarative nodes, which agents and older versions use. */
const settings = AS_TOOL;

const IDS = ['105', 'absent', '101'].map((id) => ({ id }));

describe("Through n8n's RoutingNode", () => {
	test('a list has its filters on every page, each group once, and its pairing', async () => {
		const parameters = list({
			returnAll: true,
			filters: { types: ['public', 'private'] },
			sort: { sortBy: 'name', sortOrder: 'desc' },
			options: { perPage: 10 },
		});
		const items = await itemsOf(sandbox(), parameters, { input: [{}, {}], settings });
		const path = '/groups?types=public,private&sortBy=name&sortOrder=desc&perPage=1000';
		const expected = listOf(await call(sandbox(), path)).data.map(({ guid }) => guid);
		expect(items.map(({ json }) => json.guid)).toEqual([...expected, ...expected]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, index) => ({ item: index < expected.length ? 0 : 1 })),
		);
		for (const line of wire(sandbox()).slice(0, -1)) {
			expect(line).toContain('types=public%2Cprivate&sortBy=name&sortOrder=desc');
		}
	});

	test('a reaction is removed under its exact address', async () => {
		const parameters = removeReaction('105', '#️⃣', 'tomas');
		const [message] = await jsonOf(sandbox(), parameters, { settings });
		expect(message.id).toBe('105');
		expect(wire(sandbox())).toEqual(['DELETE /messages/105/reactions/%23%EF%B8%8F%E2%83%A3']);
		const left = sandbox().store.reactions('105', 'tomas');
		expect(left.find(({ reaction }) => reaction === '#️⃣')).not.toHaveProperty('reactedByMe');
	});

	test('"Continue" keeps the good items, and puts the reason in the place of the failed one', async () => {
		const items = await itemsOf(sandbox(), get('={{ $json.id }}'), {
			input: IDS,
			onError: 'continueRegularOutput',
			settings,
		});
		expect(items.map(({ json }) => json.id ?? json.error)).toEqual([
			'105',
			expect.stringMatching(/^No message has this ID\. Check 'Message ID'\./),
			'101',
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	});

	test('the error output gets the input fields of the failed item', async () => {
		const result = await run(sandbox(), get('={{ $json.id }}'), {
			input: IDS,
			onError: 'continueErrorOutput',
			settings,
		});
		expect(result.items(NODE).map(({ json }) => json.id)).toEqual(['105', '101']);
		expect(result.items(NODE, 1)).toMatchObject([
			{ json: { id: 'absent', error: expect.any(String) }, pairedItem: { item: 1 } },
		]);
	});

	test('an error names its item, and no key', async () => {
		const credentials = { apiKey: 'wrong-key-0815', region: 'custom', baseUrl: sandbox().baseUrl };
		const error = await errorOf(sandbox(), get('101'), { credentials, settings });
		expect(error.context).toMatchObject({ itemIndex: 0 });
		expect(error.message).toMatch(/^CometChat does not know this API key\. Check 'REST API Key'/);
		expect(JSON.stringify(error)).not.toContain('wrong-key-0815');
	});

	test('many items are sent at most 60 at once', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 10 } } }]);
		const input = Array.from({ length: 200 }, (_, index) => ({ id: String(101 + (index % 16)) }));
		const items = await itemsOf(sandbox(), get('={{ $json.id }}'), { input, settings });
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
		expect(sandbox().stats.peakInFlight).toBeLessThanOrEqual(60);
	});
});
