import { readFileSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';

import type { INode } from 'n8n-workflow';

import { ROOT } from './paths';
import type { WorkflowDraft } from '../../../tools/n8nEngine/draft';

/** Saved credentials by their type: what a user chooses after an import. */
export type Chosen = Record<string, { id: string; name: string }>;

const FOLDERS = ['examples', join('examples', 'automation')];

/** Paths of all example workflows by their names, which are those of the files. */
function paths(): Map<string, string> {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(join(ROOT, folder))
			.filter((file) => file.endsWith('.json'))
			.sort()
			.map((file): [string, string] => [parse(file).name, join(ROOT, folder, file)]),
	);
	return new Map(files);
}

/** Names of all example workflows, those of examples/ first. */
export const exampleNames = (): string[] => [...paths().keys()];

/** A credential that was not chosen is left for the user to choose. */
function withCredentials(node: INode, chosen: Chosen): INode {
	const types = Object.keys(node.credentials ?? {}).filter((type) => type in chosen);
	return { ...node, credentials: Object.fromEntries(types.map((type) => [type, chosen[type]])) };
}

/**
 * A workflow of examples/ or examples/automation, as it is after an import and the choice of
 * credentials.
 *
 * @param change parameters that differ from those of the file, by the name of the node
 */
export function example(
	name: string,
	chosen: Chosen,
	change: Record<string, INode['parameters']> = {},
): WorkflowDraft {
	const path = paths().get(name);
	if (path === undefined) throw new Error(`No such example: ${name}`);
	const draft = JSON.parse(readFileSync(path, 'utf8')) as WorkflowDraft;
	const changed = draft.nodes.map((node) => ({
		...withCredentials(node, chosen),
		parameters: { ...node.parameters, ...change[node.name] },
	}));
	const { connections, settings, pinData } = draft;
	return { name: draft.name, nodes: changed, connections, settings, pinData };
}
