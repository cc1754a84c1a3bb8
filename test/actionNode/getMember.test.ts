import { CONTINUE, errorOf, group, jsonOf, useSandbox, wire } from './harness';

const sandbox = useSandbox();

const getMember = (groupId: string, userId: string, more = {}) =>
	group('getMember', { groupId, userId, ...more });

const noor = { uid: 'noor', name: 'Noor van Dalen', status: 'offline', role: 'default' };

test('Get Member returns the scope of a member, with the columns of List Members', async () => {
	const [row] = await jsonOf(sandbox(), getMember('Watercooler', 'LEO'));
	const members = await jsonOf(sandbox(), group('listMembers', { groupId: 'Watercooler' }));
	const listed = members.find(({ uid }) => uid === 'leo');
	expect(row).toEqual({ ...listed, guid: 'watercooler', isMember: true });
	expect(Object.keys(row)).toHaveLength(10);
});

test('Get Member returns isMember: false if CometChat refuses to send groups of others', async () => {
	sandbox().setSettings({ groupAccess: 'members' });
	const rows = [
		await jsonOf(sandbox(), getMember('lunch', 'noor')),
		await jsonOf(sandbox(), getMember('lunch', 'leo')),
	];
	expect(rows.flat().map(({ isMember }) => isMember)).toEqual([false, true]);
	expect(sandbox().violations).toEqual([]);
});

test.each([
	['sends the group', ''],
	['refuses to send the group', 'ERR_GROUP_NOT_JOINED'],
	['says that the user is banned', 'ERR_BANNED_GROUPMEMBER'],
])('Get Member returns isMember: false for other users if CometChat %s', async (_, code) => {
	if (code !== '') {
		const body = { error: { code, message: 'No' } };
		const match = { path: '^/v3/groups' };
		sandbox().setFaults([{ match, effect: { status: { status: 401, body } } }]);
	}
	const [row] = await jsonOf(sandbox(), getMember('lunch', 'noor'));
	expect(row).toMatchObject({ guid: 'lunch', ...noor, isMember: false, scope: null });
	expect(wire(sandbox())).toEqual(['GET /groups/lunch', 'GET /users/noor']);
});

test.each([
	['nowhere', 'noor', "No group has this ID (GUID). Check 'Group'."],
	['lunch', 'nobody', "No active user has this UID. Check 'User'."],
	['lunch', 'old-account', "No active user has this UID. Check 'User'."],
])('Get Member of group %s and user %s is an error', async (guid, uid, expected) => {
	const { message, description } = await errorOf(sandbox(), getMember(guid, uid));
	expect(`${message}. ${description}`).toContain(expected);
});

test('Get Member answers for each item, also if only some users are members', async () => {
	const input = ['mira', 'noor', 'nobody', 'priya'].map((uid) => ({ uid }));
	const parameters = getMember('project-aurora', '={{ $json.uid }}');
	const rows = await jsonOf(sandbox(), parameters, { ...CONTINUE, input });
	expect(rows.map(({ isMember, scope, error }) => error ?? [isMember, scope])).toEqual([
		...[
			[true, 'admin'],
			[false, null],
		],
		expect.stringContaining('No active user has this UID'),
		[true, 'moderator'],
	]);
});

test('Get Member returns the group and the user with Output → Raw', async () => {
	const [raw] = await jsonOf(sandbox(), getMember('lunch', 'noor', { output: 'raw' }));
	expect(raw).toMatchObject({ group: { guid: 'lunch', hasJoined: false }, user: noor });
	const fields = ['isMember', 'group.name', 'user.createdAt', 'uid'];
	const [row] = await jsonOf(sandbox(), getMember('lunch', 'noor', { output: 'fields', fields }));
	expect(row).toMatchObject({ isMember: false, group: { name: 'Lunch?' } });
});
