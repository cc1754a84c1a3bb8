import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { NODE, errorOf, itemsOf, list, run } from './harness';

/** Groups of the sample data, which the sandbox has beside the generated ones. */
const SAMPLE = 46;

/** As much as n8n can hand on as single items. */
const MOST = 100_000;

async function withGroups(total: number, use: (sandbox: Sandbox) => Promise<void>) {
	const sandbox = await startSandbox({ groups: total - SAMPLE, validate: false });
	try {
		await use(sandbox);
	} finally {
		await sandbox.close();
	}
}

describe('Return All', () => {
	test('gives exactly 100,000 groups', async () => {
		await withGroups(MOST, async (sandbox) => {
			const items = await itemsOf(sandbox, list({ returnAll: true, output: 'simplified' }));
			expect(items).toHaveLength(MOST);
			expect(new Set(items.map(({ json }) => json.guid)).size).toBe(MOST);
			expect(sandbox.stats.requests).toBe(100);
		});
	});

	test('refuses 100,001 groups after one request, and names what to set instead', async () => {
		await withGroups(MOST + 1, async (sandbox) => {
			const { message } = await errorOf(sandbox, list({ returnAll: true }));
			expect(message).toContain('more than 100,000 groups');
			expect(message).toContain('Set "Limit"');
			expect(message).toContain('set "Output" to "Pages"');
			expect(sandbox.stats.requests).toBe(1);
		});
	});

	test('refuses them too when the service does not say how many there are', async () => {
		await withGroups(MOST + 1, async (sandbox) => {
			sandbox.setSettings({ totalPages: 'next' });
			const result = await run(sandbox, list({ returnAll: true, output: 'simplified' }), {
				onError: 'continueRegularOutput',
			});
			const items = result.items(NODE);
			expect(items).toHaveLength(MOST + 1);
			expect(items[MOST].json.error).toMatch(/^The list has more than 100,000 groups/);
			expect(items[MOST].json.error).toContain('items that came before are kept');
			expect(sandbox.stats.requests).toBe(101);
		});
	});
});

test('a Limit of 100,001 is refused before anything is sent', async () => {
	await withGroups(SAMPLE, async (sandbox) => {
		const { message } = await errorOf(sandbox, list({ limit: MOST + 1 }));
		expect(message).toMatch(/^"Limit" is more than 100,000/);
		expect(message).toContain('set "Output" to "Pages"');
		expect(sandbox.stats.requests).toBe(0);
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
