import { call, dataOf, useSandbox } from './client';

const sandbox = useSandbox();

const add = async (guid: string, json: unknown, as?: string) =>
	dataOf<Record<string, object>>(
		await call(sandbox(), `/groups/${guid}/members`, { method: 'POST', json, as }),
	);

describe('Add Members', () => {
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
