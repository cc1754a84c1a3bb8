import type { INode } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowFile } from '../engine/engine';
import type { Settings } from './settings';

/** Workflows that the runner runs, in this order. */
const FILES = ['list-groups.json', 'get-message.json', 'remove-reaction.json', 'chain.json'];

export interface Example {
	file: string;
	workflow: WorkflowFile;
}

/** A workflow of this folder as n8n would import it. */
export function readExample(file: string): Example {
	return { file, workflow: JSON.parse(readFileSync(join(__dirname, file), 'utf8')) };
}

/** @returns the workflows as they are for the sandbox; for CometChat itself, what the settings allow */
export function selectExamples({ credentials, message, user, remove }: Settings): Example[] {
	if (!credentials) return FILES.map(readExample);
	const set = (file: string, parameters: INode['parameters']) =>
		withParameters(readExample(file), parameters);
	const onBehalfOf = user ?? '';
	return [
		set('list-groups.json', { filters: {}, onBehalfOf }),
		...(message ? [set('get-message.json', { messageId: message, onBehalfOf })] : []),
		...(message && remove
			? [set('remove-reaction.json', { messageId: message, reaction: remove, onBehalfOf })]
			: []),
	];
}

function withParameters({ file, workflow }: Example, parameters: INode['parameters']): Example {
	const nodes = workflow.nodes.map((node) =>
		node.type.startsWith('n8n-nodes-cometchat.')
			? { ...node, parameters: { ...node.parameters, ...parameters } }
			: node,
	);
	return { file, workflow: { ...workflow, nodes } };
}
