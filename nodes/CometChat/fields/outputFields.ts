import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { Entity } from '../description/types';

/**
 * The fields that shape the items of an operation.
 *
 * @param pages what the choice "pages" returns, for lists
 * @param pagesName label of that choice
 */
export function outputFields(
	{ name, columns, id, example = id }: Entity,
	pages?: string,
	pagesName = 'Pages',
): INodeProperties[] {
	const output: INodeProperties = {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: `One item per ${name}, with the fields ${Object.keys(columns).join(', ')}`,
			},
			{
				name: 'Raw',
				value: 'raw',
				description: `One item per ${name}, with every field as CometChat sent it`,
			},
			{
				name: 'Selected Fields',
				value: 'fields',
				description: `One item per ${name}, with the fields that you name`,
			},
			...(pages ? [{ name: pagesName, value: 'pages', description: pages }] : []),
		],
		default: 'simplified',
		description: `How much of a ${name} to return`,
	};
	const fields: INodeProperties = {
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field' },
		required: true,
		default: [],
		placeholder: `e.g. ${example}`,
		description: `Names of the fields to return, with dots for inner ones. A field that a ${name} does not have is left out.`,
	};
	return [output, ...updateDisplayOptions({ show: { output: ['fields'] } }, [fields])];
}
