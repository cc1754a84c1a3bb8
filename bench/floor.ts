import { Pool } from 'undici';
import type { Case } from './cases';
import { PER_PAGE } from './cases';
import type { Job } from './job';
import type { Service } from './service';

interface Item {
	json: unknown;
}

interface GroupsAnswer {
	data: unknown[];
	meta: { pagination: { total_pages: number } };
}

/**
 * The least that the work can take in Node.js: connections that stay open, as many requests at once
 * as our node has, answers parsed, and one plain item each. No workflow, no checks, no retries.
 */
export async function runFloor({ service, run, inFlight }: Job): Promise<number> {
	const pool = new Pool(service.url, { connections: inFlight });
	try {
		const items =
			run.work === 'groups' ? await groups(pool, service, run) : await messages(pool, service, run);
		return items.length;
	} finally {
		await pool.close();
	}
}

async function get<T>(pool: Pool, { baseUrl, apiKey }: Service, path: string): Promise<T> {
	const { statusCode, body } = await pool.request({
		method: 'GET',
		path: `${new URL(baseUrl).pathname}${path}`,
		headers: { apikey: apiKey },
	});
	if (statusCode !== 200) throw new Error(`The service answered ${statusCode}`);
	return (await body.json()) as T;
}

async function groups(pool: Pool, service: Service, { searchKey }: Case): Promise<Item[]> {
	const filter = searchKey === undefined ? '' : `&searchKey=${searchKey}`;
	const page = async (number: number): Promise<GroupsAnswer> =>
		await get(pool, service, `/groups?page=${number}&perPage=${PER_PAGE}${filter}`);
	const first = await page(1);
	const rest = Array.from(
		{ length: first.meta.pagination.total_pages - 1 },
		(_, index) => index + 2,
	);
	const pages = [first, ...(await Promise.all(rest.map(page)))];
	return pages.flatMap(({ data }) => data.map((json) => ({ json })));
}

async function messages(pool: Pool, service: Service, { size }: Case): Promise<Item[]> {
	const { messageIds } = service;
	return await Promise.all(
		Array.from({ length: size }, async (_, index) => {
			const id = messageIds[index % messageIds.length];
			const { data } = await get<{ data: unknown }>(pool, service, `/messages/${id}`);
			return { json: data };
		}),
	);
}
