import type { GroupMember, User } from '../../sandbox/types';
import { call, dataOf, useSandbox } from './client';

const sandbox = useSandbox();

describe('List Users', () => {
	const find = async (query = '') =>
		dataOf<User[]>(await call(sandbox(), `/users${query}`)).map(({ uid }) => uid);

	test('returns who can act, by UID, a page at a time', async () => {
		const all = await find();
		expect(all).toEqual([...all].sort());
		expect(all).toHaveLength(12);
		expect(all).not.toContain('old-account');
		const pages = await Promise.all([1, 2, 3].map((page) => find(`?perPage=5&page=${page}`)));
		expect(pages.map(({ length }) => length)).toEqual([5, 5, 2]);
		expect(pages.flat()).toEqual(all);
		sandbox().setSettings({ maxPerPage: 4 });
		expect(await find('?perPage=100')).toHaveLength(4);
	});

	test.each([
		['searchKey=MIRA%20H', ['mira']],
		['searchKey=halden', []],
		['searchKey=Sam&searchIn=uid', []],
		['searchKey=ext&searchIn=name', []],
		['searchKey=ext&searchIn=name,uid', ['ext_sam-99']],
		['status=available', ['felix', 'yuki']],
		['roles=support,default&searchKey=m', ['mira']],
		['roles=support', []],
		['tags=nothing', []],
		['onlyDeactivated=true', ['old-account']],
		['withDeactivated=true&searchKey=old', ['old-account']],
	])('%s finds who matches', async (query, expected) => {
		expect(await find(`?${query}`)).toEqual(expected);
	});
});

const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, json?: object) =>
	dataOf<Record<string, unknown>>(await call(sandbox(), path, { method, json }));

test('A user is made, changed and deleted', async () => {
	const fields = { name: 'Ann', avatar: 'https://e.com/a', tags: ['vip'], metadata: { a: 1 } };
	const made = { uid: 'ann', ...fields, status: 'offline', role: 'default' };
	expect(await send('POST', '/users', { uid: 'Ann', ...fields })).toEqual({
		...made,
		createdAt: expect.any(Number),
	});
	const change = { name: 'Ann B.', role: 'support', unset: ['avatar', 'metadata'] };
	const changed = await send('PUT', '/users/ANN', change);
	expect(changed).toMatchObject({ name: 'Ann B.', role: 'support', updatedAt: expect.any(Number) });
	expect(Object.keys(changed)).not.toEqual(expect.arrayContaining(['avatar']));
	expect(dataOf(await call(sandbox(), '/users/ann', { as: 'mira' }))).toEqual(changed);
	const left = sandbox().store.sendMessage({ sender: 'ann', receiver: 'all-hands', text: 'Hi' });
	expect(await send('DELETE', '/users/ann', { permanent: true })).toMatchObject({ success: true });
	expect(dataOf(await call(sandbox(), `/messages/${left.id}`))).toMatchObject({ sender: 'ann' });
	expect(await send('POST', '/users', { uid: 'ann', name: 'New' })).toMatchObject({ name: 'New' });
});

test('Users are deactivated and reactivated, and told of one by one', async () => {
	expect(await send('DELETE', '/users/leo')).toEqual({ deactivatedUids: ['leo'] });
	const all = ['Leo', 'felix', 'nobody'];
	expect(await send('DELETE', '/users', { uidsToDeactivate: all })).toEqual({
		deactivatedUids: ['felix'],
		alreadyDeactivatedUids: ['leo'],
		notFound: ['nobody'],
	});
	expect(await send('PUT', '/users', { uidsToActivate: [...all, 'mira'] })).toEqual({
		reactivatedUids: ['leo', 'felix'],
		nonDeactivatedUids: ['mira'],
		notFound: ['nobody'],
	});
});

test('A user has the latest 100 auth tokens', async () => {
	const tokens = [];
	for (let n = 0; n < 101; n++) tokens.push(await send('POST', '/users/leo/auth_tokens'));
	expect(sandbox().store.authTokens('leo')).toEqual(tokens.slice(1));
});

const list = async (guid: string, query = '') =>
	dataOf<GroupMember[]>(await call(sandbox(), `/groups/${guid}/members${query}`));
const uids = async (guid: string, query = '') => (await list(guid, query)).map(({ uid }) => uid);
const bannedFrom = async (guid: string) =>
	dataOf<GroupMember[]>(await call(sandbox(), `/groups/${guid}/bannedusers`)).map(({ uid }) => uid);
const add = async (guid: string, json: unknown, as?: string) =>
	dataOf<Record<string, object>>(
		await call(sandbox(), `/groups/${guid}/members`, { method: 'POST', json, as }),
	);

describe('List Members', () => {
	test('returns users with their scope and the time they joined, a page at a time', async () => {
		const user = sandbox().store.user('aisha');
		expect((await list('brand'))[0]).toEqual({ ...user, scope: 'admin', joinedAt: 1_707_224_400 });
		const pages = await Promise.all(
			[1, 2, 3, 4].map((page) => uids('all-hands', `?perPage=4&page=${page}`)),
		);
		expect(pages.map(({ length }) => length)).toEqual([4, 4, 3, 0]);
		expect(pages.flat()).toEqual(await uids('all-hands'));
		sandbox().setSettings({ maxPerPage: 3 });
		expect(await uids('all-hands', '?perPage=100')).toHaveLength(3);
	});

	test.each([
		['scopes=admin,moderator', ['mira', 'jonas', 'priya']],
		['status=available', ['felix', 'yuki']],
		['status=available&scopes=admin', []],
	])('filters by %s', async (query, expected) => {
		expect(await uids('all-hands', `?${query}`)).toEqual(expected);
	});
});

