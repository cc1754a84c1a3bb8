import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	IHttpRequestOptions,
	INodeCredentialsDetails,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { workflow } from './n8n';
import { credentialTypes } from './types';

/** Gives the engine the data of credentials, and authenticates requests as n8n does. */
export class Credentials extends workflow.ICredentialsHelper {
	constructor(
		/** By their type; undefined for one that cannot be read */
		private readonly dataOf: (type: string) => ICredentialDataDecryptedObject | undefined,
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

	async getDecrypted(
		_additionalData?: IWorkflowExecuteAdditionalData,
		_details?: INodeCredentialsDetails,
		type = '',
	): Promise<ICredentialDataDecryptedObject> {
		const data = this.dataOf(type);
		if (data === undefined) throw new Error(`There is no credential of the type "${type}"`);
		return { ...data };
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(type: string): INodeProperties[] {
		return credentialTypes.get(type)?.properties ?? [];
	}
}
