import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import { AS_TOOL, NODE, itemsOf, list, run } from './harness';

/** Groups of the sample data, which the sandbox has beside the generated ones. */
const SAMPLE = 46;

/** Most single items that an input item may return through n8n's RoutingNode. */
const MOST_OF_ROUTING = 100_000;

/** More than RoutingNode's call stack takes as arguments. */
const MANY = 400_000;

async function withGroups(total: number, use: (sandbox: Sandbox) => Promise<void>) {
	const sandbox = await startSandbox({ groups: total - SAMPLE, validate: false });
	try {
		await use(sandbox);
	} finally {
		await sandbox.close();
	}
}

describe('Return All', () => {
	test('returns 400,000 groups as single items', async () => {
		await withGroups(MANY, async (sandbox) => {
			const items = await itemsOf(sandbox, list({ returnAll: true, output: 'simplified' }));
			expect(items).toHaveLength(MANY);
			expect(new Set(items.map(({ json }) => json.guid)).size).toBe(MANY);
			expect(sandbox.stats.requests).toBe(MANY / 1_000);
		});
	}, 60_000);
});

describe("As an agent's tool, Return All", () => {
	const settings = AS_TOOL;

	const TOO_MANY = 'The list has more than 100,000 items, which is too many for an AI agent';

	const ADVICE = "Set 'Limit', add a filter, or set 'Output' to 'Pages'.";

	test('returns exactly 100,000 groups', async () => {
		await withGroups(MOST_OF_ROUTING, async (sandbox) => {
			const parameters = list({ returnAll: true, output: 'simplified' });
			const items = await itemsOf(sandbox, parameters, { settings });
			expect(items).toHaveLength(MOST_OF_ROUTING);
			expect(new Set(items.map(({ json }) => json.guid)).size).toBe(MOST_OF_ROUTING);
			expect(sandbox.stats.requests).toBe(100);
		});
	});

	test('refuses them too when the service does not say how many there are', async () => {
		await withGroups(MOST_OF_ROUTING + 1, async (sandbox) => {
			sandbox.setSettings({ totalPages: 'next' });
			const result = await run(sandbox, list({ returnAll: true, output: 'simplified' }), {
				onError: 'continueRegularOutput',
				settings,
			});
			const items = result.items(NODE);
			expect(items).toHaveLength(MOST_OF_ROUTING + 1);
			expect(items[MOST_OF_ROUTING].json.error).toBe(`${TOO_MANY}. ${ADVICE}`);
			expect(sandbox.stats.requests).toBe(101);
		});
	});
});

describe('Output → Pages', () => {
	const GROUPS = 1_000_000;

	async function child(sandbox: Sandbox, what: string, ...flags: string[]) {
		const { stdout } = await promisify(execFile)(
			process.execPath,
			[
				'--expose-gc',
				...flags,
				'--import',
				'tsx',
				join(__dirname, 'transport.memory.child.ts'),
				sandbox.baseUrl,
				sandbox.apiKey,
				what,
			],
			{ cwd: join(__dirname, '../..'), timeout: 100_000 },
		);
		return JSON.parse(stdout) as { pages: number; groups: number; heapMb: number };
	}

	test('goes through a million groups, with memory for the pages and little else', async () => {
		await withGroups(GROUPS, async (sandbox) => {
			// A fifth of the pages tells what all of them take: they are all alike
			const fifth = await child(sandbox, 'floor');
			expect(fifth).toMatchObject({ pages: 200, groups: GROUPS / 5 });
			const floorMb = fifth.heapMb * 5;
			// Ends the process where memory grows beyond it at any time, garbage included
			const limit = `--max-old-space-size=${Math.ceil(floorMb * 1.5 + 150)}`;
			const node = await child(sandbox, 'node', limit);
			expect(node).toMatchObject({ pages: 1_000, groups: GROUPS });
			expect(node.heapMb).toBeLessThan(floorMb * 1.5);
		});
	}, 120_000);
});
