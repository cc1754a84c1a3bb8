import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

const pages: INodePropertyOptions = {
	name: 'Pages',
	value: 'pages',
	description:
		'One item per page, the whole answer with its cursor: for lists longer than 100,000 groups, and to go on from the cursor later',
};

/**
 * The fields that shape the items of an operation.
 *
 * @param entity what an item is, e.g. "group"
 * @param columns names of the columns of a simplified item
 * @param withPages whether the operation gives pages
 */
export function outputProperties(
	entity: string,
	columns: string[],
	withPages: boolean,
): INodeProperties[] {
	const output: INodeProperties = {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			...(withPages ? [pages] : []),
			{
				name: 'Raw',
				value: 'raw',
				description: `One item per ${entity}, every field as CometChat sent it`,
			},
			{
				name: 'Selected Fields',
				value: 'fields',
				description: `One item per ${entity}, with the fields that you name`,
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: `One item per ${entity}, with the fields ${columns.join(', ')}`,
			},
		],
		default: 'raw',
		description: `What an item holds: a whole ${entity}, or only some of its fields`,
	};
	const fields: INodeProperties = {
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field' },
		required: true,
		default: [],
		placeholder: withPages ? 'e.g. guid' : 'e.g. data.text',
		description: `Names of the fields to keep, with dots for inner ones. A field that a ${entity} does not have is left out.`,
	};
	return [output, ...updateDisplayOptions({ show: { output: ['fields'] } }, [fields])];
}
