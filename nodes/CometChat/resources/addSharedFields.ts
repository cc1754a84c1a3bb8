import { createOutputFields } from '../fields/outputFields';
import { addLabelToIdValidationMessages } from '../fields/userAndGroup';
import { requestOptionsField } from '../fields/requestOptions';
import type { Operation } from '../types';
import { addRelationHintsToFields } from '../request/relations';
import { precompileRoutings } from '../request/routing';

const PAGES_OUTPUT_OPTION = {
	name: 'Pages',
	description: 'One item per page, with the whole response',
};

/** Parameters that determine which columns 'Fields' offers. Columns that other parameters add are always offered. */
const COLUMN_DEPENDENCIES = ['resource', 'operation', 'queue'];

/**
 * Adds the fields that all operations share, hints about fields that need or exclude other fields, and the pickers'
 * labels in their error messages.
 */
function addSharedFields(operation: Operation): Operation {
	const outputFields = operation.hasOwnRunner
		? []
		: createOutputFields(
				COLUMN_DEPENDENCIES,
				'many' in operation.response ? PAGES_OUTPUT_OPTION : undefined,
			);
	const fields = [...operation.fields, ...outputFields, requestOptionsField];
	return {
		...operation,
		fields: addRelationHintsToFields(fields).map(addLabelToIdValidationMessages),
	};
}

/**
 * Adds shared fields and hints to the operations, and compiles their `routing`.
 *
 * @throws Error for an operation whose `routing` can't be compiled
 */
export function addSharedFieldsAndPrecompileRouting(declared: Operation[]): Operation[] {
	const operations = declared.map(addSharedFields);
	operations.forEach(precompileRoutings);
	return operations;
}
