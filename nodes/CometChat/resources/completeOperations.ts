import { listOptionFields } from '../fields/listFields';
import { createOutputFields } from '../fields/outputFields';
import { requestOptionsField } from '../fields/requestOptions';
import type { Field, Operation } from '../description/types';

const PAGES = { name: 'Pages', description: 'One item per page, with the whole response' };

/** 'Output' and 'Fields', in the node's Settings. */
function outputsOf({ response }: Operation): Field[] {
	const fields = createOutputFields('many' in response ? PAGES : undefined);
	return fields.map((field) => ({ ...field, isNodeSetting: true }));
}

/** Fields of every list: its 'Options'. */
function optionsOfList({ response }: Operation): Field[] {
	const options = 'many' in response ? listOptionFields[response.by] : undefined;
	return options === undefined ? [] : [options];
}

/**
 * The operations of a resource, each with the fields that follow from its description. What changes the
 * result is among the parameters; output, retries and timeout are in the node's Settings.
 */
export function completeOperations(declared: Operation[]): Operation[] {
	return declared.map((operation) => ({
		...operation,
		fields: [
			...operation.fields,
			...optionsOfList(operation),
			...(operation.customRunner ? [] : outputsOf(operation)),
			requestOptionsField,
		],
	}));
}
