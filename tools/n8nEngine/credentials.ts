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

/** Gives credentials to the engine and authenticates requests like n8n. */
export class Credentials extends workflow.ICredentialsHelper {
	constructor(
		/** Credential data by type, or undefined if the credential can't be read. */
		private readonly dataOf: (type: string) => ICredentialDataDecryptedObject | undefined,
		/** Called with every request as sent, including the key. */
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
