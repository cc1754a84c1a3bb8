import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from './envelopes';
import {
	blocked,
	call,
	deleted,
	edited,
	editedLive,
	envelope,
	group,
	groupEvent,
	marked,
	memberEvent,
	mentioned,
	message,
	moderated,
	note,
	presence,
	reaction,
	receipt,
	sent,
	session,
	user,
} from './envelopes';
import { activate, itemsFrom } from './harness';

/** Every event that is known starts the workflow. */
const all = { options: { ignoreSenders: [] } };

/** The items of a delivery, by default: simplified. */
async function simplified(delivery: object): Promise<IDataObject[]> {
	return await itemsFrom(await activate(all), delivery);
}

/** What has a value. */
const filled = (item: IDataObject) =>
	Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));

test('raw is the envelope', async () => {
	expect(await itemsFrom(await activate({ output: 'raw' }), sent(501))).toEqual([sent(501)]);
});

test('selected fields are taken from the envelope, what is not there is left out', async () => {
	const fields = ['trigger', 'data.message.data.text', 'data.group.guid', 'toString'];
	const webhook = await activate({ output: 'fields', fields });
	expect(await itemsFrom(webhook, sent(501))).toEqual([
		{ trigger: 'message_sent', data: { message: { data: { text: 'Text 501' } } } },
	]);
});

const MESSAGE = {
	id: '501',
	text: 'Text 501',
	sender: 'mira',
	receiver: 'support',
	receiverType: 'group',
	type: 'text',
	conversationId: 'group_support',
	sentAt: 1_760_000_000,
	updatedAt: 1_760_000_000,
};

const CALL = {
	id: '601',
	sessionId: 'v1.us.session',
	type: 'audio',
	sender: 'noor',
	receiver: 'support',
	receiverType: 'group',
	conversationId: 'group_support',
	sentAt: 1_760_000_100,
};

const GROUP = {
	guid: 'support',
	name: 'Group support',
	type: 'public',
	membersCount: 3,
	owner: 'mira',
	createdAt: 1_760_000_000,
};

const byMira = { by: 'mira', byName: 'MIRA' };
const byNoor = { by: 'noor', byName: 'NOOR' };

