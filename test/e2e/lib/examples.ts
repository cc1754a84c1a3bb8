import { readFileSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';

import type { INode } from 'n8n-workflow';

import { ROOT } from './paths';
import type { WorkflowDraft } from '../../../tools/n8nEngine/draft';

/**
 * Parameter that makes a polling trigger poll every ten seconds. n8n refuses a poll time that repeats more often
 * than once a minute, so these are six.
 */
export const POLL_OFTEN = {
	pollTimes: {
		item: [0, 10, 20, 30, 40, 50].map((second) => ({
			mode: 'custom',
			cronExpression: `${second} * * * * *`,
		})),
	},
};

/** IDs and names of saved credentials, keyed by credential type. */
export type SavedCredentials = Record<string, { id: string; name: string }>;

const FOLDERS = ['examples', join('examples', 'automation')];

/** Returns the paths of all example workflows, keyed by name. */
function findExamples(): Map<string, string> {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(join(ROOT, folder))
			.filter((file) => file.endsWith('.json'))
			.sort()
			.map((file): [string, string] => [parse(file).name, join(ROOT, folder, file)]),
	);
	return new Map(files);
}

/** Names of all example workflows. Those in examples/ come before those in examples/automation/. */
export const listExamples = (): string[] => [...findExamples().keys()];

/** Returns a node that uses the saved credentials. */
function withCredentials(node: INode, saved: SavedCredentials): INode {
	const used = Object.entries(saved).filter(([type]) => type in (node.credentials ?? {}));
	return { ...node, credentials: Object.fromEntries(used) };
}

/**
 * Reads an example workflow and selects the saved credentials in its nodes.
 *
 * @param change new parameter values, keyed by node name
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
