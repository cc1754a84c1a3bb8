import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { serve } from '../../tools/n8nEngine/serve';
import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import { errorOf, get, itemsOf, list, runChild } from './harness';
import { KEY } from './recorder';

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

test('A response above 512 MB, which Node.js cannot convert to a string, is explained and not requested again', async () => {
	const megabyte = Buffer.alloc(1_048_576, ' ');
	let requests = 0;
	const { url, close } = await serve(async (_, response) => {
		requests++;
		response.writeHead(200, {
			'content-type': 'application/json',
			'content-encoding': 'gzip',
		});
		const spaces = Readable.from(Array.from({ length: 513 }, () => megabyte));
		await pipeline(spaces, createGzip({ level: 1 }), response).catch(() => {});
	});
	const { message, description } = await errorOf({ apiKey: KEY, baseUrl: `${url}/v3` }, get('101'));
	await close();
	expect(message).toBe("CometChat's response is larger than 512 MB");
	expect(description).toMatch(/^Read less at a time, .* Trying again doesn't help\./);
	expect(requests).toBe(1);
});
