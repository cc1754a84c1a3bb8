import type { ILoadOptionsFunctions } from 'n8n-workflow';

import {
	getGroups,
	getUsers,
	searchActors,
	searchDeactivatedUsers,
	searchReasons,
	searchGroups,
	searchUsers,
} from '../../../../nodes/CometChat/editor/pickers';
import { reactivateUser } from '../../../../nodes/CometChat/resources/user/reactivate.operation';
import { KEY, answering, pickerContextOf } from '../context';

/** What a picker shows and what it asked for, or the message of the error. */
async function picked(
	search: (this: ILoadOptionsFunctions, filter?: string, token?: string) => Promise<unknown>,
	reply: object,
	filter?: string,
	token?: string,
) {
	const asked: unknown[] = [];
	const context = answering(
		pickerContextOf({ apiKey: KEY, region: 'us', appId: 'app' }),
		({ method, url, qs }) => {
			asked.push([method, url, qs]);
			return reply;
		},
	);
	const shown = await search.call(context, filter, token).catch(({ message }: Error) => message);
	return { shown, asked };
}

const page = (data: unknown[], pagination?: object) => ({ data, meta: { pagination } });

const full = Array.from({ length: 1000 }, (_, i) => ({ guid: `g${i}` }));

test('groups appear with names and GUIDs, sorted by name, without the API key', async () => {
	const groups = [
		{ guid: 'a', name: 'Team' },
		{ guid: 'b', name: ' ' },
		{ guid: 7, name: 5 },
		{ name: 'x' },
		{ guid: null, name: 'y' },
		{ guid: 'c', name: `Key ${KEY}` },
	];
	expect(await picked(searchGroups, page(groups, { total: 6 }))).toEqual({
		shown: {
			results: [
				{ name: '7', value: '7' },
				{ name: 'b', value: 'b' },
				{ name: 'Key ********** (c)', value: 'c' },
				{ name: 'Team (a)', value: 'a' },
			],
		},
		asked: [['GET', '/groups', { sortBy: 'name', sortOrder: 'asc', page: 1, perPage: 1000 }]],
	});
});

test('several users are chosen among the first thousand, by name', async () => {
	const users = [
		{ uid: 'leo', name: 'Leo' },
		{ uid: 'ann', name: 'ann' },
		{ uid: 'b', name: 'Bo' },
	];
	expect(await picked(getUsers, page(users, { total_pages: 9 }))).toEqual({
		shown: [
			{ name: 'ann (ann)', value: 'ann' },
			{ name: 'Bo (b)', value: 'b' },
			{ name: 'Leo (leo)', value: 'leo' },
		],
		asked: [['GET', '/users', { page: 1, perPage: 1000 }]],
	});
});

test('groups to choose several of are listed by name too', async () => {
	const groups = [
		{ guid: 'makers', name: 'Makers' },
		{ guid: 'brand', name: 'Brand' },
	];
	expect(await picked(getGroups, page(groups, { total_pages: 1 }))).toEqual({
		shown: [
			{ name: 'Brand (brand)', value: 'brand' },
			{ name: 'Makers (makers)', value: 'makers' },
		],
		asked: [['GET', '/groups', { sortBy: 'name', sortOrder: 'asc', page: 1, perPage: 1000 }]],
	});
});

test('users are searched by what was typed, page by page', async () => {
	const users = page([{ uid: 'ann', name: 'Ann' }], { total_pages: 9 });
	expect(await picked(searchUsers, users, ' an ', '3')).toEqual({
		shown: { results: [{ name: 'Ann (ann)', value: 'ann' }], paginationToken: '4' },
		asked: [['GET', '/users', { searchKey: 'an', page: 3, perPage: 1000 }]],
	});
	expect((await picked(searchUsers, users, ' \n', 'nonsense')).asked).toEqual([
		['GET', '/users', { page: 1, perPage: 1000 }],
	]);
});

test('users who were deactivated have a list of their own, and Reactivate offers it', async () => {
	const users = page([{ uid: 'old-account', name: 'Old' }], { total: 1 });
	expect(await picked(searchDeactivatedUsers, users, 'old')).toEqual({
		shown: { results: [{ name: 'Old (old-account)', value: 'old-account' }] },
		asked: [['GET', '/users', { onlyDeactivated: true, searchKey: 'old', page: 1, perPage: 1000 }]],
	});
	const [list] = reactivateUser.fields.find(({ name }) => name === 'userId')?.modes ?? [];
	expect(list.typeOptions?.searchListMethod).toBe('searchDeactivatedUsers');
});

