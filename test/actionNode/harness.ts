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

/** The tested node's name in workflows. */
export const NODE = 'CometChat';

/** Node settings that make n8n run the node through RoutingNode, as n8n does for an agent's tools. */
export const AS_TOOL = { type: 'n8n-nodes-cometchat.cometChatTool' };

/** Node settings for a tool of version 3 of the AI Agent node, which n8n runs like any other node. */
export const AS_TOOL_OF_NEW_AGENT = { type: 'n8n-nodes-cometchat.cometChatOfNewAgentTool' };

/** Run options that set "On Error" to "Continue". */
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Run options that set "On Error" to "Continue (using error output)". */
export const TO_ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;

/** Base URL and API key of a sandbox or recorder. */
type Service = Pick<Sandbox, 'apiKey' | 'baseUrl'>;

export function credentialsOf(
	{ apiKey, baseUrl }: Service,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject {
	return { apiKey, region: 'custom', baseUrl, ...changes };
}

/** Builds parameters for operations of a resource. */
const parametersOf =
	(resource: string) =>
	(operation: string, more: INodeParameters = {}): INodeParameters => ({
		resource,
		operation,
		...more,
	});

export const group = parametersOf('group');
export const message = parametersOf('message');
export const user = parametersOf('user');
export const moderation = parametersOf('moderation');
export const conversation = parametersOf('conversation');

/** Builds parameters for Group → List, with raw output by default. */
export const list = (more: INodeParameters = {}) => group('list', { output: 'raw', ...more });

/** Builds parameters for Message → Get, with raw output by default. */
export const get = (messageId: INodeParameters[string], more: INodeParameters = {}) =>
	message('get', { output: 'raw', messageId, ...more });

/** Builds parameters for Message → Remove Reaction, with raw output by default. */
export const removeReaction = (
	messageId: INodeParameters[string],
	reaction: INodeParameters[string],
	onBehalfOf: INodeParameters[string],
	more: INodeParameters = {},
) => message('removeReaction', { output: 'raw', messageId, reaction, onBehalfOf, ...more });

export interface RunSetup extends Partial<RunOptions> {
	onError?: INode['onError'];
	/** Other node settings, e.g. "Retry On Fail" */
	settings?: Partial<INode>;
}

/** Runs a workflow consisting of a Manual Trigger and a CometChat node, against a sandbox or recorder. */
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
 * Runs an agent that calls the node as a tool. `$fromAI` expressions in the parameters read the call's
 * arguments.
 *
 * @param calls the arguments of each tool call
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

export async function itemsOf(
	service: Service,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<INodeExecutionData[]> {
	const { items, error } = await run(service, parameters, setup);
	if (error) throw error;
	return items(NODE);
}

export async function jsonOf(
	service: Service,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<IDataObject[]> {
	return (await itemsOf(service, parameters, setup)).map(({ json }) => json);
}

/** The parts of an error that n8n's editor shows. */
export type ShownError = Pick<
	NodeApiError,
	'name' | 'message' | 'description' | 'httpCode' | 'context' | 'node'
>;

/** Runs the node, and returns the run's error. Throws if the run succeeds. */
export async function errorOf(
	service: Service,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<ShownError> {
	const { error } = await run(service, parameters, setup);
	if (!error) throw new Error('The run ended without an error');
	return error as ShownError;
}

/** Runs the node, and returns the run's error. Expects that the node sends no request. */
export async function refusalOf(
	sandbox: Sandbox,
	parameters: INodeParameters,
	setup: RunSetup = {},
): Promise<ShownError> {
	const error = await errorOf(sandbox, parameters, setup);
	expect(sandbox.log).toEqual([]);
	return error;
}

/** Returns the text of all hints that n8n shows below the node's output. */
export const hintsOf = ({ run: { data } }: RunResult): string[] =>
	(data.resultData.runData[NODE][0].hints ?? []).map((hint) => hint.message);

/** Runs a file from this folder in a new process. @returns the parsed JSON that the process prints */
export async function runChild<T>(
	file: string,
	args: string[],
	{
		flags = [],
		env = {},
		timeout = 100_000,
	}: { flags?: string[]; env?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<T> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[...flags, '--import', 'tsx', join(__dirname, file), ...args],
		{ cwd: join(__dirname, '../..'), env: { ...process.env, ...env }, timeout },
	);
	return JSON.parse(stdout);
}

/** Starts a sandbox before all tests in the file, and resets the sandbox before each test. */
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

/** Returns input items with the IDs of sample messages, which repeat if `count` is high. */
export function listMessageInput({ store }: Sandbox, count: number): Array<{ id: string }> {
	const ids = store.messages.all().map(({ id }) => id);
	return Array.from({ length: count }, (_, index) => ({ id: ids[index % ids.length] }));
}

/** Maximum wait for late requests. A request that hangs fails its own test, not those after it. */
const SETTLE_MS = 2_000;

/** Waits for late requests. A stopped run's requests can reach the sandbox after the run has ended. */
async function settle(sandbox: Sandbox): Promise<void> {
	const end = performance.now() + SETTLE_MS;
	for (let seen = -1; seen < sandbox.log.length || sandbox.stats.inFlight > 0;) {
		if (performance.now() > end) return;
		seen = sandbox.log.length;
		await wait(10);
	}
}

/** Formats a logged request as method and URL, without the API version, e.g. "GET /groups". */
const formatRequest = ({ method, url }: LogEntry) => `${method} ${url.replace(/^\/v3/, '')}`;

/** Lists all requests that a sandbox received as method and URL, without the API version. */
export const wire = ({ log }: Sandbox) => log.map(formatRequest);
