import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import { loadNode, withIsolate } from './engine';
import { core } from './n8n';

export interface ActivationOptions {
	/** Data of the CometChat credential. Undefined if n8n can't read the credential. */
	credentials: ICredentialDataDecryptedObject | undefined;
	/** Reason why n8n activates the workflow. Defaults to "activate", as when a person first publishes it. */
	activationMode?: WorkflowActivateMode;
	/** The workflow's saved static data. Defaults to none, as in a new workflow. */
	staticData?: string;
	/** Time limit that n8n reports for each poll, in milliseconds. Defaults to n8n's own limit. */
	budgetMs?: number;
	/** True if n8n doesn't report a time limit for polls, as in versions before 2.41. */
	isBudgetUnknown?: boolean;
	/** Called with every request exactly as sent, including the API key. */
	onRequest?: (request: IHttpRequestOptions) => Promise<void> | void;
	/** Called with each information that the trigger writes to n8n's log. */
	onInfo?: (message: string) => void;
	/** Called with each warning that the trigger writes to n8n's log. */
	onWarning?: (message: string) => void;
	/** Called with each error that the trigger writes to n8n's log. */
	onErrorLog?: (message: string) => void;
}

/** An active workflow with a polling trigger, running in a single n8n process. */
export type ActiveTrigger = ReturnType<typeof activateTrigger>;

/**
 * Activates one of the built package's polling triggers with n8n's PollContext. As in n8n, all polls of an
 * activation share one context, and the first of them is the one that n8n awaits while it publishes the workflow.
 * The static data stays in memory between polls and isn't rolled back when a poll fails.
 */
export function activateTrigger(trigger: INode, options: ActivationOptions) {
	const { staticData, activationMode = 'activate', onRequest } = options;
	const saved: IDataObject = JSON.parse(staticData ?? '{}');
	const file = { name: 'Workflow', nodes: [trigger], connections: {} };
	const more = { active: true, staticData: saved };
	const { instance, node, type } = loadNode(file, trigger.name, more);
	const { poll } = type;
	if (!poll) throw new Error(`The node type "${node.type}" is no polling trigger`);
	const data = additionalData(() => options.credentials, onRequest);
	const createContext = (...modes: ['trigger' | 'manual', WorkflowActivateMode]) => {
		const context = new core.PollContext(instance, node, data, ...modes);
		return applyOptions(context, options);
	};
	const activeContext = createContext('trigger', activationMode);
	return {
		/**
		 * Runs a single poll, as n8n does.
		 *
		 * @param mode "manual" for n8n's "Fetch Test Event" button
		 * @returns the items that start the workflow, or null if there are none
		 * @throws the poll's error
		 */
		async poll(mode: 'trigger' | 'manual' = 'trigger') {
			const context = mode === 'manual' ? createContext(mode, mode) : activeContext;
			const output = await withIsolate(instance, async () => await poll.call(context));
			return output?.[0] ?? null;
		},
		/** Returns the static data, serialized as in n8n's database, to pass to another activation. */
		staticData: () => JSON.stringify(instance.staticData),
	};
}

function applyOptions<T extends object>(
	context: T,
	{ isBudgetUnknown, budgetMs, onInfo, onWarning, onErrorLog }: ActivationOptions,
): T {
	if (isBudgetUnknown) Reflect.deleteProperty(context, 'getPollBudgetMs');
	if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
	const ignore = () => {};
	const logger = { info: onInfo ?? ignore, warn: onWarning ?? ignore, error: onErrorLog ?? ignore };
	if (onInfo ?? onWarning ?? onErrorLog)
		Object.defineProperty(context, 'logger', { value: logger });
	return context;
}
