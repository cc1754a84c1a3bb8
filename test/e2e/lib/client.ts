import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { E2E } from './paths';
import { until } from './processes';
import type { WorkflowDraft } from '../../../tools/n8nEngine/draft';

/** The account that the tests and the editor use. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Mira',
	lastName: 'Halden',
	password: 'Lantern-works-1',
};

/** What n8n notes about one run of one node. */
export interface NodeRun {
	executionStatus?: string;
	/** Milliseconds */
	executionTime: number;
	error?: { message: string; description?: string; [key: string]: unknown };
	data?: Record<string, Array<INodeExecutionData[] | null>>;
}

/** One execution, as n8n keeps it. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	startedAt: string;
	stoppedAt: string;
	/** Everything that n8n stored about it, as text */
	stored: string;
	/** Runs of each node, in order */
	runs: Record<string, NodeRun[]>;
	error?: { message: string };
	/** Items that a node gave, first output and first run unless told otherwise */
	items(node: string, output?: number): INodeExecutionData[];
}

interface ExecutionRow extends Omit<Execution, 'stored' | 'runs' | 'error' | 'items'> {
	data: string;
}

/** One line of n8n's list of executions. */
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

/** n8n's own REST interface, as its editor uses it. */
export class Client {
	private cookie = '';

	constructor(readonly url: string) {}

	/** @throws Error with n8n's words for any status other than success */
	async call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				// n8n ties a session to the browser that opened it
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

	/** Makes the owner of a new n8n, or signs in where there is one. */
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

	/** Presses "Test" on values that are not saved. */
	async testCredential(type: string, data: IDataObject): Promise<CredentialTest> {
		const credentials = { id: '', name: 'Tested', type, data };
		return await this.call('POST', '/credentials/test', { credentials });
	}

	async addWorkflow(draft: WorkflowDraft): Promise<string> {
		return (await this.call<{ id: string }>('POST', '/workflows', draft)).id;
	}

	/** The workflow as n8n keeps it, as text. */
	async savedWorkflow(id: string): Promise<string> {
		return JSON.stringify(await this.call('GET', `/workflows/${id}`));
	}

	async workflows(): Promise<Array<{ id: string; name: string }>> {
		return await this.call('GET', '/workflows');
	}

	/** Publishes a workflow, and waits until it is active. */
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

	/** Runs a workflow by hand from one of its triggers to its end. */
	async runFrom(workflowId: string, trigger: string, timeoutMs?: number): Promise<Execution> {
		return await this.ended(await this.start(workflowId, trigger), timeoutMs);
	}

	/** Starts a workflow by hand from one of its triggers, and gives the ID of the execution. */
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
		// While it runs there may be nothing yet
		const { resultData } = flatted.parse(row.data) ?? { resultData: { runData: {} } };
		return {
			...row,
			stored: row.data,
			runs: resultData.runData,
			error: resultData.error,
			items: (node, output = 0) => resultData.runData[node]?.[0]?.data?.main?.[output] ?? [],
		};
	}

	/** The newest executions of a workflow, newest first; at most 100. */
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
