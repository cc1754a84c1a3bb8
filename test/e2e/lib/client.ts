import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { E2E } from './paths';
import { until } from './processes';
import type { WorkflowDraft } from '../../../tools/n8nEngine/draft';

/** Account of the tests and of `npm run editor`. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Mira',
	lastName: 'Halden',
	password: 'Lantern-works-1',
};

/** Run data of one node. */
export interface NodeRun {
	executionStatus?: string;
	/** Milliseconds */
	executionTime: number;
	error?: { message: string; description?: string; [key: string]: unknown };
	data?: Record<string, Array<INodeExecutionData[] | null>>;
}

/** An execution as n8n stores it. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	startedAt: string;
	stoppedAt: string;
	/** Everything that n8n stored about the execution, as text */
	stored: string;
	/** Runs of each node, in order */
	runs: Record<string, NodeRun[]>;
	error?: { message: string };
	/** Returns the items of a node, by default of its first output and first run */
	items(node: string, output?: number): INodeExecutionData[];
}

interface ExecutionRow extends Omit<Execution, 'stored' | 'runs' | 'error' | 'items'> {
	data: string;
}

/** An entry of n8n's list of executions. */
export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
}

interface RunData {
	resultData: { runData: Record<string, NodeRun[]>; error?: { message: string } };
}

export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

const flatted = createRequire(join(E2E, 'package.json'))('flatted') as {
	parse(text: string): RunData | undefined;
};

const FINAL = ['success', 'error', 'crashed', 'canceled'];

/** Client for the REST API that n8n's editor uses. */
export class Client {
	private cookie = '';

	constructor(readonly url: string) {}

	/** @throws Error with n8n's response for any status other than success */
	async call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				// n8n binds a session to the browser ID
				'browser-id': 'end-to-end',
				...(this.cookie ? { cookie: this.cookie } : {}),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
		const cookie = /n8n-auth=[^;]+/.exec(answer.headers.getSetCookie().join(' '));
		if (cookie) this.cookie = cookie[0];
		const parsed: unknown = JSON.parse(text);
		const isEnvelope = typeof parsed === 'object' && parsed !== null && 'data' in parsed;
		return (isEnvelope ? parsed.data : parsed) as T;
	}

	/** Creates the owner account, or signs in if the account exists. */
	async signIn(): Promise<void> {
		const { email, password } = OWNER;
		const settings = await this.call<{
			userManagement: { showSetupOnFirstLoad: boolean };
		}>('GET', '/settings');
		if (settings.userManagement.showSetupOnFirstLoad) {
			await this.call('POST', '/owner/setup', OWNER);
		} else {
			await this.call('POST', '/login', { emailOrLdapLoginId: email, password });
		}
	}

	/** @returns its id */
	async addCredential(name: string, type: string, data: IDataObject): Promise<string> {
		const { id } = await this.call<{ id: string }>('POST', '/credentials', { name, type, data });
		return id;
	}

	async credentials(): Promise<Array<{ id: string; name: string; type: string }>> {
		return await this.call('GET', '/credentials');
	}

	/** Tests credential data without saving it. */
	async testCredential(type: string, data: IDataObject): Promise<CredentialTest> {
		const credentials = { id: '', name: 'Tested', type, data };
		return await this.call('POST', '/credentials/test', { credentials });
	}

	async addWorkflow(draft: WorkflowDraft): Promise<string> {
		return (await this.call<{ id: string }>('POST', '/workflows', draft)).id;
	}

	/** Returns the stored workflow as text. */
	async savedWorkflow(id: string): Promise<string> {
		return JSON.stringify(await this.call('GET', `/workflows/${id}`));
	}

	async workflows(): Promise<Array<{ id: string; name: string }>> {
		return await this.call('GET', '/workflows');
	}

	/** Publishes a workflow and waits until it is active. */
	async publish(id: string): Promise<void> {
		const { versionId } = await this.call<{ versionId: string }>('GET', `/workflows/${id}`);
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
		await until('The publication of the workflow', async () => {
			const { status } = await this.call<{ status: string }>(
				'GET',
				`/workflows/${id}/publication-status`,
			);
			return status === 'published' ? true : undefined;
		});
	}

	async unpublish(id: string): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`, {});
	}

	/** Runs a workflow manually from a trigger and waits for the end. */
	async runFrom(workflowId: string, trigger: string, timeoutMs?: number): Promise<Execution> {
		return await this.ended(await this.start(workflowId, trigger), timeoutMs);
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

	/** Saves a workflow and runs it from its Manual Trigger. */
	async runDraft(draft: WorkflowDraft, timeoutMs?: number): Promise<Execution> {
		return await this.runFrom(await this.addWorkflow(draft), 'Manual', timeoutMs);
	}

	/** Waits until an execution has ended. */
	async ended(executionId: string, timeoutMs = 60_000): Promise<Execution> {
		return await until(
			'The end of the execution',
			async () => {
				const execution = await this.execution(executionId);
				return FINAL.includes(execution.status) ? execution : undefined;
			},
			timeoutMs,
		);
	}

	async execution(executionId: string): Promise<Execution> {
		const row = await this.call<ExecutionRow>('GET', `/executions/${executionId}`);
		// A running execution may have no data yet
		const { resultData } = flatted.parse(row.data) ?? { resultData: { runData: {} } };
		return {
			...row,
			stored: row.data,
			runs: resultData.runData,
			error: resultData.error,
			items: (node, output = 0) => resultData.runData[node]?.[0]?.data?.main?.[output] ?? [],
		};
	}

	/** Returns up to 100 executions of a workflow, newest first. */
	async executions(workflowId: string, limit = 100): Promise<ExecutionSummary[]> {
		const query = new URLSearchParams({
			filter: JSON.stringify({ workflowId }),
			limit: String(limit),
		});
		const { results } = await this.call<{ results: ExecutionSummary[] }>(
			'GET',
			`/executions?${query}`,
		);
		return results;
	}
}
