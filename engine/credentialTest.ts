import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequestData,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { Credentials } from './credentials';
import { core, workflow } from './n8n';
import { credentialTypes } from './types';

/** What n8n shows after "Test" in a credential: the green tick, or why not. */
export interface TestResult {
	status: 'OK' | 'Error';
	message: string;
}

const TYPE = 'cometChatApi';

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null;
}

function valueAt(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>(
			(inner, key) =>
				inner === undefined || inner === null ? undefined : Reflect.get(Object(inner), key),
			value,
		);
}

/** n8n's temporary node, whose one property sends the request of the credential's test. */
function temporaryNode({ request }: ICredentialTestRequestData['testRequest']): INodeType {
	return {
		description: {
			displayName: 'Temp',
			name: 'temp',
			group: ['input'],
			version: 1,
			description: '',
			defaults: { name: 'Temp' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: TYPE, required: true }],
			properties: [
				{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' },
			],
		},
	};
}

async function send(
	nodeType: INodeType,
	data: ICredentialDataDecryptedObject,
): Promise<INodeExecutionData[][] | null | undefined> {
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: 'temp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [TYPE]: { id: '1', name: 'CometChat' } },
	};
	const nodeTypes: INodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const instance = new workflow.Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	const additionalData: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: new Credentials(data),
		currentNodeParameters: {},
		variables: {},
		webhookWaitingBaseUrl: 'http://127.0.0.1:5678/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1:5678/form-waiting',
	};
	const runData: Partial<IRunExecutionData> = { resultData: { runData: {} } };
	const context = new core.ExecuteContext(
		instance,
		node,
		additionalData as IWorkflowExecuteAdditionalData,
		'internal',
		runData as IRunExecutionData,
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const decrypted = { id: '1', name: 'CometChat', type: TYPE, data };
	await instance.expression.acquireIsolate?.();
	try {
		return await new core.RoutingNode(context, nodeType, decrypted).runNode();
	} finally {
		await instance.expression.releaseIsolate?.();
	}
}

/** What n8n makes of an error: the status text, a network code, or the message. */
function resultOfError(error: unknown): TestResult {
	const cause = isObject(error) ? error.cause : undefined;
	const response = isObject(cause) ? cause.response : undefined;
	if (isObject(response)) {
		const text = response.statusText || `Received HTTP status code: ${String(response.status)}`;
		return { status: 'Error', message: String(text) };
	}
	if (isObject(cause) && cause.code) return { status: 'Error', message: String(cause.code) };
	return { status: 'Error', message: isObject(error) ? String(error.message) : String(error) };
}

/** Runs the credential's test as n8n's credentials tester does: same node, same rules, same results. */
export async function testCredential(data: ICredentialDataDecryptedObject): Promise<TestResult> {
	const testRequest = credentialTypes.get(TYPE)?.test;
	if (!testRequest) throw new Error('The credential has no test');
	let response: INodeExecutionData[][] | null | undefined;
	try {
		response = await send(temporaryNode(testRequest), data);
	} catch (error) {
		return resultOfError(error);
	}
	const answer = response?.[0][0].json;
	for (const { type, properties } of testRequest.rules ?? []) {
		if (type !== 'responseSuccessBody') continue;
		if (valueAt(answer, properties.key) === properties.value) {
			return { status: 'Error', message: properties.message };
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}
