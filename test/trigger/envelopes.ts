import type { IDataObject } from 'n8n-workflow';

import { APP_ID } from './harness';

/** Deliveries as the contract describes them. */

export interface Envelope extends IDataObject {
	trigger: string;
	data: IDataObject;
}

export function envelope(trigger: string, data: IDataObject): Envelope {
	return { trigger, data, appId: APP_ID, region: 'us', webhook: 'n8n' };
}

export const user = (uid: string) => ({ uid, name: uid.toUpperCase(), status: 'offline' });

const entityOf = (entity: IDataObject, entityType: string) => ({ entity, entityType });

export function message(id: number | string, changes: IDataObject = {}): IDataObject {
	const sender = String(changes.sender ?? 'mira');
	return {
		id: String(id),
		conversationId: 'group_support',
		sender,
		receiverType: 'group',
		receiver: 'support',
		category: 'message',
		type: 'text',
		data: {
			text: `Text ${id}`,
			entities: {
				sender: entityOf(user(sender), 'user'),
				receiver: entityOf({ guid: 'support', name: 'Support' }, 'group'),
			},
		},
		sentAt: 1_760_000_000,
		updatedAt: 1_760_000_000,
		...changes,
	};
}

export const sent = (id: number | string, changes?: IDataObject) =>
	envelope('message_sent', { message: message(id, changes) });

/** The note about something that was done to a message. */
export function note(
	id: number | string,
	action: string,
	by: string,
	entity: IDataObject,
	changes: IDataObject = {},
): IDataObject {
	return {
		id: String(id),
		conversationId: 'group_support',
		category: 'action',
		type: 'message',
		sender: by,
		receiverType: 'group',
		receiver: 'support',
		data: {
			action,
			entities: {
				by: entityOf(user(by), 'user'),
				for: entityOf({ guid: 'support', name: 'Support' }, 'group'),
				on: entityOf(entity, 'message'),
			},
		},
		sentAt: 1_760_000_100,
		updatedAt: 1_760_000_100,
		...changes,
	};
}

export function edited(
	id: number,
	text: string,
	{ editedAt = 1_760_000_100, by = 'noor', noteId = id + 1_000, ...changes } = {},
): Envelope {
	const entity = message(id, { data: { text }, editedAt, editedBy: by, updatedAt: editedAt });
	return envelope('message_edited', { message: note(noteId, 'edited', by, entity, changes) });
}

export function deleted(id: number, { deletedAt = 1_760_000_200, by = 'noor' } = {}): Envelope {
	const entity = { id: String(id), conversationId: 'group_support', deletedAt, deletedBy: by };
	return envelope('message_deleted', { message: note(id + 2_000, 'deleted', by, entity) });
}

export function reaction(
	kind: 'added' | 'removed',
	{ id = 71, messageId = '501', emoji = '👍', uid = 'mira', reactedAt = 1_760_000_300 } = {},
): Envelope {
	return envelope(`message_reaction_${kind}`, {
		reaction: {
			id: String(id),
			messageId,
			reaction: emoji,
			uid,
			reactedAt,
			reactedBy: user(uid),
		},
	});
}

export const mentioned = (id: number, uids: string[], changes: IDataObject = {}) =>
	envelope('user_mentioned', {
		message: message(id, {
			data: {
				text: 'Hello',
				mentions: Object.fromEntries(uids.map((uid) => [uid, user(uid)])),
			},
			...changes,
		}),
	});

export const group = (guid: string, changes: IDataObject = {}): IDataObject => ({
	guid,
	name: `Group ${guid}`,
	type: 'public',
	owner: 'mira',
	membersCount: 3,
	onlineMembersCount: 1,
	conversationId: `group_${guid}`,
	createdAt: 1_760_000_000,
	updatedAt: 1_760_000_400,
	...changes,
});

export const groupEvent = (name: string, guid: string, changes: IDataObject = {}) =>
	envelope(`group_${name}`, { group: group(guid, changes) });

export function memberEvent(
	name: string,
	guid: string,
	members: Record<string, IDataObject>,
	by?: string,
): Envelope {
	return envelope(`group_${name}`, {
		group: group(guid),
		members: Object.fromEntries(
			Object.entries(members).map(([uid, more]) => [uid, { ...user(uid), ...more }]),
		),
		...(by === undefined ? {} : { by: user(by) }),
	});
}

