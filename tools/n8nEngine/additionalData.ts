import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { credentialTypes } from './types';

/** Returns the data for a credential type, or undefined if the credential can't be read. */
export type CredentialReader = (type: string) => ICredentialDataDecryptedObject | undefined;

/**
 * Creates the additional data that n8n passes to executions, including its credentials helper, which reads
 * credentials and authenticates requests.
 *
 * @param onRequest called with every request as sent, including the API key, but with a JSON body parsed. The
 *   request waits until a returned promise resolves.
 * @param origin start of the n8n instance's URLs
 */
export function additionalData(
	readCredential: CredentialReader,
	onRequest?: (request: IHttpRequestOptions) => Promise<void> | void,
	origin = 'http://127.0.0.1:5678',
): IWorkflowExecuteAdditionalData {
	const credentialsHelper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		async authenticate(credentials, typeName, options) {
			const authenticate = credentialTypes.get(typeName)?.authenticate;
			if (typeof authenticate !== 'function') {
				throw new Error(`There is no credential type "${typeName}"`);
			}
			const request = await authenticate(credentials, options as IHttpRequestOptions);
			const { body } = request;
			await onRequest?.(
				typeof body === 'string' ? { ...request, body: JSON.parse(body) } : request,
			);
			return request;
		},
		preAuthentication: () => Promise.resolve(undefined),
		runPreAuthentication: () => Promise.resolve(undefined),
		async getDecrypted(_additionalData, _details, type) {
			const data = readCredential(type);
			if (data === undefined) throw new Error(`There is no credential of the type "${type}"`);
			return Promise.resolve({ ...data });
		},
		getCredentialsProperties: (type) => credentialTypes.get(type)?.properties ?? [],
	};
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: credentialsHelper as ICredentialsHelper,
		currentNodeExecutionIndex: 0,
		instanceBaseUrl: `${origin}/`,
		restApiUrl: `${origin}/rest`,
		formWaitingBaseUrl: `${origin}/form-waiting`,
		webhookBaseUrl: `${origin}/webhook`,
		webhookWaitingBaseUrl: `${origin}/webhook-waiting`,
		executionId: '1',
		variables: {},
		logAiEvent: () => {},
	};
	return data as IWorkflowExecuteAdditionalData;
}