test('reasons come all at once, and are searched here', async () => {
	const reasons = page([
		{ id: 'spam', name: 'Spam' },
		{ id: 'rude', name: 'Harassment' },
	]);
	const shown = { results: [{ name: 'Harassment (rude)', value: 'rude' }] };
	const asked = [['GET', '/moderation/reasons', {}]];
	expect(await picked(searchReasons, reasons, ' HARASS ')).toEqual({ shown, asked });
});

test.each<[object, string | undefined, string | undefined]>([
	[page(full, { total_pages: 2 }), '2', undefined],
	[page(full, { total_pages: 1, total: 2000 }), '2', '3'],
	[page(full.slice(1), { total: 1999 }), '2', undefined],
	[page(full.slice(1), { total: 2000 }), '2', '3'],
	[page(full), undefined, '2'],
	[page([], { total_pages: 9 }), undefined, undefined],
])('whether there is more: case %#', async (reply, token, next) => {
	expect(Object((await picked(searchGroups, reply, '', token)).shown).paginationToken).toBe(next);
});

test('an error says everything in its message, and names no setting, because a picker has none', async () => {
	const error = { code: 'AUTH_ERR_APIKEY_NOT_FOUND', message: `No ${KEY}` };
	const unknown = await picked(searchGroups, { statusCode: 401, error });
	expect(unknown.shown).toMatch(
		/^CometChat does not know this API key\. Check 'REST API Key'.* CometChat replied: No \*{10} /,
	);
	const limited = { statusCode: 429, headers: { 'retry-after': '6' } };
	const { shown, asked } = await picked(searchUsers, limited);
	expect(shown).toMatch(/^CometChat's rate limit was reached\. .* which is too long\./);
	expect(shown).not.toMatch(/Longest Retry Wait|Options/);
	expect(asked).toHaveLength(1);
});

test('a person who waits gets a second attempt, and no third', async () => {
	const { shown, asked } = await picked(searchUsers, { statusCode: 503 });
	expect(shown).toMatch(/^CometChat is currently unavailable\./);
	expect(asked).toHaveLength(2);
});

test('entries that begin with the typed text come first', async () => {
	const groups = page([
		{ guid: 'old-lantern', name: 'Old Lantern Club' },
		{ guid: 'a', name: 'Lantern Makers' },
		{ guid: 'lantern', name: 'Z' },
	]);
	const { shown } = await picked(searchGroups, groups, ' LANT');
	expect(shown).toMatchObject({
		results: [{ value: 'a' }, { value: 'lantern' }, { value: 'old-lantern' }],
	});
});

describe('When no user begins with what was typed', () => {
	const people = [
		{ uid: 'mira', name: 'Mira Lindqvist' },
		{ uid: 'x-lindqvist', name: 'Leo' },
		{ uid: 'ann', name: 'Ann' },
	];

	test.each([searchUsers, searchDeactivatedUsers])(
		'those who have it elsewhere are found: %p',
		async (search) => {
			const asked: unknown[] = [];
			const context = answering(
				pickerContextOf({ apiKey: KEY, region: 'us', appId: 'app' }),
				({ qs }) => {
					asked.push(qs);
					return page(asked.length === 1 ? [] : people);
				},
			);
			expect(await search.call(context, 'Lindqvist')).toEqual({
				results: [
					{ name: 'Leo (x-lindqvist)', value: 'x-lindqvist' },
					{ name: 'Mira Lindqvist (mira)', value: 'mira' },
				],
			});
			expect(asked).toMatchObject([
				{ searchKey: 'Lindqvist', perPage: 1000 },
				{ page: 1, perPage: 1000 },
			]);
		},
	);

	test('an app without users is asked once', async () => {
		expect((await picked(searchUsers, page([]))).asked).toHaveLength(1);
	});
});

test('who acts can be the app itself: the first entry empties the field', async () => {
	const app = { name: 'The App Itself', value: '' };
	const ann = { name: 'Ann (ann)', value: 'ann' };
	const users = page([{ uid: 'ann', name: 'Ann' }]);
	expect((await picked(searchActors, users)).shown).toMatchObject({ results: [app, ann] });
	expect((await picked(searchActors, users, 'an')).shown).toMatchObject({ results: [ann] });
	expect((await picked(searchActors, users, 'app')).shown).toMatchObject({ results: [app, ann] });
	expect((await picked(searchActors, users, undefined, '2')).shown).toMatchObject({
		results: [ann],
	});
});
