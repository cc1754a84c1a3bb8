import type { OutputRowType, Operation, ParameterValues } from '../types';

/** Settings of a row type that determine which fields the rows can contain. */
export type ColumnSettingsOfRowType = Pick<
	OutputRowType,
	| 'id'
	| 'columns'
	| 'columnsFor'
	| 'hidesOtherColumns'
	| 'columnsShownIfFilled'
	| 'selectedOnlyColumns'
	| 'fieldShortcuts'
>;

export function getRowType({ response }: Pick<Operation, 'response'>): OutputRowType {
	if ('one' in response) return response.one;
	if ('many' in response) return response.many;
	return 'files' in response ? response.files : response.each;
}

/** Lists the column names that the parameter 'Fields' offers. Columns that 'Simplified' always returns come first. */
export function listSelectableColumnNames(
	entity: ColumnSettingsOfRowType,
	values: ParameterValues,
): string[] {
	const {
		columns,
		columnsFor,
		hidesOtherColumns,
		columnsShownIfFilled,
		selectedOnlyColumns,
		fieldShortcuts,
	} = entity;
	const shown = columnsFor?.(values);
	const others = hidesOtherColumns && shown ? {} : columns;
	return Object.keys({
		...shown,
		...others,
		...columnsShownIfFilled,
		...selectedOnlyColumns,
		...fieldShortcuts,
	});
}

/** Lists the names of the columns that 'Simplified' adds only to rows with a value for the column. */
export const listColumnNamesShownIfFilled = ({
	columns,
	columnsShownIfFilled = {},
}: Pick<ColumnSettingsOfRowType, 'columns' | 'columnsShownIfFilled'>): string[] =>
	Object.keys(columnsShownIfFilled).filter((name) => !(name in columns));

/** Returns the name of the column that identifies a row. */
const getIdColumnName = ({ id = '', columns }: ColumnSettingsOfRowType): string | undefined =>
	id in columns ? id : Object.keys(columns)[0];

/**
 * Lists the fields that 'Selected Fields' returns. If the ID column isn't selected, adds it before the selected
 * fields.
 */
export function listSelectedFieldsWithId(
	fields: unknown,
	entity: ColumnSettingsOfRowType,
): string[] {
	const names = [fields ?? []].flat().map(String);
	const id = getIdColumnName(entity);
	return id === undefined || names.includes(id) ? names : [id, ...names];
}
