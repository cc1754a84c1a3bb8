import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	IWebhookData,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import { loadNode, withIsolate, type LoadedNode } from './engine';
import { core } from './n8n';
import type { Execution } from './webhook';
import { callWebhook, serveWebhook } from './webhookServer';

export interface ProcessOptions {
	credentials: () => ICredentialDataDecryptedObject;
	/** Origin of n8n's webhook URLs, like WEBHOOK_URL. Defaults to the process's own server. */
	origin?: string;
	/** ID that n8n derives from its encryption key. A copy of n8n's data has the same ID. */
	instanceId?: string;
	/** Called before each request. Throw an error to keep the request from being sent. */
	onRequest?: () => Promise<void> | void;
}

/** A workflow with a trigger that sets up its own webhook. */
export interface TriggerWorkflow {
	id: string;
	/** The trigger */
	node: INode;
	/** Nodes of the workflow. Defaults to the trigger alone. */
	nodes?: INode[];
}

/** A published webhook. */
export interface PublishedWebhook {
	workflow: TriggerWorkflow;
	staticData: IDataObject;
}

/** A step that n8n listens for. */
interface RunningStep {
	workflow: TriggerWorkflow;
	staticData: IDataObject;
}

/** Hooks of a trigger's webhook. */
type HookName = 'checkExists' | 'create' | 'delete';

export const pathOf = ({ webhookId }: INode, isTest = false): string =>
	`/webhook${isTest ? '-test' : ''}/${webhookId}/webhook`;

/** Makes `getInstanceId` of a node's context return an n8n's ID. */
const setInstanceId = (context: object, instanceId: string): void => {
	Object.defineProperty(context, 'getInstanceId', { value: () => instanceId });
};

/**
 * Starts an n8n process that serves webhooks, calls the hooks of triggers, and executes steps in the same order and with
 * the same contexts as n8n's TestWebhooks. Publishing is up to the caller.
 */
export async function startTriggerProcess(
	{ credentials, origin, instanceId = 'n8n', onRequest }: ProcessOptions,
	findWebhook: (path: string) => PublishedWebhook | undefined,
) {
	const steps = new Map<string, RunningStep>();
	const executions: Array<Execution & { isTest: boolean; nodeId: string; workflowId: string }> = [];
	const logs: string[] = [];
	let isEndHeld = false;
	const log = (message: string): void => {
		logs.push(message);
	};

	const { url, idle, close } = await serveWebhook(async (call) => {
		const path = call.httpRequest.url ?? '';
		const step = steps.get(path);
		const webhook = step ?? findWebhook(path);
		if (!webhook) {
			call.httpResponse.statusCode = 404;
			return {};
		}
		const { workflow, staticData } = webhook;
		const isTest = step !== undefined;
		const data = Object.assign(createData(), call);
		const loaded = load(workflow, staticData, isTest);
		const result = await callWebhook(loaded, data, isTest ? 'manual' : 'webhook', null, {
			onLog: log,
			onContext: (context) => setInstanceId(context, instanceId),
		});
		if (result.workflowData) {
			const { id: workflowId, node } = workflow;
			const items = result.workflowData.flat();
			executions.push({ items, isTest, nodeId: node.id, workflowId });
			// n8n stops listening after the first execution of a step
			if (isTest && !isEndHeld) await stopTest(workflow);
		}
		return result;
	});
	const base = origin ?? url;
	const createData = () => ({
		...additionalData(credentials, onRequest, base),
		webhookTestBaseUrl: `${base}/webhook-test`,
	});

	/** Loads a workflow. n8n loads the workflow of a step as inactive. */
	function load(
		{ id, node, nodes = [node] }: TriggerWorkflow,
		staticData: IDataObject,
		isTest = false,
	): LoadedNode {
		const file = { name: 'Workflow', nodes, connections: {} };
		return loadNode(file, node.name, { id, active: !isTest, staticData });
	}

	async function callHook(
		name: HookName,
		{ instance, node, type }: LoadedNode,
		isTest: boolean,
		activation: WorkflowActivateMode,
	): Promise<boolean> {
		const hook = type.webhookMethods?.default?.[name];
		if (!hook) throw new Error(`The node type "${node.type}" has no hook "${name}"`);
		const isDeletion = name === 'delete';
		const mode = isDeletion ? 'internal' : isTest ? 'manual' : 'trigger';
		const webhookData = { isTest } as unknown as IWebhookData;
		const context = new core.HookContext(
			...([instance, node, createData(), mode, activation, webhookData] as const),
		);
		Object.defineProperty(context, 'logger', { value: { info: log, warn: log, error: log } });
		setInstanceId(context, instanceId);
		return await withIsolate(instance, async () => await hook.call(context));
	}

	/** Sets up a trigger's webhook. @throws the node's error */
	async function createWebhook(
		loaded: LoadedNode,
		activation: WorkflowActivateMode,
		isTest = false,
	): Promise<void> {
		if (await callHook('checkExists', loaded, isTest, activation)) return;
		await callHook('create', loaded, isTest, activation);
	}

	async function deleteWebhook(loaded: LoadedNode, isTest = false): Promise<void> {
		await callHook('delete', loaded, isTest, 'update');
	}

	async function stopTest({ node }: TriggerWorkflow): Promise<void> {
		const step = steps.get(pathOf(node, true));
		if (!step) return;
		await deleteWebhook(load(step.workflow, step.staticData, true), true);
		steps.delete(pathOf(node, true));
	}

	return {
		url,
		executions,
		logs,
		idle,
		close,
		load,
		createWebhook,
		deleteWebhook,
		/** Returns the paths of the steps that n8n listens for. */
		listStepPaths: () => [...steps.keys()],
		/** Starts to listen for a test event, like Execute Step. The static data of a step starts empty. */
		async startTest(workflow: TriggerWorkflow): Promise<void> {
			const loaded = load(workflow, {}, true);
			const step: RunningStep = { workflow, staticData: {} };
			steps.set(pathOf(workflow.node, true), step);
			try {
				await createWebhook(loaded, 'manual', true);
				step.staticData = JSON.parse(JSON.stringify(loaded.instance.staticData));
			} catch (error) {
				await stopTest(workflow);
				throw error;
			}
		},
		stopTest,
		/** Keeps steps open after their first execution, as a busy n8n does. */
		holdEndOfTest(): void {
			isEndHeld = true;
		},
	};
}
