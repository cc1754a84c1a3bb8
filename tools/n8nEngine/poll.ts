import { setTimeout as wait } from 'node:timers/promises';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import { Credentials } from './credentials';
import { core, workflow } from './n8n';
import { nodeTypes } from './types';

export interface ActivationOptions {
	/** Data of the CometChat credential */
	credentials: ICredentialDataDecryptedObject;
	/** The workflow's static data as it was saved last; a new workflow has none */
	staticData?: string;
	/** What n8n tells a poll that it may take, in milliseconds; without it n8n's default */
	budgetMs?: number;
	/**
	 * Whether n8n's durable scheduler runs the polls: each has a copy of the static data, which is kept
	 * when it returned, and is dropped when it takes twice its budget
	 */
	isLeased?: boolean;
	/** Whether n8n is a version that tells no poll its time: before 2.41 */
	isBudgetUnknown?: boolean;
	/** Called for every request as it will be sent, key included */
	onRequest?: (request: IHttpRequestOptions) => void;
	/** Called with what the trigger writes to n8n's log as a warning */
	onWarning?: (message: string) => void;
}

/** A workflow with a polling trigger, as long as it is active in one process of n8n. */
export interface ActiveTrigger {
	/**
	 * One poll, as n8n runs it.
	 *
	 * @param mode "manual" is "Fetch Test Event"
	 * @returns the items that start the workflow, or null when it does not start
	 * @throws what the poll threw, or that n8n dropped it
	 */
	poll(mode?: WorkflowExecuteMode): Promise<INodeExecutionData[] | null>;
	/** The static data as n8n writes it to its database: what another activation may start from. */
	staticData(): string;
}

async function droppedAfter<T>(ms: number, work: Promise<T>): Promise<T> {
	const timer = new AbortController();
	const dropped = wait(ms, undefined, { signal: timer.signal }).then((): never => {
		throw new Error(`n8n dropped the poll after ${ms} ms`);
	});
	return await Promise.race([work, dropped]).finally(() => timer.abort());
}

/**
 * Activates a polling trigger of the built package with n8n's own PollContext. As in n8n, the
 * workflow's static data stays in memory from poll to poll, and is only observed, not rolled back,
 * when a poll fails.
 */
export function activateTrigger(trigger: INode, options: ActivationOptions): ActiveTrigger {
	const { staticData, budgetMs, isLeased = false, onWarning } = options;
	const saved: IDataObject = JSON.parse(staticData ?? '{}');
	const instance = new workflow.Workflow({
		id: 'workflow',
		name: 'Workflow',
		nodes: [structuredClone(trigger)],
		connections: {},
		active: true,
		nodeTypes,
		staticData: saved,
	});
	const node = instance.nodes[trigger.name];
	const { poll } = nodeTypes.getByNameAndVersion(node.type);
	if (!poll) throw new Error(`The node type "${node.type}" is no polling trigger`);
	const data = additionalData(new Credentials(() => options.credentials, options.onRequest));
	const contextOf = (mode: WorkflowExecuteMode, snapshot: IDataObject | undefined) => {
		const context = new core.PollContext(instance, node, data, mode, 'activate');
		if (options.isBudgetUnknown) Reflect.deleteProperty(context, 'getPollBudgetMs');
		if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
		if (snapshot) context.getWorkflowStaticData = () => snapshot;
		if (onWarning) Object.defineProperty(context, 'logger', { value: { warn: onWarning } });
		return context;
	};
	return {
		async poll(mode = 'trigger') {
			await instance.expression.acquireIsolate?.();
			const kept = isLeased ? instance.getStaticData('node', node) : {};
			const snapshot: IDataObject | undefined = isLeased
				? JSON.parse(JSON.stringify(kept))
				: undefined;
			try {
				const work = poll.call(contextOf(mode, snapshot));
				const output = await (isLeased ? droppedAfter(2 * (budgetMs ?? 0), work) : work);
				if (snapshot && mode !== 'manual') Object.assign(kept, snapshot);
				return output === null ? null : output[0];
			} finally {
				await instance.expression.releaseIsolate?.();
			}
		},
		staticData: () => JSON.stringify(instance.staticData),
	};
}
