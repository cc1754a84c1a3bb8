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

/** Parts of n8n that survive a restart. */
export interface Database {
	/** Saved static data of each workflow, by workflow ID */
	staticData: Map<string, string>;
}

export interface InstanceOptions {
	credentials: () => ICredentialDataDecryptedObject;
	database?: Database;
	/** Origin of n8n's webhook URLs, like WEBHOOK_URL. Defaults to the instance's own server. */
	origin?: string;
	/** ID that n8n derives from its encryption key. A copy of n8n's data has the same ID. */
	instanceId?: string;
	/** Called before each request. A promise that never resolves acts like a killed process. */
	onRequest?: () => Promise<void> | void;
}

/** A workflow whose only node is a trigger that sets up its own webhook. */
export interface TriggerWorkflow {
	id: string;
	node: INode;
}

/** A webhook that n8n listens for. */
interface Registration {
	workflow: TriggerWorkflow;
	isTest: boolean;
	staticData: IDataObject;
}

export type Instance = Awaited<ReturnType<typeof startInstance>>;

/** The instance ID of a running n8n, for `getInstanceId` in the contexts of nodes. */
const setInstanceId = (context: object, instanceId: string): void => {
	Object.defineProperty(context, 'getInstanceId', { value: () => instanceId });
};

/**
 * Starts a single n8n process that publishes, unpublishes and tests workflows in the same order and with the same
 * contexts as n8n's ActiveWorkflowManager and TestWebhooks.
 */
export async function startInstance({
	credentials,
	database,
	origin,
	instanceId = 'n8n',
	onRequest,
}: InstanceOptions) {
	const { staticData } = database ?? { staticData: new Map<string, string>() };
	const registrations = new Map<string, Registration>();
	const executions: Array<Execution & { isTest: boolean }> = [];
	const logs: string[] = [];
	let isEndHeld = false;

	const { url, idle, close } = await serveWebhook(async (call) => {
		const registration = registrations.get(call.httpRequest.url ?? '');
		if (!registration) {
			call.httpResponse.statusCode = 404;
			return {};
		}
		const { isTest, workflow } = registration;
		const saved = isTest ? registration.staticData : read(workflow.id);
		const data = Object.assign(createData(), call);
		const loaded = loadTrigger(workflow, saved, isTest);
		const mode = isTest ? 'manual' : 'webhook';
		const result = await callWebhook(loaded, data, mode, null, {
			onLog: (message) => logs.push(message),
			onContext: (context) => setInstanceId(context, instanceId),
		});
		if (result.workflowData) {
			executions.push({ items: result.workflowData.flat(), isTest });
			// n8n stops listening after the first execution of a test
			if (isTest && !isEndHeld) await stopTest(workflow);
		}
		return result;
	});
	const base = origin ?? url;

	const createData = () => ({
		...additionalData(credentials, onRequest, base),
		webhookTestBaseUrl: `${base}/webhook-test`,
	});
	const read = (id: string): IDataObject => JSON.parse(staticData.get(id) ?? '{}');
	// n8n loads the workflow of a test as inactive
	const loadTrigger = ({ id, node }: TriggerWorkflow, saved: IDataObject, isTest: boolean) =>
		loadNode({ name: 'Workflow', nodes: [node], connections: {} }, node.name, {
			...{ id, active: !isTest, staticData: saved },
		});
	const pathOf = ({ node }: TriggerWorkflow, isTest: boolean) =>
		`/webhook${isTest ? '-test' : ''}/${node.webhookId}/webhook`;

	/** Calls one of the node's hooks, and returns the workflow's static data. */
	async function callHook(
		name: 'checkExists' | 'create' | 'delete',
		{ instance, node, type }: LoadedNode,
		isTest: boolean,
		publication: WorkflowActivateMode = 'activate',
	): Promise<boolean> {
		const hook = type.webhookMethods?.default?.[name];
		if (!hook) throw new Error(`The node type "${node.type}" has no hook "${name}"`);
		const isDeletion = name === 'delete';
		const mode = isDeletion ? 'internal' : isTest ? 'manual' : 'trigger';
		const activation = isDeletion ? 'update' : isTest ? 'manual' : publication;
		const webhookData = { isTest } as unknown as IWebhookData;
		const context = new core.HookContext(
			...([instance, node, createData(), mode, activation, webhookData] as const),
		);
		const log = (message: string) => logs.push(message);
		Object.defineProperty(context, 'logger', { value: { info: log, warn: log, error: log } });
		setInstanceId(context, instanceId);
		return await withIsolate(instance, async () => await hook.call(context));
	}

	async function create(
		loaded: LoadedNode,
		isTest: boolean,
		mode?: WorkflowActivateMode,
	): Promise<void> {
		if (await callHook('checkExists', loaded, isTest, mode)) return;
		await callHook('create', loaded, isTest, mode);
	}

	const save = (id: string, { instance }: LoadedNode): void => {
		staticData.set(id, JSON.stringify(instance.staticData));
	};

	async function unpublish(workflow: TriggerWorkflow): Promise<void> {
		const loaded = loadTrigger(workflow, read(workflow.id), false);
		await callHook('delete', loaded, false);
		save(workflow.id, loaded);
		registrations.delete(pathOf(workflow, false));
	}

	async function stopTest(workflow: TriggerWorkflow): Promise<void> {
		const registration = registrations.get(pathOf(workflow, true));
		if (!registration) return;
		await callHook('delete', loadTrigger(workflow, registration.staticData, true), true);
		registrations.delete(pathOf(workflow, true));
	}

	return {
		url,
		executions,
		logs,
		idle,
		close,
		/** Returns the paths of the webhooks that n8n listens for. */
		listPaths: () => [...registrations.keys()],
		/**
		 * Publishes a workflow. If the node fails, runs its deletion hook, and doesn't save static data, as n8n
		 * without its publication service does.
		 *
		 * @param mode "init" for a workflow that n8n publishes again when it starts
		 */
		async publish(workflow: TriggerWorkflow, mode?: WorkflowActivateMode): Promise<void> {
			const loaded = loadTrigger(workflow, read(workflow.id), false);
			registrations.set(pathOf(workflow, false), { workflow, isTest: false, staticData: {} });
			try {
				await create(loaded, false, mode);
			} catch (error) {
				await unpublish(workflow);
				throw error;
			}
			save(workflow.id, loaded);
		},
		unpublish,
		/** Starts to listen for a test event, like Execute Step. The static data of a test starts empty. */
		async startTest(workflow: TriggerWorkflow): Promise<void> {
			const loaded = loadTrigger(workflow, {}, true);
			const registration: Registration = { workflow, isTest: true, staticData: {} };
			registrations.set(pathOf(workflow, true), registration);
			try {
				await create(loaded, true);
				registration.staticData = JSON.parse(JSON.stringify(loaded.instance.staticData));
			} catch (error) {
				await stopTest(workflow);
				throw error;
			}
		},
		stopTest,
		/** Keeps tests open after their first execution, as a busy n8n does. */
		holdEndOfTest(): void {
			isEndHeld = true;
		},
	};
}
