import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { credentialTypes } from './types';

/**
 * n8n's helper that reads credentials and authenticates requests.
 *
 * @param dataOf data of a credential by its type, or undefined if the credential can't be read
 * @param onRequest called with every request as sent, including the key
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
		preAuthentication: async () => undefined,
		runPreAuthentication: async () => undefined,
		async getDecrypted(_additionalData, _details, type) {
			const data = dataOf(type);
			if (data === undefined) throw new Error(`There is no credential of the type "${type}"`);
			return { ...data };
		},
		getCredentialsProperties: (type) => credentialTypes.get(type)?.properties ?? [],
	};
	return helper as ICredentialsHelper;
}
