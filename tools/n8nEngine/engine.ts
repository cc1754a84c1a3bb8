import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteData,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	IPinData,
	IRun,
	IWorkflowSettings,
	Workflow,
	WorkflowExecuteMode,
	WorkflowParameters,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import { core, workflow } from './n8n';
import { nodeTypes } from './types';
import { startRun } from './versions';

/** A workflow in n8n's export format. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	/** Pinned items. Only a trigger's items are used here, to start the workflow, and in expressions. */
	pinData?: IPinData;
}

export interface RunOptions {
	/** Data of the CometChat credential. */
	credentials: ICredentialDataDecryptedObject;
	/** Name of the trigger that starts the workflow. Defaults to the Manual Trigger. */
	trigger?: string;
	/** Items that the trigger outputs. Defaults to the trigger's pinned items, or to one empty item. */
	input?: IDataObject[];
	mode?: WorkflowExecuteMode;
	/** Stops the execution, as n8n's stop button does. */
	signal?: AbortSignal;
	/** Origin of the links in the question. See `askWorkflow`. */
	origin?: string;
	/**
	 * Called with every request exactly as sent, including the API key. The request waits until a returned
	 * promise resolves.
	 */
	onRequest?: (request: IHttpRequestOptions) => Promise<void> | void;
}

/** Result of an execution. */
export type RunResult = Awaited<ReturnType<typeof execute>>;

/** Creates n8n's Workflow object. */
const load = (
	{ name, nodes, connections, settings }: WorkflowFile,
	more: Partial<WorkflowParameters> = {},
): Workflow =>
	new workflow.Workflow({
		...{ id: 'workflow', name, nodes: structuredClone(nodes), connections, settings },
		...{ active: false, nodeTypes, ...more },
	});

export type LoadedNode = ReturnType<typeof loadNode>;

/**
 * Creates n8n's Workflow object, and finds one of its nodes.
 *
 * @throws Error if the workflow doesn't contain the node
 */
export function loadNode(file: WorkflowFile, name: string, more?: Partial<WorkflowParameters>) {
	const instance = load(file, more);
	const node = instance.getNode(name);
	if (!node) throw new Error(`The workflow "${file.name}" has no node "${name}"`);
	return { instance, node, type: nodeTypes.getByNameAndVersion(node.type) };
}

/** Runs a function inside n8n's expression isolate, if this version of n8n has an isolate. */
export async function withIsolate<T>(
	{ expression }: { expression: Partial<Workflow['expression']> },
	work: () => Promise<T>,
): Promise<T> {
	await expression.acquireIsolate?.();
	return await work().finally(async () => await expression.releaseIsolate?.());
}

/**
 * Finds the node that an execution waits for.
 *
 * @throws Error if the execution doesn't wait
 */
export function findWaiting({ executionData }: IRun['data']): IExecuteData {
	const [waiting] = executionData?.nodeExecutionStack ?? [];
	if (!waiting) throw new Error('The execution does not wait for a node');
	return waiting;
}

/** Runs a workflow from start to finish with n8n's WorkflowExecute, as in production. */
export async function runWorkflow(file: WorkflowFile, options: RunOptions): Promise<RunResult> {
	const trigger = file.nodes.find(({ name, type }) =>
		options.trigger ? name === options.trigger : type === 'n8n-nodes-base.manualTrigger',
	);
	if (!trigger) throw new Error(`The workflow "${file.name}" has no such trigger`);
	const items = options.input?.map((json) => ({ json })) ?? file.pinData?.[trigger.name];
	return await execute(file, options, { [trigger.name]: items ?? [{ json: {} }] });
}

/**
 * Resumes a waiting execution.
 *
 * @param items items that the waiting node's webhook returned; omitted if the time limit has passed
 */
export async function resumeWorkflow(
	file: WorkflowFile,
	options: RunOptions,
	{ run: { data } }: RunResult,
	items?: INodeExecutionData[][],
): Promise<RunResult> {
	if (items) findWaiting(data).data = { main: items };
	return await execute(file, options, {}, data);
}

async function execute(
	file: WorkflowFile,
	options: RunOptions,
	pinData: IPinData,
	data?: IRun['data'],
) {
	const instance = load(file, { pinData: file.pinData });
	const mode = options.mode ?? 'manual';
	const { credentials, onRequest, origin } = options;
	const context = additionalData(() => credentials, onRequest, origin);
	const now = new Date();
	const known = { id: 'workflow', active: false, isArchived: false, activeVersionId: null };
	const saved = { ...file, ...known, createdAt: now, updatedAt: now };
	context.hooks = new core.ExecutionLifecycleHooks(mode, '1', saved);
	const execution = new core.WorkflowExecute(context, mode, data);
	const run = await withIsolate(instance, async () => {
		const running = data
			? execution.processRunExecutionData(instance)
			: startRun(
					execution,
					instance,
					pinData,
					instance.getNode(options.trigger ?? '') ?? undefined,
				);
		options.signal?.addEventListener('abort', () => running.cancel(), { once: true });
		return await running;
	});
	const { runData, error } = run.data.resultData;
	return {
		run,
		/** Returns a node's output items. Defaults to the first output. */
		items: (node: string, output = 0) => runData[node]?.at(-1)?.data?.main?.[output] ?? [],
		/** Error that ended the execution. */
		error,
	};
}
