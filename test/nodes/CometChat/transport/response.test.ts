import {
	ResponseError,
	describeBody,
	entityOf,
	pageOf,
} from '../../../../nodes/CometChat/transport/response';
import type { RestResponse } from '../../../../nodes/CometChat/transport/types';

const readMessage = entityOf('message');
const readGroups = pageOf('groups');

const responseWith = (body: unknown, headers: RestResponse['headers'] = {}): RestResponse => ({
	statusCode: 200,
	headers,
	body,
});

test.each([
	[undefined, 'an empty response'],
	[null, 'an empty response'],
	['', 'an empty response'],
	[[1], 'a list'],
	[5, 'JSON of another shape'],
	[{}, 'JSON of another shape'],
	['  <!DOCTYPE html><p>', 'a web page (HTML)'],
	['<HTML lang="en">', 'a web page (HTML)'],
	['x <html>', 'text that is not JSON'],
	['{"data": [', 'broken JSON'],
	[' [1, 2', 'broken JSON'],
	['Service Unavailable', 'text that is not JSON'],
])('%j is %s', (body, words) => expect(describeBody(responseWith(body))).toBe(words));

test('the content type tells a web page that does not begin like one', () => {
	const headers = { 'content-type': 'text/html; charset=utf-8' };
	expect(describeBody(responseWith('hello', headers))).toBe('a web page (HTML)');
});

test('the message, and the whole page with all that the service added, are read', () => {
	const message = { id: '5', more: { of: 'it' } };
	expect(readMessage(responseWith({ data: message }))).toBe(message);
	const page = { data: [{ guid: 'a' }], meta: { pagination: {} }, cursor: {} };
	expect(readGroups(responseWith(page))).toBe(page);
	expect(readGroups(responseWith({ data: [] }))).toEqual({ data: [] });
});

const BOTH = "CometChat's response contains no data";

const MESSAGE = "CometChat's response contains no message";

const GROUPS = "CometChat's response contains no list of groups";

const WEB = 'CometChat sent a web page (HTML) with status 200 instead of JSON';

test.each<[unknown, string, string]>([
	['<html>', WEB, WEB],
	[{}, BOTH, BOTH],
	[{ data: null }, BOTH, BOTH],
	[{ data: [[]] }, MESSAGE, GROUPS],
	[{ data: {} }, MESSAGE, GROUPS],
	[{ data: 'text' }, MESSAGE, GROUPS],
	[{ data: [{ id: 5 }, {}] }, MESSAGE, GROUPS],
	[{ data: [null] }, MESSAGE, GROUPS],
])('%j is nothing usable', (body, noMessage, noGroups) => {
	const response = responseWith(body);
	const refusal = (message: string) =>
		expect.objectContaining({ constructor: ResponseError, message, response });
	expect(() => readMessage(response)).toThrow(refusal(noMessage));
	expect(() => readGroups(response)).toThrow(refusal(noGroups));
});
