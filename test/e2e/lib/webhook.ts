import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { Client } from './client';
import type { SavedCredentials } from './examples';
import type { N8n } from './n8n';
import { COMETCHAT, node, type WorkflowDraft } from '../../../tools/n8nEngine/draft';

const WEBHOOK_TRIGGER = `${COMETCHAT}Trigger`;

/** User name and password that the sandbox presents, and n8n asks for. */
export const LOGIN = { username: 'cometchat', password: 'Ahx7otai1Shei3Phoo9w' };

/** Saves LOGIN as a credential, for the webhook trigger to choose. */
export async function addLogin(client: Client): Promise<SavedCredentials> {
	const id = await client.addCredential('Webhook', 'cometChatWebhookApi', LOGIN);
	return { cometChatWebhookApi: { id, name: 'Webhook' } };
}

/** The webhook trigger, named "Webhook"; without credentials it lets everybody in. */
export const webhookTrigger = (
	parameters: INode['parameters'],
	credentials: SavedCredentials = {},
): INode =>
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
	{ url }: Pick<N8n, 'url'>,
	{ nodes }: Pick<WorkflowDraft, 'nodes'>,
	kind: 'webhook' | 'webhook-test' = 'webhook',
): string {
	const webhookId = nodes.find(({ type }) => type === WEBHOOK_TRIGGER)?.webhookId;
	if (!webhookId) throw new Error('The workflow has no webhook trigger');
	return `${url}/${kind}/${webhookId}/webhook`;
}

/** A published workflow that starts with the webhook trigger. */
export interface Published {
	id: string;
	/** Where events are delivered to */
	url: string;
}

/**
 * Saves a workflow with a webhook trigger, and publishes it.
 *
 * @param receiver process of n8n that takes the calls
 */
export async function publishWebhook(
	client: Client,
	receiver: Pick<N8n, 'url'>,
	draft: WorkflowDraft,
): Promise<Published> {
	const id = await client.addWorkflow(draft);
	await client.publish(id);
	return { id, url: webhookUrl(receiver, draft) };
}
