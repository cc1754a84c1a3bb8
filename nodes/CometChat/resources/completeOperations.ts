import { createOutputFields } from '../fields/outputFields';
import { labelPickers } from '../fields/userAndGroup';
import { requestOptionsField } from '../fields/requestOptions';
import type { Operation } from '../types';
import { addRelationHints } from '../request/relations';

const PAGES = { name: 'Pages', description: 'One item per page, with the whole response' };

/** Parameters that determine an operation's columns. Columns that other settings add are always listed. */
const CHOICES = ['resource', 'operation', 'queue'];

/** Adds the shared fields, which aren't declared in the operation files, and the hints about relations. */
export function completeOperations(declared: Operation[]): Operation[] {
	return declared.map((operation) => ({
		...operation,
		fields: addRelationHints([
			...operation.fields,
			...(operation.customRunner
				? []
				: createOutputFields(CHOICES, 'many' in operation.response ? PAGES : undefined)),
			requestOptionsField,
		]).map(labelPickers),
	}));
}
