import type { IDataObject, INode, WorkflowActivateMode } from 'n8n-workflow';

import { activateTrigger, type ActiveTrigger } from './poll';
import {
	pathOf,
	startTriggerProcess,
	type ProcessOptions,
	type TriggerWorkflow,
} from './triggerProcess';
import { nodeTypes } from './types';

/** A published state of a workflow. */
export interface Version {
	id: string;
	nodes: INode[];
}

/** Reasons for which n8n publishes a workflow. */
type Reason = 'publish' | 'startup' | 'takeover' | 'reconcile';

/** State of a workflow's latest publication. */
type Outcome = 'inProgress' | 'completed' | 'partial' | 'failed';

interface TriggerStatus {
	status: 'activated' | 'failed';
	versionId: string;
	error?: string;
}

/** A workflow in n8n's database. */
export interface StoredWorkflow {
	id: string;
	/** Version that somebody has published, or null */
	active: Version | null;
	/** Version whose triggers n8n has set up, or null */
	published: Version | null;
	staticData: IDataObject;
	/** Statuses of the triggers, by node ID */
	statuses: Map<string, TriggerStatus>;
	reason: Reason;
	outcome?: Outcome;
}

/** Parts of n8n that survive a restart. */
export interface Database {
	workflows: Map<string, StoredWorkflow>;
	/** Registered webhooks, by path */
	webhooks: Map<string, { workflowId: string; nodeName: string }>;
}

export const createDatabase = (): Database => ({ workflows: new Map(), webhooks: new Map() });

export interface PublisherOptions extends ProcessOptions {
	database?: Database;
	/** Called before n8n tries to set up a trigger again, with the pause in milliseconds. Doesn't pause by default. */
	pause?: (ms: number) => Promise<void>;
	/** n8n's variable N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS */
	leaseSeconds?: number;
}

export type Publisher = Awaited<ReturnType<typeof startPublisher>>;

const MAX_TRIES = 5;

/** Share of the lease after which n8n ends a publication. */
const DEADLINE = 0.7;

/** n8n sets up a trigger anew only if one of these properties has changed. */
const COMPARED: Array<keyof INode> = [
	'name',
	'type',
	'typeVersion',
	'webhookId',
	'credentials',
	'parameters',
];

const isSameTrigger = (first: INode, second: INode): boolean =>
	COMPARED.every((name) => JSON.stringify(first[name]) === JSON.stringify(second[name]));

/** Returns the parts of a node's type that n8n sets up when it publishes a workflow. */
function findParts({ type, disabled }: INode) {
	const { trigger, poll, webhook, webhookMethods } = nodeTypes.getByNameAndVersion(type);
	const isEnabled = disabled !== true;
	return {
		// A node whose webhook answers only waiting executions counts as a trigger, too
		isTrigger: isEnabled && [trigger, poll, webhook].some((part) => part !== undefined),
		isInMemory: [trigger, poll].some((part) => part !== undefined),
		isPolling: poll !== undefined,
		hasHooks: webhookMethods !== undefined,
	};
}

const listTriggers = (version: Version | null): INode[] =>
	version?.nodes.filter((node) => findParts(node).isTrigger) ?? [];

/**
 * Starts an n8n process that publishes workflows in the same order and with the same contexts as the publication
 * service of n8n 2.x (WorkflowPublicationApplier, WorkflowTriggerActivator, WebhookTriggerRegistrar and
 * WorkflowPublicationReconciler).
 */
