import type { IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Operation, Resource } from '../types';
import { DescribedError } from '../errors/describedErrors';
import { toNodeError } from '../errors/nodeError';
import { createParameterReaderWithoutIndex } from '../request/parameterReader';
import { executeItemInOwnRun } from './item';

/** Value of the "Custom API Call" option that n8n adds to the 'Resource' and 'Operation' menus. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/**
 * Creates the function that n8n's RoutingNode calls for each item. The RoutingNode runs the node as a tool of an older
 * AI Agent node. It also runs an operation that this version of the node lacks, for which the function throws an
 * error. Otherwise, the RoutingNode would send a request to the base URL.
 */
export function createRunnerCalledByRoutingNode(resources: Resource[]) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const { resource, operation } = this.getNode().parameters;
		const chosen = resources
			.find(({ value }) => value === resource)
			?.operations.find(({ value }) => value === operation);
		const itemIndex = this.getItemIndex();
		if (chosen === undefined || chosen.hasOwnRunner) {
			const error = chosen
				? createWaitError(chosen)
				: createUnknownOperationError(resource, operation);
			throw toNodeError(this.getNode(), error, { redact: (value) => value, itemIndex });
		}
		const item = {
			index: itemIndex,
			context: this,
			reader: createParameterReaderWithoutIndex(this),
		};
		// Every retry of an agent's tool call receives the same arguments object, which identifies the run
		const { json: toolArguments } = this.getInputData(0, 'ai_tool');
		return await executeItemInOwnRun(chosen, item, toolArguments);
	};
}

/**
 * Creates the error for an operation that waits for people. Older AI Agent nodes and MCP Server Triggers don't let a
 * tool pause the execution.
 */
const createWaitError = ({ name }: Operation) =>
	new DescribedError(
		`${name} can't be a tool here, because this agent or MCP client doesn't wait for people`,
		'Use it in the workflow itself, or as a tool of the AI Agent node, version 3 or newer.',
	);

function createUnknownOperationError(resource: unknown, operation: unknown): DescribedError {
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		return new DescribedError(
			"This node doesn't support Custom API Call",
			"Add an HTTP Request node. Select 'Predefined Credential Type' as its authentication and 'CometChat API' as its credential type.",
		);
	}
	return new DescribedError(
		`This version of the node has no operation "${String(operation)}" for the resource "${String(resource)}"`,
		"Select 'Resource' and 'Operation' again, or update the package n8n-nodes-cometchat. Neither field can be an expression.",
	);
}
