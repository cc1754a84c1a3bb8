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

describe('describeBody', () => {
	test.each([
		[undefined, 'an empty response'],
		[null, 'an empty response'],
		['', 'an empty response'],
		[[1], 'a list'],
		[5, 'JSON of another shape'],
		[{}, 'JSON of another shape'],
		['  <!DOCTYPE html><p>', 'a web page (HTML)'],
		['<HTML lang="en">', 'a web page (HTML)'],
		['{"data": [', 'broken JSON'],
		[' [1, 2', 'broken JSON'],
		['Service Unavailable', 'text that is not JSON'],
	])('%j is %s', (body, words) => expect(describeBody(responseWith(body))).toBe(words));

	test('the content type tells a web page that does not begin like one', () => {
		const headers = { 'content-type': 'text/html; charset=utf-8' };
		expect(describeBody(responseWith('hello', headers))).toBe('a web page (HTML)');
	});
});

describe('entityOf and pageOf', () => {
	test('give the message, and the whole page with all that the service added', () => {
		const message = { id: '5', more: { of: 'it' } };
		expect(readMessage(responseWith({ data: message }))).toBe(message);
		const page = { data: [{ guid: 'a' }], meta: { pagination: {} }, cursor: {} };
		expect(readGroups(responseWith(page))).toBe(page);
		expect(readGroups(responseWith({ data: [] }))).toEqual({ data: [] });
	});

	test.each([
		['<html>', 'CometChat sent a web page (HTML) with status 200 instead of JSON'],
		[[], 'CometChat sent a list with status 200 instead of JSON'],
		[undefined, 'CometChat sent an empty response with status 200 instead of JSON'],
		[{}, "CometChat's response contains no data"],
		[{ data: null }, "CometChat's response contains no data"],
	])('refuse %j in words', (body, message) => {
		for (const read of [readMessage, readGroups]) {
			expect(() => read(responseWith(body))).toThrow(expect.objectContaining({ message }));
		}
	});

	test.each([[[]], [{}], ['text'], [5], [true], [[{ id: 5 }]]])('%j is no message', (data) => {
		expect(() => readMessage(responseWith({ data }))).toThrow(
			"CometChat's response contains no message",
		);
	});

	test.each([[{}], [[{ guid: 'a' }, 5]], ['text'], [[{}]], [[[]]], [[null]]])(
		'%j is no list of groups, and the error keeps the response',
		(data) => {
			const response = responseWith({ data });
			expect(() => readGroups(response)).toThrow(
				expect.objectContaining({
					constructor: ResponseError,
					message: "CometChat's response contains no list of groups",
					response,
				}),
			);
		},
	);
});
