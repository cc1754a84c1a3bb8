import { CONTINUE, errorOf, itemsOf, jsonOf, useSandbox, user, wire } from './harness';

const sandbox = useSandbox();

const friendsOf = (uid: string) =>
	sandbox()
		.store.people.friendsOf(uid)
		.map((each) => each.uid);

const row = (uid: string, reason: string | null = null) => ({
	...{ uid, userId: 'mira', success: reason === null },
	reason: reason === null ? null : expect.stringContaining(reason),
});

test('Add Friends returns an item per user, and counts users who are friends already as added', async () => {
	const uids = ['Carla', 'leo', 'nobody', 'mira'];
	const parameters = user('addFriends', { userId: 'mira', uids });
	expect(await jsonOf(sandbox(), parameters, CONTINUE)).toEqual([
		{ ...row('carla'), alreadyFriend: false },
		{ ...row('leo'), alreadyFriend: true },
		{ ...row('nobody', 'ERR_UID_NOT_FOUND'), alreadyFriend: false },
		{ ...row('mira', 'ERR_CANNOT_FORM_SELF_RELATION'), alreadyFriend: false },
	]);
	expect([friendsOf('mira'), friendsOf('carla')]).toEqual([
		['leo', 'yuki', 'noor', 'felix', 'carla'],
		['mira'],
	]);
	const { message } = await errorOf(sandbox(), parameters);
	expect(message).toBe('2 of 4 users could not be added as friends');
});

test('Add Friends sends at most 25 users at a time', async () => {
	const uids = Array.from({ length: 60 }, (_, index) => `unknown-${index}`);
	const items = await itemsOf(sandbox(), user('addFriends', { userId: 'mira', uids }), CONTINUE);
	expect(items).toHaveLength(60);
	expect(wire(sandbox())).toEqual(Array(3).fill('POST /users/mira/friends'));
});

test('Remove Friends ends each friendship by itself, although one of the users is not a friend', async () => {
	const parameters = user('removeFriends', { userId: 'mira', uids: ['leo', 'carla', 'Yuki'] });
	expect(await jsonOf(sandbox(), parameters, CONTINUE)).toEqual([
		row('leo'),
		row('carla', 'The users are not friends'),
		row('Yuki'),
	]);
	expect([friendsOf('mira'), friendsOf('yuki')]).toEqual([['noor', 'felix'], ['felix']]);
});

test('Remove Friends succeeds if the connection closes after CometChat removed the friend', async () => {
	sandbox().setFaults([{ match: { times: 1 }, effect: { cutAfter: true } }]);
	const parameters = user('removeFriends', { userId: 'mira', uids: ['leo', 'yuki'] });
	expect(await jsonOf(sandbox(), parameters)).toEqual([row('leo'), row('yuki')]);
	expect(friendsOf('mira')).toEqual(['noor', 'felix']);
	expect(sandbox().log).toHaveLength(3);
});

test('Friendships change in the order of the items, whichever of the friends an item names', async () => {
	sandbox().setFaults([{ match: { times: 1 }, effect: { latency: { ms: 50 } } }]);
	const parameters = user('removeFriends', {
		userId: '={{ $json.user }}',
		uids: '={{ [$json.friend] }}',
	});
	const input = [
		{ user: 'mira', friend: 'leo' },
		{ user: 'Leo', friend: 'Mira' },
	];
	const rows = await jsonOf(sandbox(), parameters, { ...CONTINUE, input });
	expect(rows.map(({ success }) => success)).toEqual([true, false]);
});

test('List Friends returns active friends, also those who made the friendship', async () => {
	const list = user('listFriends', { userId: 'Yuki' });
	const listUids = async () => (await jsonOf(sandbox(), list)).map(({ uid }) => uid);
	expect(await listUids()).toEqual(['mira', 'felix']);
	sandbox().store.people.deactivate('felix');
	expect(await listUids()).toEqual(['mira']);
});

test('Sign Out Everywhere deletes all auth tokens of the user, and of nobody else', async () => {
	for (const uid of ['leo', 'leo', 'mira']) sandbox().store.people.createToken(uid);
	const rows = await jsonOf(sandbox(), user('signOut', { userId: 'LEO' }));
	expect(rows).toEqual([{ uid: 'LEO', signedOut: true }]);
	const left = ['leo', 'mira'].map((uid) => sandbox().store.people.tokensOf(uid).length);
	expect(left).toEqual([0, 1]);
	const { message, description } = await errorOf(sandbox(), user('signOut', { userId: 'nobody' }));
	expect(`${message}. ${description}`).toContain("No active user has this UID. Check 'User'.");
});

test.each([
	['delete', { uid: 'old-account', signedOut: true }],
	['refuse', { error: expect.stringContaining('No active user has this UID') }],
] as const)(
	'Sign Out Everywhere of a deactivated user, with the setting deactivatedTokens %s, returns %j',
	async (deactivatedTokens, expected) => {
		sandbox().setSettings({ deactivatedTokens });
		const parameters = user('signOut', { userId: 'old-account' });
		expect(await jsonOf(sandbox(), parameters, CONTINUE)).toMatchObject([expected]);
	},
);
