import type { INode, INodeParameters } from 'n8n-workflow';
import { Agent, request } from 'undici';

import {
	activateWebhook,
	type ActiveWebhook,
	type WebhookOptions,
} from '../../tools/n8nEngine/webhook';

export const LOGIN = { username: 'cometchat', password: 'Ahx7otai1Shei3Phoo9w' };

export const APP_ID = '2380119f4c6a5b7d';

/** Creates a trigger that watches the whole app, unless the parameters say otherwise. */
export function webhookNode(
	parameters: INodeParameters = {},
	credentials: string[] = ['cometChatWebhookApi', 'cometChatApi'],
): INode {
	return {
		id: 'a6c3a8c2-7d2b-4c5e-9d54-1f0f3b9f9a11',
		name: 'CometChat Trigger',
		type: 'n8n-nodes-cometchat.cometChatTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: { watch: 'app', ...parameters },
		credentials: Object.fromEntries(credentials.map((type) => [type, { id: '1', name: type }])),
	};
}

const agent = new Agent({ connections: 100 });

const active: ActiveWebhook[] = [];

afterEach(async () => {
	await Promise.all(active.splice(0).map(async (webhook) => await webhook.close()));
});

afterAll(async () => await agent.destroy());

/** Activates a trigger and deactivates it when the test ends. */
export async function activate(
	parameters: INodeParameters = {},
	options: WebhookOptions & { types?: string[]; nodeId?: string } = {},
): Promise<ActiveWebhook> {
	const node = webhookNode(parameters, options.types);
	node.id = options.nodeId ?? node.id;
	const credentials = { cometChatWebhookApi: LOGIN, ...options.credentials };
	const webhook = await activateWebhook(node, { ...options, credentials });
	active.push(webhook);
	return webhook;
}

export function basic({ username, password }: typeof LOGIN): string {
	return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Posts a body with the credential's username and password. */
export async function post(
	{ url }: Pick<ActiveWebhook, 'url'>,
	body: string,
	headers: Record<string, string> = {},
) {
	const response = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: basic(LOGIN), ...headers },
		body,
		dispatcher: agent,
	});
	return {
		status: response.statusCode,
		headers: response.headers,
		text: await response.body.text(),
	};
}

export async function deliver(webhook: ActiveWebhook, envelope: object) {
	return await post(webhook, JSON.stringify(envelope));
}

/** Returns the items from all executions, in the order the executions started. */
export function itemsOf({ executions }: ActiveWebhook) {
	return executions.flatMap(({ items }) => items.map(({ json }) => json));
}

/**
 * Delivers envelopes one after another, waits for the executions, and returns the items from all
 * executions.
 */
export async function itemsFrom(webhook: ActiveWebhook, ...envelopes: object[]) {
	for (const envelope of envelopes) await deliver(webhook, envelope);
	await webhook.idle();
	return itemsOf(webhook);
}

/**
 * Posts an arbitrary body. Checks that the trigger responds with an expected status and that no execution
 * fails.
 */
export async function expectNoCrash(
	webhook: ActiveWebhook,
	body: string,
	headers: Record<string, string> = {},
): Promise<number> {
	const { status, text } = await post(webhook, body, headers);
	expect([200, 400, 422]).toContain(status);
	if (status !== 422) expect(JSON.parse(text)).toEqual({ message: expect.any(String) });
	await webhook.idle();
	expect(webhook.executions.filter(({ error }) => error)).toEqual([]);
	return status;
}
