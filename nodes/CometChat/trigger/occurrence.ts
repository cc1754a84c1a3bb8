import type { IDataObject } from 'n8n-workflow';

import { field } from '../operation/output';
import type { Entity } from '../operation/types';
import { isObject } from '../transport/types';

/** One thing that something happened to. */
export interface Occurrence {
	/** The thing itself: the edited message, and not the note about it */
	thing: IDataObject;
	/** The user who did it, as far as the delivery says */
	by: IDataObject;
	/** When it happened, in Unix seconds; undefined when the delivery does not say */
	at?: number;
}

/** What a family of events has in common. */
export interface EventFamily {
	/** What each thing is */
	entity: Entity;
	/** @returns nothing for data of another shape */
	occurrences: (data: IDataObject) => Occurrence[];
	/**
	 * The values that tell the event from all others of its name, among them a time or an ID that no
	 * other one has. When one of them is undefined, only the whole content can tell.
	 */
	identity: (data: IDataObject) => unknown[];
}

/** An inner object; an empty one when there is none. */
export function objectAt(data: IDataObject, ...path: string[]): IDataObject {
	const value = field(...path)(data);
	return isObject(value) ? value : {};
}

/** A UID or GUID as the service compares them: in lower case. */
export function idAt(data: IDataObject, ...path: string[]): string | undefined {
	const value = field(...path)(data);
	return typeof value === 'string' || typeof value === 'number'
		? String(value).toLowerCase()
		: undefined;
}

/** A time in Unix seconds, from a number or its digits. */
export function secondsAt(data: IDataObject, ...path: string[]): number | undefined {
	const value = field(...path)(data);
	const seconds = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof seconds === 'number' ? seconds : undefined;
}
