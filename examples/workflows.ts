import type { INode } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowFile } from '../engine/engine';
import type { Store } from '../sandbox/store/store';
import type { Settings } from './settings';

/** Workflows that the runner runs, in this order. */
const FILES = [
	'list-groups.json',
	'get-message.json',
	'remove-reaction.json',
	'chain.json',
	'onboarding.json',
	'clean-up.json',
	'moderation.json',
];

/** What one should know before a workflow runs, and what happens in the sandbox before it. */
interface Prelude {
	text: string;
	play?(store: Store): void;
}

const PRELUDES: Record<string, Prelude> = {
	'onboarding.json': {
		text: 'Of four people, two go to a group that does not exist yet, and one has no account any more.',
	},
	'moderation.json': {
		text: 'Sam (ext_sam-99) has reacted to several messages, and then left the group.',
		play: (store) => void store.leaveGroup('makers', 'ext_sam-99'),
	},
};

export interface Example {
	file: string;
	workflow: WorkflowFile;
	prelude?: Prelude;
	/** Whether to show the items of every node, and not only those at the end of the workflow */
	inFull: boolean;
}

/** A workflow of this folder as n8n would import it. */
export function readExample(file: string): Example {
	const workflow = JSON.parse(readFileSync(join(__dirname, file), 'utf8'));
	return { file, workflow, prelude: PRELUDES[file], inFull: file === FILES.at(-1) };
}

/** @returns the workflows as they are for the sandbox; for CometChat itself, what the settings allow */
export function selectExamples({ credentials, message, user, remove }: Settings): Example[] {
	if (!credentials) return FILES.map(readExample);
	const set = (file: string, parameters: INode['parameters']) =>
		withParameters(readExample(file), parameters);
	const onBehalfOf = { __rl: true, mode: 'id', value: user ?? '' };
	return [
		set('list-groups.json', { filters: {}, onBehalfOf }),
		...(message ? [set('get-message.json', { messageId: message, onBehalfOf })] : []),
		...(message && remove
			? [set('remove-reaction.json', { messageId: message, reaction: remove, onBehalfOf })]
			: []),
	];
}

function withParameters(example: Example, parameters: INode['parameters']): Example {
	const { workflow } = example;
	const nodes = workflow.nodes.map((node) =>
		node.type.startsWith('n8n-nodes-cometchat.')
			? { ...node, parameters: { ...node.parameters, ...parameters } }
			: node,
	);
	return { ...example, workflow: { ...workflow, nodes } };
}
