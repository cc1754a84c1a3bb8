import { updateDisplayOptions, type INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../types';
import { createTextsField } from './body';
import { splitAtCommas } from './fieldChecks';

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
		description: 'One item per result, with the fields that you select',
	},
];

const fields: Field = {
	...createTextsField('Fields', 'fields', 'guid, name', 'Field names, e.g. metadata.team'),
	required: true,
	check: splitAtCommas,
};

/**
 * Creates the fields that determine which data the output contains.
 *
 * @param pages name and description of the option "pages", which only lists offer
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
