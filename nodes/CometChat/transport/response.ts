import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { RestResponse } from './restTypes';
import {
	asObjectOrEmpty,
	valueToText,
	isObjectOrArray,
	isEmptyObject,
	isObject,
} from '../helpers/json';

/** Thrown if a response has a success status but no usable content. The message is a full sentence. */
export class UnusableResponseError extends Error {
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
const reportsError = (error: unknown): boolean =>
	isObject(error) ? 'code' in error : Boolean(error);

/**
 * Finds an error in a response body, even if the response has a success status.
 *
 * @returns the body or its `data`, whichever contains an `error` or `success: false`, or undefined if neither does
 */
export function findBodyOrDataWithError(body: unknown): IDataObject | undefined {
	const data = asObjectOrEmpty(body).data;
	return [body, data]
		.filter(isObject)
		.find(({ error, success }) => reportsError(error) || valueToText(success) === 'false');
}

/** True if a response has a success status and contains no error. */
export function isSuccessWithoutError({ statusCode, body }: RestResponse): boolean {
	return statusCode >= 200 && statusCode <= 299 && findBodyOrDataWithError(body) === undefined;
}

/** Descriptions of unexpected response bodies for error messages, keyed by format. */
const BODY_FORMATS = {
	empty: 'an empty response',
	html: 'a web page (HTML)',
	xml: 'XML',
	broken: 'incomplete or broken JSON',
	text: 'text that is not JSON',
	list: 'a JSON list',
	json: 'JSON with an unexpected structure',
};

/** Matches white space, comments and an XML declaration before the first tag. `\s` includes a byte order mark. */
const MARKUP_PROLOG_PATTERN = /^(?:\s+|<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$))*/;

/** Matches the first tag of a web page. Gateway error pages sometimes omit the outer tags. */
const HTML_TAG_PATTERN =
	/^<(?:!doctype\s+html|html|head|body|title|meta|script|style|center|div|h[1-6]|p|pre|b|hr|br|a|table)\b/i;

/** Maximum number of characters at the start of a body to search for the first tag. */
const MAX_PROLOG = 10_000;

export function detectBodyFormat({ body }: Pick<RestResponse, 'body'>): keyof typeof BODY_FORMATS {
	if (body === undefined || body === null) return 'empty';
	if (typeof body !== 'string') return Array.isArray(body) ? 'list' : 'json';
	const start = body.slice(0, MAX_PROLOG).trimStart();
	if (start === '') return 'empty';
	if (/^[{[]/.test(start)) return 'broken';
	if (!start.startsWith('<')) return 'text';
	const tag = start.replace(MARKUP_PROLOG_PATTERN, '');
	// A body that contains only an HTML comment also counts as a web page
	return tag === '' || HTML_TAG_PATTERN.test(tag) ? 'html' : 'xml';
}

/** Describes a body that isn't the expected JSON object, e.g. "a web page (HTML)". */
export function describeUnexpectedBody(response: Pick<RestResponse, 'body'>): string {
	return BODY_FORMATS[detectBodyFormat(response)];
}

/** Endings of the error message about an unexpected body, keyed by the format. Default: " instead of JSON". */
const SENTENCE_ENDS: Partial<Record<keyof typeof BODY_FORMATS, string>> = {
	broken: '',
	list: ' instead of a JSON object',
	json: ' instead of a JSON object',
};

/** Creates the error for a successful response without the expected content. */
function createMissingError(content: string, response: RestResponse): UnusableResponseError {
	const { body, statusCode } = response;
	if (isObject(body)) {
		return new UnusableResponseError(`CometChat's response contains no ${content}`, response);
	}
	const format = detectBodyFormat(response);
	const sent = `CometChat sent ${BODY_FORMATS[format]} with status ${statusCode}`;
	return new UnusableResponseError(
		`${sent}${SENTENCE_ENDS[format] ?? ' instead of JSON'}`,
		response,
	);
}

function isNonEmptyObject(value: unknown): value is IDataObject {
	return isObject(value) && Object.keys(value).length > 0;
}

/**
 * Creates a function that reads an entity from a response, and throws an UnusableResponseError if the response
 * contains no entity.
 *
 * @param name singular name of the entity, e.g. "group"
 */
export const createEntityReader =
	(name: string) =>
	(response: RestResponse): IDataObject => {
		const { data } = asObjectOrEmpty(response.body);
		if (!isNonEmptyObject(data)) throw createMissingError(name, response);
		return data;
	};

/**
 * Reads the confirmation of a change: the properties of the response body and of its `data`, in one object. The
 * object can be empty.
 *
 * @throws UnusableResponseError unless the response is a JSON object
 */
export const readBodyMergedWithData = (response: RestResponse): IDataObject => {
	if (!isObject(response.body)) throw createMissingError('confirmation', response);
	const { data, ...rest } = response.body;
	return { ...rest, ...asObjectOrEmpty(data) };
};

/** True if a response confirms a deletion without saying what was deleted. */
function isBareConfirmation({ body }: RestResponse): boolean {
	if (!isObject(body)) return detectBodyFormat({ body }) === 'empty';
	return Object.entries(body).every(
		([name, value]) => ['success', 'message'].includes(name) || isUninformative(value),
	);
}

const isUninformative = (value: unknown): boolean =>
	isObjectOrArray(value)
		? Object.keys(value).length === 0
		: ['', null, true].includes(value as null);

/**
 * Creates a function that reads an entity from the response to a deletion. If the response only confirms the
 * deletion, the function returns the confirmation, which is empty for a response without content, e.g. status 204.
 * The function throws an UnusableResponseError for any other response without an entity.
 *
 * @param name singular name of the entity, e.g. "group"
 */
const createDeletionReader =
	(name: string) =>
	(response: RestResponse): IDataObject => {
		if (!isBareConfirmation(response)) return createEntityReader(name)(response);
		return isObject(response.body) ? readBodyMergedWithData(response) : {};
	};

/** Creates the function that reads an entity from the response to a request with this method. */
export const createEntityReaderForMethod = (method: IHttpRequestMethods, name: string) =>
	method === 'DELETE' ? createDeletionReader(name) : createEntityReader(name);

/** A page of a list, as received from CometChat, except that `data` is always an array. */
export interface Page extends IDataObject {
	data: IDataObject[];
	meta?: IDataObject;
}

/** True if a list is `null` or `{}`, as PHP can encode an empty list. */
const isNullOrEmptyObject = (data: unknown): boolean => data === null || isEmptyObject(data);

/**
 * Creates a function that reads a page of a list, and throws an UnusableResponseError if the response contains no list
 * of non-empty objects.
 *
 * @param plural name of the entities, e.g. "groups"
 */
export const createPageBodyReader =
	(plural: string) =>
	(response: RestResponse): Page => {
		const body = asObjectOrEmpty(response.body);
		const data: unknown = isNullOrEmptyObject(body.data) ? [] : body.data;
		if (!Array.isArray(data) || !data.every(isNonEmptyObject)) {
			throw createMissingError(`list of ${plural}`, response);
		}
		return { ...body, data };
	};
