import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	NodeApiError,
} from 'n8n-workflow';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

import { cometChat, manual, node, workflow } from '../../tools/n8nEngine/draft';
import { runWorkflow, type RunOptions, type RunResult } from '../../tools/n8nEngine/engine';
import {
	startSandbox,
	type LogEntry,
	type Sandbox,
	type SandboxOptions,
} from '../../tools/sandbox/server';

/** Name of the tested node in workflows. */
export const NODE = 'CometChat';

/** `settings` that make n8n run the node through its RoutingNode, as it runs an agent's tools. */
export const AS_TOOL = { type: 'n8n-nodes-cometchat.cometChatTool' };

/** Setup for a node with "On Error" set to "Continue". */
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Setup for a node with "On Error" set to "Continue (using error output)". */
export const TO_ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;

/** Base URL of a sandbox or recorder, and the API key for it. */
type Service = Pick<Sandbox, 'apiKey' | 'baseUrl'>;

/** Builds a credential for a service. */
export function credentialsOf(
	{ apiKey, baseUrl }: Service,
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

/** Builds the parameters of a group operation. */
export const group = parametersOf('group');

/** Builds the parameters of a message operation. */
export const message = parametersOf('message');

/** Builds the parameters of a user operation. */
export const user = parametersOf('user');

/** Builds the parameters of a moderation operation. */
export const moderation = parametersOf('moderation');

/** Builds the parameters of Group → List. The output is raw by default. */
export const list = (more: INodeParameters = {}) => group('list', { output: 'raw', ...more });

/** Builds the parameters of Message → Get. The output is raw by default. */
export const get = (messageId: INodeParameters[string], more: INodeParameters = {}) =>
	message('get', { output: 'raw', messageId, ...more });

/** Builds the parameters of Message → Remove Reaction. The output is raw by default. */
export const removeReaction = (
	messageId: INodeParameters[string],
	reaction: INodeParameters[string],
	onBehalfOf: INodeParameters[string],
	more: INodeParameters = {},
) => message('removeReaction', { output: 'raw', messageId, reaction, onBehalfOf, ...more });

export interface RunSetup extends Partial<RunOptions> {
	onError?: INode['onError'];
	/** Other settings of the node, e.g. "Retry On Fail" */
	settings?: Partial<INode>;
}

/** Runs a workflow of a Manual Trigger and a CometChat node against a service. */
export async function run(
	service: Service,
	parameters: INodeParameters,
	{ onError, settings, ...options }: RunSetup = {},
): Promise<RunResult> {
	const tested = cometChat('1', parameters, {
		name: NODE,
		...(onError ? { onError } : {}),
		...settings,
	});
	return await runWorkflow(workflow('Test', [manual(), tested]), {
		credentials: credentialsOf(service),
		...options,
	});
}

/**
 * Runs an agent that calls the node as its tool. `$fromAI` in the parameters reads the arguments.
 *
 * @param calls arguments of each call
 * @returns the text that the agent receives for each call
 */
export async function callTool(
	service: Service,
	parameters: INodeParameters,
	calls: IDataObject[],
	settings: Partial<INode> = {},
): Promise<string[]> {
	const agent = node({ name: 'Agent', type: 'n8n-nodes-base.agent' });
	const type = 'n8n-nodes-cometchat.cometChatOfAgentTool';
	const tool = cometChat('1', parameters, { name: NODE, type, ...settings });
	const file = workflow(
		'Test',
		[manual(), agent, tool],
		[
			{ from: 'Manual', to: 'Agent' },
			{ from: NODE, to: 'Agent', kind: 'ai_tool' },
		],
	);
	const { items, error } = await runWorkflow(file, {
		credentials: credentialsOf(service),
		input: calls,
	});
	if (error) throw error;
	return items('Agent').map(({ json }) => String(json.said));
}

/** Runs the node, and returns its items. */
export async function itemsOf(
	service: Service,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<INodeExecutionData[]> {
	const { items, error } = await run(service, parameters, setup);
	if (error) throw error;
	return items(NODE);
}

/** Runs the node, and returns the JSON of its items. */
export async function jsonOf(
	service: Service,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<IDataObject[]> {
	return (await itemsOf(service, parameters, setup)).map(({ json }) => json);
}

/** An error as n8n's editor shows it. */
export type ShownError = Pick<
	NodeApiError,
	'name' | 'message' | 'description' | 'httpCode' | 'context' | 'node'
>;

/** Runs the node, and returns the error of the run. Throws if the run succeeds. */
export async function errorOf(
	service: Service,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<ShownError> {
	const { error } = await run(service, parameters, setup);
	if (!error) throw new Error('The run ended without an error');
	return error as ShownError;
}

/** Runs the node, and returns the error of the run. Expects that no request reaches the sandbox. */
export async function refusalOf(
	sandbox: Sandbox,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<ShownError> {
	const error = await errorOf(sandbox, parameters, setup);
	expect(sandbox.log).toEqual([]);
	return error;
}

/** Reads the messages of the hints that n8n shows below the node's output. */
export const hintsOf = ({ run: { data } }: RunResult): string[] =>
	(data.resultData.runData[NODE][0].hints ?? []).map((hint) => hint.message);

/** Runs a file of this folder in another process. @returns the JSON that the process prints */
export async function runChild<T>(
	file: string,
	args: string[],
	{ flags = [], env = {} }: { flags?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<T> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[...flags, '--import', 'tsx', join(__dirname, file), ...args],
		{ cwd: join(__dirname, '../..'), env: { ...process.env, ...env }, timeout: 100_000 },
	);
	return JSON.parse(stdout);
}

/** Starts a sandbox for a test file, and resets the sandbox before each test. */
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

/** Waits for requests of a stopped run, which can reach the sandbox after the run. */
async function settle(sandbox: Sandbox): Promise<void> {
	for (let seen = -1; seen < sandbox.log.length || sandbox.stats.inFlight > 0;) {
		seen = sandbox.log.length;
		await wait(50);
	}
}

/** Formats a logged request as its method and URL, without the version segment. */
const formatRequest = ({ method, url }: LogEntry) => `${method} ${url.replace(/^\/v3/, '')}`;

/** Lists the method and URL of each request to a sandbox, without the version segment. */
export const wire = ({ log }: Sandbox) => log.map(formatRequest);
