import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { typed } from './basicAuth';

/** What the dashboard takes: letters and digits, at most so many. */
const FIELDS = [
	{ name: 'username', label: 'Username', maxLength: 50 },
	{ name: 'password', label: 'Password', maxLength: 100 },
];

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
