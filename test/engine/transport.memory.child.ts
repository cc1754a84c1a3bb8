import { Pool } from 'undici';

import type { Page } from '../../nodes/CometChat/transport/response';
import { list, run } from './harness';

/**
 * Goes through all groups of a sandbox in a process of its own, as pages of 1,000: by the node in
 * n8n's engine, or by a bare undici and JSON.parse, which
 * takes the first 200 pages only. Prints how much the heap has grown after it, in
 * megabytes, while the pages are held.
 */
async function byNode(baseUrl: string, apiKey: string): Promise<Page[]> {
	const { items, error } = await run(
		{ baseUrl, apiKey },
		list({ returnAll: true, output: 'pages', options: { perPage: 1_000 } }),
		{ mode: 'trigger' },
	);
	if (error) throw error;
	return items('CometChat').map(({ json }) => json as Page);
}

async function byUndici(baseUrl: string, apiKey: string): Promise<Page[]> {
	const { origin, pathname } = new URL(baseUrl);
	const pool = new Pool(origin, { connections: 4 });
	const pages: Page[] = [];
	for (let page = 1; page <= 200; page++) {
		const { body } = await pool.request({
			method: 'GET',
			path: `${pathname}/groups?page=${page}&perPage=1000`,
			headers: { apikey: apiKey },
		});
		pages.push(JSON.parse(await body.text()) as Page);
	}
	await pool.close();
	return pages;
}

function heapMb(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed / 1_048_576;
}

async function main(): Promise<void> {
	const [baseUrl, apiKey, what] = process.argv.slice(2);
	const before = heapMb();
	const pages = await (what === 'node' ? byNode : byUndici)(baseUrl, apiKey);
	const grown = heapMb() - before;
	const groups = pages.reduce((sum, { data }) => sum + data.length, 0);
	process.stdout.write(JSON.stringify({ pages: pages.length, groups, heapMb: grown }));
}

void main().then(() => process.exit(0));
