import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
	IWebhookFunctions,
} from 'n8n-workflow';

import { DISPLAY_NAME } from '../../../credentials/CometChatWebhookApi.credentials';
import { digest } from './digest';

const WEBHOOK_CREDENTIAL = 'cometChatWebhookApi';

/** Credential fields, with the maximum lengths that CometChat's dashboard accepts. */
const FIELDS = [
	{ name: 'username', label: 'Username', maxLength: 50 },
	{ name: 'password', label: 'Password', maxLength: 100 },
];

/** Trims white space that people paste by accident. */
function trimValue(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/**
 * Compares the digests of two strings in constant time, so that response times reveal nothing about the
 * expected value.
 */
async function isEqual(...texts: [string, string]): Promise<boolean> {
	const [first, second] = await Promise.all([digest(texts[0]), digest(texts[1])]);
	return !first.reduce((difference, byte, index) => difference | (byte ^ (second[index] ?? 0)), 0);
}

/**
 * True if a request's `Authorization` header matches the credential's username and password.
 *
 * @param header the request's `Authorization` header
 * @returns false if the credential has no username or no password
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
async function hasCredentials(
	header: unknown,
	credentials: ICredentialDataDecryptedObject,
): Promise<boolean> {
	const [, sent = ''] = /^Basic +([\w+/=-]+) *$/i.exec(String(header)) ?? [];
	const [username, password] = [credentials.username, credentials.password].map(trimValue);
	const bytes = new TextEncoder().encode(`${username}:${password}`);
	const isExpected = await isEqual(sent, btoa(String.fromCharCode(...bytes)));
	return isExpected && username !== '' && password !== '';
}

/** True if the caller may start the workflow. If the node has no credential, any caller may. */
export async function isAuthorizedCaller(context: IWebhookFunctions): Promise<boolean> {
	if (context.getNode().credentials?.[WEBHOOK_CREDENTIAL] === undefined) return true;
	let credentials: ICredentialDataDecryptedObject;
	try {
		credentials = await context.getCredentials(WEBHOOK_CREDENTIAL);
	} catch (error) {
		// The credential may have been deleted. Throwing would create a failed execution for every request
		context.logger.error(`The ${DISPLAY_NAME} credential cannot be read`, { error });
		return false;
	}
	return await hasCredentials(context.getHeaderData().authorization, credentials);
}

/**
 * Checks that the username and password meet the requirements of CometChat's dashboard. Sends no request,
 * because only CometChat uses this login.
 */
export async function cometChatWebhookTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	for (const { name, label, maxLength } of FIELDS) {
		const text = trimValue(data[name]);
		if (text === '') return { status: 'Error', message: `'${label}' is empty` };
		if (!/^[a-z0-9]+$/i.test(text) || text.length > maxLength) {
			return {
				status: 'Error',
				message: `CometChat's dashboard accepts only letters and digits in '${label}', at most ${maxLength}`,
			};
		}
	}
	return Promise.resolve({
		status: 'OK',
		message: 'Enter the same username and password in the CometChat dashboard',
	});
}
