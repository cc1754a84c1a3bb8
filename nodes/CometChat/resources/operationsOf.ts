import type { INodeProperties } from 'n8n-workflow';

import { listOptions } from '../fields/listFields';
import { outputFields } from '../fields/outputFields';
import { options } from '../fields/retryOptions';
import type { Entity, Operation } from '../description/types';

/** The output fields of operations that return, list or change such a thing. */
function outputsOf(entity: Entity) {
	const { pages = 'One item per page: the whole response, to page through long lists' } = entity;
	// In the node's Settings: what is most useful comes by itself
	const settings = (fields: INodeProperties[]) =>
		fields.map((field) => ({ ...field, isNodeSetting: true }));
	return { one: settings(outputFields(entity)), many: settings(outputFields(entity, pages)) };
}

function entityOf({ response }: Operation): Entity {
	if ('one' in response) return response.one;
	return 'many' in response ? response.many : response.each;
}

/**
 * The operations of a resource, each with the fields that follow from its description: those of its
 * output, and options unless it has its own. One that `runs` by itself stays as it is.
 */
export function operationsOf(declared: Record<string, Operation>): Operation[] {
	// Once for each entity: operations share a field that is the same object
	const made = new Map<Entity, ReturnType<typeof outputsOf>>();
	return Object.values(declared).map((operation) => {
		const { response, fields, runs } = operation;
		if (runs) return operation;
		const entity = entityOf(operation);
		const outputs = made.get(entity) ?? outputsOf(entity);
		made.set(entity, outputs);
		const isList = 'many' in response;
		const output = isList ? outputs.many : outputs.one;
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