describe('Add Members', () => {
	test('adds users with the scope of their list', async () => {
		const added = { success: true, message: expect.any(String) };
		expect(await add('lunch', { admins: ['mira'], participants: ['Yuki', 'felix'] })).toEqual({
			admins: { mira: added },
			participants: { yuki: added, felix: added },
		});
		expect(await uids('lunch', '?scopes=admin')).toEqual(['leo', 'mira']);
		expect((await uids('lunch')).sort()).toEqual(['felix', 'leo', 'mira', 'yuki']);
		await add('support', { participants: ['leo'] }, 'carla');
		expect(await uids('support')).toContain('leo');
	});

	test('says why each of them fails, and adds the others', async () => {
		sandbox().setSettings({ maxMembers: 2 });
		const failed = (code: string) => ({ success: false, error: { code } });
		const participants = ['nobody', 'old-account', 'mira', 'yuki'];
		const answer = await add('lunch', {
			admins: ['leo'],
			moderators: ['leo', 'mira'],
			participants,
		});
		expect(answer).toMatchObject({
			admins: { leo: failed('ERR_ALREADY_JOINED') },
			moderators: { leo: failed('ERR_GROUP_OWNER_DEMOTE_FORBIDDEN'), mira: { success: true } },
			participants: {
				nobody: failed('ERR_UID_NOT_FOUND'),
				'old-account': failed('ERR_UID_NOT_FOUND'),
				mira: failed('ERR_ALREADY_JOINED'),
				yuki: failed('ERR_NO_VACANCY'),
			},
		});
		expect(await uids('lunch')).toEqual(['leo', 'mira']);
	});

	test('gives a member another scope, and lifts the ban of who is banned', async () => {
		await add('ideas', { moderators: ['yuki', 'felix'] });
		expect(await uids('ideas', '?scopes=moderator')).toEqual(['yuki', 'felix']);
		expect(await bannedFrom('ideas')).toEqual(['ext_sam-99']);
	});

	test('comes with Create Group too', async () => {
		const json = { guid: 'club', name: 'Club', owner: 'leo', members: { participants: ['mira'] } };
		expect(dataOf(await call(sandbox(), '/groups', { method: 'POST', json }))).toMatchObject({
			membersCount: 2,
			members: { data: { participants: { mira: { success: true } } } },
		});
	});

	test('takes 25 users in all', async () => {
		const some = (count: number) => Array.from({ length: count }, (_, n) => `user-${n}`);
		expect(Object.keys(await add('lunch', { admins: some(5), participants: some(20) }))).toEqual([
			'admins',
			'participants',
		]);
	});
});

test('Remove Member takes the user out', async () => {
	const answer = await call(sandbox(), '/groups/brand/members/CARLA', { method: 'DELETE' });
	expect(dataOf(answer)).toMatchObject({ success: true });
	expect(await uids('brand')).toEqual(['aisha']);
});

test('Change Scope gives a member another scope', async () => {
	const json = { scope: 'moderator' };
	const answer = await call(sandbox(), '/groups/brand/members/CARLA', { method: 'PUT', json });
	const changed = { guid: 'brand', uid: 'carla', scope: 'moderator' };
	expect(dataOf(answer)).toEqual({ ...changed, joinedAt: expect.any(Number) });
	expect(await uids('brand', '?scopes=moderator')).toEqual(['carla']);
});

describe('Ban and Unban', () => {
	const path = '/groups/brand/bannedusers/CARLA';

	test('take the member out, and let them come back', async () => {
		const ban = await call(sandbox(), path, { method: 'POST', as: 'aisha' });
		const target = { entity: expect.objectContaining({ uid: 'carla' }), entityType: 'user' };
		const note = (action: string, sender: string) => ({
			category: 'action',
			sender,
			data: { action, entities: { on: target } },
		});
		expect(dataOf(ban)).toMatchObject(note('banned', 'aisha'));
		expect([await uids('brand'), await bannedFrom('brand')]).toEqual([['aisha'], ['carla']]);
		const unban = await call(sandbox(), path, { method: 'DELETE' });
		expect(dataOf(unban)).toMatchObject(note('unbanned', 'app_system'));
		expect([await uids('brand'), await bannedFrom('brand')]).toEqual([['aisha'], []]);
	});

	test('answer with a sentence, and go on listing the member, by settings', async () => {
		sandbox().setSettings({ banResponse: 'success', bannedInMembers: true });
		for (const method of ['POST', 'DELETE'] as const) {
			expect(dataOf(await call(sandbox(), path, { method }))).toMatchObject({ success: true });
			expect(await uids('brand')).toEqual(method === 'POST' ? ['aisha', 'carla'] : ['aisha']);
		}
	});
});
