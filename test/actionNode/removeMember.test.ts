import type { INodeParameters } from 'n8n-workflow';

import { CONTINUE, errorOf, group, jsonOf, useSandbox } from './harness';

const sandbox = useSandbox();

const remove = (userId: string, more: INodeParameters = {}) =>
	group('removeMember', { groupId: 'project-aurora', userId, ...more });

const SUCCEED = { options: { notMember: 'succeed' } };

test('Removing the same members twice succeeds with Count as Success', async () => {
	const members = sandbox().store.groups.get('project-aurora')?.members ?? [];
	const input = members.filter(({ uid }) => uid !== 'mira').map(({ uid }) => ({ uid }));
	const parameters = remove('={{ $json.uid }}', SUCCEED);
	const ids = input.map(({ uid }) => ({ guid: 'project-aurora', uid }));
	expect(await jsonOf(sandbox(), parameters, { input })).toEqual(
		ids.map((each) => ({ ...each, deleted: true })),
	);
	expect(await jsonOf(sandbox(), parameters, { input })).toEqual(
		ids.map((each) => ({ ...each, deleted: false, notMember: true })),
	);
	const selected = { ...parameters, output: 'fields', fields: ['notMember'] };
	const rows = await jsonOf(sandbox(), selected, { input });
	expect(rows).toEqual(input.map(({ uid }) => ({ uid, notMember: true })));
});

test('A banned user is no member', async () => {
	await jsonOf(sandbox(), { ...remove('leo'), operation: 'banMember' });
	expect(await jsonOf(sandbox(), remove('leo', SUCCEED))).toMatchObject([{ notMember: true }]);
});

test('Removing a user who is not a member fails by default', async () => {
	const { message } = await errorOf(sandbox(), remove('felix'));
	expect(message).toBe('The user is not a member of the group');
});

test.each([
	['an unknown user', remove('nobody', SUCCEED), 'No active user has this UID'],
	[
		'an unknown group',
		remove('leo', { ...SUCCEED, groupId: 'gone' }),
		'No group has this ID (GUID)',
	],
	[
		'an actor who is not a member',
		remove('leo', { ...SUCCEED, onBehalfOf: 'felix' }),
		'The user has not joined the group',
	],
])('Count as Success does not hide %s', async (_, parameters, message) => {
	expect((await errorOf(sandbox(), parameters)).message).toBe(message);
});

test.each(['removeMember', 'banMember'])('%s says why the owner stays', async (operation) => {
	const [row] = await jsonOf(sandbox(), { ...remove('mira', SUCCEED), operation }, CONTINUE);
	expect(row.error).toMatch(
		/^CometChat could not remove the member\. Check 'User'\. The owner of a group cannot be removed or banned\. .*Group → Update\. /,
	);
	expect(row.error).not.toMatch(/later/);
});
