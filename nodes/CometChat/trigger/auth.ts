import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
	IWebhookFunctions,
} from 'n8n-workflow';

import { DISPLAY_NAME } from '../../../credentials/CometChatWebhookApi.credentials';

const WEBHOOK_CREDENTIAL = 'cometChatWebhookApi';

/** What the dashboard takes: letters and digits, at most so many. */
const FIELDS = [
	{ name: 'username', label: 'Username', maxLength: 50 },
	{ name: 'password', label: 'Password', maxLength: 100 },
];

/** As typed, without the white space that comes along when it is pasted. */
function typed(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/**
 * Whether two texts are equal. How long it takes does not depend on where they differ: the bytes of
 * their digests are all compared, and nobody can choose a digest byte by byte.
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

function base64(text: string): string {
	return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/**
 * Whether a request carries the username and the password of the credential.
 *
 * @param header the value of the request's `Authorization`
 * @returns false also for a credential that is empty: it lets nobody in
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
async function isAuthorized(
	header: unknown,
	{ username, password }: ICredentialDataDecryptedObject,
): Promise<boolean> {
	const [, sent = ''] = /^Basic +([\w+/=-]+) *$/i.exec(String(header)) ?? [];
	const isSet = typed(username) !== '' && typed(password) !== '';
	const isRight = await isEqual(sent, base64(`${typed(username)}:${typed(password)}`));
	return isSet && isRight;
}

/** Whether the caller may start the workflow. Without a credential everybody may. */
export async function isCallerKnown(context: IWebhookFunctions): Promise<boolean> {
	if (context.getNode().credentials?.[WEBHOOK_CREDENTIAL] === undefined) return true;
	let credentials: ICredentialDataDecryptedObject;
	try {
		credentials = await context.getCredentials(WEBHOOK_CREDENTIAL);
	} catch (error) {
		// One that was deleted, for instance. An error that is thrown would be an execution
		context.logger.error(`The ${DISPLAY_NAME} credential cannot be read`, { error });
		return false;
	}
	return await isAuthorized(context.getHeaderData().authorization, credentials);
}

/**
 * Tells whether CometChat's dashboard takes a username and password like these. Nothing can be
 * asked: it is CometChat that presents them.
 */
export async function cometChatWebhookTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	for (const { name, label, maxLength } of FIELDS) {
		const text = typed(data[name]);
		if (text === '') return { status: 'Error', message: `'${label}' is empty` };
		if (!/^[a-z0-9]+$/i.test(text) || text.length > maxLength) {
			return {
				status: 'Error',
				message: `CometChat's dashboard takes only letters and digits in '${label}', at most ${maxLength}`,
			};
		}
	}
	return { status: 'OK', message: 'Enter the same username and password in the dashboard' };
}
