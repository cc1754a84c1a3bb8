import {
	UnusableResponseError,
	describeUnexpectedBody,
	createEntityReader,
	createPageBodyReader,
	findBodyOrDataWithError,
	isSuccessWithoutError,
} from '../../../nodes/CometChat/transport/response';
import type { RestResponse } from '../../../nodes/CometChat/transport/restTypes';

const readMessage = createEntityReader('message');
const readGroups = createPageBodyReader('groups');

const responseWith = (body: unknown): RestResponse => ({ statusCode: 200, headers: {}, body });

test('describes a body that is not the expected JSON', () => {
	const describe = (bodies: unknown[]) => [
		...new Set(bodies.map((body) => describeUnexpectedBody({ body }))),
	];
	expect(describe([undefined, null, ''])).toEqual(['an empty response']);
	expect(describe(['\uFEFF \n'])).toEqual(['an empty response']);
	expect(describe([5, {}])).toEqual(['JSON with an unexpected structure']);
	expect(describe([[1], []])).toEqual(['a JSON list']);
	expect(
		describe([
			'  <!DOCTYPE html><p>',
			'<HTML lang="en">',
			'\n\n<!-- maintenance --><html>x</html>',
			'\uFEFF<?xml version="1.0"?>\n<!-- a --> <!-- <b> -->\n<!DOCTYPE html>',
			'<center><h1>502 Bad Gateway</h1></center>',
			'<!-- cut off',
		]),
	).toEqual(['a web page (HTML)']);
	expect(describe(['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'])).toEqual([
		'XML',
	]);
	expect(describe(['x <html>', 'Unavailable'])).toEqual(['text that is not JSON']);
	expect(describe(['{"data": [', '\uFEFF[{"guid"'])).toEqual(['incomplete or broken JSON']);
});

test('reads an entity, and a page with all its properties', () => {
	const message = { id: '5', more: { of: 'it' } };
	expect(readMessage(responseWith({ data: message }))).toBe(message);
	const page = { data: [{ guid: 'a' }], meta: { pagination: {} }, cursor: {} };
	expect(readGroups(responseWith(page))).toEqual(page);
	for (const data of [[], null, {}]) {
		expect(readGroups(responseWith({ data, meta: {} }))).toEqual({ data: [], meta: {} });
	}
});

const MESSAGE = "CometChat's response contains no message";

const GROUPS = "CometChat's response contains no list of groups";

const WEB = 'CometChat sent a web page (HTML) with status 200 instead of JSON';

test.each<[unknown, string, string]>([
	['<html>', WEB, WEB],
	[{}, MESSAGE, GROUPS],
	[{ data: [[]] }, MESSAGE, GROUPS],
	[{ data: 'text' }, MESSAGE, GROUPS],
	[{ data: [{ id: 5 }, {}] }, MESSAGE, GROUPS],
	[{ data: [null] }, MESSAGE, GROUPS],
])('rejects the body %j', (body, noMessage, noGroups) => {
	const response = responseWith(body);
	const refusal = (message: string) =>
		expect.objectContaining({ constructor: UnusableResponseError, message, response });
	expect(() => readMessage(response)).toThrow(refusal(noMessage));
	expect(() => readGroups(response)).toThrow(refusal(noGroups));
});

test('rejects an empty entity, and an object instead of a list', () => {
	for (const data of [null, {}]) expect(() => readMessage(responseWith({ data }))).toThrow(MESSAGE);
	expect(() => readGroups(responseWith({ data: { guid: 'a' } }))).toThrow(GROUPS);
});

test.each<[string, unknown, boolean]>([
	['an error with a code', { error: { code: 'ERR_X' } }, true],
	['an error in the data', { data: { error: { code: 'ERR_X' } } }, true],
	['an error that is a text', { error: 'Not allowed' }, true],
	['success: false', { success: false, message: 'No' }, true],
	['success: "false" in the data', { data: { success: 'false' } }, true],
	['a user whose UID is "error"', { data: { error: { success: true } } }, false],
	['a user whose UID is "error" and who failed', { data: { error: { success: false } } }, false],
	['an empty error', { data: {}, error: '' }, false],
	['a page', { data: [{ error: { code: 'ERR_X' } }] }, false],
])('recognizes a refusal: %s', (_, body, isRefusal) => {
	expect(findBodyOrDataWithError(body) !== undefined).toBe(isRefusal);
});

test.each([
	...[200, 299].map((statusCode) => ({ statusCode, body: {}, expected: true })),
	...[199, 300, 500].map((statusCode) => ({ statusCode, body: {}, expected: false })),
	{ statusCode: 200, body: { error: 'X' }, expected: false },
])('recognizes a success: %j', ({ statusCode, body, expected }) => {
	expect(isSuccessWithoutError({ statusCode, headers: {}, body })).toBe(expected);
});
