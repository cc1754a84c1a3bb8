import type { GroupMember } from '../../sandbox/types';
import { call, dataOf, errorOf, refusalOf, useSandbox } from './client';

const sandbox = useSandbox();

const list = (guid: string, query = '') => call(sandbox(), `/groups/${guid}/members${query}`);
const add = (guid: string, json: unknown, as?: string) =>
	call(sandbox(), `/groups/${guid}/members`, { method: 'POST', json, as });
const remove = (guid: string, uid: string, as?: string) =>
	call(sandbox(), `/groups/${guid}/members/${uid}`, { method: 'DELETE', as });

const uidsOf = (answer: Awaited<ReturnType<typeof list>>) =>
	dataOf<GroupMember[]>(answer).map(({ uid }) => uid);
const membersOf = (guid: string) =>
	sandbox()
		.store.group(guid)
		?.members.map(({ uid }) => uid);

describe('List Members', () => {
	test('returns users with their scope and the time they joined', async () => {
		const answer = await list('brand');
		expect(JSON.parse(answer.text)).toEqual({
			data: [
				{
					uid: 'aisha',
					name: 'Aisha Lindqvist',
					avatar: 'https://assets.example.com/users/aisha.png',
					status: 'offline',
					role: 'default',
					createdAt: 1_707_733_800,
					scope: 'admin',
					joinedAt: 1_707_224_400,
				},
				expect.objectContaining({ uid: 'carla', scope: 'participant' }),
			],
			meta: {
				pagination: { total: 2, count: 2, per_page: 100, current_page: 1, total_pages: 1 },
			},
		});
	});

	test('goes page by page', async () => {
		const pages = await Promise.all(
			[1, 2, 3, 4].map((page) => list('all-hands', `?perPage=4&page=${page}`)),
		);
		expect(pages.map((page) => uidsOf(page).length)).toEqual([4, 4, 3, 0]);
		expect(pages.flatMap(uidsOf).sort()).toEqual(membersOf('all-hands')?.sort());
	});

	test.each([
		['scopes=admin', ['mira']],
		['scopes=admin,moderator', ['mira', 'jonas', 'priya']],
		['scopes=admin&scopes=moderator', ['mira', 'jonas', 'priya']],
		['status=available', ['felix', 'yuki']],
		['status=available&scopes=admin', []],
	])('filters by %s', async (query, expected) => {
		expect(uidsOf(await list('all-hands', `?${query}`))).toEqual(expected);
	});

	test('has short pages too, and refuses what the contract does not list', async () => {
		sandbox().setSettings({ maxPerPage: 3 });
		expect(uidsOf(await list('all-hands', '?perPage=100'))).toHaveLength(3);
		expect(refusalOf(await list('nowhere'))).toEqual([404, 'ERR_GUID_NOT_FOUND']);
		expect(refusalOf(await list('brand', '?searchKey=a'))).toEqual([400, 'ERR_BAD_REQUEST']);
		const asUser = await call(sandbox(), '/groups/brand/members', { as: 'aisha' });
		expect(refusalOf(asUser)).toEqual([400, 'ERR_BAD_REQUEST']);
	});
});

