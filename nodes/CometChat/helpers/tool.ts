import type { INode } from 'n8n-workflow';

/** True if an AI agent runs the node as a tool. An AI model sees only output items or an error's message. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}
