import { optionsFieldByPaging } from '../fields/listFields';
import { createOutputFields } from '../fields/outputFields';
import { requestOptionsField } from '../fields/requestOptions';
import type { Field, Operation } from '../types';
import { addRelationHints } from '../request/relations';

const PAGES = { name: 'Pages', description: 'One item per page, with the whole response' };

/** Returns the 'Options' collection if the operation lists entities and doesn't declare the collection. */
function getListOptions({ response, fields }: Operation): Field[] {
	if (!('many' in response) || fields.some(({ name }) => name === 'options')) return [];
	return [optionsFieldByPaging[response.by] ?? []].flat();
}

/** Adds the shared fields, which aren't declared in the operation files, and the hints about relations. */
export function completeOperations(declared: Operation[]): Operation[] {
	return declared.map((operation) => ({
		...operation,
		fields: addRelationHints([
			...operation.fields,
			...getListOptions(operation),
			...(operation.customRunner
				? []
				: createOutputFields('many' in operation.response ? PAGES : undefined)),
			requestOptionsField,
		]),
	}));
}
