import type { IDataObject } from 'n8n-workflow';

import { formatMessageWithCode, readRefusalOfResponseOrEmpty } from '../errors/refusal';
import { asObjectOrEmpty, createFieldReader } from '../helpers/json';
import type { ColumnReaders, OutputRowType, UnconvertedResult } from '../types';

/** Reader for a column whose value comes from the request or from `UnconvertedResult.columns`, not from the entity. */
export const readNothingFromEntity = () => undefined;

/** Creates columns whose values come from the request or from `UnconvertedResult.columns`, not from the entity. */
export const createColumnsNotFromEntity = (...names: string[]): ColumnReaders =>
	Object.fromEntries(names.map((name) => [name, readNothingFromEntity]));

/** Creates columns that have the same names as the fields they read. */
export const createColumnsNamedAsFields = (...names: string[]): ColumnReaders =>
	Object.fromEntries(names.map((name) => [name, createFieldReader(name)]));

/** Creates columns that have the same names as the fields they read from a nested object. */
export const createColumnsFromNestedObject = (parent: string, ...names: string[]): ColumnReaders =>
	Object.fromEntries(names.map((name) => [name, createFieldReader(parent, name)]));

/** Column with a value only for deactivated users, whom CometChat may list, e.g. as members of a group. */
export const deactivationColumns = createColumnsNamedAsFields('deactivatedAt');

/**
 * Creates the row type for a response that confirms a change, e.g. with a success flag or a sentence.
 *
 * @param idColumn name of the column that identifies a row, if it isn't the first column
 */
export const createConfirmationRowType = (
	columns: ColumnReaders,
	idColumn?: string,
): OutputRowType => ({
	name: 'confirmation',
	columns,
	id: idColumn,
});

/**
 * Reads a user's result from a batch response, where results are keyed by UID. The returned UID is spelled as in the
 * response, usually in lower case.
 *
 * @param columns the result's columns, with the UID as in the request
 * @param defaultReason reason to report if CometChat's response contains no reason
 */
export function readBatchResultOfUser(
	results: unknown,
	columns: IDataObject & { uid: string },
	defaultReason: string,
): UnconvertedResult {
	const key = columns.uid.toLowerCase();
	const [uid = columns.uid, result] =
		Object.entries(asObjectOrEmpty(results)).find(([name]) => name.toLowerCase() === key) ?? [];
	const received = asObjectOrEmpty(result);
	if (result === true || received.success === true) {
		return { received, columns: { ...columns, uid, success: true } };
	}
	const reason =
		formatMessageWithCode(readRefusalOfResponseOrEmpty({ body: result })) ?? defaultReason;
	return { received, columns: { ...columns, uid, success: false, reason }, failure: reason };
}
