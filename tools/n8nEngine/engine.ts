import type { WorkflowExecute } from 'n8n-core';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	IPinData,
	IRun,
	IWorkflowSettings,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import { Credentials } from './credentials';
import { core, workflow } from './n8n';
import { nodeTypes } from './types';
import { startRun } from './versions';

/** A workflow as n8n exports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	/** Items that n8n takes instead of running a node; only those of the trigger count here */
	pinData?: IPinData;
}

export interface RunOptions {
	/** Data of the CometChat credential */
	credentials: ICredentialDataDecryptedObject;
	/** What the trigger gives, one object per item; when left out, its pinned items or one empty item */
	input?: IDataObject[];
	mode?: WorkflowExecuteMode;
	/** Stops the execution as n8n's stop button does */
	signal?: AbortSignal;
	/** Where the links of a question lead; see `serveLinks` */
	origin?: string;
	/** Called for every request as it will be sent, key included */
	onRequest?: (request: IHttpRequestOptions) => void;
}

/** What a run left behind. */
export interface RunResult {
	run: IRun;
	/** Items of a node's output, the first one unless told otherwise */
	items(node: string, output?: number): INodeExecutionData[];
	/** The error that ended the run, if one did */
	error: IRun['data']['resultData']['error'];
}

/** A workflow as n8n loads it before it runs something of it. */
export function load(file: WorkflowFile): Workflow {
	return new workflow.Workflow({
		id: 'workflow',
		name: file.name,
		nodes: structuredClone(file.nodes),
		connections: file.connections,
		active: false,
		nodeTypes,
		settings: file.settings,
	});
}

/** Runs a workflow through n8n's WorkflowExecute, as production does, from its trigger to its end. */
export async function runWorkflow(file: WorkflowFile, options: RunOptions): Promise<RunResult> {
	const trigger = file.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	if (!trigger) throw new Error(`The workflow "${file.name}" has no Manual Trigger`);
	const items = options.input?.map((json) => ({ json })) ?? file.pinData?.[trigger.name];
	const pinData = { [trigger.name]: items ?? [{ json: {} }] };
	return await execute(file, options, (execution, instance) =>
		startRun(execution, instance, pinData),
	);
}

/** Goes on with a run that waits, as n8n does when the webhook of the waiting node gave items. */
export async function resumeWorkflow(
	file: WorkflowFile,
	options: RunOptions,
	{ run: { data } }: RunResult,
	items: INodeExecutionData[][],
): Promise<RunResult> {
	const [waiting] = data.executionData?.nodeExecutionStack ?? [];
	waiting.data = { main: items };
	return await execute(
		file,
		options,
		(execution, instance) => execution.processRunExecutionData(instance),
		data,
	);
}

async function execute(
	file: WorkflowFile,
	options: RunOptions,
	start: (execution: WorkflowExecute, instance: Workflow) => ReturnType<WorkflowExecute['run']>,
	data?: IRun['data'],
): Promise<RunResult> {
	const instance = load(file);
	const mode = options.mode ?? 'manual';
	const helper = new Credentials(() => options.credentials, options.onRequest);
	const context = additionalData(helper, options.origin);
	const now = new Date();
	const known = { id: 'workflow', active: false, isArchived: false, activeVersionId: null };
	const saved = { ...file, ...known, createdAt: now, updatedAt: now };
	context.hooks = new core.ExecutionLifecycleHooks(mode, '1', saved);
	const execution = new core.WorkflowExecute(context, mode, data);
	await instance.expression.acquireIsolate?.();
	try {
		const running = start(execution, instance);
		options.signal?.addEventListener('abort', () => running.cancel(), { once: true });
		return resultOf(await running);
	} finally {
		await instance.expression.releaseIsolate?.();
	}
}

function resultOf(run: IRun): RunResult {
	const { runData, error } = run.data.resultData;
	return {
		run,
		items: (node, output = 0) => runData[node]?.at(-1)?.data?.main[output] ?? [],
		error,
	};
}
