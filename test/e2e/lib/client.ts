import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { E2E } from './paths';
import { waitFor } from './processes';
import type { WorkflowDraft } from '../../../tools/n8nEngine/draft';

/** n8n owner account that the tests and `npm run editor` use. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Mira',
	lastName: 'Halden',
	password: 'Lantern-works-1',
};

/** An entry in n8n's execution list. */
export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: string;
	mode: string;
	/** ISO 8601 time */
	startedAt: string;
	/** ISO 8601 time. Null or missing while the execution runs or waits. */
	stoppedAt: string;
}

/** An execution with its run data. */
export interface Execution extends ExecutionSummary {
	/** All data that n8n stored about the execution, as a string */
	stored: string;
	error?: { message: string };
	/** Returns the items from a node's first run, by default from its first output */
	items(node: string, output?: number): INodeExecutionData[];
}

/** State of a workflow's publication. */
interface Publication {
	status: string;
	triggers: Array<{ errorMessage: string | null }>;
}

interface NodeRun {
	data?: Record<string, Array<INodeExecutionData[] | null>>;
}

interface RunData {
	resultData: { runData: Record<string, NodeRun[]>; error?: { message: string } };
}

/** Library that n8n uses to serialize run data. */
const flatted = createRequire(join(E2E, 'package.json'))('flatted') as {
	parse(text: string): RunData | undefined;
};

/** Statuses of executions that have ended. */
export const FINAL = ['success', 'error', 'crashed', 'canceled'];

/** Client for the internal REST API of n8n's editor. */
export class Client {
	private cookie = '';

	constructor(readonly url: string) {}

