import { setTimeout as wait } from 'node:timers/promises';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { Credentials } from './credentials';
import { core, workflow } from './n8n';
import { nodeTypes } from './types';

export interface ActivationOptions {
	/** Data of the CometChat credential */
	credentials: ICredentialDataDecryptedObject;
	/** The workflow's static data as it was saved last; a new workflow has none */
	staticData?: string;
	activation?: WorkflowActivateMode;
	/** IANA name of the time zone of the workflow */
	timezone?: string;
	/**
	 * n8n's time limit for a poll in milliseconds, after which it drops the poll: with it the trigger is
	 * run as n8n's durable scheduler runs it, under a lease. Without it n8n sets no limit.
	 */
	pollTimeoutMs?: number;
	/** Whether n8n is a version that tells no poll its time: before 2.41 */
	isBudgetUnknown?: boolean;
	/** Called for every request as it will be sent, key included */
	onRequest?: (request: IHttpRequestOptions) => void;
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

function additionalData(options: ActivationOptions): IWorkflowExecuteAdditionalData {
	const base = 'http://127.0.0.1:5678';
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: new Credentials(options.credentials, options.onRequest),
		restApiUrl: `${base}/rest`,
		instanceBaseUrl: `${base}/`,
		formWaitingBaseUrl: `${base}/form-waiting`,
		webhookWaitingBaseUrl: `${base}/webhook-waiting`,
		variables: {},
	};
	return data as IWorkflowExecuteAdditionalData;
}

/** What n8n tells a poll under a lease: less than its limit, by its own rule. */
function budgetMsOf(pollTimeoutMs: number): number {
	const marginMs = Math.min(Math.max(0.2 * pollTimeoutMs, 5_000), pollTimeoutMs / 2);
	return pollTimeoutMs - marginMs;
}

async function droppedAfter<T>(ms: number, work: Promise<T>): Promise<T> {
	const timer = new AbortController();
	const dropped = async (): Promise<never> => {
		await wait(ms, undefined, { signal: timer.signal });
		throw new Error(`n8n dropped the poll after ${ms} ms`);
	};
	try {
		return await Promise.race([work, dropped()]);
	} finally {
		timer.abort();
	}
}

/**
 * Activates a polling trigger of the built package with n8n's own PollContext. As in n8n, the
 * workflow's static data stays in memory from poll to poll, and is only observed, not rolled back,
 * when a poll fails. Under a lease each poll has a copy of its own, which is kept when it returned.
 */
export function activateTrigger(trigger: INode, options: ActivationOptions): ActiveTrigger {
	const { staticData, activation = 'activate', timezone, pollTimeoutMs } = options;
	const saved: IDataObject = JSON.parse(staticData ?? '{}');
	const instance = new workflow.Workflow({
		id: 'workflow',
		name: 'Workflow',
		nodes: [structuredClone(trigger)],
		connections: {},
		active: true,
		nodeTypes,
		staticData: saved,
		settings: timezone === undefined ? {} : { timezone },
	});
	const node = instance.nodes[trigger.name];
	const { poll } = nodeTypes.getByNameAndVersion(node.type);
	if (!poll) throw new Error(`The node type "${node.type}" is no polling trigger`);
	const data = additionalData(options);
	const contextOf = (mode: WorkflowExecuteMode, snapshot: IDataObject | undefined) => {
		const context = new core.PollContext(instance, node, data, mode, activation);
		if (options.isBudgetUnknown) Reflect.deleteProperty(context, 'getPollBudgetMs');
		if (pollTimeoutMs !== undefined) {
			Object.assign(context, { getPollBudgetMs: () => budgetMsOf(pollTimeoutMs) });
		}
		if (snapshot) context.getWorkflowStaticData = () => snapshot;
		return context;
	};
	return {
		async poll(mode = 'trigger') {
			await instance.expression.acquireIsolate?.();
			const isLeased = pollTimeoutMs !== undefined;
			const kept = isLeased ? instance.getStaticData('node', node) : {};
			const snapshot = isLeased ? structuredClone({ ...kept }) : undefined;
			try {
				const work = poll.call(contextOf(mode, snapshot));
				const output = await (pollTimeoutMs === undefined
					? work
					: droppedAfter(pollTimeoutMs, work));
				if (snapshot && mode !== 'manual') Object.assign(kept, snapshot);
				return output === null ? null : output[0];
			} finally {
				await instance.expression.releaseIsolate?.();
			}
		},
		staticData: () => JSON.stringify(instance.staticData),
	};
}