/** An edit as it was seen live: the message itself, with its new text. */
export const editedLive = (id: number, text: string, changes: IDataObject = {}) =>
	envelope('message_edited', { message: message(id, { data: { text }, ...changes }) });

export const receipt = (
	trigger: string,
	{ uid = 'noor', messageId = '501', action = 'read' } = {},
	changes: IDataObject = {},
) =>
	envelope(trigger, {
		receiver: 'support',
		receiverType: 'group',
		type: 'receipts',
		sender: uid,
		messageSender: 'mira',
		body: { action, messageId, user: user(uid), timestamp: 1_760_000_600 },
		...changes,
	});

/** A receipt for all members of a group, in the name of the app itself. */
const receiptOfAll = (trigger: string, action: string) =>
	receipt(trigger, { uid: 'app_system', action });

export const marked = (mark: 'pinned' | 'unpinned', by: string, id = 501) =>
	envelope(`message_${mark}`, {
		message: message(id, { [`${mark}By`]: by, [`${mark}At`]: 1_760_000_700 }),
	});

export const moderated = (name: string, sender = 'mira') =>
	envelope(`moderation_${name}`, {
		message: message(501, { sender, data: { text: 'Hm', moderation: { status: name } } }),
		moderation: [{ rule: { id: 'email_filter', name: 'Email filter', action: ['blockMessage'] } }],
	});

/** What moderation could not check: it names a message without its text. */
export const unchecked = (sender = 'mira', receiver = 'support') =>
	envelope('moderation_engine_failed', {
		resource: {
			...{
				id: '501',
				conversationId: `group_${receiver}`,
				sender,
				receiverType: 'group',
				receiver,
			},
			...{ category: 'message', type: 'text', sentAt: 1_760_000_300 },
		},
		contentType: 'text',
		outcome: 'approved',
		completedAt: 1_760_000_310,
		failures: [
			{
				...{ category: 'timeout', errorMessage: 'No answer', timeoutMs: 2000 },
				context: { engine: 'custom_api', setting: 'approve-message', rule: { name: 'Words' } },
			},
		],
	});

/** Messages that somebody missed, for an email or a text message. Each goes to one person. */
export const missed = (kind: string, sender = 'mira', guid = 'support') => {
	const last = { sender: user(sender), message: 'Lunch?', messageObject: message(501, { sender }) };
	const to = { uid: 'theo', name: 'Theo', email: 'theo@example.com', phno: '+15550100' };
	const of = kind === 'sms' ? { smsContent: 'Lunch?' } : { subject: 'New messages' };
	const groupDetails = { guid, name: 'Support' };
	return {
		...envelope(`${kind}-notification-payload-generated`, {
			...{ to, messages: [{ ...last, message: 'Hi' }, last], groupDetails, ...of },
		}),
		webhook: 'custom',
	};
};

export const missedPush = (sender = 'mira', receiver = 'support') => ({
	...envelope('push-notification-payload-generated', {
		to: { uid: 'theo' },
		notificationDetails: {
			...{ title: 'Support', body: 'Lunch?', sender, senderName: sender.toUpperCase() },
			...{ receiver, receiverName: 'Support', receiverType: 'group', tag: '501', type: 'chat' },
			...{ conversationId: `group_${receiver}`, sentAt: '1760000000123' },
		},
	}),
	webhook: 'custom',
});

export const blocked = (trigger: string, uids: string[], by: string) =>
	envelope(trigger, {
		users: Object.fromEntries(uids.map((uid) => [uid, user(uid)])),
		by: user(by),
	});

export const presence = (uid: string, status = 'online', timestamp = 1_760_000_800_123) =>
	envelope('user_connection_status_changed', {
		timestamp,
		user: { ...user(uid), status: 'unknown' },
		status,
		currentConnection: {
			action: status === 'online' ? 'connected' : 'disconnected',
			platform: 'javascript',
			connectedAt: timestamp,
		},
		userPresenceChanged: true,
	});

export const call = (name: string, by: string, changes: IDataObject = {}) =>
	envelope(`call_${name}`, {
		call: {
			...note(601, name, by, { sessionid: 'v1.us.session', status: name }, changes),
			category: 'call',
			type: 'audio',
		},
	});

const SESSION_ID = 'v1.us.session';

