import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authenticate } from '../../../credentials/CometChatApi.credentials';
import { formatErrorAsText } from '../errors/nodeError';
import { ErrorResponseError, toConnectionErrorOrPlainError } from '../transport/failure';
import { createSecretRedactor } from '../helpers/redact';
import {
	UnusableResponseError,
	isSuccessWithoutError,
	createPageBodyReader,
} from '../transport/response';
import type { RestResponse } from '../transport/restTypes';

/** Tests the API key by listing at most one group. Failures are worded like the node's errors. */
export async function cometChatApiTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const { url, ...options } = await authenticate(data, {
			method: 'GET',
			url: '/groups',
			qs: { perPage: 1 },
			json: true,
			timeout: 30_000,
		});
		// n8n provides no other request helper for credential tests
		const helpers: { request: (options: object) => Promise<RestResponse> } = this.helpers;
		const response = await helpers.request({
			...options,
			uri: url,
			// Don't throw for error statuses
			simple: false,
			resolveWithFullResponse: true,
		});
		if (!isSuccessWithoutError(response)) throw new ErrorResponseError(response);
		createPageBodyReader('groups')(response);
		return { status: 'OK', message: 'CometChat accepted the API key' };
	} catch (error) {
		const isResponse =
			error instanceof ErrorResponseError || error instanceof UnusableResponseError;
		const cause = isResponse ? error : toConnectionErrorOrPlainError(error);
		return {
			status: 'Error',
			message: formatErrorAsText(cause, {
				redact: createSecretRedactor(data.apiKey),
				region: data.region,
			}),
		};
	}
}
