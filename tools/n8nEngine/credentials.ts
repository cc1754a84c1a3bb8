import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { credentialTypes } from './types';

/**
 * Creates n8n's credentials helper, which reads credentials and authenticates requests.
 *
 * @param dataOf returns the data for a credential type, or undefined if the credential can't be read
 * @param onRequest called with every request exactly as sent, including the API key
 */
export function createCredentialsHelper(
	dataOf: (type: string) => ICredentialDataDecryptedObject | undefined,
	onRequest?: (request: IHttpRequestOptions) => void,
): ICredentialsHelper {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		async authenticate(credentials, typeName, options) {
			const authenticate = credentialTypes.get(typeName)?.authenticate;
			if (typeof authenticate !== 'function') {
				throw new Error(`There is no credential type "${typeName}"`);
			}
			const request = await authenticate(credentials, options as IHttpRequestOptions);
			onRequest?.(request);
			return request;
		},
		preAuthentication: () => Promise.resolve(undefined),
		runPreAuthentication: () => Promise.resolve(undefined),
		async getDecrypted(_additionalData, _details, type) {
			const data = dataOf(type);
			if (data === undefined) throw new Error(`There is no credential of the type "${type}"`);
			return Promise.resolve({ ...data });
		},
		getCredentialsProperties: (type) => credentialTypes.get(type)?.properties ?? [],
	};
	return helper as ICredentialsHelper;
}
