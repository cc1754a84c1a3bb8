import type { IDataObject } from 'n8n-workflow';

import type { RestResponse } from './types';
import { asText, isObject, asObject } from './json';

/** Thrown if a response has a success status but no usable content. The message is a full sentence. */
export class ResponseError extends Error {
	constructor(
		message: string,
		readonly response: RestResponse,
	) {
		super(message);
	}
}

/**
 * True if the value of an `error` property reports an error. In a batch response, which uses UIDs as property
 * names, `error` can also be a user's UID.
 */
const isError = (error: unknown): boolean => (isObject(error) ? 'code' in error : Boolean(error));

/**
 * Finds an error in a response body, even if the response has a success status.
 *
 * @returns the body or its `data`, whichever contains an `error` or `success: false`
 */
export function findRefusal(body: unknown): IDataObject | undefined {
	const data = asObject(body).data;
	return [body, data]
		.filter(isObject)
		.find(({ error, success }) => isError(error) || asText(success) === 'false');
}

/** True if a response has a success status and contains no error. */
export function isSuccess({ statusCode, body }: RestResponse): boolean {
	return statusCode >= 200 && statusCode <= 299 && findRefusal(body) === undefined;
}

/** Describes a body that isn't the expected JSON object, e.g. "a web page (HTML)". */
export function describeBody({ body, headers }: RestResponse): string {
	if (body === undefined || body === null || body === '') return 'an empty response';
	if (typeof body !== 'string')
		return Array.isArray(body) ? 'a list' : 'JSON with an unexpected structure';
	const isHtml = /^\s*<(?:!doctype|html|head|body)/i.test(body);
	if (isHtml || asText(headers['content-type']).includes('text/html')) {
		return 'a web page (HTML)';
	}
	return /^\s*[[{]/.test(body) ? 'broken JSON' : 'text that is not JSON';
}

/**
 * Returns a response's `data`.
 *
 * @throws ResponseError if the response contains no `data`
 */
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
 * Creates a function that reads an entity from a response, and throws a ResponseError if the response
 * contains no entity.
 *
 * @param name singular name of the entity, e.g. "group"
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
 * Reads the confirmation of a change from the response body, merged with its `data`. A confirmation can be
 * empty.
 *
 * @throws ResponseError unless the response is a JSON object
 */
export const readConfirmation = (response: RestResponse): IDataObject => {
	const { body } = response;
	if (!isObject(body)) return asObject(readData(response));
	const { data, ...rest } = body;
	return { ...rest, ...asObject(data) };
};

/** A list page, as received from CometChat. */
export interface Page extends IDataObject {
	data: IDataObject[];
	meta?: IDataObject;
}

/**
 * Creates a function that reads a page of a list, and throws a ResponseError if the response contains no list
 * of objects.
 *
 * @param names plural name of the entities, e.g. "groups"
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
