import type { GroupMember } from '../../sandbox/types';
import { call, dataOf, useSandbox } from './client';

const sandbox = useSandbox();

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

describe('Add Members', () => {
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
