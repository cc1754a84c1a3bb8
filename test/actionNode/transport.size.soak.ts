import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import { AS_TOOL, CONTINUE, NODE, itemsOf, list, run, runChild } from './harness';

/** Number of groups in the sandbox's sample data. */
const SAMPLE = 46;

/** Maximum number of items that the node returns through n8n's RoutingNode. */
const MAX_AS_TOOL = 100_000;

/** Number of groups that RoutingNode would fail to return, because JavaScript limits function arguments. */
const MANY = 400_000;

async function withGroups(total: number, use: (sandbox: Sandbox) => Promise<void>) {
	const sandbox = await startSandbox({ groups: total - SAMPLE, validate: false });
	try {
		await use(sandbox);
	} finally {
		await sandbox.close();
	}
}

const ALL = list({ returnAll: true, output: 'simplified' });

test.each([
	['Return All', 'returns 400,000 groups as single items', MANY, {}],
	["As an agent's tool, Return All", 'returns 100,000 groups', MAX_AS_TOOL, AS_TOOL],
])(
	'%s %s',
	async (_, __, count, settings) => {
		await withGroups(count, async (sandbox) => {
			const items = await itemsOf(sandbox, ALL, { settings });
			expect(items).toHaveLength(count);
			expect(new Set(items.map(({ json }) => json.guid)).size).toBe(count);
			expect(sandbox.stats.requests).toBe(count / 1_000);
		});
	},
	60_000,
);

test("As an agent's tool, Return All stops after 100,000 groups if the service does not report a total", async () => {
	await withGroups(MAX_AS_TOOL + 1, async (sandbox) => {
		sandbox.setSettings({ totalPages: 'next' });
		const { items } = await run(sandbox, ALL, { ...CONTINUE, settings: AS_TOOL });
		expect(items(NODE)).toHaveLength(MAX_AS_TOOL + 1);
		expect(items(NODE)[MAX_AS_TOOL].json.error).toBe(
			"The list has more than 100,000 items, which is too many for an AI agent. Set 'Limit', add a filter, or set 'Output' to 'Pages'.",
		);
		expect(sandbox.stats.requests).toBe(101);
	});
});

test('Output → Pages holds a million groups with little more memory than the parsed pages', async () => {
	const GROUPS = 1_000_000;
	await withGroups(GROUPS, async ({ baseUrl, apiKey }) => {
		const read = async (way: string, ...flags: string[]) =>
			await runChild<{ pages: number; groups: number; heapMb: number }>(
				'transport.memory.child.ts',
				[baseUrl, apiKey, way],
				{ flags: ['--expose-gc', ...flags] },
			);
		// Measuring a fifth of the pages is enough, because all pages are the same size
		const fifth = await read('undici');
		expect(fifth).toMatchObject({ pages: 200, groups: GROUPS / 5 });
		const parsedMb = fifth.heapMb * 5;
		// Node.js aborts the process if the heap exceeds this limit
		const limit = `--max-old-space-size=${Math.ceil(parsedMb * 1.5 + 150)}`;
		const node = await read('node', limit);
		expect(node).toMatchObject({ pages: 1_000, groups: GROUPS });
		expect(node.heapMb).toBeLessThan(parsedMb * 1.5);
	});
}, 120_000);
