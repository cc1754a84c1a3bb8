import type { IDataObject } from 'n8n-workflow';

import type { RestResponse } from './types';
import { isObject, asObject } from './json';

/** A response with a status of success that holds nothing usable. The message is a whole sentence. */
export class ResponseError extends Error {
	constructor(
		message: string,
		readonly response: RestResponse,
	) {
		super(message);
	}
}

/** True for a text or an object with a code. In a batch response, `error` can also be a user's UID. */
const isError = (error: unknown): boolean => (isObject(error) ? 'code' in error : Boolean(error));

/**
 * Finds the refusal in a response, also in one with a status of success.
 *
 * @returns the body or its `data`, whichever has an `error` or has `success: false`
 */
export function findRefusal(body: unknown): IDataObject | undefined {
	const data = asObject(body).data;
	return [body, data]
		.filter(isObject)
		.find(({ error, success }) => isError(error) || String(success) === 'false');
}

/** True if a response has a success status and contains no error. */
export function isSuccess({ statusCode, body }: RestResponse): boolean {
	return statusCode >= 200 && statusCode <= 299 && findRefusal(body) === undefined;
}

/** What a body is when it is not the JSON object that the service sends. */
export function describeBody({ body, headers }: RestResponse): string {
	if (body === undefined || body === null || body === '') return 'an empty response';
	if (typeof body !== 'string') return Array.isArray(body) ? 'a list' : 'JSON of another shape';
	const isHtml = /^\s*<(?:!doctype|html|head|body)/i.test(body);
	if (isHtml || String(headers['content-type'] ?? '').includes('text/html')) {
		return 'a web page (HTML)';
	}
	return /^\s*[[{]/.test(body) ? 'broken JSON' : 'text that is not JSON';
}

/** @throws ResponseError unless the response holds "data" */
function readData(response: RestResponse): unknown {
	const { body, statusCode } = response;
	if (!isObject(body)) {
		throw new ResponseError(
			`CometChat sent ${describeBody(response)} with status ${statusCode} instead of JSON`,
			response,
		);
	}
	if (body.data === undefined || body.data === null) {
		throw new ResponseError("CometChat's response contains no data", response);
	}
	return body.data;
}

function isEntity(value: unknown): value is IDataObject {
	return isObject(value) && Object.keys(value).length > 0;
}

/**
 * Reads one thing out of a response.
 *
 * @param name what it is, e.g. "group"
 * @throws ResponseError unless the response holds one
 */
export const entityReader =
	(name: string) =>
	(response: RestResponse): IDataObject => {
		const data = readData(response);
		if (!isEntity(data)) {
			throw new ResponseError(`CometChat's response contains no ${name}`, response);
		}
		return data;
	};

/**
 * Reads what says that something was done: in the place of the data, beside it, or nothing but a
 * response of success.
 *
 * @throws ResponseError unless the response is a JSON object
 */
export const readConfirmation = (response: RestResponse): IDataObject => {
	const { body } = response;
	if (!isObject(body)) return asObject(readData(response));
	const { data, ...rest } = body;
	return { ...rest, ...asObject(data) };
};

/** One page of a list, as the service sent it. */
export interface Page extends IDataObject {
	data: IDataObject[];
	meta?: IDataObject;
}

/**
 * Reads a page of a list.
 *
 * @param names what the list holds, e.g. "groups"
 * @throws ResponseError unless the response holds a list of objects
 */
export const pageReader =
	(names: string) =>
	(response: RestResponse): Page => {
		const data = readData(response);
		if (!Array.isArray(data) || !data.every(isEntity)) {
			throw new ResponseError(`CometChat's response contains no list of ${names}`, response);
		}
		return response.body as Page;
	};
