import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/types';
import { isoTimeOf } from '../values/dates';
import { InputError } from '../errors/inputError';
import type { Entity, Values } from '../description/types';

/** Turns what the service sent into an item's JSON. */
export type Shape = (entity: IDataObject) => IDataObject;

/** Reads an inner field, e.g. `field('data', 'text')`. */
export const field =
	(...path: string[]) =>
	(entity: IDataObject): unknown =>
		path.reduce<unknown>(
			(value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
			entity,
		);

/** Whether a column holds a time, e.g. `sentAt`. */
const isTime = (name: string) => name.endsWith('At');

function simplified({ columns, subject = (sent) => sent }: Entity, ids: IDataObject): Shape {
	const entries = Object.entries(columns);
	return (sent) => {
		const entity = subject(sent);
		const item: IDataObject = { ...ids };
		for (const [name, valueOf] of entries) {
			const value = valueOf(entity);
			const known = isTime(name) ? isoTimeOf(value) : value;
			const cell = isObject(known) ? undefined : (known as IDataObject[string]);
			// A table has every column in every row
			item[name] = cell ?? ids[name] ?? null;
		}
		return item;
	};
}

/** The entity with the columns that it has for the values of the fields. */
export const variantOf = (entity: Entity, values: Values): Entity => ({
	...entity,
	columns: entity.variant?.(values) ?? entity.columns,
});

const UNSAFE_NAMES = ['__proto__', 'prototype', 'constructor'];

function selected(names: string[]): Shape {
	const paths = names.map((name) => name.split('.'));
	return (entity) => {
		const item: IDataObject = {};
		for (const path of paths) {
			const value = field(...path)(entity);
			if (value !== undefined) setAt(item, path, value);
		}
		return item;
	};
}

function setAt(item: IDataObject, path: string[], value: unknown): void {
	let target = item;
	for (const key of path.slice(0, -1)) {
		const inner = target[key];
		// A copy, so that the parts of what the service sent are not changed
		target = target[key] = isObject(inner) ? { ...inner } : {};
	}
	target[path[path.length - 1]] = value as IDataObject[string];
}

/**
 * The shape that 'Output' asks for.
 *
 * @param output the value of 'Output'; what is not named here is the response as it is
 * @param fields the value of 'Fields': names, with dots for inner fields, e.g. data.text
 * @param ids columns of a simplified item that come from the request
 * @throws InputError for a field that no item can have
 */
export function shapeOf(
	output: unknown,
	fields: unknown,
	entity: Entity,
	ids: IDataObject = {},
): Shape {
	if (output === 'simplified') return simplified(entity, ids);
	if (output !== 'fields') return (sent) => sent;
	const names = Array.isArray(fields) ? fields.map(String) : [];
	const unsafe = names.find((name) => name.split('.').some((key) => UNSAFE_NAMES.includes(key)));
	if (unsafe !== undefined) throw new InputError('Fields', `must not contain "${unsafe}"`);
	return selected(names);
}
