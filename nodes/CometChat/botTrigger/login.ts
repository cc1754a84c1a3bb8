import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { digest, isEqual } from '../helpers/digest';

/** Username and password that CometChat sends with each message to a bot. */
export interface Login {
	username: string;
	password: string;
}

/** Maximum length of a bot's username and password in CometChat. */
const MAX_LENGTH = 50;

const toHex = (bytes: Uint8Array): string =>
	Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns the HMAC-SHA-256 of a text. `crypto.subtle` is used because n8n forbids imports of node:crypto. */
async function sign(text: string, key: string): Promise<string> {
	const encoder = new TextEncoder();
	const algorithm = { name: 'HMAC', hash: 'SHA-256' };
	const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, [
		'sign',
	]);
	return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text))));
}

/**
 * Derives a bot's login, so that n8n stores no secret. The username depends on n8n's instance, the workflow and
 * the node, and so identifies the node's own bot even after the API key has changed. The password also depends
 * on the API key.
 *
 * @param purpose whether the node made the bot, or took over a bot that had no login
 */
export async function deriveLogin(
	context: IHookFunctions | IWebhookFunctions,
	apiKey: string,
	purpose: 'made' | 'taken',
): Promise<Login> {
	const source = [purpose, context.getInstanceId(), context.getWorkflow().id, context.getNode().id];
	const text = JSON.stringify(source);
	return {
		username: `n8n${toHex(await digest(text)).slice(0, 29)}`,
		password: (await sign(text, apiKey)).slice(0, MAX_LENGTH),
	};
}

/** True for a username that this node, or the same kind of node in another workflow, has derived. */
export const isDerivedUsername = (username: string): boolean => /^n8n[0-9a-f]{29}$/.test(username);

/** Returns the credentials of an `Authorization` header for Basic authentication, in Base64. */
export function encodeLogin({ username, password }: Login): string {
	const bytes = new TextEncoder().encode(`${username}:${password}`);
	return btoa(String.fromCharCode(...bytes));
}

/** Returns the credentials in an `Authorization` header for Basic authentication, or an empty string. */
function readCredentials(header: unknown): string {
	const [, encoded = ''] = /^Basic +([\w+/=-]+) *$/i.exec(String(header)) ?? [];
	return encoded;
}

/** Reads the login in the `Authorization` header of an authorized request. */
export function readLogin(header: unknown): Login {
	const bytes = Uint8Array.from(atob(readCredentials(header)), (char) => char.charCodeAt(0));
	const [username = '', ...parts] = new TextDecoder().decode(bytes).split(':');
	return { username, password: parts.join(':') };
}

/** Fingerprint of a login, which is stored in the workflow instead of the login. */
export type Fingerprint = `${'derived' | 'foreign'}:${string}`;

/** @param apiKey key of the hash for a login that people chose, which could otherwise be guessed */
async function hashEncoded(encoded: string, kind: string, apiKey: string): Promise<Fingerprint> {
	return kind === 'derived'
		? `derived:${toHex(await digest(encoded))}`
		: `foreign:${await sign(encoded, apiKey)}`;
}

/**
 * Computes a login's fingerprint. The fingerprint of a derived login stays valid if the API key changes. The
 * fingerprint of a foreign login is keyed with the API key, because people choose passwords that can be guessed.
 */
export async function computeFingerprint(
	login: Login,
	kind: 'derived' | 'foreign',
	apiKey: string,
): Promise<Fingerprint> {
	return await hashEncoded(encodeLogin(login), kind, apiKey);
}

/** True if a request's `Authorization` header contains the login with this fingerprint. */
export async function isFromBot(
	header: unknown,
	fingerprint: string,
	apiKey: string,
): Promise<boolean> {
	const encoded = readCredentials(header);
	const [kind = ''] = fingerprint.split(':');
	return encoded !== '' && (await isEqual(await hashEncoded(encoded, kind, apiKey), fingerprint));
}
