import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { ROOT } from './paths';
import type { WorkflowDraft } from './workflow';
import { COMETCHAT } from './workflow';

/** Nodes of this package carry the credential; others may, e.g. HTTP Request, and keep theirs. */
function withCredential(node: INode, credentialId: string): INode {
	if (!node.type.startsWith(COMETCHAT)) return node;
	const cometChatApi = { id: credentialId, name: 'CometChat' };
	return { ...node, credentials: { ...node.credentials, cometChatApi } };
}

/** The workflows in examples/, their credential set to the given one. */
export function exampleWorkflows(credentialId: string): WorkflowDraft[] {
	const folder = join(ROOT, 'examples');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => {
			const { name, nodes, connections, settings, pinData } = JSON.parse(
				readFileSync(join(folder, file), 'utf8'),
			) as WorkflowDraft;
			return {
				name,
				nodes: nodes.map((node) => withCredential(node, credentialId)),
				connections,
				settings: settings ?? { executionOrder: 'v1' },
				...(pinData ? { pinData } : {}),
			};
		});
}
