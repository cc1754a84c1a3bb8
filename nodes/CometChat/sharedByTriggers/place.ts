import type { IDataObject } from 'n8n-workflow';

import { toLowerCaseIdOrUndefined } from '../helpers/ids';

/**
 * Place of a message or event: a group's GUID in lower case, or 'private' for a conversation between two users.
 */
export type GroupPlaceOrPrivate = { groupId: string } | 'private';

export function toGroupPlace(guid: unknown): GroupPlaceOrPrivate | undefined {
	const groupId = toLowerCaseIdOrUndefined(guid);
	return groupId === undefined ? undefined : { groupId };
}

/** Reads the place of a message, call or receipt. Returns undefined if the place is unknown. */
export function readGroupPlaceOrPrivate(message: IDataObject): GroupPlaceOrPrivate | undefined {
	const { receiver, receiverType, conversationId } = message;
	if (receiverType === 'user') return 'private';
	if (receiverType === 'group') return toGroupPlace(receiver);
	const conversation = toLowerCaseIdOrUndefined(conversationId);
	if (conversation === undefined) return undefined;
	// "group_a_user_b" is ambiguous: a group's conversation, or a private one, because UIDs can start with "group_"
	if (conversation.includes('_user_'))
		return conversation.startsWith('group_') ? undefined : 'private';
	return toGroupPlace(/^group_(.+)$/.exec(conversation)?.[1]);
}
