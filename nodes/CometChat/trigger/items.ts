import type { IDataObject } from 'n8n-workflow';

import { isoTimeOf } from '../values/dates';
import { shapeOf } from '../results/shape';
import type { FetchedMessage } from '../run/sendOnce';
import { message as messageEntity } from '../resources/message/entity';
import type { Delivery } from './delivery';
import { eventTypeOf, type EventType } from './events';
import type { Occurrence } from './occurrences';
import type { Settings } from './settings';

const shapeOfMessage = shapeOf('simplified', undefined, messageEntity);

/** `text` of a message as `messageText` of the reaction to it. */
function messageColumns({ message, messageError }: FetchedMessage): IDataObject {
	const simplified = shapeOfMessage(message ?? {});
	const columns = Object.keys(messageEntity.columns)
		.filter((name) => name !== messageEntity.id)
		.map((name) => [`message${name.charAt(0).toUpperCase()}${name.slice(1)}`, simplified[name]]);
	return { ...Object.fromEntries(columns), messageError: messageError ?? null };
}

/**
 * A simplified item: what it is about comes first, then who did it, for these are what people go on
 * with. Who did something to themselves is told by the columns of the user.
 *
 * @param told the columns of the thing
 */
function eventItem(
	about: { event: string; at: unknown; by: unknown; byName: unknown },
	told: IDataObject,
	isOwnDoing = false,
): IDataObject {
	const { event, at, by, byName } = about;
	const columns = Object.entries(told);
	const item = {
		event,
		at,
		...Object.fromEntries(columns.slice(0, 2)),
		...(isOwnDoing ? {} : { by, byName }),
		...Object.fromEntries(columns.slice(2)),
	};
	return item as IDataObject;
}

/** The columns of an event's simplified item, without those of a message that is fetched for it. */
export function columnsOfEvent({ entity, isOwnDoing }: EventType): string[] {
	const about = { event: '', at: '', by: '', byName: '' };
	return Object.keys(eventItem(about, { ...entity?.columns } as IDataObject, isOwnDoing));
}

/**
 * What starts the workflow: simplified, one flat item for each thing that something happened to; else,
 * and where the shape is not known, one item with everything that CometChat sent.
 *
 * @param occurrences what to tell of; none for a shape that is not known
 * @param fetched the message of a reaction, when it was asked for
 */
export function itemsOf(
	{ trigger, envelope }: Delivery,
	occurrences: Occurrence[],
	fetched: FetchedMessage | undefined,
	{ isSimplified, shape }: Settings,
): IDataObject[] {
	const { entity, isOwnDoing } = eventTypeOf(trigger) ?? {};
	if (!isSimplified || entity === undefined || occurrences.length === 0) {
		return [shape({ ...envelope, ...fetched })];
	}
	const shapeOfThing = shapeOf('simplified', undefined, entity);
	const now = Math.floor(Date.now() / 1000);
	return occurrences.map(({ thing, by: { uid: by = null, name: byName = null }, at }) => {
		const about = { event: trigger, at: isoTimeOf(at) ?? isoTimeOf(now), by, byName };
		const item = eventItem(about, shapeOfThing(thing), isOwnDoing);
		return fetched === undefined ? item : { ...item, ...messageColumns(fetched) };
	});
}