/** Events that say when they happened, and all columns of their item that have a value. */
const TIMED: Array<[string, Envelope, IDataObject]> = [
	['a message', sent(501), { at: 1_760_000_000, ...byMira, ...MESSAGE }],
	[
		'a mention',
		mentioned(501, ['noor']),
		{ at: 1_760_000_000, by: 'mira', ...MESSAGE, text: 'Hello' },
	],
	[
		'an edit: the edited message, not the note about it',
		edited(501, 'New'),
		{ at: 1_760_000_100, ...byNoor, ...MESSAGE, text: 'New', updatedAt: 1_760_000_100 },
	],
	[
		'an edit without a note, by another user',
		editedLive(501, 'New', { editedBy: 'noor', editedAt: 1_760_000_150 }),
		{ at: 1_760_000_150, by: 'noor', ...MESSAGE, text: 'New' },
	],
	[
		'an edit that says neither who nor when',
		editedLive(501, 'New', { updatedAt: 1_760_000_160 }),
		{ at: 1_760_000_160, by: 'mira', ...MESSAGE, text: 'New', updatedAt: 1_760_000_160 },
	],
	[
		'an edit of whose editor the note has another name',
		envelope('message_edited', {
			message: note(9, 'edited', 'theo', { id: '501', editedBy: 'NOOR', editedAt: 1 }),
		}),
		{
			at: 1,
			by: 'NOOR',
			id: '501',
			receiver: 'support',
			receiverType: 'group',
			conversationId: 'group_support',
		},
	],
	[
		'a deletion: which message, and where it was',
		deleted(501),
		{
			at: 1_760_000_200,
			...byNoor,
			id: '501',
			deleted: true,
			deletedAt: 1_760_000_200,
			deletedBy: 'noor',
			receiver: 'support',
			receiverType: 'group',
			conversationId: 'group_support',
		},
	],
	[
		'a deletion without a note',
		envelope('message_deleted', { message: { id: '501', deletedAt: 5, deletedBy: 'noor' } }),
		{ at: 5, by: 'noor', id: '501', deleted: true, deletedAt: 5, deletedBy: 'noor' },
	],
	[
		'a reaction',
		reaction('added'),
		{
			at: 1_760_000_300,
			...byMira,
			id: '71',
			messageId: '501',
			reaction: '👍',
			uid: 'mira',
			name: 'MIRA',
			reactedAt: 1_760_000_300,
		},
	],
	['a pinned message', marked('pinned', 'noor'), { at: 1_760_000_700, by: 'noor', ...MESSAGE }],
	[
		'an unpinned message',
		marked('unpinned', 'noor'),
		{ at: 1_760_000_700, by: 'noor', ...MESSAGE },
	],
	[
		'a receipt',
		receipt('message_read_receipt'),
		{
			at: 1_760_000_600,
			...byNoor,
			messageId: '501',
			action: 'read',
			messageSender: 'mira',
			receiver: 'support',
			receiverType: 'group',
		},
	],
	[
		'a receipt for all, which names nobody',
		envelope('message_read_by_all', {
			receiver: 'support',
			body: { messageId: '501', action: 'readByAll', timestamp: '1760000600123' },
		}),
		{ at: 1_760_000_600, messageId: '501', action: 'readByAll', receiver: 'support' },
	],
	['a new group', groupEvent('created', 'support'), { at: 1_760_000_000, by: 'mira', ...GROUP }],
	[
		'a new group that another user than its owner created',
		envelope('group_created', { group: group('support'), by: user('noor'), members: {} }),
		{ at: 1_760_000_000, ...byNoor, ...GROUP },
	],
	[
		'a changed group',
		groupEvent('updated', 'support', { updatedBy: 'noor' }),
		{ at: 1_760_000_400, by: 'noor', ...GROUP },
	],
	[
		'a deleted group',
		groupEvent('deleted', 'support', { deletedAt: 1_760_000_450 }),
		{ at: 1_760_000_450, ...GROUP },
	],
	[
		'a group with another owner',
		groupEvent('owner_transferred', 'support', { owner: 'noor', oldOwner: 'mira' }),
		{ at: 1_760_000_400, ...GROUP, owner: 'noor', oldOwner: 'mira' },
	],
	[
		'a user who joins',
		memberEvent('member_joined', 'support', { noor: { joinedAt: 1_760_000_500 } }),
		{
			at: 1_760_000_500,
			...byNoor,
			uid: 'noor',
			name: 'NOOR',
			joinedAt: 1_760_000_500,
			status: 'offline',
			guid: 'support',
			groupName: 'Group support',
		},
	],
	[
		'a user who is added',
		memberEvent('member_added', 'support', { noor: { joinedAt: 7 } }, 'mira'),
		{
			at: 7,
			...byMira,
			uid: 'noor',
			name: 'NOOR',
			joinedAt: 7,
			status: 'offline',
			guid: 'support',
			groupName: 'Group support',
		},
	],
	[
		'a call that is rejected',
		call('rejected', 'noor'),
		{ at: 1_760_000_100, ...byNoor, ...CALL, status: 'rejected' },
	],
	[
		'a user who joins a call',
		session('call_participant_joined', 'noor', { joined_at: 1_760_000_900 }),
		{
			at: 1_760_000_900,
			...byNoor,
			sessionId: 'v1.us.session',
			uid: 'noor',
			name: 'NOOR',
			joinedAt: 1_760_000_900,
			occupants: 2,
		},
	],
	[
		'a user who leaves a meeting',
		session('meeting_participant_left', 'noor', { joined_at: 1, left_at: 1_760_000_950 }),
		{
			at: 1_760_000_950,
			...byNoor,
			sessionId: 'v1.us.session',
			uid: 'noor',
			name: 'NOOR',
			joinedAt: 1,
			leftAt: 1_760_000_950,
			occupants: 2,
		},
	],
	[
		'a user who goes online',
		presence('noor'),
		{
			at: 1_760_000_800,
			...byNoor,
			uid: 'noor',
			name: 'NOOR',
			status: 'online',
			currentConnection: 'websocket',
		},
	],
];

