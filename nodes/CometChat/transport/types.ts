import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IPollFunctions,
	IWebhookFunctions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

/** Where a request comes from: an item of the node's run, a poll, a delivery, or a list to pick from. */
export type RequestContext =
	| IExecuteFunctions
	| IExecuteSingleFunctions
	| IPollFunctions
	| IWebhookFunctions
	| ILoadOptionsFunctions;

/** A request to the service, checked and ready to be sent. */
export interface RestRequest {
	method: IHttpRequestMethods;
	/** Relative to the credential's base URL, every value in it encoded */
	path: string;
	/** Only what the user set, and the page and its size */
	query?: IDataObject;
	headers?: Record<string, string>;
	/** Sent as JSON; undefined for no body at all */
	body?: IDataObject;
}

/** What came back, whatever it was. */
export interface RestResponse {
	statusCode: number;
	/** With lower-case names */
	headers: Record<string, unknown>;
	/** Parsed JSON, or the text where it was none */
	body: unknown;
}

/** The UID that CometChat gives the app itself: who acts where no user is named. */
export const APP_USER = 'app_system';
