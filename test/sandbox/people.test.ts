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
	});

	test.each([
		['searchKey=MIRA%20H', ['mira']],
		['searchKey=halden', []],
		['searchKey=Sam&searchIn=uid', []],
		['searchKey=ext&searchIn=name', []],
		['searchKey=ext&searchIn=name,uid', ['ext_sam-99']],
	])('%s finds who starts with it', async (query, expected) => {
		expect(await find(`?${query}`)).toEqual(expected);
	});
});

const list = async (guid: string, query = '') =>
	dataOf<GroupMember[]>(await call(sandbox(), `/groups/${guid}/members${query}`));
const uids = async (guid: string, query = '') => (await list(guid, query)).map(({ uid }) => uid);
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

	test('says why each of them fails', async () => {
		sandbox().store.banMember('lunch', 'felix');
		sandbox().setSettings({ maxMembers: 2, memberError: 'object' });
		const participants = ['nobody', 'old-account', 'felix', 'mira', 'mira', 'yuki'];
		expect(await add('lunch', { moderators: ['leo', 'mira'], participants })).toMatchObject({
			moderators: { leo: { code: 'ERR_ALREADY_JOINED' }, mira: { success: true } },
			participants: {
				nobody: { code: 'ERR_UID_NOT_FOUND' },
				'old-account': { code: 'ERR_UID_NOT_FOUND' },
				felix: { code: 'ERR_BANNED_GROUPMEMBER' },
				mira: { code: 'ERR_ALREADY_JOINED' },
				yuki: { code: 'ERR_NO_VACANCY' },
			},
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
