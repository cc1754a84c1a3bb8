import { readFileSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';

import type { INode } from 'n8n-workflow';

import { ROOT } from './paths';
import type { WorkflowDraft } from '../../../tools/n8nEngine/draft';

/** Saved credentials by type. */
export type SavedCredentials = Record<string, { id: string; name: string }>;

const FOLDERS = ['examples', join('examples', 'automation')];

/** Paths of all example workflows by file name. */
function findExamples(): Map<string, string> {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(join(ROOT, folder))
			.filter((file) => file.endsWith('.json'))
			.sort()
			.map((file): [string, string] => [parse(file).name, join(ROOT, folder, file)]),
	);
	return new Map(files);
}

/** Names of all example workflows, first from examples/, then from examples/automation/. */
export const listExamples = (): string[] => [...findExamples().keys()];

/** Selects saved credentials in a node. */
function withCredentials(node: INode, saved: SavedCredentials): INode {
	const types = Object.keys(node.credentials ?? {}).filter((type) => type in saved);
	return { ...node, credentials: Object.fromEntries(types.map((type) => [type, saved[type]])) };
}

/**
 * Reads an example workflow and selects its credentials.
 *
 * @param change new parameter values by node name
 */
export function loadExample(
	name: string,
	saved: SavedCredentials,
	change: Record<string, INode['parameters']> = {},
): WorkflowDraft {
	const path = findExamples().get(name);
	if (path === undefined) throw new Error(`No such example: ${name}`);
	const draft = JSON.parse(readFileSync(path, 'utf8')) as WorkflowDraft;
	const changed = draft.nodes.map((node) => ({
		...withCredentials(node, saved),
		parameters: { ...node.parameters, ...change[node.name] },
	}));
	const { connections, settings, pinData } = draft;
	return { name: draft.name, nodes: changed, connections, settings, pinData };
}
