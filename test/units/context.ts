import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeParameters,
} from 'n8n-workflow';

import { additionalData } from '../../tools/n8nEngine/additionalData';
import { core, workflow } from '../../tools/n8nEngine/n8n';
import { nodeTypes } from '../../tools/n8nEngine/types';
import type { Operation } from '../../nodes/CometChat/types';
import { resources } from '../../nodes/CometChat/resources';

export const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

/** Returns the node's operation with the given name, including all its fields. */
export function findOperation(resource: string, operation: string): Operation {
	const all = resources.find(({ value }) => value === resource)?.operations;
	const found = all?.find(({ value }) => value === operation);
	if (found === undefined) throw new Error(`There is no ${resource} ${operation}`);
	return found;
}

export interface ContextOptions {
	credentials: ICredentialDataDecryptedObject;
	parameters?: INodeParameters;
	/** Number of input items */
	count?: number;
	/** Node settings, such as `onError` */
	settings?: Partial<INode>;
}

export const NODE: INode = {
	...{ id: '1', name: 'CometChat', type: 'n8n-nodes-cometchat.cometChat', typeVersion: 1 },
	position: [0, 0],
	parameters: {},
};

/** Creates a single-node workflow and the input that n8n passes to the node. */
function createWorkflow({ parameters = {}, count = 1, settings }: ContextOptions) {
	const node: INode = {
		...NODE,
		parameters,
		credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
		...settings,
	};
	const instance = new workflow.Workflow({
		id: '1',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
		settings: { timezone: 'Europe/Berlin' },
	});
	const items = Array.from({ length: count }, (_, i) => ({ json: { i } }));
	const data = { main: [items] };
	const started = instance.getNode(node.name) ?? node;
	return { instance, started, items, data, executeData: { node: started, data, source: null } };
}

/** Creates the real n8n context that is passed to a custom operation. */
export function createRunContext(options: ContextOptions): IExecuteFunctions {
	const { instance, started, items, data, executeData } = createWorkflow(options);
	return new core.ExecuteContext(
		instance,
		started,
		additionalData(() => options.credentials),
		'manual',
		workflow.createEmptyRunExecutionData(),
		0,
		items,
		data,
		executeData,
		[],
	);
}

/** Evaluates a value that doesn't depend on data, as n8n's editor does. */
export async function evaluate(
	value: string | undefined,
	settings: Partial<INode>,
): Promise<unknown> {
	const { instance, started } = createWorkflow({ credentials: {}, settings });
	await instance.expression.acquireIsolate?.();
	try {
		return instance.expression.getSimpleParameterValue(started, value, 'manual', {});
	} finally {
		await instance.expression.releaseIsolate?.();
	}
}

/** Evaluates the node's subtitle, which n8n's editor shows below the node's name. */
export async function evaluateSubtitle(settings: Partial<INode>): Promise<unknown> {
	const { started } = createWorkflow({ credentials: {}, settings });
	const { description } = nodeTypes.getByNameAndVersion(started.type);
	return await evaluate(description.subtitle, settings);
}

/** Creates the context that n8n itself uses to load the options of a "From List" picker. */
export function createPickerContext(
	credentials: ICredentialDataDecryptedObject,
): ILoadOptionsFunctions {
	const { instance, started } = createWorkflow({ credentials });
	return new core.LoadOptionsContext(
		instance,
		started,
		additionalData(() => credentials),
		'',
	);
}

/**
 * Returns the response to a request, or throws an error. The status is 200 unless the response sets
 * `statusCode`.
 */
export type Respond = (request: IHttpRequestOptions) => unknown;

/** Makes a context pass its requests to `respond` instead of sending them. */
export function mockRequests<T extends IExecuteFunctions | ILoadOptionsFunctions>(
	context: T,
	respond: Respond,
): T {
	context.helpers.httpRequestWithAuthentication = async (_credential, request) => {
		const { statusCode = 200, headers = {}, ...body } = Object(await respond(request));
		return { statusCode, headers, body };
	};
	return context;
}
