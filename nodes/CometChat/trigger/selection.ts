import type { IDataObject } from 'n8n-workflow';

import { messageBehind } from '../resources/message/entity';
import { isObject } from '../transport/types';
import type { Delivery } from './delivery';
import { idAt } from './occurrence';
import type { Occurrence } from './occurrence';
import type { Settings } from './settings';

/** The GUID in lower case; null when there is no group; undefined when that is not known. */
type GroupId = string | null | undefined;

/** The group that a message was sent to. */
export function groupOfMessage(message: IDataObject): GroupId {
	if (message.receiverType === 'group') return idAt(message, 'receiver');
	if (message.receiverType === 'user') return null;
	const conversationId = idAt(message, 'conversationId');
	if (conversationId === undefined) return undefined;
	return /^group_(.+)$/.exec(conversationId)?.[1] ?? null;
}

function groupOf({ group, message }: IDataObject): GroupId {
	if (isObject(group)) return idAt(group, 'guid');
	if (!isObject(message)) return undefined;
	const ofNote = groupOfMessage(message);
	return ofNote === undefined ? groupOfMessage(messageBehind(message)) : ofNote;
}

/** Whether an event of this group is wanted. One whose group is not known is. */
export function isWantedGroup(group: GroupId, { groupIds }: Settings): boolean {
	return groupIds.size === 0 || group === undefined || (group !== null && groupIds.has(group));
}

/** Whether the settings want this event, as far as the delivery shows; not who did it. */
export function isWanted({ trigger, appId, data }: Delivery, settings: Settings): boolean {
	if (!settings.isChosen(trigger)) return false;
	if (settings.appId !== undefined && settings.appId !== idAt({ appId }, 'appId')) return false;
	return isWantedGroup(groupOf(data), settings);
}

/** Whether somebody did this who does not start the workflow. */
export function isIgnored({ by }: Pick<Occurrence, 'by'>, { ignoredSenders }: Settings): boolean {
	const uid = idAt(by, 'uid');
	return uid !== undefined && ignoredSenders.has(uid);
}