test.each(TIMED)('%s, simplified', async (_what, delivery, expected) => {
	const [item, ...others] = await simplified(delivery);
	expect(filled(item)).toEqual({ event: delivery.trigger, ...expected });
	expect(others).toEqual([]);
});

const inSupport = { guid: 'support', groupName: 'Group support', status: 'offline' };

/** Events that do not say when they happened. */
const UNTIMED: Array<[string, Envelope, IDataObject]> = [
	[
		'a reaction that is removed, whose time is that of the reaction',
		reaction('removed'),
		{
			...byMira,
			id: '71',
			messageId: '501',
			reaction: '👍',
			uid: 'mira',
			name: 'MIRA',
			reactedAt: 1_760_000_300,
		},
	],
	[
		'a message that was moderated',
		moderated('engine_blocked'),
		{ by: 'mira', ...MESSAGE, text: 'Hm', moderationStatus: 'engine_blocked' },
	],
	[
		'a user who left',
		memberEvent('member_left', 'support', { noor: {} }),
		{ ...byNoor, uid: 'noor', name: 'NOOR', ...inSupport },
	],
	[
		'a removed member',
		memberEvent('member_kicked', 'support', { noor: {} }),
		{ uid: 'noor', name: 'NOOR', ...inSupport },
	],
	[
		'a changed scope, also of oneself',
		memberEvent('member_scope_changed', 'support', { noor: { scope: 'a', oldScope: 'b' } }, 'noor'),
		{ ...byNoor, uid: 'noor', name: 'NOOR', scope: 'a', oldScope: 'b', ...inSupport },
	],
	[
		'a banned member, who is told together with the user who did it',
		memberEvent('member_banned', 'support', { mira: {}, noor: {} }, 'Mira'),
		{ by: 'Mira', byName: 'MIRA', uid: 'noor', name: 'NOOR', ...inSupport },
	],
	[
		'a lifted ban that tells only who did it',
		memberEvent('member_unbanned', 'support', { mira: {} }, 'mira'),
		{ ...byMira, guid: 'support', groupName: 'Group support' },
	],
	[
		'a blocked user',
		blocked('user_blocked', ['noor'], 'mira'),
		{ ...byMira, uid: 'noor', name: 'NOOR', status: 'offline' },
	],
	['a call that started', session('call_started'), { sessionId: 'v1.us.session', occupants: 2 }],
	[
		'a recording',
		envelope('recording_generated', { sessionId: 'v1', recording_url: 'https://example.com/r' }),
		{ sessionId: 'v1', recordingUrl: 'https://example.com/r' },
	],
	[
		'a transcript',
		envelope('transcription_generated', { sessionId: 'v1', tid: 't', transcript_url: 'x' }),
		{ sessionId: 'v1', tid: 't', transcriptUrl: 'x' },
	],
];

test.each(UNTIMED)(
	'%s, simplified, happened when it is told',
	async (_what, delivery, expected) => {
		const before = Math.floor(Date.now() / 1000);
		const [item, ...others] = await simplified(delivery);
		const { at, ...columns } = filled(item);
		expect(columns).toEqual({ event: delivery.trigger, ...expected });
		expect(at).toBeGreaterThanOrEqual(before);
		expect(at).toBeLessThanOrEqual(Date.now() / 1000);
		expect(Number.isInteger(at)).toBe(true);
		expect(others).toEqual([]);
	},
);

