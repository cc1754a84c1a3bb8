import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';

import type { LoadedNode } from './engine';
import {
	pathOf,
	startTriggerProcess,
	type ProcessOptions,
	type TriggerWorkflow,
} from './triggerProcess';

/** Parts of n8n that survive a restart. */
export interface StaticDataStore {
	/** Saved static data of each workflow, by workflow ID */
	staticData: Map<string, string>;
}

export interface InstanceOptions extends ProcessOptions {
	database?: StaticDataStore;
}

export type Instance = Awaited<ReturnType<typeof startInstance>>;

/**
 * Starts an n8n process that publishes and unpublishes workflows in the same order and with the same contexts as the
 * ActiveWorkflowManager of n8n 1.x, and of n8n 2.x without its publication service.
 */
export async function startInstance({ database, ...options }: InstanceOptions) {
	const { staticData } = database ?? { staticData: new Map<string, string>() };
	const webhooks = new Map<string, TriggerWorkflow>();
	const read = (id: string): IDataObject => JSON.parse(staticData.get(id) ?? '{}');
	const save = (id: string, { instance }: LoadedNode): void => {
		staticData.set(id, JSON.stringify(instance.staticData));
	};
	const n8n = await startTriggerProcess(options, (path) => {
		const workflow = webhooks.get(path);
		return workflow && { workflow, staticData: read(workflow.id) };
	});

	async function unpublish(workflow: TriggerWorkflow): Promise<void> {
		const loaded = n8n.load(workflow, read(workflow.id));
		await n8n.deleteWebhook(loaded);
		save(workflow.id, loaded);
		webhooks.delete(pathOf(workflow.node));
	}

	return {
		...n8n,
		/**
		 * Publishes a workflow with a single try. If the node fails, runs its deletion hook, and doesn't save static data.
		 *
		 * @param mode "init" for a workflow that n8n publishes again when it starts
		 */
		async publish(
			workflow: TriggerWorkflow,
			mode: WorkflowActivateMode = 'activate',
		): Promise<void> {
			const loaded = n8n.load(workflow, read(workflow.id));
			webhooks.set(pathOf(workflow.node), workflow);
			try {
				await n8n.createWebhook(loaded, mode);
			} catch (error) {
				await unpublish(workflow);
				throw error;
			}
			save(workflow.id, loaded);
		},
		unpublish,
	};
}
