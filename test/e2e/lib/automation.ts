import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { Client, Execution } from './client';
import { ROOT } from './paths';
import type { WorkflowDraft } from './workflow';

/** Credentials by their type: what a user chooses after an import. */
export type Chosen = Record<string, { id: string; name: string }>;

function withCredentials(node: INode, chosen: Chosen): INode {
	if (!node.credentials) return node;
	const types = Object.keys(node.credentials);
	return { ...node, credentials: Object.fromEntries(types.map((type) => [type, chosen[type]])) };
}

/**
 * A workflow of examples/automation, as it is after an import and the choice of credentials.
 *
 * @param change parameters that differ from those of the file, by the name of the node
 */
export function automation(
	file: string,
	chosen: Chosen,
	change: Record<string, INode['parameters']> = {},
): WorkflowDraft {
	const path = join(ROOT, 'examples', 'automation', `${file}.json`);
	const { name, nodes, connections, settings, pinData } = JSON.parse(
		readFileSync(path, 'utf8'),
	) as WorkflowDraft;
	const changed = nodes.map((node) => ({
		...withCredentials(node, chosen),
		parameters: { ...node.parameters, ...change[node.name] },
	}));
	return { name, nodes: changed, connections, settings, pinData };
}

/** Runs a workflow by hand from one of its triggers to its end. */
export async function runFrom(
	client: Client,
	workflowId: string,
	trigger: string,
): Promise<Execution> {
	const { executionId } = await client.call<{ executionId: string }>(
		'POST',
		`/workflows/${workflowId}/run`,
		{ triggerToStartFrom: { name: trigger } },
	);
	return await client.ended(executionId);
}
