import type { IDataObject } from 'n8n-workflow';

import { fieldByPath, isObject, setField } from '../transport/json';
import { formatTime } from '../values/dates';
import type { Columns, Entity, Values } from '../description/types';

/** Converts an entity from CometChat's response to an output item's JSON. */
export type Shape = (sent: IDataObject) => IDataObject;

/** True if a column name denotes a time, e.g. `sentAt`. */
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
			// The ID in the request takes precedence, because an action message has its own ID
			// If both IDs are equal, the value keeps the type that CometChat sent
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
 * Creates the function that converts entities as the 'Output' parameter specifies. For any value other than
 * "simplified" and "fields", entities stay as CometChat sent them.
 *
 * @param values the operation's values. `fields` contains dot-separated paths of the fields to return.
 * @param ids IDs from the request, keyed by column name, for a simplified item
 */
export function createShape(values: Values, entity: Entity, ids?: IDataObject): Shape {
	const { output, fields } = values;
	if (output === 'fields') return createSelectedShape([fields ?? []].flat().map(String));
	if (output !== 'simplified') return (sent) => sent;
	const columns = entity.columnsFor?.(values) ?? entity.columns;
	return createSimplifiedShape(columns, entity.unwrap, ids);
}
