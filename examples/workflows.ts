import type { INode } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowFile } from '../tools/n8nEngine/engine';
import type { Settings } from './settings';

/** Reads a workflow from this folder, e.g. `list-groups.json`, in n8n's export format. */
export function readExample(file: string): WorkflowFile {
	return JSON.parse(readFileSync(join(__dirname, file), 'utf8'));
}

/** Returns the workflows that `npm start` runs against CometChat with the given settings. */
export function selectExamples({ message, user, remove }: Settings): WorkflowFile[] {
	const onBehalfOf = { __rl: true, mode: 'id', value: user ?? '' };
	const get = { messageId: message ?? '', onBehalfOf };
	return [
		withParameters('list-groups.json', { filters: {}, onBehalfOf }),
		...(message ? [withParameters('get-message.json', get)] : []),
		...(message && remove
			? [withParameters('remove-reaction.json', { ...get, reaction: remove })]
			: []),
	];
}

function withParameters(file: string, parameters: INode['parameters']): WorkflowFile {
	const workflow = readExample(file);
	const nodes = workflow.nodes.map((node) =>
		node.type.startsWith('n8n-nodes-cometchat.')
			? { ...node, parameters: { ...node.parameters, ...parameters } }
			: node,
	);
	return { ...workflow, nodes };
}
