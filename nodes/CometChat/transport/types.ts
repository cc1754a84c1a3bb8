import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IPollFunctions,
	IWebhookFunctions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

/** n8n's context of a call that sends requests: an item, a poll, a webhook delivery or a picker. */
export type RequestContext =
	| IExecuteFunctions
	| IExecuteSingleFunctions
	| IPollFunctions
	| IWebhookFunctions
	| ILoadOptionsFunctions;

/** A validated request to the service. */
export interface RestRequest {
	method: IHttpRequestMethods;
	/** Relative to the credential's base URL, with encoded values */
	path: string;
	/** Parameters that the user set, and the page and its size */
	query?: IDataObject;
	headers?: Record<string, string>;
	/** Sent as JSON; undefined for a request without a body */
	body?: IDataObject;
}

/** A response with any status and any content. */
export interface RestResponse {
	statusCode: number;
	/** With lowercase names */
	headers: Record<string, unknown>;
	/** Parsed JSON, or the raw text if the body isn't JSON */
	body: unknown;
}

/** CometChat's UID for the app itself, which acts if a request names no user. */
export const APP_USER = 'app_system';
