import {
	NodeOperationError,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodeParameters,
} from 'n8n-workflow';

import { formatCount, formatError } from '../errors/formatText';
import { executeSingleItem } from './item';
import { createParameterReader } from '../values/parameterReader';
import type { Operation, Resource } from '../description/types';

/** n8n's value of "Custom API Call", which it adds to both menus. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

function findOperation(
	resources: Resource[],
	{ resource, operation }: INodeParameters,
): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}

/**
 * Makes what n8n's RoutingNode calls for each item. That one runs the node in two cases only: as the
 * tool of an agent, with one item; and when n8n finds no custom operation, since this version of the
 * node does not have what the workflow names. Without this it would request the bare base address.
 */
export function createAgentToolRunner(resources: Resource[]) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const operation = findOperation(resources, this.getNode().parameters);
		if (operation === undefined) return throwOrReturn(this, unknownOperationError(this));
		if (operation.customRunner) return throwOrReturn(this, notAToolError(this, operation));
		const item = { index: this.getItemIndex(), context: this, reader: createParameterReader(this) };
		const items = await executeSingleItem(operation, item, getExecutionKey(this));
		if (items.length <= MAX_ITEMS_OF_ROUTING) return items;
		return [
			...items.slice(0, MAX_ITEMS_OF_ROUTING),
			...throwOrReturn(this, tooManyItemsError(this)),
		];
	};
}

/**
 * Most items that one call may return through n8n's RoutingNode: it passes them as arguments of one
 * function call, and that overflows its stack somewhere above 120,000.
 */
const MAX_ITEMS_OF_ROUTING = 100_000;

function tooManyItemsError(context: IExecutePaginationFunctions): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`The list has more than ${formatCount(MAX_ITEMS_OF_ROUTING)} items, which is more than an AI agent can take. Set 'Limit', add a filter, or set 'Output' to 'Pages'.`,
	);
}

/** What is one object for all attempts at a call of an agent, and for no other call: its arguments. */
function getExecutionKey(context: IExecutePaginationFunctions): object {
	return context.getInputData(0, 'ai_tool').json;
}

/** @throws the error, unless the run continues: then it is an item */
function throwOrReturn(
	context: IExecutePaginationFunctions,
	error: NodeOperationError,
): INodeExecutionData[] {
	if (!context.continueOnFail()) throw error;
	return [{ json: { error: formatError(error) }, pairedItem: { item: context.getItemIndex() } }];
}

function unknownOperationError(context: IExecutePaginationFunctions): NodeOperationError {
	const node = context.getNode();
	const { resource, operation } = node.parameters;
	const itemIndex = context.getItemIndex();
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		return new NodeOperationError(node, 'Custom API Call is not something that this node can do', {
			itemIndex,
			description:
				"Add an HTTP Request node, and choose 'Predefined Credential Type' and 'CometChat API' as its authentication.",
		});
	}
	return new NodeOperationError(
		node,
		`This version of the node has no operation "${String(operation)}" of "${String(resource)}"`,
		{
			itemIndex,
			description:
				"Choose 'Resource' and 'Operation' again, or update the package n8n-nodes-cometchat. They cannot be expressions.",
		},
	);
}

/** An agent of an older kind calls a tool at once, and n8n lets no such call wait. */
function notAToolError(
	context: IExecutePaginationFunctions,
	{ name }: Operation,
): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`${name} cannot be the tool of this agent, which waits for no tool. Use version 3 of the AI Agent node.`,
	);
}
