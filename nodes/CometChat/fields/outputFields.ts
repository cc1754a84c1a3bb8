import { updateDisplayOptions, type INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../description/types';

const OUTPUTS: INodePropertyOptions[] = [
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
		description: 'One item per result, with the fields that you name',
	},
];

const fields: Field = {
	displayName: 'Fields',
	name: 'fields',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field' },
	required: true,
	default: [],
	placeholder: 'e.g. metadata.team',
	description: 'Field names, e.g. metadata.team',
};

/**
 * Fields that shape the items of an operation.
 *
 * @param pages the choice "pages" of a list
 */
export function createOutputFields(
	pages?: Pick<INodePropertyOptions, 'name' | 'description'>,
): Field[] {
	const output: Field = {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: pages ? [...OUTPUTS, { ...pages, value: 'pages' }] : OUTPUTS,
		default: 'simplified',
		description: 'Which fields to return',
	};
	return [output, ...updateDisplayOptions({ show: { output: ['fields'] } }, [fields])];
}
