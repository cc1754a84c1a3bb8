import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { perform, sentTo } from '../../perform';
import type { Reply, Service } from '../../service';
import { json, startService } from '../../service';

let service: Service;

async function serving(...replies: Reply[]): Promise<void> {
	service = await startService(...replies);
}

afterEach(async () => await service.close());

const run = async (operation: string, parameters: INodeParameters = {}) =>
	await perform(service, 'group', operation, parameters);

const group = {
	guid: 'team',
	name: 'Team',
	description: 'About',
	icon: 'https://example.com/team.png',
	type: 'public',
	scope: 'admin',
	membersCount: 3,
	joinedAt: 1_700_000_000,
	conversationId: 'group_team',
	hasJoined: false,
	createdAt: 1_600_000_000,
	owner: 'ann',
	tags: ['a', 'b'],
	metadata: { color: 'red' },
};

const one = json(200, { data: group });

const done = json(200, { data: { success: true, message: 'Gone.' } });

/** Five groups or members, as many a page as asked for. */
const paged =
	(id: string): Reply =>
	(response, request) => {
		const query = new URL(String(request.url), 'http://service').searchParams;
		const [page, perPage] = [Number(query.get('page')), Number(query.get('perPage'))];
		const data = all(id).slice((page - 1) * perPage, page * perPage);
		const total_pages = Math.ceil(5 / perPage);
		json(200, { data, meta: { pagination: { total: 5, total_pages } } })(response, request);
	};

const all = (id: string): IDataObject[] =>
	[1, 2, 3, 4, 5].map((n) => ({ [id]: `x${n}`, name: `Name ${n}`, icon: 'y' }));

