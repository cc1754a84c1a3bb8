import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
	IWebhookFunctions,
} from 'n8n-workflow';

import { DISPLAY_NAME } from '../../../credentials/CometChatWebhookApi.credentials';

const WEBHOOK_CREDENTIAL = 'cometChatWebhookApi';

/** Fields of the credential, with the maximum length that CometChat's dashboard accepts. */
const FIELDS = [
	{ name: 'username', label: 'Username', maxLength: 50 },
	{ name: 'password', label: 'Password', maxLength: 100 },
];

/** Removes white space around a value, which people paste by accident. */
function trimValue(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/**
 * Compares two texts in constant time. All bytes of their digests are compared, and an attacker can't
 * choose a digest byte by byte.
 */
async function isEqual(a: string, b: string): Promise<boolean> {
	const encoder = new TextEncoder();
	const digests = [a, b].map(
		async (text) => new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))),
	);
	const [first, second] = await Promise.all(digests);
	let difference = 0;
	for (let index = 0; index < first.length; index++) difference |= first[index] ^ second[index];
	return difference === 0;
}

function encodeBase64(text: string): string {
	return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/**
 * Whether a request contains the username and the password of the credential.
 *
 * @param header the request's `Authorization` header
 * @returns false if the credential is empty
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
async function hasCredentials(
	header: unknown,
	{ username, password }: ICredentialDataDecryptedObject,
): Promise<boolean> {
	const [, sent = ''] = /^Basic +([\w+/=-]+) *$/i.exec(String(header)) ?? [];
	const isFilled = trimValue(username) !== '' && trimValue(password) !== '';
	const isEqualHeader = await isEqual(
		sent,
		encodeBase64(`${trimValue(username)}:${trimValue(password)}`),
	);
	return isFilled && isEqualHeader;
}

/** Whether the caller may start the workflow. Without a credential, everybody may. */
export async function isAuthorizedCaller(context: IWebhookFunctions): Promise<boolean> {
	if (context.getNode().credentials?.[WEBHOOK_CREDENTIAL] === undefined) return true;
	let credentials: ICredentialDataDecryptedObject;
	try {
		credentials = await context.getCredentials(WEBHOOK_CREDENTIAL);
	} catch (error) {
		// The credential may have been deleted. Throwing an error would create a failed execution
		context.logger.error(`The ${DISPLAY_NAME} credential cannot be read`, { error });
		return false;
	}
	return await hasCredentials(context.getHeaderData().authorization, credentials);
}

/**
 * Tests whether CometChat's dashboard accepts the username and the password. There is no request to
 * send, because CometChat sends them to n8n.
 */
export async function cometChatWebhookTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
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
	return {
		status: 'OK',
		message: 'Enter the same username and password in the CometChat dashboard',
	};
}
