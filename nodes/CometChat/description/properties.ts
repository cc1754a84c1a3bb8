import type { IN8nRequestOperations, INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from '../types';
import { mergeSharedFields } from './sharedFields';

/**
 * Builds the node's properties.
 *
 * @param runInRoutingNode function that n8n's RoutingNode calls instead of sending the declared requests
 */
export function buildProperties(
	resources: Resource[],
	runInRoutingNode: IN8nRequestOperations['pagination'],
): INodeProperties[] {
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'message',
		description: 'Resource to work with',
		routing: {
			operations: { pagination: runInRoutingNode },
			send: { paginate: true },
		},
	};
	return [resource, ...resources.map(buildOperationMenu), ...resources.flatMap(mergeSharedFields)];
}

function buildOperationMenu(resource: Resource): INodeProperties {
	const { value, description, operations, defaultOperation } = resource;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: sortByName(operations).map(
			({ name, value, action, description, builderHint, fromEarlierNodes, routing }) => ({
				...{ name, value, action, description, builderHint },
				// A tool has no earlier nodes that could supply the values
				...(fromEarlierNodes ? { displayOptions: { hide: { '@tool': [true] } } } : {}),
				// Only documents the request, because n8n's RoutingNode calls `runInRoutingNode` instead of sending it
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
