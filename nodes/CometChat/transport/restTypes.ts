import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

/** A validated request to CometChat. */
export interface RestRequest {
	method: IHttpRequestMethods;
	/** Path relative to the credential's base URL, with percent-encoded values */
	path: string;
	/** Query parameters, without the paging parameters, which are added to each page's request. */
	query?: IDataObject;
	headers?: Record<string, string>;
	/** Body sent as JSON, or as a form if the request has files. Undefined for a request without a body. */
	body?: IDataObject;
	/** Files sent with the body, as multipart/form-data */
	files?: UploadFile[];
}

/** A file to send with a request. */
export interface UploadFile {
	name: string;
	mimeType: string;
	/** Size in bytes */
	size: number;
	/**
	 * Reads the content. Called once per attempt to send the request.
	 *
	 * @param signal signal that aborts when the attempt ends, so that the reader closes the file
	 */
	read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** A response with any status and any content. */
export interface RestResponse {
	statusCode: number;
	/** Response headers with lowercase names */
	headers: Record<string, unknown>;
	/** Parsed JSON, or the raw text if the body isn't JSON. Undefined for a download. */
	body: unknown;
	/** The body as received, before parsing. Undefined for a download, or if no response was received. */
	text?: string;
}

/** CometChat's UID for the app itself. Requests that aren't sent on behalf of a user act as the app. */
export const APP_USER_UID = 'app_system';
