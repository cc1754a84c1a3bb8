import { readFileSync } from 'node:fs';

import type { Resource } from '../../nodes/CometChat/description/types';
import { EVENTS, getEventLabel } from '../../nodes/CometChat/trigger/events';

/**
 * Lists the names of all operations, e.g. "add members" for the action "Add members to group". For list
 * operations, also includes "get many", which is n8n's term for listing.
 */
const operationNames = (resources: Resource[]): string[] =>
	resources
		.flatMap(({ operations }) => operations)
		.flatMap(({ action, response }) => {
			const [name] = action.toLowerCase().split(/ (?:from|of|to) /);
			return 'many' in response ? [name, name.replace(/^list/, 'get many')] : [name];
		});

/**
 * Event labels of the CometChat Trigger. In n8n's node panel, the trigger is merged into the CometChat
 * node, and the trigger's own aliases are ignored.
 */
const eventNames = EVENTS.map((event) => getEventLabel(event).toLowerCase());

/**
 * Adds operation and event names to a codex file's aliases, and returns the file's content as JSON. n8n
 * finds a node if an alias contains the search term's letters in order. For example, "ban user" matches
 * "ban user from group". Shorter aliases rank higher.
 */
export function createCodex(path: string, resources: Resource[]): string {
	const codex: { alias: string[] } = JSON.parse(readFileSync(path, 'utf8'));
	const alias = [...new Set([...codex.alias, ...operationNames(resources), ...eventNames])];
	return JSON.stringify({ ...codex, alias }, undefined, '\t');
}
