import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import { itemsOf, list, runChild } from './harness';

/** Number of groups in the sandbox's sample data. */
const SAMPLE = 46;

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

test('Return All returns 400,000 groups as single items', async () => {
	await withGroups(MANY, async (sandbox) => {
		const items = await itemsOf(sandbox, ALL);
		expect(items).toHaveLength(MANY);
		expect(new Set(items.map(({ json }) => json.guid)).size).toBe(MANY);
		expect(sandbox.stats.requests).toBe(MANY / 1_000);
	});
});

test('Output → Pages holds a million groups with little more memory than the parsed pages', async () => {
	const GROUPS = 1_000_000;
	await withGroups(GROUPS, async ({ baseUrl, apiKey }) => {
		const read = async (way: string, ...flags: string[]) =>
			await runChild<{ pages: number; groups: number; heapMb: number }>(
				'transport.memory.child.ts',
				[baseUrl, apiKey, way],
				{ flags: ['--expose-gc', ...flags], timeout: 250_000 },
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
});
