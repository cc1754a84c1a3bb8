import { optionsFieldByPaging } from '../fields/listFields';
import { createOutputFields } from '../fields/outputFields';
import { requestOptionsField } from '../fields/requestOptions';
import type { Field, Operation } from '../description/types';

const PAGES = { name: 'Pages', description: 'One item per page, with the whole response' };

/** Creates the 'Output' and 'Fields' fields for the node's Settings. */
function createOutputSettings({ response }: Operation): Field[] {
	const fields = createOutputFields('many' in response ? PAGES : undefined);
	return fields.map((field) => ({ ...field, isNodeSetting: true }));
}

/** Returns the 'Options' collection if the operation lists entities. */
function getListOptions({ response }: Operation): Field[] {
	const options = 'many' in response ? optionsFieldByPaging[response.by] : undefined;
	return options === undefined ? [] : [options];
}

/**
 * Adds the shared fields, which aren't declared in the operation files. Fields that change the result
 * become parameters. Fields for output, retries and timeout go to the node's Settings.
 */
export function completeOperations(declared: Operation[]): Operation[] {
	return declared.map((operation) => ({
		...operation,
		fields: [
			...operation.fields,
			...getListOptions(operation),
			...(operation.customRunner ? [] : createOutputSettings(operation)),
			requestOptionsField,
		],
	}));
}
