import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { computeSha256Bytes } from '../helpers/digest';
import type { Login } from '../sharedByTriggers/basicAuth';

/** Maximum length of a bot's username and password in CometChat. */
const MAX_LENGTH = 50;

const PREFIX = 'n8n';

/** Number of hexadecimal digits in a username for the n8n instance, the workflow, and the node with its bot. */
const DIGITS = { instance: 12, workflow: 15, node: 18 };

const toHex = (bytes: Uint8Array): string =>
	Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Returns a text's HMAC-SHA-256 in hexadecimal. Uses `crypto.subtle`, because n8n forbids imports of
 * node:crypto.
 */
async function sign(text: string, key: string): Promise<string> {
	const encoder = new TextEncoder();
	const algorithm = { name: 'HMAC', hash: 'SHA-256' };
	const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, [
		'sign',
	]);
	return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text))));
}

/**
 * Derives the login of a node's bot, so that n8n stores no secret. The password depends on the API key. The username
 * doesn't, so it still identifies the node's bot after the key changes.
 *
 * @param botId UID of the bot in lower case
 */
export async function deriveBotLogin(
	context: IHookFunctions | IWebhookFunctions,
	apiKey: string,
	botId: string,
): Promise<Login> {
	const instance = [context.getInstanceId()];
	const workflow = [...instance, context.getWorkflow().id];
	const node = [...workflow, context.getNode().id, botId];
	const sources = { instance, workflow, node };
	const parts = Object.entries(DIGITS).map(async ([name, count]) => {
		const source = sources[name as keyof typeof sources];
		return toHex(await computeSha256Bytes(JSON.stringify(source))).slice(0, count);
	});
	return {
		username: [PREFIX, ...(await Promise.all(parts))].join(''),
		password: (await sign(JSON.stringify(node), apiKey)).slice(0, MAX_LENGTH),
	};
}

/** Owner of a bot, according to the bot's username. */
export type BotOwnerRelativeToNode =
	'thisNode' | 'thisWorkflow' | 'thisN8n' | 'otherN8n' | 'somebody';

/**
 * Returns a bot's owner, according to the bot's username.
 *
 * @param own username that the node derives for its own bot
 */
export function classifyBotOwner(username: string, own: string): BotOwnerRelativeToNode {
	const workflowEnd = PREFIX.length + DIGITS.instance + DIGITS.workflow;
	if (username === own) return 'thisNode';
	if (username.length !== own.length || !/^n8n[0-9a-f]+$/.test(username)) return 'somebody';
	if (username.startsWith(own.slice(0, workflowEnd))) return 'thisWorkflow';
	return username.startsWith(own.slice(0, PREFIX.length + DIGITS.instance))
		? 'thisN8n'
		: 'otherN8n';
}
