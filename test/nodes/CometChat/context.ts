import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeParameters,
} from 'n8n-workflow';

import { additionalData } from '../../../tools/n8nEngine/additionalData';
import { createCredentialsHelper } from '../../../tools/n8nEngine/credentials';
import { core, workflow } from '../../../tools/n8nEngine/n8n';
import { nodeTypes } from '../../../tools/n8nEngine/types';
import type { Operation } from '../../../nodes/CometChat/description/types';
import { resources } from '../../../nodes/CometChat/resources';

export const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

/** An operation of the node, with all its fields. */
export function operationOf(resource: string, operation: string): Operation {
	const all = resources.find(({ value }) => value === resource)?.operations;
	const found = all?.find(({ value }) => value === operation);
	if (found === undefined) throw new Error(`There is no ${resource} ${operation}`);
	return found;
}

export interface ContextOptions {
	credentials: ICredentialDataDecryptedObject;
	parameters?: INodeParameters;
	/** How many items the run has */
	count?: number;
	/** The node's settings, such as "On Error" */
	settings?: Partial<INode>;
	/** Stops the execution */
	signal?: AbortSignal;
}

export const NODE: INode = {
	...{ id: '1', name: 'CometChat', type: 'n8n-nodes-cometchat.cometChat', typeVersion: 1 },
	position: [0, 0],
	parameters: {},
};

/** A workflow of one node, and its input as n8n hands it over. */
function stage({ parameters = {}, count = 1, settings }: ContextOptions) {
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
	const items = Array.from({ length: count }, (_, i) => ({ json: { i } as IDataObject }));
	const data = { main: [items] };
	const started = instance.getNode(node.name) ?? node;
	return { instance, started, items, data, executeData: { node: started, data, source: null } };
}

/** n8n's own context of a whole run, as it hands it to a custom operation. */
export function runContextOf(options: ContextOptions): IExecuteFunctions {
	const { instance, started, items, data, executeData } = stage(options);
	return new core.ExecuteContext(
		instance,
		started,
		additionalData(createCredentialsHelper(() => options.credentials)),
		'manual',
		workflow.createEmptyRunExecutionData(),
		0,
		items,
		data,
		executeData,
		[],
		options.signal,
	);
}

/** What n8n's editor shows below the name of a node. */
export async function subtitleOf(settings: Partial<INode>): Promise<unknown> {
	const { instance, started } = stage({ credentials: {}, settings });
	const { description } = nodeTypes.getByNameAndVersion(started.type);
	await instance.expression.acquireIsolate?.();
	try {
		return instance.expression.getSimpleParameterValue(started, description.subtitle, 'manual', {});
	} finally {
		await instance.expression.releaseIsolate?.();
	}
}

/** n8n's own context of a picker in the editor. */
export function pickerContextOf(
	credentials: ICredentialDataDecryptedObject,
): ILoadOptionsFunctions {
	const { instance, started } = stage({ credentials });
	return new core.LoadOptionsContext(
		instance,
		started,
		additionalData(createCredentialsHelper(() => credentials)),
		'',
	);
}

/** What a request in memory is answered with: a response, or an error that is thrown. */
export type InMemory = (request: IHttpRequestOptions) => unknown;

/** Lets a context send its requests to a function instead of a service. */
export function answering<T extends IExecuteFunctions | ILoadOptionsFunctions>(
	context: T,
	respond: InMemory,
): T {
	context.helpers.httpRequestWithAuthentication = async (_credential, request) => {
		const { statusCode = 200, headers = {}, ...body } = Object(await respond(request));
		return { statusCode, headers, body };
	};
	return context;
}
