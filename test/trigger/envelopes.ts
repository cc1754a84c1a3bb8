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

/** A user who joins or leaves a call or a meeting. */
export const participant = (trigger: string, uid: string, times: IDataObject = {}) =>
	envelope(trigger, {
		occupant: { uid, name: uid.toUpperCase(), audio_call: 'true', ...times },
		sessionId: SESSION_ID,
	});
