import type { IDataObject } from 'n8n-workflow';

import { messageBehind } from '../resources/message/entity';
import { isObject } from '../transport/json';
import type { Delivery } from './delivery';
import { doerIn, lowerCaseId, objectAt, type Occurrence, type Person } from './occurrences';
import type { Settings } from './settings';

/** The GUID in lower case; null when there is no group; undefined when that is not known. */
type GroupId = string | null | undefined;

/** The group that a message, a call or a receipt went to. */
function groupOfMessage({ receiver, receiverType, conversationId }: IDataObject): GroupId {
	if (receiverType === 'group') return lowerCaseId(receiver);
	if (receiverType === 'user') return null;
	const conversation = lowerCaseId(conversationId);
	if (conversation === undefined) return undefined;
	return /^group_(.+)$/.exec(conversation)?.[1] ?? null;
}

function groupOf(data: IDataObject): GroupId {
	const group = [data.group, data.groupDetails].find(isObject);
	if (group) return lowerCaseId(group.guid);
	if (isObject(data.senderDetails)) return null;
	const note = objectAt(data, 'message');
	const within = ['call', 'resource', 'notificationDetails'].map((name) => objectAt(data, name));
	const places = [note, messageBehind(note), ...within, data];
	return places.map(groupOfMessage).find((group) => group !== undefined);
}

function isWantedGroup(group: GroupId, { groupIds }: Settings): boolean {
	return groupIds.size === 0 || group === undefined || (group !== null && groupIds.has(group));
}

/** Whether a message that was fetched is in a wanted group. */
export function isWantedMessage(message: IDataObject, settings: Settings): boolean {
	return isWantedGroup(groupOfMessage(message), settings);
}

/** Notes about what was done, which the service sends like messages. */
function isAction({ trigger, data }: Delivery): boolean {
	return trigger === 'message_sent' && objectAt(data, 'message').category === 'action';
}

/** Whether the settings want this event, as far as the delivery shows; not who did it. */
function isWanted(delivery: Delivery, settings: Settings): boolean {
	const { trigger, appId, data } = delivery;
	if (!settings.isChosen(trigger)) return false;
	if (isAction(delivery) && !settings.includeActions) return false;
	if (settings.appId !== undefined && settings.appId !== lowerCaseId(appId)) return false;
	return isWantedGroup(groupOf(data), settings);
}

/**
 * What of a delivery starts the workflow: what wanted users did, for the settings.
 *
 * @param occurrences none for a shape that is not known
 * @returns undefined when nothing of it does
 */
export function wantedOf(
	delivery: Delivery,
	occurrences: Occurrence[],
	settings: Settings,
): Occurrence[] | undefined {
	if (!isWanted(delivery, settings)) return undefined;
	const isWantedOf = ({ uid }: Person) => settings.isWantedDoer(lowerCaseId(uid), delivery.trigger);
	// A shape that is not known may still say who did it
	if (occurrences.length === 0) return isWantedOf(doerIn(delivery.data)) ? [] : undefined;
	const wanted = occurrences.filter(({ by }) => isWantedOf(by));
	return wanted.length > 0 ? wanted : undefined;
}
