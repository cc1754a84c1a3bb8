import { Pool } from 'undici';

import type { Page } from '../../nodes/CometChat/transport/response';
import { list, run } from './harness';

async function readByNode(baseUrl: string, apiKey: string): Promise<Page[]> {
	const { items, error } = await run(
		{ baseUrl, apiKey },
		list({ returnAll: true, output: 'pages', options: { perPage: 1_000 } }),
		{ mode: 'trigger' },
	);
	if (error) throw error;
	return items('CometChat').map(({ json }) => json as Page);
}

/** Fetches the first 200 pages with undici, without n8n. */
async function readByUndici(baseUrl: string, apiKey: string): Promise<Page[]> {
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

/** Fetches pages of 1,000 groups, and prints the heap growth in megabytes. */
async function main(): Promise<void> {
	const [baseUrl, apiKey, way] = process.argv.slice(2);
	const before = heapMb();
	const pages = await (way === 'node' ? readByNode : readByUndici)(baseUrl, apiKey);
	const grown = heapMb() - before;
	const groups = pages.reduce((sum, { data }) => sum + data.length, 0);
	process.stdout.write(JSON.stringify({ pages: pages.length, groups, heapMb: grown }));
}

void main().then(() => process.exit(0));