test('who, when and what come first, and are null where nobody is named', async () => {
	const [item] = await simplified(groupEvent('deleted', 'support'));
	expect(Object.keys(item).slice(0, 4)).toEqual(['event', 'at', 'by', 'byName']);
	expect(item).toMatchObject({ by: null, byName: null });
});

test('several members or blocked users come as one item each', async () => {
	const members = { noor: { scope: 'admin' }, theo: { scope: 'moderator' } };
	expect(
		await simplified(memberEvent('member_scope_changed', 'support', members, 'mira')),
	).toMatchObject([
		{ uid: 'noor', scope: 'admin', guid: 'support', by: 'mira' },
		{ uid: 'theo', scope: 'moderator', groupName: 'Group support', byName: 'MIRA' },
	]);
	const both = await simplified(blocked('user_unblocked', ['noor', 'theo'], 'mira'));
	expect(both).toMatchObject([{ uid: 'noor' }, { uid: 'theo' }]);
});

test('members are read from a list too, and take their UID from its key', async () => {
	const asList = envelope('group_member_added', { group: group('a'), members: [user('noor')] });
	expect(await simplified(asList)).toMatchObject([{ uid: 'noor', guid: 'a' }]);
	const byKey = envelope('group_member_added', { group: group('b'), members: { theo: {} } });
	expect(await simplified(byKey)).toMatchObject([{ uid: 'theo', guid: 'b' }]);
});

test.each([
	...['busy', 'cancelled', 'initiated', 'rejected', 'unanswered'].map((name) => call(name, 'noor')),
	...['call', 'meeting'].flatMap((kind) =>
		['started', 'ended', 'participant_joined', 'participant_left'].map((name) =>
			session(`${kind}_${name}`, 'noor', { joined_at: 1, left_at: 2 }),
		),
	),
	...['approved', 'blocked'].map((name) => moderated(`engine_${name}`, 'noor')),
	moderated('manual_approved', 'noor'),
	...['message_delivery_receipt', 'message_delivered_to_all'].map((name) => receipt(name)),
	...['message_read_receipt', 'message_read_by_all'].map((name) => receipt(name)),
	...['banned', 'unbanned', 'kicked'].map((name) =>
		memberEvent(`member_${name}`, 'support', { theo: {} }, 'noor'),
	),
])('$trigger is simplified, and tells who did it', async (delivery) => {
	const [item] = await simplified(delivery);
	expect(item).toMatchObject({ event: delivery.trigger, ...byNoor });
});

/** The service's names of events of which too little is known, and one that is new. */
const ONLY_RAW = [
	...['campaign_completed', 'campaign_failed', 'notification_created'],
	...['sent', 'delivered', 'read', 'interacted'].map((name) => `feed_item_${name}`),
	...['sent', 'delivered', 'clicked'].map((name) => `push_notification_${name}`),
].map((name) => `after_${name}`);

test.each([...ONLY_RAW, 'moderation_engine_failed', 'something_new'])(
	'%s stays raw',
	async (trigger) => {
		const delivery = envelope(trigger, { id: '1', receiver: 'noor', status: 'sent' });
		expect(await simplified(delivery)).toEqual([delivery]);
	},
);

test.each([
	...['message_sent', 'message_edited', 'message_deleted', 'message_pinned'],
	...['message_reaction_added', 'message_read_receipt', 'group_updated', 'group_member_left'],
	...['user_blocked', 'user_connection_status_changed', 'call_initiated', 'call_started'],
])('a %s of another shape stays raw', async (trigger) => {
	const delivery = envelope(trigger, { something: { else: true }, user: 'noor' });
	expect(await simplified(delivery)).toEqual([delivery]);
});

test('simplified items are flat', async () => {
	const odd = { sender: { a: 1 }, sentAt: { b: 2 }, data: { entities: { sender: 5 } } };
	const [item] = await simplified(envelope('message_sent', { message: { ...message(1), ...odd } }));
	expect(Object.values(item).filter((value) => value instanceof Object)).toEqual([]);
});
