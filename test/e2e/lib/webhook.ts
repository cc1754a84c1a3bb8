import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { Chosen } from './examples';
import type { N8n } from './n8n';
import type { WorkflowDraft } from './workflow';
import { COMETCHAT, node } from './workflow';

const WEBHOOK_TRIGGER = `${COMETCHAT}Trigger`;

/** User name and password that the sandbox presents, and n8n asks for. */
export const LOGIN = { username: 'cometchat', password: 'Ahx7otai1Shei3Phoo9w' };

/** The webhook trigger, named "Webhook"; without credentials it lets everybody in. */
export const webhookTrigger = (parameters: INode['parameters'], credentials: Chosen = {}): INode =>
	node({
		name: 'Webhook',
		type: WEBHOOK_TRIGGER,
		webhookId: randomUUID(),
		parameters,
		credentials,
	});

/**
 * The address that the webhook trigger of a workflow has: the one that goes into the dashboard.
 *
 * @param kind of address: "webhook-test" is the one of "Listen for test event"
 */
export function webhookUrl(
	{ url }: N8n,
	{ nodes }: Pick<WorkflowDraft, 'nodes'>,
	kind: 'webhook' | 'webhook-test' = 'webhook',
): string {
	const webhookId = nodes.find(({ type }) => type === WEBHOOK_TRIGGER)?.webhookId;
	if (!webhookId) throw new Error('The workflow has no webhook trigger');
	return `${url}/${kind}/${webhookId}/webhook`;
}
