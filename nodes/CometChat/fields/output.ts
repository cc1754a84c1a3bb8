import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import type { Entity } from '../operation/types';

/**
 * The fields that shape the items of an operation.
 *
 * @param example of a field's name, e.g. "data.text"
 * @param pages what the choice "pages" returns, for lists
 * @param pagesName label of that choice
 */
export function outputFields(
	{ name, columns }: Entity,
	example: string,
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

/** The same in the node's Settings, for an operation that changes something: few go on with its result. */
export function inSettings(fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({ ...field, isNodeSetting: true }));
}
