import type { User } from '../../sandbox/types';
import { call, dataOf, refusalOf, useSandbox } from './client';

const sandbox = useSandbox();

const find = async (query = '') =>
	dataOf<User[]>(await call(sandbox(), `/users${query}`)).map(({ uid }) => uid);

test('List Users returns who can act, by UID, a page at a time', async () => {
	const all = await find();
	expect(all).toEqual([...all].sort());
	expect(all).toHaveLength(12);
	expect(all).not.toContain('old-account');
	const pages = await Promise.all([1, 2, 3].map((page) => find(`?perPage=5&page=${page}`)));
	expect(pages.flat()).toEqual(all);
	expect(pages.map(({ length }) => length)).toEqual([5, 5, 2]);
	const { meta } = JSON.parse((await call(sandbox(), '/users?perPage=5')).text);
	expect(meta.pagination).toEqual({
		total: 12,
		count: 5,
		per_page: 5,
		current_page: 1,
		total_pages: 3,
	});
});

test.each([
	['searchKey=mi', ['mira']],
	['searchKey=MIRA%20H', ['mira']],
	['searchKey=halden', []],
	['searchKey=Sam', ['ext_sam-99']],
	['searchKey=Sam&searchIn=uid', []],
	['searchKey=ext&searchIn=name', []],
	['searchKey=ext&searchIn=name,uid', ['ext_sam-99']],
])('%s finds who starts with it', async (query, expected) => {
	expect(await find(`?${query}`)).toEqual(expected);
});

test.each(['?perPage=1001', '?searchIn=email', '?searchKey=', '?status=offline'])(
	'%s is refused',
	async (query) => {
		expect(refusalOf(await call(sandbox(), `/users${query}`))).toEqual([400, 'ERR_BAD_REQUEST']);
	},
);

test('pages can be shorter than asked for', async () => {
	sandbox().setSettings({ maxPerPage: 4 });
	expect(await find('?perPage=100')).toHaveLength(4);
});
