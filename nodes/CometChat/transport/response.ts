import type { IDataObject } from 'n8n-workflow';

import type { RestResponse } from './types';
import { asText, isEmptyObject, isObject, asObject } from './json';

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
export function describeBody({ body }: Pick<RestResponse, 'body'>): string {
	if (body === undefined || body === null || body === '') return 'an empty response';
	if (typeof body !== 'string') return 'JSON with an unexpected structure';
	const isHtml = /^\s*<(?:!doctype|html|head|body)/i.test(body);
	return isHtml ? 'a web page (HTML)' : 'text that is not JSON';
}

/** Creates the error for a successful response without the expected content. */
function createMissingError(content: string, response: RestResponse): ResponseError {
	const { body, statusCode } = response;
	const message = isObject(body)
		? `CometChat's response contains no ${content}`
		: `CometChat sent ${describeBody(response)} with status ${statusCode} instead of JSON`;
	return new ResponseError(message, response);
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
		const { data } = asObject(response.body);
		if (!isEntity(data)) throw createMissingError(name, response);
		return data;
	};

/**
 * Reads the confirmation of a change from the response body, merged with its `data`. A confirmation can be
 * empty.
 *
 * @throws ResponseError unless the response is a JSON object
 */
export const readConfirmation = (response: RestResponse): IDataObject => {
	if (!isObject(response.body)) throw createMissingError('confirmation', response);
	const { data, ...rest } = response.body;
	return { ...rest, ...asObject(data) };
};

/** A list page, as received from CometChat. */
export interface Page extends IDataObject {
	data: IDataObject[];
	meta?: IDataObject;
}

/** True if a list is `null` or `{}`, which is how PHP can write an empty list. */
const isEmptyList = (data: unknown): boolean => data === null || isEmptyObject(data);

/**
 * Creates a function that reads a page of a list, and throws a ResponseError if the response contains no list
 * of objects.
 *
 * @param names plural name of the entities, e.g. "groups"
 */
export const pageReader =
	(names: string) =>
	(response: RestResponse): Page => {
		const body = asObject(response.body);
		const data: unknown = isEmptyList(body.data) ? [] : body.data;
		if (!Array.isArray(data) || !data.every(isEntity)) {
			throw createMissingError(`list of ${names}`, response);
		}
		return { ...body, data };
	};
