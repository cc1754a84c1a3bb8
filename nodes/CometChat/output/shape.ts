import type { IDataObject } from 'n8n-workflow';

import { createFieldReader, createPathReader, isObject, setFieldAtPath } from '../helpers/json';
import { timestampToIso } from '../helpers/timestamps';
import type { ColumnReaders, OutputRowType, UnconvertedResult, ParameterValues } from '../types';
import {
	listSelectedFieldsWithId,
	listColumnNamesShownIfFilled,
	type ColumnSettingsOfRowType,
} from './columns';

/**
 * Converts a result to an output item's JSON. For 'Selected Fields', a field that is neither a column nor in
 * `received` comes from `fallback`, e.g. the entity in an event.
 */
export type ResultConverter = (
	result: Pick<UnconvertedResult, 'received' | 'columns'> & { fallback?: IDataObject },
) => IDataObject;

/** Maps each selected field's name to whether the entity declares the field or any result so far has it. */
export type FoundFlagsByField = Map<string, boolean>;

/** True if a column name denotes a time, e.g. `sentAt`. */
const isTimeName = (name: string) => name.endsWith('At');

/** True if a column name denotes an ID, e.g. `parentId`. */
const isIdName = (name: string) => /^(u|gu)?id$|Id$/.test(name);

/** Reads a column's value from an entity. A value in `known`, keyed by column name, takes precedence. */
type ReadCell = (sentEntity: IDataObject, known?: IDataObject) => IDataObject[string];

/**
 * Creates the function that reads a column's cells. Times become ISO 8601, and numeric IDs become text. An object
 * becomes null, because tables show each cell as text. A list stays a list.
 *
 * @param read reads the column from the entity. Undefined if only `known` or the request has the value.
 * @param requested value from the request, for a column that is missing from CometChat's response
 */
function createCellReader(
	name: string,
	read: ColumnReaders[string] | undefined,
	requested: unknown,
): ReadCell {
	const isTime = isTimeName(name);
	const isId = isIdName(name);
	return (sentEntity, known) => {
		const value = known?.[name] ?? read?.(sentEntity) ?? requested;
		const formatted = isTime ? timestampToIso(value) : value;
		if (isId && typeof formatted === 'number') return String(formatted);
		// n8n's tables need every column in every row
		return isObject(formatted) ? null : ((formatted as IDataObject[string]) ?? null);
	};
}

/** True if an optional column's value is neither null nor an empty list. */
const hasColumnValue = (value: IDataObject[string]) =>
	value !== null && !(Array.isArray(value) && value.length === 0);

/**
 * Creates the function that converts results as the 'Output' parameter specifies.
 *
 * - 'Simplified' returns the most useful columns, and the optional columns that have a value
 * - 'Selected Fields' returns the ID, and the selected columns and fields of the entity
 * - any other value returns `received` unchanged
 *
 * @param values parameter values of the operation or trigger. `fields` contains column names or dot-separated
 * paths.
 * @param requestValues values from the request, for columns that are missing from CometChat's response
 * @param found records whether the results have the selected fields
 */
export function createResultConverter(
	values: ParameterValues,
	rowType: ColumnSettingsOfRowType & Pick<OutputRowType, 'unwrap'>,
	requestValues: ParameterValues = {},
	found: FoundFlagsByField = new Map(),
): ResultConverter {
	const { output, fields } = values;
	const { unwrap = (received: IDataObject) => received } = rowType;
	const isSelected = output === 'fields';
	if (output !== 'simplified' && !isSelected) return ({ received }) => received;
	const shown = rowType.columnsFor?.(values) ?? rowType.columns;
	const columns: ColumnReaders = isSelected
		? {
				...rowType.columnsShownIfFilled,
				...rowType.selectedOnlyColumns,
				...rowType.columns,
				...shown,
			}
		: { ...rowType.columnsShownIfFilled, ...shown };
	const createReaders = (names: string[]) =>
		names.map(
			(name) => [name, createCellReader(name, columns[name], requestValues[name])] as const,
		);
	if (!isSelected) {
		const cells = createReaders(Object.keys(shown));
		const columnsShownIfFilled = createReaders(
			listColumnNamesShownIfFilled({
				columns: shown,
				columnsShownIfFilled: rowType.columnsShownIfFilled,
			}),
		);
		return ({ received, columns: known }) => {
			const row = unwrap(received);
			const item: IDataObject = {};
			for (const [name, readCell] of cells) item[name] = readCell(row, known);
			for (const [name, readCell] of columnsShownIfFilled) {
				const value = readCell(row, known);
				if (hasColumnValue(value)) item[name] = value;
			}
			return item;
		};
	}
	const readable = { ...rowType.fieldShortcuts, ...columns };
	const readInColumn = (name: string, sentEntity: IDataObject) => {
		const [column = '', ...path] = name.split('.');
		const read = Object.hasOwn(readable, column) ? readable[column] : undefined;
		return createFieldReader(...path)(read?.(sentEntity));
	};
	const readByName = (name: string, sentEntity: IDataObject = {}) =>
		createPathReader(name)(sentEntity) ?? readInColumn(name, sentEntity);
	const names = listSelectedFieldsWithId(fields, rowType);
	const isInSelected = (name: string) => names.some((outer) => name.startsWith(`${outer}.`));
	const inSelected = new Set(names.filter(isInSelected));
	const cells = new Map(createReaders(names.filter((name) => Object.hasOwn(columns, name))));
	return ({ received, columns: known, fallback }) => {
		const row = unwrap(received);
		const item: IDataObject = {};
		for (const name of names) {
			const readCell = cells.get(name);
			const value = readCell
				? readCell(row, known)
				: (readByName(name, row) ?? readByName(name, fallback));
			const isKnown = Object.hasOwn(readable, name) || value !== undefined;
			found.set(name, found.get(name) === true || isKnown);
			// If an outer object or list is also selected, the item already contains this field
			if (!inSelected.has(name)) setFieldAtPath(item, name, value ?? null);
		}
		return item;
	};
}
