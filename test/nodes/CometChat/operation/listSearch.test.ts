import { searchGroups, searchUsers } from '../../../../nodes/CometChat/operation/listSearch';
import { pickerContextOf } from '../context';
import type { Reply, Service } from '../service';
import { KEY, json, startService } from '../service';

let service: Service;

async function serving(...replies: Reply[]): Promise<void> {
	service = await startService(...replies);
}

afterEach(async () => await service.close());

const groups = async (filter?: string, token?: string) =>
	await searchGroups.call(pickerContextOf(service.credentials), filter, token);

const users = async (filter?: string, token?: string) =>
	await searchUsers.call(pickerContextOf(service.credentials), filter, token);

/** What a picker shows when its list cannot be had. */
const messageOf = async (result: Promise<unknown>): Promise<string> =>
	await result.then(
		() => 'it was shown',
		(error: Error) => error.message,
	);

const page = (data: unknown, pagination?: object) =>
	json(200, { data, meta: pagination === undefined ? undefined : { pagination } });

const full = Array.from({ length: 50 }, (_, i) => ({ guid: `g${i}` }));

test('groups are shown with their names and GUIDs, because names need not be unique', async () => {
	await serving(
		page([
			{ guid: 'a', name: 'Team' },
			{ guid: 'b', name: ' ' },
			{ guid: 7, name: 5 },
		]),
	);
	expect(await groups()).toEqual({
		results: [
			{ name: 'Team (a)', value: 'a' },
			{ name: 'b', value: 'b' },
			{ name: '7', value: '7' },
		],
	});
	expect(service.received).toMatchObject([
		{ method: 'GET', url: '/v3/groups?page=1&perPage=50', headers: { apikey: KEY } },
	]);
});

test('users are searched by what was typed, page by page', async () => {
	await serving(page([{ uid: 'ann', name: 'Ann' }], { total_pages: 9 }));
	expect(await users(' an ', '3')).toEqual({
		results: [{ name: 'Ann (ann)', value: 'ann' }],
		paginationToken: '4',
	});
	expect(service.received[0].url).toBe('/v3/users?searchKey=an&page=3&perPage=50');
	await users(' \n', 'nonsense');
	expect(service.received[1].url).toBe('/v3/users?page=1&perPage=50');
});

test('what has no ID cannot be picked', async () => {
	await serving(page([{ name: 'x' }, { guid: null, name: 'y' }, { guid: 'a' }]));
	expect(await groups()).toEqual({ results: [{ name: 'a', value: 'a' }] });
});

test.each<[string, unknown[], object | undefined, string | undefined, string | undefined]>([
	['total_pages is larger', [{ guid: 'a' }], { total_pages: 2 }, undefined, '2'],
	['total_pages is this page', full, { total_pages: 2 }, '2', undefined],
	['total_pages makes no sense and the page is full', full, { total_pages: 1 }, '2', '3'],
	[
		'total_pages makes no sense and the page is short',
		[{ guid: 'a' }],
		{ total_pages: 0 },
		'2',
		undefined,
	],
	['nothing is said and the page is full', full, undefined, undefined, '2'],
	['nothing is said and the page is short', full.slice(1), undefined, undefined, undefined],
	['the page is empty', [], { total_pages: 9 }, undefined, undefined],
])('whether there is more where %s', async (_, data, pagination, token, next) => {
	await serving(page(data, pagination));
	const { paginationToken } = await groups('', token);
	expect(paginationToken).toBe(next);
});

test('an error says everything in its message, because the editor shows nothing else', async () => {
	await serving(json(401, { error: { code: 'AUTH_ERR_APIKEY_NOT_FOUND', message: `No ${KEY}` } }));
	expect(await messageOf(groups())).toBe(
		"CometChat does not know this API key. Check 'REST API Key', 'App ID' and 'Region' in the credential. CometChat replied: No ********** (AUTH_ERR_APIKEY_NOT_FOUND).",
	);
	expect(service.received).toHaveLength(1);
});

test('an error names no setting, because a picker has none', async () => {
	await serving(json(429, {}, { 'retry-after': '60' }));
	const message = await messageOf(users());
	expect(message).toMatch(/^CometChat's rate limit was reached\. /);
	expect(message).not.toMatch(/Max Wait|Options/);
});

test('a person who waits gets a second attempt, and no third', async () => {
	await serving(json(503, {}));
	await expect(users()).rejects.toThrow('CometChat is not available right now');
	expect(service.received).toHaveLength(2);
});

test('a list that repeats the key does not show it', async () => {
	await serving(page([{ uid: 'ann', name: `Key ${KEY}` }]));
	expect(JSON.stringify(await users())).not.toContain(KEY);
});
