import type { IDataObject } from 'n8n-workflow';

import { APP_ID } from './harness';

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

/** Builds an action message, which CometChat sends to report an action on another message. */
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
	{ editedAt = 1_760_000_100, noteId = id + 1_000 } = {},
): Envelope {
	const entity = message(id, { data: { text }, editedAt, editedBy: 'noor', updatedAt: editedAt });
	return envelope('message_edited', { message: note(noteId, 'edited', 'noor', entity) });
}

export function deleted(id: number): Envelope {
	const by = { deletedAt: 1_760_000_200, deletedBy: 'noor' };
	const entity = { id: String(id), conversationId: 'group_support', ...by };
	return envelope('message_deleted', { message: note(id + 2_000, 'deleted', 'noor', entity) });
}

export function reaction(
	kind: 'added' | 'removed',
	{ messageId = '501', uid = 'mira' } = {},
): Envelope {
	const content = { id: '71', messageId, reaction: '👍', reactedAt: 1_760_000_300 };
	return envelope(`message_reaction_${kind}`, {
		reaction: { ...content, uid, reactedBy: user(uid) },
	});
}

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

/** Builds an edit in the format that real apps send: the message itself, with its new text. */
export const editedLive = (id: number, text: string, changes: IDataObject = {}) =>
	envelope('message_edited', { message: message(id, { data: { text }, ...changes }) });
