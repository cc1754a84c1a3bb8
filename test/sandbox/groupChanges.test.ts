import type { Group } from '../../sandbox/types';
import { call, dataOf, errorOf, guidsOf, refusalOf, useSandbox, type CallOptions } from './client';

const sandbox = useSandbox({ groups: 5 });

const get = (guid: string, as?: string) => call(sandbox(), `/groups/${guid}`, { as });
const create = (json: unknown, as?: string) =>
	call(sandbox(), '/groups', { method: 'POST', json, as });
const update = (guid: string, json: unknown, as?: string) =>
	call(sandbox(), `/groups/${guid}`, { method: 'PUT', json, as });
const remove = (guid: string, as?: string) =>
	call(sandbox(), `/groups/${guid}`, { method: 'DELETE', as });

describe('Get Group', () => {
	test('returns the group as the list shows it', async () => {
		const { data } = JSON.parse((await call(sandbox(), '/groups?searchKey=all-hands')).text);
		expect(dataOf(await get('all-hands'))).toEqual(data[0]);
		expect(dataOf(await get('ALL-HANDS'))).toEqual(data[0]);
		expect(dataOf<Group>(await get('generated-0000003')).guid).toBe('generated-0000003');
	});

	test('shows the user their place in it', async () => {
		const view = { hasJoined: true, scope: 'moderator', joinedAt: 1_704_099_600 };
		expect(dataOf(await get('all-hands', 'jonas'))).toMatchObject(view);
		expect(dataOf(await get('all-hands', 'ext_sam-99'))).toMatchObject({ hasJoined: false });
	});

	test.each(['nowhere', 'generated-0000005', 'constructor', 'a%2Fb'])(
		'does not find %s',
		async (guid) => {
			expect(refusalOf(await get(guid))).toEqual([404, 'ERR_GUID_NOT_FOUND']);
		},
	);
});

describe('Create Group', () => {
	test('stores every field, and never shows the password', async () => {
		const fields = {
			guid: 'Lamp-Club_7',
			name: 'Lamp Club',
			type: 'password',
			password: 'brass',
			icon: 'https://assets.example.com/club.png',
			description: 'For who collects',
			metadata: { city: 'Osaka', floors: [1, 2] },
			owner: 'Yuki',
			tags: ['social', 'two words'],
		};
		const { password, ...shown } = fields;
		const group = dataOf<Group>(await create(fields));
		expect(group).toEqual({
			...shown,
			guid: 'lamp-club_7',
			owner: 'yuki',
			membersCount: 1,
			conversationId: 'group_lamp-club_7',
			createdAt: expect.any(Number),
		});
		expect(dataOf(await get('lamp-club_7'))).toEqual(group);
		expect(sandbox().store.group('lamp-club_7')).toMatchObject({
			password,
			members: [{ uid: 'yuki', scope: 'admin' }],
		});
	});

	test('makes a public group without members that the system owns, when only that is asked for', async () => {
		const group = dataOf(await create({ guid: 'plain', name: 'Plain' }));
		expect(group).toMatchObject({ type: 'public', owner: 'app_system', membersCount: 0 });
		expect(guidsOf(await call(sandbox(), '/groups?searchKey=plain'))).toEqual(['plain']);
	});

	test('on behalf of a user makes that user the owner', async () => {
		const group = dataOf(await create({ guid: 'mine', name: 'Mine' }, 'leo'));
		expect(group).toMatchObject({ owner: 'leo', scope: 'admin', hasJoined: true });
	});

	test.each<[string, object, number, string]>([
		['a GUID that is taken', { guid: 'lunch' }, 409, 'ERR_GUID_ALREADY_EXISTS'],
		['a GUID that is taken, in capitals', { guid: 'LUNCH' }, 409, 'ERR_GUID_ALREADY_EXISTS'],
		[
			'a GUID that a generated group has',
			{ guid: 'generated-0000001' },
			409,
			'ERR_GUID_ALREADY_EXISTS',
		],
		['an unknown owner', { owner: 'nobody' }, 404, 'ERR_UID_NOT_FOUND'],
		['a deactivated owner', { owner: 'old-account' }, 404, 'ERR_UID_NOT_FOUND'],
		['no password', { type: 'password' }, 400, 'ERR_EMPTY_GROUP_PASS'],
		['an empty password', { type: 'password', password: '' }, 400, 'ERR_EMPTY_GROUP_PASS'],
		['a name that is too long', { name: 'x'.repeat(101) }, 400, 'ERR_BAD_REQUEST'],
		['a GUID with a space', { guid: 'a b' }, 400, 'ERR_BAD_REQUEST'],
		[
			'too many tags',
			{ tags: Array.from({ length: 26 }, (_, n) => `t${n}`) },
			400,
			'ERR_BAD_REQUEST',
		],
	])('with %s is refused, and nothing is made', async (_, fields, status, code) => {
		const before = sandbox().store.groupCount;
		const answer = await create({ guid: 'fresh', name: 'Fresh', ...fields });
		expect(refusalOf(answer)).toEqual([status, code]);
		expect(sandbox().store.groupCount).toBe(before);
	});
});

