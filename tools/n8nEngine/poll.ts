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
import { createCredentialsHelper } from './credentials';
import { load, withIsolate } from './engine';
import { core } from './n8n';
import { nodeTypes } from './types';

export interface ActivationOptions {
	/** Data of the CometChat credential. */
	credentials: ICredentialDataDecryptedObject;
	/** The workflow's saved static data. Defaults to none, as in a new workflow. */
	staticData?: string;
	/** Time limit that n8n reports for each poll, in milliseconds. Defaults to n8n's own limit. */
	budgetMs?: number;
	/**
	 * True if n8n's durable scheduler runs the polls. Each poll then gets a copy of the static data. The
	 * copy is saved only if the poll returns within twice its time limit.
	 */
	isLeased?: boolean;
	/** True if n8n doesn't report a time limit for polls, as in versions before 2.41. */
	isBudgetUnknown?: boolean;
	/** Called with every request exactly as sent, including the API key. */
	onRequest?: (request: IHttpRequestOptions) => void;
	/** Called with each warning that the trigger writes to n8n's log. */
	onWarning?: (message: string) => void;
}

/** An active workflow with a polling trigger, running in a single n8n process. */
export interface ActiveTrigger {
	/**
	 * Runs a single poll, as n8n does.
	 *
	 * @param mode "manual" for n8n's "Fetch Test Event" button
	 * @returns the items that start the workflow, or null if there are none
	 * @throws the poll's error, or an error if n8n dropped the poll
	 */
	poll(mode?: WorkflowExecuteMode): Promise<INodeExecutionData[] | null>;
	/** Returns the static data, serialized as in n8n's database, to pass to another activation. */
	staticData(): string;
}

/** Waits for a poll, or throws an error if the poll takes longer than n8n waits. */
async function dropAfter<T>(ms: number, work: Promise<T>): Promise<T> {
	const dropped = wait(ms, undefined, { ref: false }).then((): never => {
		throw new Error(`n8n dropped the poll after ${ms} ms`);
	});
	return await Promise.race([work, dropped]);
}

/**
 * Activates one of the built package's polling triggers with n8n's PollContext. As in n8n, the static data
 * stays in memory between polls and isn't rolled back when a poll fails.
 */
export function activateTrigger(trigger: INode, options: ActivationOptions): ActiveTrigger {
	const { staticData, budgetMs, isLeased = false, onWarning } = options;
	const saved: IDataObject = JSON.parse(staticData ?? '{}');
	const file = { name: 'Workflow', nodes: [trigger], connections: {} };
	const instance = load(file, { active: true, staticData: saved });
	const node = instance.nodes[trigger.name];
	const { poll } = nodeTypes.getByNameAndVersion(node.type);
	if (!poll) throw new Error(`The node type "${node.type}" is no polling trigger`);
	const data = additionalData(
		createCredentialsHelper(() => options.credentials, options.onRequest),
	);
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
			const kept = isLeased ? instance.getStaticData('node', node) : {};
			const snapshot: IDataObject | undefined = isLeased
				? JSON.parse(JSON.stringify(kept))
				: undefined;
			return await withIsolate(instance, async () => {
				const work = poll.call(contextOf(mode, snapshot));
				const output = await (isLeased ? dropAfter(2 * (budgetMs ?? 0), work) : work);
				if (snapshot && mode !== 'manual') Object.assign(kept, snapshot);
				return output === null ? null : output[0];
			});
		},
		staticData: () => JSON.stringify(instance.staticData),
	};
}
