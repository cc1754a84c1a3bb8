import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	IHttpRequestOptions,
	INodeProperties,
	IRequestOptionsSimplified,
} from 'n8n-workflow';

import { workflow } from './n8n';
import { credentialTypes } from './types';

/** Gives the engine one set of credential data, and authenticates requests as n8n does. */
export class Credentials extends workflow.ICredentialsHelper {
	constructor(
		private readonly data: ICredentialDataDecryptedObject,
		/** Told of every request as it will be sent, key included */
		private readonly onRequest?: (request: IHttpRequestOptions) => void,
	) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const authenticate = credentialTypes.get(typeName)?.authenticate;
		if (typeof authenticate !== 'function') {
			throw new Error(`There is no credential type "${typeName}"`);
		}
		const request = await authenticate(credentials, requestOptions as IHttpRequestOptions);
		this.onRequest?.(request);
		return request;
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Stored credentials do not exist here');
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return { ...this.data };
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(type: string): INodeProperties[] {
		return credentialTypes.get(type)?.properties ?? [];
	}
}
