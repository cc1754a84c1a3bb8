import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { Client } from './client';
import type { SavedCredentials } from './examples';
import type { N8n } from './n8n';
import { COMETCHAT, node, type WorkflowDraft } from '../../../tools/n8nEngine/draft';

const WEBHOOK_TRIGGER = `${COMETCHAT}Trigger`;

/** Username and password that webhook deliveries use. */
export const LOGIN = { username: 'cometchat', password: 'Ahx7otai1Shei3Phoo9w' };

/** Saves LOGIN as a credential for the webhook trigger. */
export async function addLogin(client: Client): Promise<SavedCredentials> {
	const id = await client.addCredential('Webhook', 'cometChatWebhookApi', LOGIN);
	return { cometChatWebhookApi: { id, name: 'Webhook' } };
}

/** A CometChat webhook trigger named "Webhook" that watches the whole app. */
export const webhookTrigger = (
	parameters: INode['parameters'],
	credentials: SavedCredentials,
): INode =>
	node({
		name: 'Webhook',
		type: WEBHOOK_TRIGGER,
		webhookId: randomUUID(),
		parameters: { watch: 'app', ...parameters },
		credentials,
	});

/**
 * Returns the URL of a workflow's webhook trigger.
 *
 * @param kind "webhook" for the production URL or "webhook-test" for the test URL
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

/**
 * Saves and publishes a workflow with a webhook trigger.
 *
 * @param receiver n8n process that receives the deliveries
 * @returns the workflow's ID and the trigger's production URL
 */
export async function publishWebhook(
	client: Client,
	receiver: Pick<N8n, 'url'>,
	draft: WorkflowDraft,
): Promise<{ id: string; url: string }> {
	const id = await client.addWorkflow(draft);
	await client.publish(id);
	return { id, url: webhookUrl(receiver, draft) };
}
