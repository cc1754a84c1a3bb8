import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IWorkflowSettings,
	NodeApiError,
} from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { cometChat, manual, workflow } from '../../tools/n8nEngine/draft';
import {
	runWorkflow,
	type RunOptions,
	type RunResult,
	type WorkflowFile,
} from '../../tools/n8nEngine/engine';
import {
	startSandbox,
	type LogEntry,
	type Sandbox,
	type SandboxOptions,
} from '../../tools/sandbox/server';

/** Name of the node under test in the workflows built here. */
export const NODE = 'CometChat';

/** `settings` for a node that runs as an agent's tool does: through n8n's RoutingNode. */
export const AS_TOOL = { type: 'n8n-nodes-cometchat.cometChatTool' };

export interface NodeSetup {
	name?: string;
	parameters: INodeParameters;
	onError?: INode['onError'];
	/** "Retry on Fail" and the like */
	settings?: Partial<INode>;
}

/** A workflow of a Manual Trigger and CometChat nodes, each fed by the one before. */
const workflowOf = (nodes: NodeSetup[]): WorkflowFile =>
	workflow('Test', [
		manual(),
		...nodes.map(({ name = NODE, onError, settings, ...rest }) =>
			cometChat('1', rest.parameters, { name, ...(onError ? { onError } : {}), ...settings }),
		),
	]);

/** What a user types into the credential to reach a sandbox. */
export function credentialsOf(
	{ apiKey, baseUrl }: Pick<Sandbox, 'apiKey' | 'baseUrl'>,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject {
	return { apiKey, region: 'custom', baseUrl, ...changes };
}

const parametersOf =
	(resource: string) =>
	(operation: string, more: INodeParameters = {}): INodeParameters => ({
		resource,
		operation,
		...more,
	});

/** Parameters of the node for an operation of groups. */
export const group = parametersOf('group');

/** Parameters of the node for an operation of messages. */
export const message = parametersOf('message');

/** Parameters of the node for List: everything that the service sent, unless told otherwise. */
export function list(parameters: INodeParameters = {}): INodeParameters {
	return { resource: 'group', operation: 'list', output: 'raw', ...parameters };
}

/** Parameters of the node for Get. */
export function get(messageId: INodeParameters[string], more: INodeParameters = {}) {
	return { resource: 'message', operation: 'get', output: 'raw', messageId, ...more };
}

/** Parameters of the node for Remove Reaction. */
export function removeReaction(
	messageId: INodeParameters[string],
	reaction: INodeParameters[string],
	onBehalfOf: INodeParameters[string],
	more: INodeParameters = {},
) {
	return {
		resource: 'message',
		operation: 'removeReaction',
		output: 'raw',
		messageId,
		reaction,
		onBehalfOf,
		...more,
	};
}

export interface RunSetup extends Partial<RunOptions> {
	onError?: INode['onError'];
	workflow?: IWorkflowSettings;
	/** Further nodes, each fed by the one before */
	then?: NodeSetup[];
	settings?: Partial<INode>;
}

/** Runs one CometChat node, and what comes after it, against a sandbox. */
export async function run(
	sandbox: Pick<Sandbox, 'apiKey' | 'baseUrl'>,
	parameters: INodeParameters,
	{ onError, workflow: more, then = [], settings, ...options }: RunSetup = {},
): Promise<RunResult> {
	const file = workflowOf([{ parameters, onError, settings }, ...then]);
	Object.assign(file.settings ?? {}, more);
	return await runWorkflow(file, { credentials: credentialsOf(sandbox), ...options });
}

/**
 * Lets an agent call the node as its tool, once for each of the calls, with the values that a model
 * would give: `$fromAI` in the parameters reads them.
 *
 * @returns what the agent was told of each call
 */
export async function callTool(
	sandbox: Pick<Sandbox, 'apiKey' | 'baseUrl'>,
	parameters: INodeParameters,
	calls: IDataObject[],
	settings: Partial<INode> = {},
): Promise<string[]> {
	const file = workflowOf([
		{ name: 'Agent', parameters: {}, settings: { type: 'n8n-nodes-base.agent' } },
	]);
	const [tool] = workflowOf([
		{
			parameters,
			settings: { id: '9', type: 'n8n-nodes-cometchat.cometChatOfAgentTool', ...settings },
		},
	]).nodes.slice(1);
	file.nodes.push(tool);
	file.connections[NODE] = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] };
	const { items, error } = await runWorkflow(file, {
		credentials: credentialsOf(sandbox),
		input: calls,
	});
	if (error) throw error;
	return items('Agent').map(({ json }) => String(json.said));
}

/** The same, for a run that has to succeed: what the last node gave. */
export async function itemsOf(
	sandbox: Pick<Sandbox, 'apiKey' | 'baseUrl'>,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<INodeExecutionData[]> {
	const result = await run(sandbox, parameters, setup);
	if (result.error) throw result.error;
	return result.items(setup.then?.at(-1)?.name ?? NODE);
}

/** The JSON of `itemsOf`. */
export async function jsonOf(
	sandbox: Pick<Sandbox, 'apiKey' | 'baseUrl'>,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<IDataObject[]> {
	return (await itemsOf(sandbox, parameters, setup)).map(({ json }) => json);
}

/** An error as n8n's editor shows it. */
export type ShownError = Pick<
	NodeApiError,
	'name' | 'message' | 'description' | 'httpCode' | 'context' | 'node'
>;

/** The error that ended a run, which has to have ended with one. */
export async function errorOf(
	sandbox: Pick<Sandbox, 'apiKey' | 'baseUrl'>,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<ShownError> {
	const { error } = await run(sandbox, parameters, setup);
	if (!error) throw new Error('The run ended without an error');
	return error as ShownError;
}

/** Starts a sandbox before the tests of a file, resets it between them, and stops it after them. */
export function useSandbox(options: SandboxOptions = {}): () => Sandbox {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	beforeEach(async () => {
		if (sandbox.log.length > 1) await settle(sandbox);
		sandbox.reset();
	});
	afterAll(async () => await sandbox.close());
	return () => sandbox;
}

/** Waits for requests of a run that was stopped: they may still reach the sandbox when it has ended. */
async function settle(sandbox: Sandbox): Promise<void> {
	for (let seen = -1; seen < sandbox.log.length || sandbox.stats.inFlight > 0;) {
		seen = sandbox.log.length;
		await wait(50);
	}
}

/** Method and target of a request as they were on the wire, without the version segment. */
const wireLine = ({ method, url }: LogEntry) => `${method} ${url.replace(/^\/v3/, '')}`;

/** The requests that a sandbox got, as `wireLine` shows them. */
export const wire = ({ log }: Sandbox) => log.map(wireLine);
