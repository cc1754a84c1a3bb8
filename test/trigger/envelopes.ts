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
			entities: { by: entityOf(user(by), 'user'), on: entityOf(entity, 'message') },
		},
		sentAt: 1_760_000_100,
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
	{ uid = 'noor', messageId = '501' } = {},
	changes: IDataObject = {},
) =>
	envelope(trigger, {
		receiver: 'support',
		receiverType: 'group',
		sender: uid,
		messageSender: 'mira',
		body: { action: 'read', messageId, user: user(uid), timestamp: 1_760_000_600 },
		...changes,
	});

export const marked = (mark: 'pinned' | 'unpinned', by: string, id = 501) =>
	envelope(`message_${mark}`, {
		message: message(id, { [`${mark}By`]: by, [`${mark}At`]: 1_760_000_700 }),
	});

export const moderated = (name: string, sender = 'mira') =>
	envelope(`moderation_${name}`, {
		message: message(501, { sender, data: { text: 'Hm', moderation: { status: name } } }),
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
		currentConnection: 'websocket',
	});

export const call = (name: string, by: string, changes: IDataObject = {}) =>
	envelope(`call_${name}`, {
		call: {
			...note(601, name, by, { sessionid: 'v1.us.session', status: name }, changes),
			category: 'call',
			type: 'audio',
		},
	});

export const session = (trigger: string, uid?: string, times: IDataObject = {}) =>
	envelope(trigger, {
		sessionId: 'v1.us.session',
		...(uid === undefined ? {} : { occupant: { uid, name: uid.toUpperCase(), ...times } }),
		all_occupants: [user('mira'), user('noor')],
	});

export const feedItem = (status: string, changes: IDataObject = {}) =>
	envelope(`after_feed_item_${status}`, { id: 'f1', notificationId: 'n1', status, ...changes });

export const push = (status: string, changes: IDataObject = {}) =>
	envelope(`after_push_notification_${status}`, {
		...{ pushNotificationId: 'p1', notificationId: 'n1', receiver: 'noor', status },
		...changes,
	});

/** What a user can do, as it is told. */
export const DOINGS: Array<[string, (uid: string) => Envelope]> = [
	['sends a message', (uid) => sent(501, { sender: uid })],
	['edits a message', (uid) => edited(501, 'x', { by: uid })],
	[
		'edits a message, told without a note',
		(uid) => editedLive(501, 'x', { editedBy: uid, sender: 'theo', editedAt: 150 }),
	],
	['edits an own message, told without who it was', (uid) => editedLive(501, 'x', { sender: uid })],
	[
		'edits a message, told by the note alone',
		(uid) => envelope('message_edited', { message: note(9, 'edited', uid, { id: '501' }) }),
	],
	['deletes a message', (uid) => deleted(501, { by: uid })],
	[
		'deletes a message, told without a note',
		(uid) => envelope('message_deleted', { message: { id: '501', deletedAt: 5, deletedBy: uid } }),
	],
	['reacts', (uid) => reaction('added', { uid })],
	['removes a reaction', (uid) => reaction('removed', { uid })],
	['mentions somebody', (uid) => mentioned(501, ['theo'], { sender: uid })],
	['pins a message', (uid) => marked('pinned', uid)],
	['unpins a message', (uid) => marked('unpinned', uid)],
	['gets a message', (uid) => receipt('message_delivery_receipt', { uid })],
	['reads a message', (uid) => receipt('message_read_receipt', { uid })],
	[
		'reads a message, told by the sender of the receipt alone',
		(uid) => receipt('message_read_receipt', { uid }, { body: { messageId: '501' } }),
	],
	['gets a message as the last one', (uid) => receipt('message_delivered_to_all', { uid })],
	['reads a message as the last one', (uid) => receipt('message_read_by_all', { uid })],
	...['engine_blocked', 'engine_approved', 'manual_approved'].map(
		(name): [string, (uid: string) => Envelope] => [
			`sends what is ${name}`,
			(uid) => moderated(name, uid),
		],
	),
	['creates a group', (uid) => groupEvent('created', 'a', { owner: uid })],
	['changes a group', (uid) => groupEvent('updated', 'a', { updatedBy: uid })],
	[
		'deletes a group',
		(uid) => groupEvent('deleted', 'a', { deletedBy: uid, deletedAt: 1_760_000_450 }),
	],
	[
		'gives a group away',
		(uid) => groupEvent('owner_transferred', 'a', { updatedBy: uid, oldOwner: 'theo' }),
	],
	[
		'gives a group away, told apart from the group',
		(uid) => envelope('group_owner_transferred', { group: group('a'), by: user(uid) }),
	],
	['adds a member', (uid) => memberEvent('member_added', 'a', { theo: { joinedAt: 7 } }, uid)],
	['removes a member', (uid) => memberEvent('member_kicked', 'a', { theo: {} }, uid)],
	['bans a member', (uid) => memberEvent('member_banned', 'a', { theo: {}, [uid]: {} }, uid)],
	['lifts a ban', (uid) => memberEvent('member_unbanned', 'a', { theo: {} }, uid)],
	[
		'changes their own scope',
		(uid) =>
			memberEvent('member_scope_changed', 'a', { [uid]: { scope: 'x', oldScope: 'y' } }, uid),
	],
	['joins', (uid) => memberEvent('member_joined', 'a', { [uid]: { joinedAt: 1_760_000_500 } })],
	['leaves', (uid) => memberEvent('member_left', 'a', { [uid]: {} })],
	...['busy', 'cancelled', 'initiated', 'rejected', 'unanswered'].map(
		(name): [string, (uid: string) => Envelope] => [`calls: ${name}`, (uid) => call(name, uid)],
	),
	[
		'calls, told by the sender alone',
		(uid) => envelope('call_initiated', { call: message(601, { sender: uid }) }),
	],
	...['call', 'meeting'].flatMap((kind): Array<[string, (uid: string) => Envelope]> => [
		[`joins a ${kind}`, (uid) => session(`${kind}_participant_joined`, uid, { joined_at: 11 })],
		[`leaves a ${kind}`, (uid) => session(`${kind}_participant_left`, uid, { left_at: 12 })],
	]),
	['goes online', (uid) => presence(uid)],
	['blocks a user', (uid) => blocked('user_blocked', ['theo'], uid)],
	['unblocks a user', (uid) => blocked('user_unblocked', ['theo'], uid)],
	['reads an item of a feed', (uid) => feedItem('read', { receiver: uid, readAt: 14 })],
	[
		'acts on an item of a feed',
		(uid) => feedItem('interacted', { receiver: uid, status: 'sent', engagedAt: 15, topic: 'cta' }),
	],
	['clicks a notification', (uid) => push('clicked', { receiver: uid, clickedAt: 16 })],
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
