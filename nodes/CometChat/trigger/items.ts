import type { IDataObject } from 'n8n-workflow';

import { formatTime } from '../values/dates';
import { createShape } from '../results/shape';
import type { FetchedMessage } from '../run/sendOnce';
import { messageEntity } from '../resources/message/entity';
import { systemClock } from '../transport/clock';
import type { Delivery } from './delivery';
import { getEventType, type EventType } from './events';
import type { EventDetails } from './eventReaders';
import type { TriggerParameters } from './selection';

const simplifyMessage = createShape({ output: 'simplified' }, messageEntity);

/** Builds the item columns for a fetched message, e.g. `messageText`. */
function buildMessageColumns({ message, messageError }: FetchedMessage): IDataObject {
	const simplified = simplifyMessage({ sent: message ?? {} });
	const columns = Object.keys(messageEntity.columns)
		.filter((name) => name !== messageEntity.id)
		.map((name) => [`message${name.charAt(0).toUpperCase()}${name.slice(1)}`, simplified[name]]);
	return { ...Object.fromEntries(columns), messageError: messageError ?? null };
}

/**
 * Builds a simplified item. The entity's first two columns come before `by`, because people map these
 * columns most often.
 *
 * @param columns columns of the entity that the event is about, e.g. a message
 * @param isOwnAction true if the entity is the user who caused the event, so that `by` is left out
 */
function buildItem(
	about: { event: string; at: unknown; by: unknown; byName: unknown },
	columns: IDataObject,
	isOwnAction = false,
): IDataObject {
	const { event, at, by, byName } = about;
	const entries = Object.entries(columns);
	const item = {
		event,
		at,
		...Object.fromEntries(entries.slice(0, 2)),
		...(isOwnAction ? {} : { by, byName }),
		...Object.fromEntries(entries.slice(2)),
	};
	return item as IDataObject;
}

/** Lists the columns of an event's simplified item, excluding the columns of a fetched message. */
export function getEventColumns({ entity, isOwnAction }: EventType): string[] {
	const about = { event: '', at: '', by: '', byName: '' };
	return Object.keys(buildItem(about, { ...entity?.columns } as IDataObject, isOwnAction));
}

/**
 * Creates the items that start the workflow. With the output 'Simplified', each entity becomes a flat
 * item. Raw events and events of unknown shape become a single item with the entire request body.
 *
 * @param details the event's entities; empty for an event of unknown shape
 * @param fetched the message that a reaction belongs to
 */
export function createItems(
	{ trigger, envelope }: Delivery,
	details: EventDetails[],
	fetched: FetchedMessage | undefined,
	{ isSimplified, shape }: TriggerParameters,
): IDataObject[] {
	const { entity, isOwnAction } = getEventType(trigger) ?? {};
	if (!isSimplified || entity === undefined || details.length === 0) {
		return [shape({ sent: { ...envelope, ...fetched } })];
	}
	const simplify = createShape({ output: 'simplified' }, entity);
	const now = Math.floor(systemClock.today() / 1000);
	return details.map(({ subject, by: { uid: by = null, name: byName = null }, at }) => {
		const about = { event: trigger, at: formatTime(at) ?? formatTime(now), by, byName };
		const item = buildItem(about, simplify({ sent: subject }), isOwnAction);
		return fetched === undefined ? item : { ...item, ...buildMessageColumns(fetched) };
	});
}
