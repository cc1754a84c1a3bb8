import type { INodeProperties } from 'n8n-workflow';

import { createAgentToolRunner } from '../run/agentTool';
import { createCustomOperation } from '../run/items';
import type { CustomOperation, Operation, Resource } from '../description/types';
import { mergeSharedFields } from './sharedFields';

/** Builds the node's properties. */
export function buildProperties(resources: Resource[]): INodeProperties[] {
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'message',
		description: 'Resource to work with',
		routing: {
			operations: { pagination: createAgentToolRunner(resources) },
			send: { paginate: true },
		},
	};
	return [resource, ...resources.map(buildOperationMenu), ...mergeSharedFields(resources)];
}

/** Builds a resource's 'Operation' menu. */
function buildOperationMenu(resource: Resource): INodeProperties {
	const { value, description, operations, defaultOperation } = resource;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: sortByName(operations).map(
			({ name, value, action, description, builderHint, routing }) => ({
				...{ name, value, action, description, builderHint },
				// Documents the request. The resource's pagination function keeps RoutingNode from sending it.
				routing,
			}),
		),
		default: defaultOperation,
		description,
	};
}

/** Sorts operations alphabetically, as n8n requires. */
function sortByName(operations: Operation[]): Operation[] {
	return [...operations].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Builds the functions that n8n calls with all items in a run, keyed by resource and operation. */
export function buildCustomOperations(
	resources: Resource[],
): Record<string, Record<string, CustomOperation>> {
	return Object.fromEntries(
		resources.map(({ value, operations }) => [
			value,
			Object.fromEntries(
				operations.map((operation) => [
					operation.value,
					(operation.customRunner ?? createCustomOperation)(operation),
				]),
			),
		]),
	);
}