/** A call or a meeting that starts. */
export const sessionStart = (trigger: string) =>
	envelope(trigger, { created_at: 1_760_000_900, sessionId: SESSION_ID });

/** A call or a meeting that ends. */
const sessionEnd = (trigger: string) =>
	envelope(trigger, {
		all_occupants: [
			{ uid: 'mira', name: 'Mira', joined_at: 1_760_000_901, left_at: 1_760_000_950 },
			{ uid: 'noor', name: 'Noor', joined_at: 1_760_000_902, left_at: 1_760_000_951 },
		],
		created_at: 1_760_000_900,
		destroyed_at: 1_760_000_951,
		sessionId: SESSION_ID,
	});

/** A user who joins or leaves a call or a meeting. */
export const participant = (trigger: string, uid: string, times: IDataObject = {}) =>
	envelope(trigger, {
		occupant: { uid, name: uid.toUpperCase(), audio_call: 'true', ...times },
		sessionId: SESSION_ID,
	});

const feedItem = (status: string, changes: IDataObject = {}) =>
	envelope(`after_feed_item_${status}`, { id: 'f1', notificationId: 'n1', status, ...changes });

const push = (status: string, changes: IDataObject = {}) =>
	envelope(`after_push_notification_${status}`, {
		...{ pushNotificationId: 'p1', notificationId: 'n1', receiver: 'noor', status },
		...changes,
	});

/** Columns of the item: when it happened, where the event says it, and the IDs of what it happened to. */
type Columns = IDataObject;

type Doing = [what: string, told: (uid: string) => Envelope, item?: Columns];

