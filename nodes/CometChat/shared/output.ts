import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

/**
 * The fields that shape the items of an operation.
 *
 * @param entity what an item is, e.g. "group"
 * @param columns names of the columns of a simplified item
 * @param texts an example of a field's name, and what "Pages" gives where there are pages
 */
export function outputProperties(
	entity: string,
	columns: string[],
	texts: { example: string; pages?: string },
): INodeProperties[] {
	const output: INodeProperties = {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			...(texts.pages ? [{ name: 'Pages', value: 'pages', description: texts.pages }] : []),
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
		placeholder: texts.example,
		description: `Names of the fields to keep, with dots for inner ones. A field that a ${entity} does not have is left out.`,
	};
	return [output, ...updateDisplayOptions({ show: { output: ['fields'] } }, [fields])];
}
