import type { INodeProperties } from 'n8n-workflow';

import { listOptions } from '../fields/listFields';
import { outputFields } from '../fields/outputFields';
import { options } from '../fields/retryOptions';
import type { Entity, Operation } from '../description/types';

/** The output fields, in the node's Settings: what is most useful comes by itself. */
function outputsOf(entity: Entity, isList: boolean): INodeProperties[] {
	const { pages = 'One item per page: the whole response, to page through long lists' } = entity;
	const fields = outputFields(entity, isList ? pages : undefined);
	return fields.map((field) => ({ ...field, isNodeSetting: true }));
}

function entityOf({ response }: Operation): Entity {
	if ('one' in response) return response.one;
	return 'many' in response ? response.many : response.each;
}

/**
 * The operations of a resource, each with the fields that follow from its description: those of its
 * output, and options unless it has its own. One that `runs` by itself stays as it is.
 */
export function operationsOf(declared: Operation[]): Operation[] {
	return declared.map((operation) => {
		const { response, fields, runs } = operation;
		if (runs) return operation;
		const isList = 'many' in response;
		const output = outputsOf(entityOf(operation), isList);
		const own = fields.find(({ name }) => name === 'options');
		return {
			...operation,
			fields: [
				...fields.filter((field) => field !== own),
				...output,
				own ?? (isList ? listOptions[response.by] : options),
			],
		};
	});
}