describe('Add Members', () => {
	test('adds users with the scope of their list', async () => {
		const answer = await add('lunch', { admins: ['mira'], participants: ['Yuki', 'felix'] });
		expect(dataOf(answer)).toEqual({
			admins: { mira: { success: true, message: expect.any(String) } },
			participants: {
				yuki: { success: true, message: expect.any(String) },
				felix: { success: true, message: expect.any(String) },
			},
		});
		expect(uidsOf(await list('lunch', '?scopes=admin'))).toEqual(['leo', 'mira']);
		expect(membersOf('lunch')?.sort()).toEqual(['felix', 'leo', 'mira', 'yuki']);
	});

	test.each([
		['object', { code: 'ERR_ALREADY_JOINED', message: expect.any(String) }],
		[
			'nested',
			{ success: false, error: { code: 'ERR_ALREADY_JOINED', message: expect.any(String) } },
		],
		['text', 'The user leo has already joined the group.'],
	] as const)('tells of one that fails as %s, and adds the others', async (memberError, shape) => {
		sandbox().setSettings({ memberError });
		const answer = await add('lunch', { participants: ['leo', 'mira'] });
		expect(dataOf(answer)).toMatchObject({ participants: { leo: shape, mira: { success: true } } });
		expect(membersOf('lunch')).toEqual(['leo', 'mira']);
	});

	test('says why each of them fails', async () => {
		sandbox().store.banMember('lunch', 'felix');
		sandbox().setSettings({ maxMembers: 2 });
		const participants = ['nobody', 'old-account', 'felix', 'mira', 'mira', 'yuki'];
		const data = dataOf<{ participants: Record<string, { code?: string }> }>(
			await add('lunch', { moderators: ['leo', 'mira'], participants }),
		);
		expect(data).toMatchObject({
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

	test('takes 25 users in all, and not one more', async () => {
		const uids = (count: number) => Array.from({ length: count }, (_, n) => `user-${n}`);
		const most = await add('lunch', { admins: uids(5), participants: uids(20) });
		expect(most.status).toBe(200);
		const more = await add('lunch', { admins: ['mira'], participants: uids(25) });
		expect(refusalOf(more)).toEqual([400, 'ERR_BAD_REQUEST']);
		expect(errorOf(more).details).toEqual({ members: ['must be 1 to 25 UIDs in all'] });
		expect(refusalOf(await add('lunch', {}))).toEqual([400, 'ERR_BAD_REQUEST']);
		expect(membersOf('lunch')).toEqual(['leo']);
	});

	test.each([
		['nowhere', { participants: ['leo'] }, undefined, 404, 'ERR_GUID_NOT_FOUND'],
		['support', { participants: ['leo'] }, 'leo', 403, 'ERR_GROUP_NOT_JOINED'],
		['support', { participants: ['leo'] }, 'felix', 403, 'ERR_GROUP_NO_MODERATOR_SCOPE'],
		['support', { admins: ['leo'] }, 'carla', 403, 'ERR_GROUP_NO_SCOPE_CLEARANCE'],
	])('to %s with %j as %s is refused', async (guid, body, as, status, code) => {
		expect(refusalOf(await add(guid, body, as))).toEqual([status, code]);
		expect(membersOf('support')).not.toContain('leo');
	});

	test('on behalf of a moderator adds participants', async () => {
		expect((await add('support', { participants: ['leo'] }, 'carla')).status).toBe(200);
		expect(membersOf('support')).toContain('leo');
	});
});

describe('Remove Member', () => {
	test('takes the user out', async () => {
		expect(dataOf(await remove('brand', 'CARLA'))).toMatchObject({ success: true });
		expect(membersOf('brand')).toEqual(['aisha']);
		expect(refusalOf(await remove('brand', 'carla'))).toEqual([404, 'ERR_NOT_A_MEMBER']);
	});

	test.each([
		['nowhere', 'leo', undefined, 404, 'ERR_GUID_NOT_FOUND'],
		['support', 'nobody', undefined, 404, 'ERR_UID_NOT_FOUND'],
		['support', 'noor', undefined, 400, 'ERR_MEMBER_DELETE_FAILED'],
		['support', 'carla', 'carla', 403, 'ERR_GROUP_NO_SELF_ACTION'],
		['support', 'carla', 'felix', 403, 'ERR_GROUP_NO_MODERATOR_SCOPE'],
		['support', 'felix', 'leo', 403, 'ERR_GROUP_NOT_JOINED'],
		['all-hands', 'priya', 'jonas', 403, 'ERR_GROUP_NO_CLEARANCE'],
	])('from %s of %s as %s is refused', async (guid, uid, as, status, code) => {
		const before = membersOf(guid);
		expect(refusalOf(await remove(guid, uid, as))).toEqual([status, code]);
		expect(membersOf(guid)).toEqual(before);
	});
});