/** What a user can do, as it is told. */
export const DOINGS: Doing[] = [
	['sends a message', (uid) => sent(501, { sender: uid }), { at: 1_760_000_000, id: '501' }],
	['edits a message', (uid) => edited(501, 'x', { by: uid }), { at: 1_760_000_100, id: '501' }],
	[
		'edits a message, told without a note',
		(uid) => editedLive(501, 'x', { editedBy: uid, sender: 'theo', editedAt: 150 }),
		{ at: 150, id: '501' },
	],
	[
		'edits an own message, told without who it was',
		(uid) => editedLive(501, 'x', { sender: uid }),
		{ at: 1_760_000_000, id: '501' },
	],
	[
		'edits a message, told by the note alone',
		(uid) => envelope('message_edited', { message: note(9, 'edited', uid, { id: '501' }) }),
		{ id: '501' },
	],
	['deletes a message', (uid) => deleted(501, { by: uid }), { at: 1_760_000_200, id: '501' }],
	[
		'deletes a message, told with all but its text',
		(uid) => {
			const { data, ...frame } = message(501, { sender: 'theo' });
			const { entities }: IDataObject = Object(data);
			const entity = { ...frame, data: { entities }, deletedAt: 1_760_000_200, deletedBy: uid };
			return envelope('message_deleted', { message: note(2_501, 'deleted', uid, entity) });
		},
		{ at: 1_760_000_200, id: '501' },
	],
	[
		'deletes a message, told without a note',
		(uid) => envelope('message_deleted', { message: { id: '501', deletedAt: 5, deletedBy: uid } }),
		{ at: 5, id: '501' },
	],
	['reacts', (uid) => reaction('added', { uid }), { at: 1_760_000_300, messageId: '501' }],
	['removes a reaction', (uid) => reaction('removed', { uid }), { messageId: '501' }],
	[
		'mentions somebody',
		(uid) => mentioned(501, ['theo'], { sender: uid }),
		{ at: 1_760_000_000, id: '501' },
	],
	['pins a message', (uid) => marked('pinned', uid), { at: 1_760_000_700, id: '501' }],
	['unpins a message', (uid) => marked('unpinned', uid), { at: 1_760_000_700, id: '501' }],
	[
		'gets a message',
		(uid) => receipt('message_delivery_receipt', { uid, action: 'delivered' }),
		{ at: 1_760_000_600, messageId: '501' },
	],
	[
		'reads a message',
		(uid) => receipt('message_read_receipt', { uid }),
		{ at: 1_760_000_600, messageId: '501' },
	],
	[
		'reads a message of one user, whose receipt goes to its sender',
		(uid) => receipt('message_read_receipt', { uid }, { receiver: 'mira', receiverType: 'user' }),
		{ at: 1_760_000_600, messageId: '501', receiver: 'mira', messageSender: 'mira' },
	],
	[
		'reads a message, told by the sender of the receipt alone',
		(uid) => receipt('message_read_receipt', { uid }, { body: { messageId: '501' } }),
		{ messageId: '501' },
	],
	...['engine_blocked', 'engine_approved', 'manual_approved'].map((name): Doing => [
		`sends what is ${name}`,
		(uid) => moderated(name, uid),
		{ id: '501' },
	]),
	[
		'sends what moderation could not check',
		(uid) => unchecked(uid),
		{ at: 1_760_000_310, id: '501', outcome: 'approved', failure: 'timeout' },
	],
	...['email', 'sms'].map((kind): Doing => [
		`sends what somebody missed: ${kind}`,
		(uid) => missed(kind, uid),
		{ at: 1_760_000_000, uid: 'theo', guid: 'support' },
	]),
	[
		'sends what somebody missed: push',
		(uid) => missedPush(uid),
		{ at: 1_760_000_000, uid: 'theo', messageId: '501', receiver: 'support' },
	],
	[
		'creates a group',
		(uid) => {
			const seen = { hasJoined: true, scope: 'admin', joinedAt: 1_760_000_000 };
			const changes = { owner: uid, updatedAt: undefined, ...seen };
			return envelope('group_created', {
				group: group('a', changes),
				members: { [uid]: user(uid) },
			});
		},
		{ at: 1_760_000_000, guid: 'a' },
	],
	[
		'changes a group',
		(uid) => groupEvent('updated', 'a', { updatedBy: uid }),
		{ at: 1_760_000_400, guid: 'a' },
	],
	[
		'gives a group away',
		(uid) => groupEvent('owner_transferred', 'a', { updatedBy: uid, oldOwner: 'theo' }),
		{ at: 1_760_000_400, guid: 'a' },
	],
	[
		'gives a group away, told apart from the group',
		(uid) => envelope('group_owner_transferred', { group: group('a'), by: user(uid) }),
		{ at: 1_760_000_400, guid: 'a' },
	],
	[
		'adds a member',
		(uid) => memberEvent('member_added', 'a', { theo: {} }, uid),
		{ uid: 'theo', guid: 'a' },
	],
	[
		'removes a member',
		(uid) => memberEvent('member_kicked', 'a', { theo: {} }, uid),
		{ uid: 'theo', guid: 'a' },
	],
	[
		'bans a member',
		(uid) => memberEvent('member_banned', 'a', { theo: {} }, uid),
		{ uid: 'theo', guid: 'a' },
	],
	[
		'bans a member, told by their own UID alone',
		(uid) => memberEvent('member_banned', 'a', { [uid]: {} }, uid),
		{ uid: null, guid: 'a' },
	],
	[
		'lifts a ban',
		(uid) => memberEvent('member_unbanned', 'a', { theo: {} }, uid),
		{ uid: 'theo', guid: 'a' },
	],
	[
		'changes the scope of a member',
		(uid) =>
			memberEvent(
				'member_scope_changed',
				'a',
				{ theo: { scope: 'admin', oldScope: 'participant' } },
				uid,
			),
		{ uid: 'theo', guid: 'a', scope: 'admin', oldScope: 'participant' },
	],
	['joins', (uid) => memberEvent('member_joined', 'a', { [uid]: {} }), { guid: 'a' }],
	['leaves', (uid) => memberEvent('member_left', 'a', { [uid]: {} }), { guid: 'a' }],
	...['busy', 'cancelled', 'initiated', 'rejected', 'unanswered'].map((name): Doing => [
		`calls: ${name}`,
		(uid) => call(name, uid),
		{ at: 1_760_000_100, id: '601', sessionId: SESSION_ID },
	]),
	[
		'calls, told by the sender alone',
		(uid) => envelope('call_initiated', { call: message(601, { sender: uid }) }),
		{ at: 1_760_000_000, id: '601' },
	],
	...['call', 'meeting'].flatMap((kind): Doing[] => [
		[
			`joins a ${kind}`,
			(uid) => participant(`${kind}_participant_joined`, uid, { joined_at: 11 }),
			{ at: 11, sessionId: SESSION_ID },
		],
		[
			`leaves a ${kind}`,
			(uid) => participant(`${kind}_participant_left`, uid, { joined_at: 11, left_at: 12 }),
			{ at: 12, sessionId: SESSION_ID },
		],
	]),
	[
		'goes online',
		(uid) => presence(uid),
		{ at: 1_760_000_800, status: 'online', action: 'connected' },
	],
	['blocks a user', (uid) => blocked('user_blocked', ['theo'], uid), { uid: 'theo' }],
	['unblocks a user', (uid) => blocked('user_unblocked', ['theo'], uid), { uid: 'theo' }],
	[
		'reads an item of a feed',
		(uid) => feedItem('read', { receiver: uid, readAt: 14 }),
		{ at: 14, id: 'f1' },
	],
	[
		'acts on an item of a feed',
		(uid) => feedItem('interacted', { receiver: uid, status: 'sent', engagedAt: 15, topic: 'cta' }),
		{ at: 15, id: 'f1' },
	],
	[
		'clicks a notification',
		(uid) => push('clicked', { receiver: uid, clickedAt: 16 }),
		{ at: 16, pushNotificationId: 'p1' },
	],
	['does something new', (uid) => envelope('something_new', { by: user(uid) })],
	['does something new, told otherwise', (uid) => envelope('something_new', { user: user(uid) })],
	['does something new, told by the UID', (uid) => envelope('something_new', { sender: uid })],
	[
		'does something new to a message',
		(uid) => envelope('something_new', { body: { user: user(uid) } }),
	],
	[
		'does something new with a message',
		(uid) => envelope('something_new', { message: { sender: uid } }),
	],
];

