import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
	IWebhookFunctions,
} from 'n8n-workflow';

import { DISPLAY_NAME } from '../../../credentials/CometChatWebhookApi.credentials';
import { toTrimmedText } from '../helpers/json';
import { isEqualInConstantTime } from '../helpers/digest';
import {
	encodeLoginAsBase64,
	readBase64LoginFromHeaderOrEmpty,
} from '../sharedByTriggers/basicAuth';

const WEBHOOK_CREDENTIAL = 'cometChatWebhookApi';

/** Maximum lengths that CometChat's dashboard accepts, keyed by the label of the credential's field. */
const MAX_LENGTHS = { Username: 50, Password: 100 };

/**
 * True if a request's `Authorization` header matches the credential's username and password.
 *
 * @returns false if the credential has no username or no password
 */
async function hasMatchingLogin(
	header: unknown,
	credentials: ICredentialDataDecryptedObject,
): Promise<boolean> {
	const username = toTrimmedText(credentials.username);
	const password = toTrimmedText(credentials.password);
	const isExpected = await isEqualInConstantTime(
		readBase64LoginFromHeaderOrEmpty(header),
		encodeLoginAsBase64({ username, password }),
	);
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
	return await hasMatchingLogin(context.getHeaderData().authorization, credentials);
}

/**
 * Checks that the username and password meet the requirements of CometChat's dashboard. Sends no request,
 * because CometChat uses this login to call n8n, not the other way around.
 */
export async function cometChatWebhookTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	for (const [label, maxLength] of Object.entries(MAX_LENGTHS)) {
		const text = toTrimmedText(data[label.toLowerCase()]);
		if (/^[a-z0-9]+$/i.test(text) && text.length <= maxLength) continue;
		const message = `CometChat's dashboard accepts only letters and digits in '${label}': at least one, at most ${maxLength}`;
		return { status: 'Error', message };
	}
	return Promise.resolve({
		status: 'OK',
		message: 'Enter the same username and password in the CometChat dashboard',
	});
}