describe('Update Group', () => {
	test('changes what is given and leaves the rest', async () => {
		const before = dataOf<Group>(await get('brand'));
		const changes = { name: 'Brand', description: 'Colours', tags: ['design', 'new'] };
		const after = dataOf<Group>(await update('brand', changes));
		expect(after).toEqual({ ...before, ...changes, updatedAt: expect.any(Number) });
		expect(dataOf(await get('brand'))).toEqual(after);
	});

	test('with nothing in it changes nothing', async () => {
		const before = dataOf(await get('brand'));
		expect(dataOf(await update('brand', {}))).toEqual(before);
	});

	test('takes away what unset names', async () => {
		await update('all-hands', { metadata: { a: 1 } });
		const group = dataOf(await update('all-hands', { unset: ['icon', 'description', 'metadata'] }));
		for (const field of ['icon', 'description', 'metadata']) {
			expect(group).not.toHaveProperty(field);
		}
	});

	test.each([
		['replace', { b: 3 }],
		['merge', { a: 1, b: 3 }],
	] as const)('metadata: %s', async (groupMetadata, expected) => {
		sandbox().setSettings({ groupMetadata });
		await update('brand', { metadata: { a: 1, b: 2 } });
		const { metadata } = dataOf<Group>(await update('brand', { metadata: { b: 3 } }));
		expect(metadata).toEqual(expected);
	});

	test('gives the group to another owner, who becomes an admin', async () => {
		const group = dataOf(await update('brand', { owner: 'LEO' }));
		expect(group).toMatchObject({ owner: 'leo', membersCount: 3 });
		expect(dataOf(await get('brand', 'leo'))).toMatchObject({ scope: 'admin' });
	});

	test('on behalf of a user ignores the owner', async () => {
		expect(dataOf(await update('brand', { owner: 'leo', name: 'B' }, 'aisha'))).toMatchObject({
			owner: 'aisha',
			name: 'B',
		});
	});

	test('to the type password needs one, unless the group has one', async () => {
		expect(refusalOf(await update('brand', { type: 'password' }))).toEqual([
			400,
			'ERR_EMPTY_GROUP_PASS',
		]);
		expect((await update('brand', { type: 'password', password: 'x' })).status).toBe(200);
		expect((await update('brand', { type: 'password', name: 'B' })).status).toBe(200);
		await update('brand', { type: 'public' });
		expect(sandbox().store.group('brand')?.password).toBeUndefined();
	});

	test.each([
		['nowhere', {}, undefined, 404, 'ERR_GUID_NOT_FOUND'],
		['brand', { owner: 'nobody' }, undefined, 404, 'ERR_UID_NOT_FOUND'],
		['brand', { name: 'x' }, 'carla', 403, 'ERR_GROUP_NO_ADMIN_SCOPE'],
		['brand', { name: 'x' }, 'leo', 403, 'ERR_GROUP_NOT_JOINED'],
		['brand', { name: 'x' }, 'nobody', 404, 'ERR_UID_NOT_FOUND'],
		['brand', { type: 'protected' }, undefined, 400, 'ERR_BAD_REQUEST'],
	])('of %s with %j as %s is refused', async (guid, changes, as, status, code) => {
		expect(refusalOf(await update(guid, changes, as))).toEqual([status, code]);
		expect(sandbox().store.group('brand')?.name).toBe('Brand & Photos');
	});

	test('of a generated group is kept', async () => {
		await update('generated-0000002', { name: 'Renamed' });
		expect(dataOf<Group>(await get('generated-0000002')).name).toBe('Renamed');
	});
});

