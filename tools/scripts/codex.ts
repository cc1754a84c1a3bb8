import { readFileSync } from 'node:fs';

import type { Resource } from '../../nodes/CometChat/description/types';
import { EVENTS, getEventLabel } from '../../nodes/CometChat/trigger/events';

/**
 * Phrases that people search the node by. n8n finds a node if an alias contains the typed letters in
 * order, so "ban user from group" also answers "ban user". Shorter aliases rank higher.
 */
const PHRASES = [
	...['Comet Chat', 'chat', 'messaging', 'real time', 'emoji', 'thread', 'mention', 'notification'],
	...['new message', 'direct message', 'private message', 'chat message', 'group chat'],
	...['post message', 'edit message', 'search messages', 'send message to user', 'notify user'],
	...['chat history', 'export chat history messages', 'unread messages', 'push notification'],
	...['user mentioned', 'member joined', 'user joined group', 'welcome message', 'sign up'],
	...['add user to group', 'invite user to group', 'kick', 'ban user from group', 'ban'],
	...['delete reaction', 'who reacted', 'block user'],
	...['moderation queue', 'moderator', 'report a message', 'reported messages'],
	...['blocked messages', 'flagged messages', 'group created'],
	...['ask for approval', 'approval', 'approve', 'human in the loop', 'human', 'wait', 'form'],
];

/**
 * Names of the operations, e.g. "add members" of the action "Add members to group". Lists also have
 * n8n's word for them, "get many".
 */
function operationNames(resources: Resource[]): string[] {
	return resources
		.flatMap(({ operations }) => operations)
		.flatMap(({ action, response }) => {
			const [name] = action.toLowerCase().split(/ (?:from|of|to) /);
			return 'many' in response ? [name, name.replace(/^list/, 'get many')] : [name];
		});
}

/**
 * Labels of the CometChat Trigger's events. n8n's node panel merges the trigger into the CometChat
 * node and ignores the trigger's own aliases.
 */
const eventNames = EVENTS.map((event) => getEventLabel(event).toLowerCase());

/** A codex file, as JSON, whose aliases are the phrases, the operations and the events. */
export function codexText(path: string, resources: Resource[]): string {
	const codex: object = JSON.parse(readFileSync(path, 'utf8'));
	const alias = [...new Set([...PHRASES, ...operationNames(resources), ...eventNames])];
	return JSON.stringify({ ...codex, alias }, undefined, '\t');
}
