import { readFileSync } from 'node:fs';

import type { Resource } from '../../nodes/CometChat/description/types';
import { EVENTS, getEventLabel } from '../../nodes/CometChat/trigger/events';

/**
 * Names of the operations, e.g. "add members" of the action "Add members to group". Lists also have
 * n8n's word for them, "get many".
 */
const operationNames = (resources: Resource[]): string[] =>
	resources
		.flatMap(({ operations }) => operations)
		.flatMap(({ action, response }) => {
			const [name] = action.toLowerCase().split(/ (?:from|of|to) /);
			return 'many' in response ? [name, name.replace(/^list/, 'get many')] : [name];
		});

/**
 * Labels of the CometChat Trigger's events. n8n's node panel merges the trigger into the CometChat
 * node and ignores the trigger's own aliases.
 */
const eventNames = EVENTS.map((event) => getEventLabel(event).toLowerCase());

/**
 * Adds the names of the operations and events to the aliases of a codex file, as JSON. n8n finds a node
 * if an alias contains the typed letters in order, so "ban user from group" also answers "ban user".
 * Shorter aliases rank higher.
 */
export function createCodex(path: string, resources: Resource[]): string {
	const codex: { alias: string[] } = JSON.parse(readFileSync(path, 'utf8'));
	const alias = [...new Set([...codex.alias, ...operationNames(resources), ...eventNames])];
	return JSON.stringify({ ...codex, alias }, undefined, '\t');
}
