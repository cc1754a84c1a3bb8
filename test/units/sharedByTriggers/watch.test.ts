import {
	areAllPlacesAmongWatchedGroups,
	includesWatchedUser,
	isCausedByWatchedUser,
	listAddressedUids,
	listAddressedWatchedUids,
	readWatchSelection,
} from '../../../nodes/CometChat/sharedByTriggers/watch';

const users = readWatchSelection({ watch: 'users', userIds: ['Mira', 'jonas'] });

test.each<[string, object, string[]]>([
	['a private message', { receiver: 'MIRA', receiverType: 'user' }, ['mira']],
	[
		'a message that only its conversation shows to be private',
		{ receiver: 'mira', conversationId: 'leo_user_mira' },
		['mira'],
	],
	[
		'a mention in a group',
		{ receiver: 'makers', receiverType: 'group', data: { text: 'Hi <@uid:jonas>' } },
		['jonas'],
	],
	['a message to a group with the same ID', { receiver: 'mira', receiverType: 'group' }, []],
])('The CometChat Trigger and a poll find the same users for %s', (_, content, expected) => {
	const message = { sender: 'leo', ...content };
	expect(listAddressedWatchedUids(message, [...users.ids])).toEqual(expected);
	expect(includesWatchedUser(listAddressedUids(message), users.ids)).toBe(expected.length > 0);
});

test('A message between watched users starts a poll for its receiver, but nothing in the CometChat Trigger', () => {
	const message = { sender: 'mira', receiver: 'jonas', receiverType: 'user' };
	expect(listAddressedWatchedUids(message, [...users.ids])).toEqual(['jonas']);
	expect(isCausedByWatchedUser(users, 'mira')).toBe(true);
});

test.each<[unknown[], boolean | undefined]>([
	[[], false],
	[['leo'], false],
	[['leo', undefined], false],
	[[undefined, 'MIRA'], true],
	[[undefined, {}], undefined],
])('With the users %j, whether a watched user is among them is %j', (uids, expected) => {
	expect(includesWatchedUser(uids, users.ids)).toBe(expected);
});

test.each<[Parameters<typeof areAllPlacesAmongWatchedGroups>[0], boolean | undefined]>([
	[[], undefined],
	[[{ groupId: 'makers' }], true],
	[[{ groupId: 'makers' }, { groupId: 'lunch' }], false],
	[[{ groupId: 'makers' }, 'private'], false],
	[[{ groupId: 'makers' }, undefined], undefined],
	[[undefined, { groupId: 'lunch' }], false],
])('In the places %j, whether all are watched groups is %j', (places, expected) => {
	expect(areAllPlacesAmongWatchedGroups(places, new Set(['makers']))).toBe(expected);
});
