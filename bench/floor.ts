import { Pool } from 'undici';
import { PER_PAGE, inFlight, type Job } from './cases';

interface GroupsPage {
	data: unknown[];
	meta: { pagination: { total_pages: number } };
}

const upTo = (last: number, first = 1) =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);

/**
 * The least that the work can take in Node.js: connections that stay open, as many requests at once
 * as our node has, responses parsed, and one plain item each. No workflow, no checks, no retries.
 *
 * @returns how many items came
 */
export async function runFloor({ service, run }: Job): Promise<number> {
	const { origin, pathname } = new URL(service.baseUrl);
	const pool = new Pool(origin, { connections: inFlight(run.work) });
	const get = async (path: string) => {
		const headers = { apikey: service.apiKey };
		const response = await pool.request({ method: 'GET', path: `${pathname}${path}`, headers });
		if (response.statusCode !== 200) throw new Error(`The service said ${response.statusCode}`);
		return await response.body.json();
	};
	const groups = async () => {
		const filter = run.searchKey === undefined ? '' : `&searchKey=${run.searchKey}`;
		const page = async (number: number) =>
			(await get(`/groups?page=${number}&perPage=${PER_PAGE}${filter}`)) as GroupsPage;
		const first = await page(1);
		const rest = await Promise.all(upTo(first.meta.pagination.total_pages, 2).map(page));
		return [first, ...rest].flatMap(({ data }) => data.map((json) => ({ json })));
	};
	const messages = async () =>
		await Promise.all(
			upTo(run.size).map(async (number) => {
				const id = service.messageIds[number % service.messageIds.length];
				const { data } = (await get(`/messages/${id}`)) as { data: unknown };
				return { json: data };
			}),
		);
	try {
		return (await (run.work === 'groups' ? groups() : messages())).length;
	} finally {
		await pool.close();
	}
}
