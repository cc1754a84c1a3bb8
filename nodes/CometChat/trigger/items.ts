import type { IDataObject } from 'n8n-workflow';

import type { Shape } from '../operation/output';
import { shapeOf } from '../operation/output';
import type { Entity } from '../operation/types';
import { message } from '../resources/message/entity';
import type { Delivery } from './delivery';
import type { Occurrence } from './occurrence';
import { secondsAt } from './occurrence';

/** What fetching the message of a reaction brought: the message, or why it is missing. */
export interface Fetched {
	message?: IDataObject;
	messageError?: string;
}

const rawEvent: Entity = { name: 'event', plural: 'events', id: 'trigger', columns: {} };

/** @throws InputError for a field that no item can have */
export function shapeOfEnvelope(output: unknown, fields: unknown): Shape {
	return shapeOf(output === 'fields' ? output : 'raw', fields, rawEvent);
}

/** One item with everything that CometChat sent, and the message that was fetched. */
export function envelopeItem(
	{ envelope: sent }: Delivery,
	fetched: Fetched,
	shape: Shape,
): IDataObject {
	return shape({ ...sent, ...fetched });
}

/** `text` of a message as `messageText` of the reaction to it. */
function messageColumns({ message: fetched, messageError }: Fetched): IDataObject {
	if (fetched === undefined) return messageError === undefined ? {} : { messageError };
	const simplified = shapeOf('simplified', undefined, message)(fetched);
	const columns = Object.entries(simplified)
		.filter(([name]) => name !== message.id)
		.map(([name, value]) => [`message${name.charAt(0).toUpperCase()}${name.slice(1)}`, value]);
	return Object.fromEntries(columns);
}

/** What the delivery says of the user who did it. */
function doer({ uid, name }: IDataObject): IDataObject {
	return {
		...(typeof uid === 'string' || typeof uid === 'number' ? { by: uid } : {}),
		...(typeof name === 'string' ? { byName: name } : {}),
	};
}

/**
 * One flat item per thing.
 *
 * @param now Unix seconds: stands in where the delivery does not say when it happened
 */
export function simplifiedItems(
	{ trigger }: Delivery,
	entity: Entity,
	occurrences: Occurrence[],
	fetched: Fetched,
	now: number,
): IDataObject[] {
	const shape = shapeOf('simplified', undefined, entity);
	return occurrences.map(({ thing, by, at }) => ({
		event: trigger,
		at: secondsAt({ at }, 'at') ?? now,
		...doer(by),
		...shape(thing),
		...messageColumns(fetched),
	}));
}
