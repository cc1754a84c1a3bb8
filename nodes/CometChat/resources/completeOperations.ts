import { createOutputFields } from '../fields/outputFields';
import { insertLabelsInIdErrors } from '../fields/userAndGroup';
import { requestOptionsField } from '../fields/requestOptions';
import type { Operation } from '../types';
import { setRelationHints } from '../request/relations';
import { precompileRoutings } from '../request/routing';

const PAGES_OUTPUT_OPTION = {
	name: 'Pages',
	description: 'One item per page, with the whole response',
};

/** Parameters that determine which columns 'Fields' lists. Columns that other settings add are always listed. */
const COLUMN_DEPENDENCIES = ['resource', 'operation', 'queue'];

/**
 * Adds the fields that operation files don't declare, hints about fields that need or exclude each other, and the
 * labels of pickers in their error messages.
 */
function completeOperation(operation: Operation): Operation {
	const outputFields = operation.hasOwnRunner
		? []
		: createOutputFields(
				COLUMN_DEPENDENCIES,
				'many' in operation.response ? PAGES_OUTPUT_OPTION : undefined,
			);
	const fields = [...operation.fields, ...outputFields, requestOptionsField];
	return { ...operation, fields: setRelationHints(fields).map(insertLabelsInIdErrors) };
}

/**
 * Completes and compiles the operations.
 *
 * @throws Error for an operation whose `routing` can't be compiled
 */
export function completeOperations(declared: Operation[]): Operation[] {
	const operations = declared.map(completeOperation);
	operations.forEach(precompileRoutings);
	return operations;
}
