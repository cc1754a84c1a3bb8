import type { IDataObject } from 'n8n-workflow';

import { fieldByPath, isObject, setField } from '../transport/json';
import { formatTime } from '../values/dates';
import { InputError } from '../errors/inputError';
import type { Entity, Values } from '../description/types';

/** Turns what the service sent into an item's JSON. */
export type Shape = (entity: IDataObject) => IDataObject;

/** Whether a column holds a time, e.g. `sentAt`. */
const isTime = (name: string) => name.endsWith('At');

function createSimplifiedShape(
	{ columns, unwrap = (sent) => sent }: Entity,
	ids: IDataObject,
): Shape {
	const entries = Object.entries(columns);
	const ownColumns = Object.entries(ids).filter(([name]) => !(name in columns));
	return (sent) => {
		const entity = unwrap(sent);
		const item: IDataObject = Object.fromEntries(ownColumns);
		for (const [name, valueOf] of entries) {
			const value = valueOf(entity);
			const known = isTime(name) ? formatTime(value) : value;
			const cell = isObject(known) ? undefined : (known as IDataObject[string]);
			// The request's ID wins, in the type that CometChat sent: a note has an ID of its own
			const isSame = ids[name] === undefined || String(ids[name]) === String(cell);
			// Every row of a table has every column
			item[name] = (isSame ? cell : ids[name]) ?? null;
		}
		return item;
	};
}

/** The entity with the columns that it has for the values of the fields. */
export const applyVariant = (entity: Entity, values: Values): Entity => ({
	...entity,
	columns: entity.columnsFor?.(values) ?? entity.columns,
});

const UNSAFE_NAMES = ['__proto__', 'prototype', 'constructor'];

function createSelectedShape(names: string[]): Shape {
	const fields = names.map((name) => ({ name, valueOf: fieldByPath(name) }));
	return (entity) => {
		const item: IDataObject = {};
		for (const { name, valueOf } of fields) {
			const value = valueOf(entity);
			if (value !== undefined) setField(item, name, value);
		}
		return item;
	};
}

/**
 * The shape that 'Output' asks for.
 *
 * @param output the value of 'Output'; what is not named here is the response as it is
 * @param fields the value of 'Fields': names, with dots for inner fields, e.g. data.text
 * @param ids columns of a simplified item that come from the request
 * @throws InputError for a field that no item can have
 */
export function createShape(
	output: unknown,
	fields: unknown,
	entity: Entity,
	ids: IDataObject = {},
): Shape {
	if (output === 'simplified') return createSimplifiedShape(entity, ids);
	if (output !== 'fields') return (sent) => sent;
	const names = Array.isArray(fields) ? fields.map(String) : [];
	const unsafe = names.find((name) => name.split('.').some((key) => UNSAFE_NAMES.includes(key)));
	if (unsafe !== undefined) throw new InputError('Fields', `must not contain "${unsafe}"`);
	return createSelectedShape(names);
}