	/**
	 * Sends a request and returns the `data` property of the response.
	 *
	 * @throws Error with n8n's response if the status isn't 2xx
	 */
	async call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				// n8n closes idle connections, which a busy test notices too late
				connection: 'close',
				// n8n ties a session to the browser ID used at sign-in
				'browser-id': 'end-to-end',
				...(this.cookie ? { cookie: this.cookie } : {}),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await answer.text();
		// While n8n evaluates expressions of thousands of items, it fails to check its database. It refuses all
		// calls until the next check.
		if (answer.status === 503 && text.includes('Database is not ready')) {
			await wait(1_000);
			return await this.call(method, path, body);
		}
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
		const cookie = /n8n-auth=[^;]+/.exec(answer.headers.getSetCookie().join(' '));
		if (cookie) this.cookie = cookie[0];
		const parsed: unknown = JSON.parse(text);
		const isEnvelope = typeof parsed === 'object' && parsed !== null && 'data' in parsed;
		return (isEnvelope ? parsed.data : parsed) as T;
	}

	/** Creates the owner account, or signs in if the account already exists. */
	async signIn(): Promise<void> {
		const { email, password } = OWNER;
		type Settings = { userManagement: { showSetupOnFirstLoad: boolean } };
		const { userManagement } = await this.call<Settings>('GET', '/settings');
		if (userManagement.showSetupOnFirstLoad) await this.call('POST', '/owner/setup', OWNER);
		else await this.call('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/** Saves a credential and returns its ID. */
	async addCredential(name: string, type: string, data: IDataObject): Promise<string> {
		const { id } = await this.call<{ id: string }>('POST', '/credentials', { name, type, data });
		return id;
	}

	/** Replaces a credential's data. */
	async changeCredential(id: string, type: string, data: IDataObject): Promise<void> {
		await this.call('PATCH', `/credentials/${id}`, { name: type, type, data });
	}

	async listCredentials(): Promise<Array<{ id: string; name: string; type: string }>> {
		return await this.call('GET', '/credentials');
	}

	/** Saves a workflow and returns its ID. */
	async addWorkflow(draft: WorkflowDraft): Promise<string> {
		return (await this.call<{ id: string }>('POST', '/workflows', draft)).id;
	}

	/** Replaces a saved workflow, without publishing the change. */
	async changeWorkflow(id: string, draft: WorkflowDraft): Promise<void> {
		const { versionId } = await this.call<{ versionId: string }>('GET', `/workflows/${id}`);
		await this.call('PATCH', `/workflows/${id}`, { ...draft, versionId });
	}

	/** Returns the stored workflow as a JSON string. */
	async getWorkflowText(id: string): Promise<string> {
		return JSON.stringify(await this.call('GET', `/workflows/${id}`));
	}

	async listWorkflows(): Promise<Array<{ id: string; name: string }>> {
		return await this.call('GET', '/workflows');
	}

	/**
	 * Publishes a workflow and waits until n8n has activated it.
	 *
	 * @throws Error with the messages that n8n shows, if a trigger fails
	 */
	async publish(id: string, timeoutMs?: number): Promise<void> {
		const { versionId } = await this.call<{ versionId: string }>('GET', `/workflows/${id}`);
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
		const path = `/workflows/${id}/publication-status`;
		const { status, triggers } = await waitFor(
			'The publication of the workflow',
			async () => {
				const publication = await this.call<Publication>('GET', path);
				return ['published', 'partial', 'failed'].includes(publication.status) && publication;
			},
			timeoutMs,
		);
		if (status === 'published') return;
		throw new Error(triggers.flatMap(({ errorMessage }) => errorMessage ?? []).join('; '));
	}

	async unpublish(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`, {});
	}

	/** Starts a workflow manually from a trigger, and waits for the execution to end. */
	async runFrom(workflowId: string, trigger: string, timeoutMs?: number): Promise<Execution> {
		return await this.waitForEnd(await this.start(workflowId, trigger), timeoutMs);
	}

	/** Starts a workflow manually from a trigger and returns the execution ID. */
	async start(workflowId: string, trigger: string): Promise<string> {
		const { executionId } = await this.call<{ executionId: string }>(
			'POST',
			`/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name: trigger } },
		);
		return executionId;
	}

	/** Saves a workflow, runs it from its Manual Trigger, and waits for the execution to end. */
	async runDraft(draft: WorkflowDraft): Promise<Execution> {
		return await this.runFrom(await this.addWorkflow(draft), 'Manual');
	}

	/** Waits for an execution to end. */
	async waitForEnd(executionId: string, timeoutMs = 60_000): Promise<Execution> {
		return await waitFor(
			'The end of the execution',
			async () => {
				const execution = await this.getExecution(executionId);
				return FINAL.includes(execution.status) && execution;
			},
			timeoutMs,
		);
	}

	/** Waits until a workflow has enough successful executions, and returns them, oldest first. */
	async waitForSuccess(
		workflowId: string,
		count: number,
		timeoutMs?: number,
	): Promise<Execution[]> {
		const succeeded = await waitFor(
			`Execution number ${count}`,
			async () => {
				const all = await this.listExecutions(workflowId);
				const list = all.filter(({ status }) => status === 'success');
				return list.length >= count && list.reverse();
			},
			timeoutMs,
		);
		return await Promise.all(succeeded.map(({ id }) => this.getExecution(id)));
	}

	/** Waits until one of the workflow's executions has the status "waiting", and returns its ID. */
	async waitForQuestion(workflowId: string): Promise<string> {
		return await waitFor('The question', async () => {
			const executions = await this.listExecutions(workflowId);
			return executions.find(({ status }) => status === 'waiting')?.id;
		});
	}

	async getExecution(executionId: string): Promise<Execution> {
		const path = `/executions/${executionId}`;
		const row = await this.call<ExecutionSummary & { data: string }>('GET', path);
		// An execution that's still running may have no data yet
		const { resultData } = flatted.parse(row.data) ?? { resultData: { runData: {} } };
		return {
			...row,
			stored: row.data,
			error: resultData.error,
			items: (node, output = 0) => resultData.runData[node]?.[0]?.data?.main?.[output] ?? [],
		};
	}

	/** Returns a workflow's most recent executions, newest first. */
	async listExecutions(workflowId: string, limit = 100): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const path = `/executions?limit=${limit}&filter=${filter}`;
		return (await this.call<{ results: ExecutionSummary[] }>('GET', path)).results;
	}
}
