import type { IDataObject } from 'n8n-workflow';

import { fieldByPath, isObject, setField } from '../transport/json';
import { formatTime } from '../values/dates';
import type { Columns, Entity, Values } from '../description/types';

/** Converts an entity as CometChat sent it to the JSON of an item. */
export type Shape = (sent: IDataObject) => IDataObject;

/** True for the name of a time column, e.g. `sentAt`. */
const isTime = (name: string) => name.endsWith('At');

function createSimplifiedShape(
	columns: Columns,
	unwrap: Shape = (sent) => sent,
	ids: IDataObject = {},
): Shape {
	const entries = Object.entries(columns);
	const requestOnly = Object.entries(ids).filter(([name]) => !(name in columns));
	return (sent) => {
		const entity = unwrap(sent);
		const item: IDataObject = Object.fromEntries(requestOnly);
		for (const [name, readColumn] of entries) {
			const value = readColumn(entity);
			const formatted = isTime(name) ? formatTime(value) : value;
			const cell = isObject(formatted) ? undefined : (formatted as IDataObject[string]);
			// A note has its own ID, so the request's ID wins. Equal IDs keep the type that CometChat sent.
			const isSame = ids[name] === undefined || String(ids[name]) === String(cell);
			// Tables need every column in every row
			item[name] = (isSame ? cell : ids[name]) ?? null;
		}
		return item;
	};
}

function createSelectedShape(names: string[]): Shape {
	const fields = names.map((name) => ({ name, readField: fieldByPath(name) }));
	return (entity) => {
		const item: IDataObject = {};
		for (const { name, readField } of fields) {
			const value = readField(entity);
			if (value !== undefined) setField(item, name, value);
		}
		return item;
	};
}

/**
 * Creates the shape for the value of 'Output'. Any value other than "simplified" and "fields" keeps
 * what CometChat sent.
 *
 * @param values values of an operation. `fields` contains field names, with dots for inner fields.
 * @param ids columns of a simplified item that come from the request
 */
export function createShape(values: Values, entity: Entity, ids?: IDataObject): Shape {
	const { output, fields } = values;
	if (output === 'fields') return createSelectedShape([fields ?? []].flat().map(String));
	if (output !== 'simplified') return (sent) => sent;
	const columns = entity.columnsFor?.(values) ?? entity.columns;
	return createSimplifiedShape(columns, entity.unwrap, ids);
}