export async function startPublisher({
	database = createDatabase(),
	pause = async () => await Promise.resolve(),
	leaseSeconds = 120,
	...options
}: PublisherOptions) {
	const { workflows, webhooks } = database;
	/** Triggers in the memory of this process, by workflow ID and node ID. Undefined for a trigger that doesn't poll. */
	const inMemory = new Map<string, ActiveTrigger | undefined>();

	const n8n = await startTriggerProcess(options, (path) => {
		const { workflowId = '', nodeName } = webhooks.get(path) ?? {};
		const stored = workflows.get(workflowId);
		const node = stored?.published?.nodes.find(({ name }) => name === nodeName);
		if (!stored || !node) return undefined;
		return {
			workflow: toTrigger(stored, stored.published, node),
			staticData: structuredClone(stored.staticData),
		};
	});

	const toTrigger = (
		{ id }: StoredWorkflow,
		version: Version | null,
		node: INode,
	): TriggerWorkflow => ({ id, node, nodes: version?.nodes ?? [node] });

	const toMemoryKey = ({ id }: StoredWorkflow, nodeId: string): string => `${id} ${nodeId}`;

	/** Runs a hook with the workflow's static data, and saves the static data if they have changed, as n8n does. */
	async function withStaticData(
		stored: StoredWorkflow,
		version: Version,
		node: INode,
		run: (loaded: ReturnType<typeof n8n.load>) => Promise<void>,
	): Promise<void> {
		const before = JSON.stringify(stored.staticData);
		const loaded = n8n.load(toTrigger(stored, version, node), structuredClone(stored.staticData));
		await run(loaded).finally(() => {
			const after = JSON.stringify(loaded.instance.staticData);
			if (after !== before) stored.staticData = JSON.parse(after);
		});
	}

	/** Stops triggers of a version. Their webhooks are removed before the nodes' deletion hooks run. */
	async function deactivate(stored: StoredWorkflow, version: Version, nodes: INode[]) {
		for (const node of nodes) {
			webhooks.delete(pathOf(node));
			inMemory.delete(toMemoryKey(stored, node.id));
		}
		for (const node of nodes.filter((each) => findParts(each).hasHooks)) {
			await withStaticData(
				stored,
				version,
				node,
				async (loaded) => await n8n.deleteWebhook(loaded),
			);
		}
	}

	/** Sets up a trigger's webhook with a single try. After a failure, the deletion hook runs, and the webhook goes. */
	async function register(
		stored: StoredWorkflow,
		version: Version,
		node: INode,
		mode: WorkflowActivateMode,
	): Promise<void> {
		await withStaticData(stored, version, node, async (loaded) => {
			webhooks.set(pathOf(node), { workflowId: stored.id, nodeName: node.name });
			try {
				await n8n.createWebhook(loaded, mode);
			} catch (error) {
				await n8n.deleteWebhook(loaded);
				webhooks.delete(pathOf(node));
				throw error;
			}
		});
	}

	const savePollState = (stored: StoredWorkflow, trigger: ActiveTrigger): void => {
		Object.assign(stored.staticData, JSON.parse(trigger.staticData()));
	};

	/** Polls once. n8n saves the trigger's state only if the poll starts the workflow. @throws the poll's error */
	async function pollOnce(
		stored: StoredWorkflow,
		{ id: nodeId }: INode,
		trigger: ActiveTrigger,
	): Promise<void> {
		const items = await trigger.poll();
		if (!items) return;
		n8n.executions.push({ items, isTest: false, nodeId, workflowId: stored.id });
		savePollState(stored, trigger);
	}

	/** Activates a polling trigger, and waits for its first poll. */
	async function startPolling(
		stored: StoredWorkflow,
		node: INode,
		activationMode: WorkflowActivateMode,
	): Promise<void> {
		const trigger = activateTrigger(node, {
			...{ activationMode, staticData: JSON.stringify(stored.staticData) },
			...{ credentials: options.credentials(), onRequest: options.onRequest },
			onErrorLog: (message) => n8n.logs.push(message),
		});
		await pollOnce(stored, node, trigger).finally(() => savePollState(stored, trigger));
		inMemory.set(toMemoryKey(stored, node.id), trigger);
	}

	/** Tries to set up a trigger up to five times. Returns the error's message if that fails. */
	async function activate(
		stored: StoredWorkflow,
		version: Version,
		node: INode,
		mode: WorkflowActivateMode,
		signal: AbortSignal,
	): Promise<string | undefined> {
		const { isInMemory, isPolling, hasHooks } = findParts(node);
		const memoryKey = toMemoryKey(stored, node.id);
		if (isInMemory && !isPolling) inMemory.set(memoryKey, undefined);
		if (!hasHooks && !isPolling) return undefined;
		const setUp = async () =>
			await (isPolling ? startPolling(stored, node, mode) : register(stored, version, node, mode));
		const aborted = new Promise<string>((resolve) => {
			const end = () => resolve('Workflow publication processing exceeded its deadline');
			signal.addEventListener('abort', end, { once: true });
		});
		for (let count = 1; ; count++) {
			const trying = setUp().then(
				() => undefined,
				(error: unknown) => String(Reflect.get(Object(error), 'message')),
			);
			const failure = await Promise.race([trying, aborted]);
			if (failure === undefined || count === MAX_TRIES) return failure;
			const paused = pause(1_000 * 2 ** (count - 1)).then(() => undefined);
			const deadline = await Promise.race([signal.aborted ? aborted : paused, aborted]);
			if (deadline !== undefined) return deadline;
		}
	}

	const chooseMode = ({ reason, published }: StoredWorkflow): WorkflowActivateMode => {
		if (reason === 'publish') return published ? 'update' : 'activate';
		return ({ startup: 'init', takeover: 'leadershipChange', reconcile: 'update' } as const)[
			reason
		];
	};

	/** Returns the triggers of the active version that n8n has to set up, and those of the earlier one to stop. */
	function compareTriggers(stored: StoredWorkflow, active: Version) {
		const earlier = listTriggers(stored.published);
		const desired = listTriggers(active);
		const isUnchanged = (node: INode) =>
			earlier.some((old) => old.id === node.id && isSameTrigger(old, node));
		const isRegistered = (node: INode) => {
			const { isInMemory, hasHooks } = findParts(node);
			return (
				(!isInMemory || inMemory.has(toMemoryKey(stored, node.id))) &&
				(!hasHooks || webhooks.get(pathOf(node))?.workflowId === stored.id)
			);
		};
		const kept = desired.filter(isUnchanged);
		return {
			toAdd: desired.filter((node) => !kept.includes(node) || !isRegistered(node)),
			toRemove: earlier.filter(({ id }) => !kept.some((node) => node.id === id)),
		};
	}

	/** Publishes or unpublishes a workflow, as its record in the database says. */
	async function apply(stored: StoredWorkflow, reason: Reason): Promise<void> {
		Object.assign(stored, { outcome: 'inProgress', reason } satisfies Partial<StoredWorkflow>);
		const { active, published } = stored;
		if (active === null) {
			if (published) await deactivate(stored, published, listTriggers(published));
			Object.assign(stored, { published: null, statuses: new Map(), outcome: 'completed' });
			return;
		}
		const mode = chooseMode(stored);
		const { toAdd, toRemove } = compareTriggers(stored, active);
		if (published) await deactivate(stored, published, toRemove);
		stored.published = active;
		const failures = new Map<string, string>();
		const signal = AbortSignal.timeout(leaseSeconds * 1_000 * DEADLINE);
		await Promise.all(
			toAdd.map(async (node) => {
				const failure = await activate(stored, active, node, mode, signal);
				if (failure !== undefined) failures.set(node.id, failure);
			}),
		);
		const triggers = listTriggers(active);
		stored.statuses = new Map(
			triggers.map(({ id }) => {
				const error = failures.get(id);
				const status = error === undefined ? 'activated' : 'failed';
				return [id, { status, versionId: active.id, error }];
			}),
		);
		const isFailed = failures.size === triggers.length;
		stored.outcome = failures.size === 0 ? 'completed' : isFailed ? 'failed' : 'partial';
	}

	/** True if n8n sets up a workflow's triggers without anybody publishing the workflow. */
	function isDue(stored: StoredWorkflow): boolean {
		const { active, published, statuses, outcome } = stored;
		const isMissing = listTriggers(published).some(
			(node) =>
				findParts(node).isInMemory &&
				statuses.get(node.id)?.status === 'activated' &&
				!inMemory.has(toMemoryKey(stored, node.id)),
		);
		if (isMissing || outcome === 'failed') return isMissing;
		if (active?.id !== published?.id) return true;
		return (
			active !== null &&
			(statuses.size === 0 ||
				[...statuses.values()].some(({ versionId }) => versionId !== active.id))
		);
	}

	/**
	 * Does what n8n does when it starts, when it becomes the leader, and every ten seconds: takes up publications that were
	 * killed, and sets up triggers again that are missing in its memory. Never sets up a trigger again that has failed.
	 */
	async function reconcile(reason: Exclude<Reason, 'publish'>): Promise<void> {
		for (const stored of workflows.values()) {
			if (stored.outcome === 'inProgress') await apply(stored, stored.reason);
			else if (isDue(stored)) await apply(stored, reason);
		}
	}

	function find(id: string): StoredWorkflow {
		const stored = workflows.get(id) ?? {
			...({ id, active: null, published: null, reason: 'publish' } as const),
			...{ staticData: {}, statuses: new Map() },
		};
		workflows.set(id, stored);
		return stored;
	}

	return {
		...n8n,
		find,
		reconcile,
		/**
		 * Publishes a version of a workflow.
		 *
		 * @throws Error with the message that n8n shows if a trigger could not be set up
		 */
		async publish(id: string, version: Version): Promise<void> {
			const stored = find(id);
			stored.active = version;
			await apply(stored, 'publish');
			const failed = [...stored.statuses.values()].find(({ status }) => status === 'failed');
			if (failed) throw new Error(failed.error);
		},
		async unpublish(id: string): Promise<void> {
			const stored = find(id);
			if (stored.active === null) return;
			stored.active = null;
			await apply(stored, 'publish');
		},
		/** Runs a scheduled poll of each polling trigger of a workflow. Returns the messages of the errors. */
		async poll(id: string): Promise<string[]> {
			const stored = find(id);
			const errors: string[] = [];
			for (const node of listTriggers(stored.published)) {
				const trigger = inMemory.get(toMemoryKey(stored, node.id));
				const polling = trigger && pollOnce(stored, node, trigger);
				await polling?.catch((error: unknown) => errors.push(String(error)));
			}
			return errors;
		},
		/** Forgets the triggers in memory, as a process does that is no longer the leader. */
		loseLeadership(): void {
			inMemory.clear();
		},
		/** Returns the paths of the webhooks that n8n listens for. */
		listPaths: () => [...webhooks.keys(), ...n8n.listStepPaths()],
	};
}