type Nameless = [what: string, told: Envelope, item: Columns];

/** What nobody is said to have done, as it is told. */
export const NAMELESS: Nameless[] = [
	[
		'a deleted group, which still names who changed it last',
		groupEvent('deleted', 'a', { updatedBy: 'theo' }),
		{ guid: 'a', owner: 'mira' },
	],
	...[
		['message_delivered_to_all', 'deliveredToAll'],
		['message_read_by_all', 'readByAll'],
	].map(([trigger, action]): Nameless => [
		trigger,
		receiptOfAll(trigger, action),
		{ at: 1_760_000_600, messageId: '501', action, messageSender: 'mira' },
	]),
	...['call', 'meeting'].flatMap((kind): Nameless[] => [
		[`a ${kind} that starts`, sessionStart(`${kind}_started`), { at: 1_760_000_900 }],
		[
			`a ${kind} that ends`,
			sessionEnd(`${kind}_ended`),
			{ at: 1_760_000_951, sessionId: SESSION_ID, occupants: 2 },
		],
	]),
	[
		'a recording',
		envelope('recording_generated', {
			...{ recordingDate: '2026-10-10', duration: '21.433000', startTime: '1760000900' },
			...{ sessionId: SESSION_ID, recording_url: 'https://example.com/r' },
		}),
		{ sessionId: SESSION_ID, recordingUrl: 'https://example.com/r' },
	],
	[
		'a transcript',
		envelope('transcription_generated', { sessionId: SESSION_ID, tid: 't', transcript_url: 'x' }),
		{ sessionId: SESSION_ID, tid: 't' },
	],
	[
		'a notification',
		envelope('after_notification_created', {
			...{ notificationId: 'n1', templateId: 't1', channels: ['in_app'], sendMode: 'realtime' },
		}),
		{ notificationId: 'n1' },
	],
	[
		'a push notification that was sent',
		push('sent', { sentAt: 12, deliveredAt: null }),
		{ at: 12, pushNotificationId: 'p1' },
	],
	[
		'a push notification that arrived',
		push('delivered', { deliveredAt: 13 }),
		{ at: 13, pushNotificationId: 'p1' },
	],
	[
		'an item of a feed that was sent',
		feedItem('sent', { receiver: 'noor', sentAt: 12 }),
		{ at: 12, id: 'f1' },
	],
	[
		'an item of a feed that arrived',
		feedItem('delivered', { receiver: 'noor', deliveredAt: 13 }),
		{ at: 13, id: 'f1' },
	],
	...['completed', 'failed'].map((status): Nameless => [
		`a campaign: ${status}`,
		envelope(`after_campaign_${status}`, { campaignId: 'c1', status, sentCount: 7 }),
		{ campaignId: 'c1' },
	]),
];
