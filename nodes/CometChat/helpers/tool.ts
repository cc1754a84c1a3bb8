import type { INode } from 'n8n-workflow';

/** True if the node is a tool of an AI agent. The agent's model then sees only output items or an error's message. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}
