import type { IDataObject } from 'n8n-workflow';

import { unwrapNote } from '../resources/message/entity';
import { isObject } from '../transport/json';
import type { Delivery } from './delivery';
import { readActor, readObject, toLowerCaseId, type Occurrence, type Person } from './occurrences';
import type { TriggerParameters } from './triggerParameters';

/** A GUID in lower case; null if there is no group; undefined if the event doesn't say. */
type GroupId = string | null | undefined;

/** Reads the group that a message, a call or a receipt was sent to. */
function readGroupIdOfMessage({ receiver, receiverType, conversationId }: IDataObject): GroupId {
	if (receiverType === 'group') return toLowerCaseId(receiver);
	if (receiverType === 'user') return null;
	const conversation = toLowerCaseId(conversationId);
	if (conversation === undefined) return undefined;
	return /^group_(.+)$/.exec(conversation)?.[1] ?? null;
}

function readGroupId(data: IDataObject): GroupId {
	const group = [data.group, data.groupDetails].find(isObject);
	if (group) return toLowerCaseId(group.guid);
	if (isObject(data.senderDetails)) return null;
	const message = readObject(data, 'message');
	const others = ['call', 'resource', 'notificationDetails'].map((name) => readObject(data, name));
	const places = [message, unwrapNote(message), ...others, data];
	return places.map(readGroupIdOfMessage).find((group) => group !== undefined);
}

function isSelectedGroup(group: GroupId, { groupIds }: TriggerParameters): boolean {
	return groupIds.size === 0 || group === undefined || (group !== null && groupIds.has(group));
}

/** Whether a fetched message belongs to one of the selected groups. */
export function isSelectedMessage(message: IDataObject, parameters: TriggerParameters): boolean {
	return isSelectedGroup(readGroupIdOfMessage(message), parameters);
}

/** Whether an event is a note such as "Mira joined", which CometChat sends like a message. */
function isActionNote({ trigger, data }: Delivery): boolean {
	return trigger === 'message_sent' && readObject(data, 'message').category === 'action';
}

/** Whether the parameters select a delivery by its event, app and group. */
function isSelected(delivery: Delivery, parameters: TriggerParameters): boolean {
	const { trigger, appId, data } = delivery;
	if (!parameters.isChosen(trigger)) return false;
	if (isActionNote(delivery) && !parameters.includeActions) return false;
	if (parameters.appId !== undefined && parameters.appId !== toLowerCaseId(appId)) return false;
	return isSelectedGroup(readGroupId(data), parameters);
}

/**
 * Selects the parts of a delivery that start the workflow.
 *
 * @param occurrences empty for an event of unknown shape
 * @returns undefined if nothing starts the workflow; an empty list for an event of unknown shape
 */
export function selectOccurrences(
	delivery: Delivery,
	occurrences: Occurrence[],
	parameters: TriggerParameters,
): Occurrence[] | undefined {
	if (!isSelected(delivery, parameters)) return undefined;
	const canStart = ({ uid }: Person) => parameters.canStart(toLowerCaseId(uid), delivery.trigger);
	// An event of unknown shape may still name its user
	if (occurrences.length === 0) return canStart(readActor(delivery.data)) ? [] : undefined;
	const selected = occurrences.filter(({ by }) => canStart(by));
	return selected.length > 0 ? selected : undefined;
}
