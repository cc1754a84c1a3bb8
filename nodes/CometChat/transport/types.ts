import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IPollFunctions,
} from 'n8n-workflow';

/** Where a request comes from: one item of the node's run, or one poll of the trigger. */
export type RequestContext = IExecuteSingleFunctions | IPollFunctions;

/** A request to the service, checked and ready to be sent. */
export interface RestRequest {
	method: IHttpRequestMethods;
	/** Relative to the credential's base URL, every value in it encoded */
	path: string;
	/** Only what the user set, and the page and its size */
	query: IDataObject;
	/** UID of the user on whose behalf it is made */
	onBehalfOf?: string;
}

/** What came back, whatever it was. */
export interface Answer {
	statusCode: number;
	headers: IDataObject;
	/** Parsed JSON, or the text where it was none */
	body: unknown;
}

/** A group as the service sends it; further fields are passed on. */
export interface Group extends IDataObject {
	guid?: string;
}

/** A message as the service sends it; further fields are passed on. */
export type Message = IDataObject;

/** One reaction to a message and how many users made it. */
export interface Reaction extends IDataObject {
	reaction?: string;
	count?: number;
}

/** Answer of GET /groups. */
export interface GroupPage extends IDataObject {
	data: Group[];
	meta?: IDataObject;
}

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
