import { readFileSync } from 'node:fs';

import type { Resource } from '../../nodes/CometChat/description/types';

/**
 * The words that n8n's search finds the node by: those given, and what each operation is called, e.g. "add members" of "Add
 * members to group". n8n's own word for a list is "get many".
 */
function withOperations(aliases: string[], resources: Resource[]): string[] {
	const words = resources
		.flatMap(({ operations }) => operations)
		.flatMap(({ action = '', response }) => {
			const [name] = action.toLowerCase().split(/ (?:from|of|to) /);
			return 'many' in response ? [name, name.replace(/^list/, 'get many')] : [name];
		});
	return [...new Set([...aliases, ...words])];
}

/** A codex file, as JSON, with the words for these resources among its aliases. */
export function codexText(path: string, resources: Resource[]): string {
	const codex: { alias: string[] } = JSON.parse(readFileSync(path, 'utf8'));
	const alias = withOperations(codex.alias, resources);
	return JSON.stringify({ ...codex, alias }, undefined, '\t');
}
