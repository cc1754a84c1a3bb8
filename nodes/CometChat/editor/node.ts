import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { dispatcher } from '../run/agentTool';
import { customOperation } from '../run/items';
import type { CustomOperation, Operation, Resource } from '../description/types';
import { sharedFieldsOf } from './sharedFields';

/** All properties of the node. */
export function propertiesOf(resources: Resource[]): INodeProperties[] {
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'message',
		description: 'What to work with',
		routing: { operations: { pagination: dispatcher(resources) }, send: { paginate: true } },
	};
	return [resource, ...resources.map(operationMenu), ...sharedFieldsOf(resources)];
}

/** Menu of a resource's operations. */
function operationMenu(resource: Resource): INodeProperties {
	const { value, description, operations, defaultOperation } = resource;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: sorted(operations).map(optionOf),
		default: defaultOperation,
		description,
	};
}

/** Sorted alphabetically, as n8n requires. */
function sorted(operations: Operation[]): Operation[] {
	return [...operations].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/**
 * Menu entry of an operation. It has no `routing`: our runner reads method and path from the operation
 * file, and n8n's RoutingNode would send them without our checks.
 */
function optionOf(operation: Operation): INodePropertyOptions {
	const { name, value, action, description, builderHint } = operation;
	return { name, value, action, description, ...(builderHint ? { builderHint } : {}) };
}

/** Functions that n8n calls with all items of a run, by resource and operation. */
export function customOperationsOf(
	resources: Resource[],
): Record<string, Record<string, CustomOperation>> {
	const byResource = resources.map(({ value, operations }) => [
		value,
		Object.fromEntries(
			operations.map((operation) => [
				operation.value,
				(operation.runs ?? customOperation)(operation),
			]),
		),
	]);
	return Object.fromEntries(byResource);
}