describe('Delete Group', () => {
	test('deletes the group and its messages', async () => {
		expect(dataOf(await remove('incidents'))).toMatchObject({ success: true });
		expect(refusalOf(await get('incidents'))).toEqual([404, 'ERR_GUID_NOT_FOUND']);
		expect(refusalOf(await remove('incidents'))).toEqual([404, 'ERR_GUID_NOT_FOUND']);
		expect(refusalOf(await call(sandbox(), '/messages/110'))).toEqual([
			404,
			'ERR_MESSAGE_ID_NOT_FOUND',
		]);
		expect((await call(sandbox(), '/messages/109')).status).toBe(200);
	});

	test('on behalf of a user needs an admin', async () => {
		expect(refusalOf(await remove('brand', 'carla'))).toEqual([403, 'ERR_GROUP_NO_ADMIN_SCOPE']);
		expect(refusalOf(await remove('brand', 'leo'))).toEqual([403, 'ERR_GROUP_NOT_JOINED']);
		expect((await remove('brand', 'aisha')).status).toBe(200);
	});
});

describe('groups that never changed', () => {
	const find = async (query: string) => guidsOf(await call(sandbox(), `/groups?${query}`));

	test('are left out by updatedAt when they have none', async () => {
		sandbox().setSettings({ updatedAtOnlyAfterChange: true });
		await create({ guid: 'never-changed', name: 'x' });
		const { createdAt } = sandbox().store.group('never-changed') ?? { createdAt: NaN };
		expect(await find(`updatedAt=${createdAt - 1}`)).toEqual([]);
		expect(await find('searchKey=never-changed')).toEqual(['never-changed']);
		await update('never-changed', { name: 'y' });
		expect(await find(`updatedAt=${createdAt - 1}`)).toEqual(['never-changed']);
		expect(await find('updatedAt=4000000000&affix=prepend&perPage=1000')).not.toContain('lunch');
	});

	test('move no cursor when they have no updatedAt', async () => {
		sandbox().setSettings({ updatedAtOnlyAfterChange: true });
		const { meta } = JSON.parse((await call(sandbox(), '/groups?searchKey=lunch')).text);
		expect(meta).not.toHaveProperty('cursor');
	});
});

describe('pages shorter than perPage', () => {
	const page = async (query: string) => {
		const { data, meta } = JSON.parse((await call(sandbox(), `/groups?${query}`)).text);
		return { guids: data.map(({ guid }: Group) => guid), ...meta.pagination };
	};

	test('hold as many groups as the service lets through, and together all of them', async () => {
		sandbox().setSettings({ maxPerPage: 20 });
		const total = sandbox().store.groupCount;
		const pages = await Promise.all([1, 2, 3, 4].map((n) => page(`perPage=500&page=${n}`)));
		expect(pages.map(({ count }) => count)).toEqual([20, 20, total - 40, 0]);
		expect(new Set(pages.flatMap(({ guids }) => guids)).size).toBe(total);
		expect(pages[0]).toMatchObject({ per_page: 20, total_pages: 3, total });
		expect(await page('perPage=7')).toMatchObject({ per_page: 7, count: 7 });
	});

	test.each([
		[{ perPageShown: 'asked' }, { per_page: 500, total_pages: 3 }],
		[{ totalPagesShown: 'asked' }, { per_page: 20, total_pages: 1 }],
		[{ perPageShown: 'missing' }, { per_page: undefined, total_pages: 3 }],
		[{ totalPagesShown: 'missing' }, { per_page: 20, total_pages: undefined }],
		[{ totalShown: 'missing' }, { total: undefined, per_page: 20 }],
	] as const)('with %j say %j', async (settings, expected) => {
		sandbox().setSettings({ maxPerPage: 20, ...settings });
		const shown = await page('perPage=500');
		expect({ ...shown, ...expected }).toEqual(shown);
		for (const [name, value] of Object.entries(expected)) {
			expect(name in shown).toBe(value !== undefined);
		}
	});
});

test('a body that is not JSON is told from one that is missing', async () => {
	const post = (options: CallOptions) => call(sandbox(), '/groups', { method: 'POST', ...options });
	const headers = { 'content-type': 'application/json' };
	expect(errorOf(await post({ body: '{', headers })).details).toEqual({ body: ['is not JSON'] });
	expect(errorOf(await post({ headers })).details).toEqual({ body: ['is required'] });
});