describe('List', () => {
	beforeEach(async () => await serving(paged('guid')));

	test('without any setting asks for one page of 50', async () => {
		expect(await run('list')).toEqual(all('guid'));
		expect(sentTo(service)).toEqual([{ line: 'GET /groups?page=1&perPage=50' }]);
	});

	test('keeps Limit over pages, and goes to the end with Return All', async () => {
		const options = { perPage: 2 };
		expect(await run('list', { limit: 3, options })).toEqual(all('guid').slice(0, 3));
		expect(service.received).toHaveLength(2);
		expect(await run('list', { returnAll: true, options })).toEqual(all('guid'));
		expect(service.received).toHaveLength(5);
	});

	test('takes no notice of Limit with Return All', async () => {
		expect(await run('list', { returnAll: true, limit: 2 })).toHaveLength(5);
		expect(sentTo(service)).toEqual([{ line: 'GET /groups?page=1&perPage=1000' }]);
	});

	test('begins at Page', async () => {
		expect(await run('list', { options: { page: 2, perPage: 2 } })).toEqual(all('guid').slice(2));
		expect(sentTo(service).map(({ line }) => line)).toEqual([
			'GET /groups?page=2&perPage=2',
			'GET /groups?page=3&perPage=2',
		]);
	});

	test('asks for pages of a thousand when more than that are wanted', async () => {
		await run('list', { limit: 5_000 });
		expect(sentTo(service)[0]).toEqual({ line: 'GET /groups?page=1&perPage=1000' });
	});

	test('sends filters and sort with every page, and the user in the header', async () => {
		await run('list', {
			returnAll: true,
			onBehalfOf: { __rl: true, mode: 'id', value: 'ann' },
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

	test('returns the shape that Output asks for', async () => {
		expect(await run('list', { output: 'simplified', limit: 1 })).toEqual([
			{ guid: 'x1', name: 'Name 1' },
		]);
		expect(await run('list', { output: 'fields', fields: ['icon'], limit: 1 })).toEqual([
			{ icon: 'y' },
		]);
		expect(await run('list', { output: 'pages', limit: 4, options: { perPage: 2 } })).toEqual([
			{ data: all('guid').slice(0, 2), meta: { pagination: { total: 5, total_pages: 3 } } },
			{ data: all('guid').slice(2, 4), meta: { pagination: { total: 5, total_pages: 3 } } },
		]);
		expect(await run('list', { output: 'pages', limit: 100_001 })).toHaveLength(1);
	});

	test.each<[string, INodeParameters, string]>([
		['a limit of nothing', { limit: 0 }, "'Limit' must be a whole number of at least 1"],
		['Return All in words', { returnAll: 'yes' }, "'Return All' must be true or false"],
		['Has Joined without a user', { filters: { hasJoined: true } }, "'On Behalf Of' is empty, but"],
		['a wrong filter', { filters: { type: 'x' } }, "'Type' must be one of"],
		['no fields', { output: 'fields', fields: [] }, "'Fields' is empty"],
		['an unsafe field', { output: 'fields', fields: ['__proto__'] }, "'Fields' must not contain"],
		['an unknown output', { output: 'all' }, "'Output' must be one of"],
		['a wrong page size', { options: { perPage: 1_001 } }, "'Per Page' must be"],
		['a page before the first', { options: { page: 0 } }, "'Page' must be"],
		['a page beyond any', { options: { page: 9_007_199_254_740_991 } }, "'Page' must be"],
		['no attempt', { options: { maxTries: 0 } }, "'Max Attempts' must be"],
		['more attempts than allowed', { options: { maxTries: 101 } }, "'Max Attempts' must be"],
		['a wait before now', { options: { maxWait: -1 } }, "'Max Wait (Seconds)' must be"],
		['a wait in words', { options: { maxWait: 'long' } }, "'Max Wait (Seconds)' must be"],
		['a wait of more than a day', { options: { maxWait: 86_401 } }, "'Max Wait (Seconds)' must be"],
	])('with %s sends nothing, and names the field', async (_name, parameters, words) => {
		await expect(run('list', parameters)).rejects.toThrow(words);
		expect(service.received).toEqual([]);
	});

	test('takes options that were cleared for ones that were not set', async () => {
		const options = { maxTries: '', maxWait: ' ', page: '', perPage: '' };
		expect(await run('list', { limit: '', options })).toEqual(all('guid'));
		expect(sentTo(service)).toEqual([{ line: 'GET /groups?page=1&perPage=50' }]);
	});
});

describe('Get', () => {
	test('returns a group by its GUID', async () => {
		await serving(one);
		expect(await run('get', { groupId: { __rl: true, mode: 'list', value: 'team' } })).toEqual([
			group,
		]);
		expect(sentTo(service)).toEqual([{ line: 'GET /groups/team' }]);
		await expect(run('get', { groupId: '' })).rejects.toThrow("'Group' is empty");
	});

	test('simplified has ten flat columns, tags as one text', async () => {
		await serving(one, json(200, { data: { guid: 'a', tags: 'x', name: {} } }));
		expect(await run('get', { groupId: 'team', output: 'simplified' })).toEqual([
			{
				guid: 'team',
				name: 'Team',
				description: 'About',
				type: 'public',
				membersCount: 3,
				owner: 'ann',
				tags: 'a, b',
				hasJoined: false,
				scope: 'admin',
				createdAt: 1_600_000_000,
			},
		]);
		expect(await run('get', { groupId: 'a', output: 'simplified' })).toEqual([{ guid: 'a' }]);
	});
});

describe('Create', () => {
	test('sends what is set, and nothing else', async () => {
		await serving(one);
		await run('create', { guid: ' team ', name: 'Team' });
		await run('create', {
			guid: 'vip',
			name: 'VIP',
			type: 'password',
			password: 'secret',
			onBehalfOf: 'ann',
			additionalFields: {
				description: 'About',
				icon: 'https://example.com/i.png',
				metadata: '{"a": {"b": 1}}',
				owner: ' bob ',
				tags: ['x,y', 'z'],
			},
		});
		expect(sentTo(service)).toEqual([
			{ line: 'POST /groups', body: { guid: 'team', name: 'Team', type: 'public' } },
			{
				line: 'POST /groups',
				user: 'ann',
				body: {
					guid: 'vip',
					name: 'VIP',
					type: 'password',
					password: 'secret',
					description: 'About',
					icon: 'https://example.com/i.png',
					metadata: { a: { b: 1 } },
					owner: 'bob',
					tags: ['x,y', 'z'],
				},
			},
		]);
	});

	test.each<[INodeParameters, string]>([
		[{ name: 'Team' }, "'GUID' is empty"],
		[{ guid: 'a b', name: 'Team' }, "'GUID' can have only letters"],
		[{ guid: 'a' }, "'Name' is empty"],
		[{ guid: 'a', name: 'A', type: 'password' }, "'Password' is empty"],
		[{ guid: 'a', name: 'A', type: 'protected' }, "'Type' must be one of"],
	])('refuses %j', async (parameters, words) => {
		await serving(one);
		await expect(run('create', parameters)).rejects.toThrow(words);
		expect(service.received).toEqual([]);
	});

	test('sends no password with another type', async () => {
		await serving(one);
		await run('create', { guid: 'a', name: 'A', type: 'private', password: 'left over' });
		expect(sentTo(service)[0].body).toEqual({ guid: 'a', name: 'A', type: 'private' });
	});
});

describe('Update', () => {
	test('sends the fields to change, and those to clear', async () => {
		await serving(one);
		await run('update', {
			groupId: 'team',
			updateFields: { name: 'New', unset: ['icon', 'metadata'], tags: [] },
		});
		expect(sentTo(service)).toEqual([
			{ line: 'PUT /groups/team', body: { name: 'New', unset: ['icon', 'metadata'] } },
		]);
	});

	test.each<[INodeParameters, string]>([
		[{}, "'Update Fields' is empty"],
		[{ updateFields: { description: '' } }, "'Update Fields' is empty"],
		[{ updateFields: { name: ' ' } }, "'Name' is empty"],
		[{ updateFields: { type: 'password' } }, "'Password' is empty"],
		[{ updateFields: { unset: ['name'] } }, "'Unset' must be one of"],
	])('refuses %j', async (parameters, words) => {
		await serving(one);
		await expect(run('update', { groupId: 'team', ...parameters })).rejects.toThrow(words);
		expect(service.received).toEqual([]);
	});
});

describe('Delete', () => {
	test("returns the service's words, or that it was deleted", async () => {
		await serving(done);
		const groupId = 'team';
		expect(await run('delete', { groupId })).toEqual([{ success: true, message: 'Gone.' }]);
		expect(await run('delete', { groupId, output: 'simplified' })).toEqual([
			{ guid: 'team', deleted: true },
		]);
		expect(sentTo(service)[0]).toEqual({ line: 'DELETE /groups/team' });
	});
});

describe('List Members', () => {
	test('pages as a list of groups does, with its own filters', async () => {
		await serving(paged('uid'));
		const parameters = {
			groupId: 'team',
			returnAll: true,
			filters: { scopes: ['admin', 'moderator'], status: 'offline' },
			options: { perPage: 4 },
		};
		expect(await run('listMembers', parameters)).toEqual(all('uid'));
		expect(sentTo(service).map(({ line }) => line)).toEqual([
			'GET /groups/team/members?scopes=admin,moderator&status=offline&perPage=4&page=1',
			'GET /groups/team/members?scopes=admin,moderator&status=offline&perPage=4&page=2',
		]);
	});

	test('simplified has the columns of a member', async () => {
		const sent = { uid: 'ann', name: 'Ann', scope: 'admin', joinedAt: 5, link: 'x', role: 'r' };
		await serving(json(200, { data: [{ ...sent, status: 'offline', metadata: {} }], meta: {} }));
		const parameters = { groupId: 'team', limit: 1, output: 'simplified' };
		expect(await run('listMembers', parameters)).toEqual([
			{ uid: 'ann', name: 'Ann', scope: 'admin', joinedAt: 5, status: 'offline', role: 'r' },
		]);
	});
});

describe('Add Members', () => {
	const member = (uid: string, scope = 'participant') => ({ uid, scope, success: true });

	test.each([
		['admin', 'admins'],
		['moderator', 'moderators'],
		['participant', 'participants'],
	])('sends the users with the scope %s as %s', async (scope, name) => {
		const results = { ann: { success: true }, bob: true };
		await serving(json(200, { data: { [name]: results } }));
		const parameters = { groupId: 'team', uids: 'Ann, bob', scope, onBehalfOf: 'eve' };
		expect(await run('addMembers', parameters)).toEqual([
			member('Ann', scope),
			member('bob', scope),
		]);
		expect(sentTo(service)).toEqual([
			{ line: 'POST /groups/team/members', user: 'eve', body: { [name]: ['Ann', 'bob'] } },
		]);
	});

	test.each<[unknown, string]>([
		[{ success: false, message: 'No.' }, 'No.'],
		[{ error: { code: 'ERR_X', message: 'No.' } }, 'No (ERR_X)'],
		[{ error: { code: 'ERR_X' } }, 'ERR_X'],
		[{ code: 'ERR_X', message: 'No' }, 'No (ERR_X)'],
		[{ error: 'No way' }, 'No way'],
		['No way', 'No way'],
		[{ success: false }, 'CometChat did not say whether the user was added'],
		[false, 'CometChat did not say whether the user was added'],
		[undefined, 'CometChat did not say whether the user was added'],
	])('says of a user who was not added why: %j', async (result, reason) => {
		await serving(json(200, { data: { participants: { other: true, ann: result } } }));
		await expect(run('addMembers', { groupId: 'team', uids: ['ann'] })).rejects.toThrow(
			expect.objectContaining({
				message: '1 of 1 users could not be added',
				description: expect.stringContaining(`ann: ${reason}`),
			}),
		);
	});

	test('finds no result for a user where the service sends none at all', async () => {
		await serving(json(200, { data: { success: true } }));
		await expect(run('addMembers', { groupId: 'team', uids: ['ann'] })).rejects.toThrow(
			'1 of 1 users could not be added',
		);
	});

	test('returns the shape that Output asks for', async () => {
		await serving(json(200, { data: { participants: { ann: { success: true } } } }));
		const parameters = { groupId: 'team', uids: ['ann'] };
		expect(await run('addMembers', { ...parameters, output: 'simplified' })).toEqual([
			member('ann'),
		]);
		expect(await run('addMembers', { ...parameters, output: 'fields', fields: ['uid'] })).toEqual([
			{ uid: 'ann' },
		]);
	});

	test.each<[INodeParameters, string]>([
		[{ uids: [] }, "'UIDs' is empty"],
		[{ uids: ['a b'] }, "'UIDs' can have only letters"],
		[{ uids: ['a'], scope: 'owner' }, "'Scope' must be one of"],
	])('refuses %j', async (parameters, words) => {
		await serving(one);
		await expect(run('addMembers', { groupId: 'team', ...parameters })).rejects.toThrow(words);
		expect(service.received).toEqual([]);
	});
});

describe('Remove Member', () => {
	test('names the group and the user', async () => {
		await serving(done);
		const parameters = { groupId: 'team', userId: 'ann', output: 'simplified' };
		expect(await run('removeMember', parameters)).toEqual([
			{ guid: 'team', uid: 'ann', deleted: true },
		]);
		expect(sentTo(service)).toEqual([{ line: 'DELETE /groups/team/members/ann' }]);
		await expect(run('removeMember', { groupId: 'team' })).rejects.toThrow("'User' is empty");
	});
});
