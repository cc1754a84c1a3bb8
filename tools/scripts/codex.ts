import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Resource } from '../../nodes/CometChat/types';
import { pollingEventOptions } from '../../nodes/CometChat/pollingTrigger/properties';
import { EVENTS, getEventLabel } from '../../nodes/CometChat/webhookTrigger/events';
import { ROOT } from './markdown';

/**
 * Lists the search terms of all operations: labels, actions, and short forms such as "add members" for the
 * action "Add members to group". For list operations, also includes "get many", which is n8n's term for
 * listing.
 */
const operationTerms = (resources: Resource[]): string[] =>
	resources
		.flatMap(({ operations }) => operations)
		.flatMap(({ name, action, response }) => {
			const short = action.replace(/ (?:from|of|to) .*/, '');
			const getMany = 'many' in response ? [short.replace(/^List/, 'Get many')] : [];
			return [short, ...getMany, action, name];
		})
		// A single word such as "get" would also find the node among n8n's own nodes
		.filter((term) => term.includes(' '));

/** Search terms of the triggers' events, keyed by the trigger's class. */
const TRIGGER_TERMS: Record<string, string[]> = {
	CometChatTrigger: EVENTS.map(getEventLabel),
	CometChatPollingTrigger: pollingEventOptions.map(({ name }) => name),
	CometChatBotTrigger: [],
};

/** Returns the path of a node's codex file, relative to the repository. */
export const getCodexPath = (node: string): string => `nodes/CometChat/${node}.node.json`;

const readCodex = (node: string): { alias: string[] } =>
	JSON.parse(readFileSync(join(ROOT, getCodexPath(node)), 'utf8'));

/**
 * Returns the search terms that the codex files must contain, keyed by the node's class. In n8n's node panel,
 * the CometChat Trigger is merged into the CometChat node, and the trigger's own aliases are ignored. So the
 * action node has the aliases of all triggers.
 */
export const listSearchTerms = (resources: Resource[]): Record<string, string[]> => ({
	CometChat: [
		...operationTerms(resources),
		...Object.keys(TRIGGER_TERMS).flatMap((trigger) => readCodex(trigger).alias),
		...Object.values(TRIGGER_TERMS).flat(),
	],
	...TRIGGER_TERMS,
});

/**
 * Adds search terms to a codex file's aliases, and returns the file's content as JSON. n8n finds a node if an
 * alias contains the search term's letters in order. For example, "ban user" matches "ban user from group".
 * Shorter aliases rank higher.
 */
export function createCodex(node: string, terms: string[]): string {
	const codex = readCodex(node);
	const known = new Set(codex.alias.map((alias) => alias.toLowerCase()));
	const added = new Set(terms.map((term) => term.toLowerCase()).filter((term) => !known.has(term)));
	const alias = [...codex.alias, ...added];
	return JSON.stringify({ ...codex, alias }, undefined, '\t');
}
