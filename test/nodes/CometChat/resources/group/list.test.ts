import type { INodeParameters } from 'n8n-workflow';

import { listGroups } from '../../../../../nodes/CometChat/resources/group/listGroups';
import { contextsOf, templateOf } from '../../context';
import type { Service } from '../../service';
import { json, startService } from '../../service';

/** Five groups, as many a page as asked for. */
const groups = [1, 2, 3, 4, 5].map((n) => ({ guid: `g${n}`, name: `Group ${n}`, icon: 'x' }));

let service: Service;

beforeEach(async () => {
	service = await startService((response, request) => {
		const query = new URL(String(request.url), 'http://service').searchParams;
		const [page, perPage] = [Number(query.get('page')), Number(query.get('perPage'))];
		const data = groups.slice((page - 1) * perPage, page * perPage);
		const total_pages = Math.ceil(groups.length / perPage);
		json(200, { data, meta: { pagination: { total: 5, total_pages } } })(response, request);
	});
});

afterEach(async () => await service.close());

async function run(parameters: INodeParameters) {
	const [context] = contextsOf({
		credentials: service.credentials,
		parameters: { resource: 'group', operation: 'list', ...parameters },
	});
	const items = await listGroups.call(context, templateOf({ method: 'GET', url: '/groups' }));
	return items.map((item) => item.json);
}

const sent = () => service.received.map(({ url }) => String(url).replace('/v3', ''));

test('without any setting one page of 50 is asked for', async () => {
	expect(await run({})).toEqual(groups);
	expect(sent()).toEqual(['/groups?page=1&perPage=50']);
});

test('Limit is kept over pages, and Return All goes to the end', async () => {
	expect(await run({ limit: 3, options: { perPage: 2 } })).toEqual(groups.slice(0, 3));
	expect(sent()).toHaveLength(2);
	expect(await run({ returnAll: true, options: { perPage: 2 } })).toEqual(groups);
	expect(sent()).toHaveLength(5);
});

test('filters and sort go into the query of every page, the user into the header', async () => {
	await run({
		returnAll: true,
		onBehalfOf: 'ann',
		filters: { tags: ['a', 'b'], hasJoined: true, updatedAt: '2026-01-31T09:00:00' },
		sort: { sortBy: 'name', sortOrder: 'desc' },
		options: { perPage: 3 },
	});
	expect(service.received).toHaveLength(2);
	for (const [index, { url, headers }] of service.received.entries()) {
		const query = new URL(String(url), 'http://service').searchParams;
		expect(Object.fromEntries(query)).toEqual({
			tags: 'a,b',
			hasJoined: 'true',
			updatedAt: '1769846400', // 08:00 UTC: the workflow's zone is Europe/Berlin
			sortBy: 'name',
			sortOrder: 'desc',
			page: String(index + 1),
			perPage: '3',
		});
		expect(headers).toMatchObject({ onbehalfof: 'ann' });
	}
});

test('the items have the shape that Output asks for', async () => {
	expect(await run({ output: 'simplified', limit: 1 })).toEqual([{ guid: 'g1', name: 'Group 1' }]);
	expect(await run({ output: 'fields', fields: ['icon'], limit: 1 })).toEqual([{ icon: 'x' }]);
	expect(await run({ output: 'pages', limit: 4, options: { perPage: 2 } })).toMatchObject([
		{ data: groups.slice(0, 2), meta: { pagination: { total_pages: 3 } } },
		{ data: groups.slice(2, 4) },
	]);
});

test('Pages may be asked for more groups than n8n can hand on as items', async () => {
	expect(await run({ output: 'pages', limit: 100_001 })).toHaveLength(1);
});

test.each<[string, INodeParameters, string]>([
	['a limit of nothing', { limit: 0 }, '"Limit" must be a whole number of at least 1'],
	['a limit above what n8n can hand on', { limit: 100_001 }, '"Limit" is more than 100,000'],
	['Return All in words', { returnAll: 'yes' }, '"Return All" must be true or false'],
	['Has Joined without a user', { filters: { hasJoined: true } }, '"On Behalf Of" is empty, but'],
	['a wrong filter', { filters: { type: 'x' } }, '"Type" must be one of'],
	['no fields', { output: 'fields', fields: [] }, '"Fields" is empty'],
	['a wrong page size', { options: { perPage: 1_001 } }, '"Per Page" must be'],
])('with %s nothing is sent, and the field is named', async (_name, parameters, words) => {
	await expect(run(parameters)).rejects.toThrow(words);
	expect(service.received).toEqual([]);
});
