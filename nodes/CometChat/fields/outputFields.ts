import { updateDisplayOptions, type INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../types';
import { createLoadedMultiOptionsField } from './commonFields';
import { splitAtCommas } from './fieldChecks';

const OUTPUT_OPTIONS: INodePropertyOptions[] = [
	{
		name: 'Simplified',
		value: 'simplified',
		description: 'One item per result, with the most useful fields',
	},
	{
		name: 'Raw',
		value: 'raw',
		description: 'One item per result, with every field as CometChat sent it',
	},
	{
		name: 'Selected Fields',
		value: 'fields',
		description: 'One item per result, with the ID and the fields that you select',
	},
];

const selectedFieldsField: Field = {
	...createLoadedMultiOptionsField('Fields', 'fields', 'getColumns'),
	whenEmpty: 'refuse',
	placeholder: 'e.g. guid, name',
	// Short, because n8n's AI builder reads this text once per operation
	description: 'By expression also paths, e.g. metadata.team',
	check: splitAtCommas,
};

/**
 * Creates the fields that determine which data the output contains.
 *
 * @param dependsOn paths of the parameters that determine which columns 'Fields' lists
 * @param pagesOption name and description of the option "pages", offered by list operations and the polling trigger
 */
export function createOutputFields(
	dependsOn: string[],
	pagesOption?: Pick<INodePropertyOptions, 'name' | 'description'>,
): Field[] {
	const output: Field = {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: pagesOption ? [...OUTPUT_OPTIONS, { ...pagesOption, value: 'pages' }] : OUTPUT_OPTIONS,
		default: 'simplified',
		description: 'Which fields to return',
		ignoresHidden: true,
	};
	const typeOptions = { ...selectedFieldsField.typeOptions, loadOptionsDependsOn: dependsOn };
	return [
		output,
		...updateDisplayOptions({ show: { output: ['fields'] } }, [
			{ ...selectedFieldsField, typeOptions },
		]),
	];
}
