import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authenticate, baseUrlOf } from '../../../credentials/CometChatApi.credentials';
import { explainConnection } from '../errors/nodeError';
import { serviceWordsOf } from '../errors/serviceWords';
import { BY_CODE, NOT_COMETCHAT, type Explanation } from '../errors/table';
import { ConnectionError, connectionErrorOf } from '../transport/failure';
import { redactor } from '../transport/redact';
import type { RestResponse } from '../transport/types';
import { isObject } from '../transport/json';

/** What is explained by the service's code; any other refusal may come from another service. */
const EXPLAINED = new Map<string | undefined, Explanation>([
	...[
		'AUTH_ERR_APIKEY_NOT_FOUND',
		'AUTH_ERR_EMPTY_APIKEY',
		'AUTH_ERR_INVALID_APPID',
		'AUTH_ERR_NO_ACCESS',
	].map((code): [string, Explanation] => [code, BY_CODE[code]]),
	['ERR_TOO_MANY_REQUESTS', { ...BY_CODE.ERR_TOO_MANY_REQUESTS, advice: 'Try again in a minute' }],
]);

/** @param detail of the message */
function refused({ message, advice }: Explanation, detail = ''): INodeCredentialTestResult {
	return { status: 'Error', message: `${message}${detail}. ${advice}` };
}

/** Tells whether the key opens the app: asks for one group, and puts into words what is wrong. */
export async function cometChatApiTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	try {
		const { url, ...options } = await authenticate(data, {
			method: 'GET',
			url: '/groups',
			qs: { perPage: 1 },
			json: true,
			timeout: 30_000,
		});
		// The only helper that n8n has here
		const { helpers } = this;
		const response: RestResponse = await helpers.request({
			...options,
			uri: url,
			// Every status is a response
			simple: false,
			resolveWithFullResponse: true,
		});
		const { body } = response;
		if (isObject(body) && Array.isArray(body.data)) {
			return { status: 'OK', message: 'CometChat knows this key' };
		}
		return refused(EXPLAINED.get(serviceWordsOf(response).code) ?? NOT_COMETCHAT);
	} catch (error) {
		const cause = connectionErrorOf(error);
		if (!(cause instanceof ConnectionError)) {
			return { status: 'Error', message: redactor(data.apiKey)(cause.message) };
		}
		return refused(explainConnection(cause), ` (${new URL(baseUrlOf(data)).host})`);
	}
}
