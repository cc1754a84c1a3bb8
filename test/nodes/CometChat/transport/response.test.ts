import {
	AnswerError,
	describeBody,
	groupPageOf,
	messageOf,
} from '../../../../nodes/CometChat/transport/answer';
import type { Answer } from '../../../../nodes/CometChat/transport/types';

const answerWith = (body: unknown, headers: Answer['headers'] = {}): Answer => ({
	statusCode: 200,
	headers,
	body,
});

describe('describeBody', () => {
	test.each([
		[undefined, 'nothing'],
		[null, 'nothing'],
		['', 'nothing'],
		[[1], 'a list'],
		[5, 'JSON of another shape'],
		[{}, 'JSON of another shape'],
		['  <!DOCTYPE html><p>', 'a web page (HTML)'],
		['<HTML lang="en">', 'a web page (HTML)'],
		['{"data": [', 'broken JSON'],
		[' [1, 2', 'broken JSON'],
		['Service Unavailable', 'text that is not JSON'],
	])('%j is %s', (body, words) => expect(describeBody(answerWith(body))).toBe(words));

	test('the content type tells a web page that does not begin like one', () => {
		const headers = { 'content-type': 'text/html; charset=utf-8' };
		expect(describeBody(answerWith('hello', headers))).toBe('a web page (HTML)');
	});
});

describe('messageOf and groupPageOf', () => {
	test('give the message, and the whole page with all that the service added', () => {
		const message = { id: '5', more: { of: 'it' } };
		expect(messageOf(answerWith({ data: message }))).toBe(message);
		const page = { data: [{ guid: 'a' }], meta: { pagination: {} }, cursor: {} };
		expect(groupPageOf(answerWith(page))).toBe(page);
		expect(groupPageOf(answerWith({ data: [] }))).toEqual({ data: [] });
	});

	test.each([
		['<html>', 'CometChat answered a web page (HTML) with status 200 instead of JSON'],
		[[], 'CometChat answered a list with status 200 instead of JSON'],
		[undefined, 'CometChat answered nothing with status 200 instead of JSON'],
		[{}, 'The answer has no "data"'],
		[{ data: null }, 'The answer\'s "data" is null'],
	])('refuse %j in words', (body, message) => {
		for (const read of [messageOf, groupPageOf]) {
			expect(() => read(answerWith(body))).toThrow(expect.objectContaining({ message }));
		}
	});

	test('a list is no message', () => {
		expect(() => messageOf(answerWith({ data: [] }))).toThrow(
			'The answer\'s "data" is not a message',
		);
	});

	test.each([[{ data: {} }], [{ data: [{ guid: 'a' }, 5] }], [{ data: 'text' }]])(
		'%j is no list of groups, and the error keeps the answer',
		(body) => {
			const answer = answerWith(body);
			try {
				groupPageOf(answer);
				throw new Error('nothing was refused');
			} catch (error) {
				expect(error).toBeInstanceOf(AnswerError);
				expect(error).toMatchObject({
					message: 'The answer\'s "data" is not a list of groups',
					answer,
				});
			}
		},
	);
});
