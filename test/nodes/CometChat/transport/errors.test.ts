import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { AnswerError } from '../../../../nodes/CometChat/transport/answer';
import {
	ConnectionError,
	SendError,
	StatusError,
	errorItem,
	toNodeError,
} from '../../../../nodes/CometChat/transport/errors';
import type { Failure } from '../../../../nodes/CometChat/transport/errors';
import { InputError } from '../../../../nodes/CometChat/transport/input';
import { REDACTED, redactor } from '../../../../nodes/CometChat/transport/redact';

const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

const node: INode = {
	id: '1',
	name: 'CometChat',
	type: 'n8n-nodes-cometchat.cometChat',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const errorOf = (error: unknown, failure: Partial<Failure> = {}, addition?: string) =>
	toNodeError(node, new SendError({ error, tries: 1, waitedMs: 0, maybeDone: false, ...failure }), {
		redact: redactor(KEY),
		itemIndex: 3,
		addition,
	});

const statusError = (statusCode: number, error?: unknown) =>
	new StatusError({ statusCode, headers: {}, body: error === undefined ? '' : { error } });

/** Everything of an error that n8n shows, stores or gives to an agent. */
function allOf(error: NodeApiError | NodeOperationError): string {
	return JSON.stringify([
		{ ...error },
		error.message,
		error.description,
		error.stack,
		error.messages,
	]);
}

describe('what the service says', () => {
	test('the message holds what happened, the field to change and the words of the service', () => {
		const error = errorOf(
			statusError(404, { code: 'ERR_MESSAGE_ID_NOT_FOUND', message: 'The message does not exist' }),
		);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(
			'No message has this ID: check "Message ID". CometChat says: ERR_MESSAGE_ID_NOT_FOUND: The message does not exist.',
		);
		expect(error).toMatchObject({
			description: 'Check "Message ID".',
			httpCode: '404',
			context: { itemIndex: 3 },
		});
	});

	test.each([
		['ERR_BAD_REQUEST', 400, 'Correct the field'],
		['AUTH_ERR_APIKEY_NOT_FOUND', 401, '"API Key"'],
		['AUTH_ERR_EMPTY_APIKEY', 401, '"API Key"'],
		['AUTH_ERR_NO_ACCESS', 403, 'fullAccess'],
		['AUTH_ERR_INVALID_APPID', 400, '"App ID" and "Region"'],
		['ERR_MESSAGE_NO_ACCESS', 403, '"On Behalf Of"'],
		['ERR_UID_NOT_FOUND', 404, '"On Behalf Of"'],
		['ERR_GUID_NOT_FOUND', 404, 'GUID'],
		['ERR_API_NOT_FOUND', 404, '"Base URL"'],
		['ERR_PLAN_RESTRICTION', 402, 'plan'],
		['ERR_PLAN_QUOTA_RESTRICTION', 402, 'plan'],
		['ERR_SUBSCRIPTION_EXPIRED', 402, 'Renew'],
		['ERR_TOO_MANY_REQUESTS', 429, '"Max Wait"'],
	])('%s says in its advice: %s %s', (code, status, advice) => {
		const error = errorOf(statusError(status, { code, message: 'Said so.' }));
		expect(error.description).toContain(advice);
		expect(error.message).toContain(`CometChat says: ${code}: Said so.`);
		expect(error.message).not.toContain('..');
	});

	test.each([
		[302, 'redirect'],
		[400, 'does not accept a value'],
		[401, 'refused the API key'],
		[403, 'refused access'],
		[404, 'found nothing there'],
		[408, 'waited too long for the request'],
		[413, 'too large'],
		[414, 'too long'],
		[418, 'did not carry out the request'],
		[429, 'limits the rate'],
		[500, 'fault of its own'],
		[502, 'got no answer'],
		[503, 'not available'],
		[504, 'waited too long'],
		[599, 'fault of its own'],
	])('status %i alone is explained: %s', (status, words) => {
		const error = errorOf(statusError(status));
		expect(error.message).toContain(words);
		expect(error.message).toContain(`It answered nothing with status ${status}.`);
	});

	test('an unknown code is quoted under what the status says', () => {
		const { message } = errorOf(statusError(404, { code: 'ERR_NEW' }));
		expect(message).toMatch(/^CometChat found nothing there: .*CometChat says: ERR_NEW\.$/);
	});

	test('a message without a code is quoted too', () => {
		expect(errorOf(statusError(400, { message: 'No.' })).message).toMatch(/CometChat says: No\.$/);
	});

	test.each(['toString', 'constructor', '__proto__'])(
		'a code that happens to be called %s is just an unknown one',
		(code) => {
			expect(errorOf(statusError(404, { code })).message).toMatch(
				/^CometChat found nothing there: /,
			);
		},
	);

	test('details name the refused fields, whatever their shape', () => {
		const details = { perPage: ['must be a number', 'must be at most 1000'], page: 'is wrong' };
		const error = errorOf(
			statusError(400, {
				code: 'ERR_BAD_REQUEST',
				message: 'Bad',
				devMessage: 'Dev note',
				details,
			}),
		);
		const read = 'perPage: must be a number, must be at most 1000; page: is wrong.';
		expect(error.message).toMatch(new RegExp(`${read}$`));
		expect(error.description).toBe(
			`Correct the field that CometChat names. CometChat names: ${read} Dev note.`,
		);
		expect(errorOf(statusError(400, { details: 'only a text' })).message).toMatch(/only a text\.$/);
		for (const none of [{}, [], 5, ' ']) {
			const description = errorOf(statusError(400, { message: 'x', details: none })).description;
			expect(description).toBe('Correct the field that CometChat names.');
		}
	});

	test('a removal that may have been carried out says so in the message', () => {
		const error = errorOf(statusError(500), { maybeDone: true });
		expect(error.message).toContain('whether it was carried out is not known');
	});
});

describe('tries and waits', () => {
	test('are told when there was more than one try', () => {
		const { message } = errorOf(statusError(503), { tries: 6, waitedMs: 12_345 });
		expect(message).toContain('Gave up after 6 tries and 12.3 s of waiting.');
	});

	test('one try after a wait is one try', () => {
		const { message } = errorOf(statusError(503), { tries: 1, waitedMs: 40 });
		expect(message).toContain('Gave up after 1 try and 0 s of waiting.');
	});

	test('a wait that is not allowed is told with its length', () => {
		expect(
			errorOf(statusError(429), { tries: 2, waitedMs: 3_000, forbiddenMs: 9_000 }).message,
		).toContain(
			'Gave up after 2 tries and 3 s of waiting: the next try would have to wait 9 s, longer than "Max Wait" allows.',
		);
		expect(errorOf(statusError(429), { tries: 0, forbiddenMs: 9_000 }).message).toContain(
			'This request was not sent: the limit lasts 9 s, longer than "Max Wait" allows.',
		);
	});

	test('are not told when the first try was the last', () => {
		expect(errorOf(statusError(503)).message).not.toContain('Gave up');
	});
});

describe('connections', () => {
	test.each([
		['ECONNREFUSED', 'refused the connection', '"Base URL"'],
		['ENOTFOUND', 'does not exist', '"App ID"'],
		['EAI_AGAIN', 'could not be looked up', 'network'],
		['ECONNABORTED', 'did not come in time', '"Timeout"'],
		['ETIMEDOUT', 'did not answer in time', '"Timeout"'],
		['ECONNRESET', 'cut before the answer was complete', 'Try again'],
		['hasOwnProperty', 'cut before the answer was complete', 'Try again'],
	])('%s: %s', (code, what, advice) => {
		const error = errorOf(new ConnectionError(code, 'low-level words'));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toContain(what);
		expect(error.description).toContain(advice);
		expect(error.description).toContain(`low-level words (${code}).`);
		expect(error).toMatchObject({ httpCode: code });
	});

	test('a removal that may have been carried out says so in the message', () => {
		const { message } = errorOf(new ConnectionError('ECONNRESET', 'x'), { maybeDone: true });
		expect(message).toContain('whether it was carried out is not known');
	});
});

describe('answers that are none', () => {
	const answer = { statusCode: 200, headers: {}, body: '<html>' };

	test('say what came and where to look', () => {
		const error = errorOf(new AnswerError('The answer has no "data"', answer), { tries: 2 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toMatch(/^The answer has no "data": check "App ID" and "Region"/);
		expect(error.message).toContain('Gave up after 2 tries');
		expect(error).toMatchObject({ httpCode: '200' });
	});

	test('to a removal: say that it may have been carried out', () => {
		const { message } = errorOf(new AnswerError('No answer', answer), { maybeDone: true });
		expect(message).toContain('whether it was carried out is not known');
	});
});

describe('what was not sent', () => {
	test('a refused value is an operation error with its advice in the message', () => {
		const error = errorOf(new InputError('Limit', 'is wrong', 'Lower "Limit".'));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: '"Limit" is wrong. Lower "Limit".',
			context: { itemIndex: 3 },
		});
		expect(errorOf(new InputError('Limit', 'is wrong')).message).toBe('"Limit" is wrong.');
	});

	test('is told without tries, because there were none', () => {
		const error = toNodeError(node, new InputError('Limit', 'is wrong'), { redact: redactor(KEY) });
		expect(error.message).toBe('"Limit" is wrong.');
	});

	test('anything else that was thrown is told in its own words', () => {
		expect(errorOf(new Error('odd')).message).toBe('odd.');
		expect(errorOf('just a text!').message).toBe('just a text!');
	});

	test('an addition comes last', () => {
		expect(errorOf(new Error('odd'), {}, '3 items came').message).toBe('odd. 3 items came.');
		expect(errorOf(statusError(500), {}, '3 items came').message).toMatch(/ 3 items came\.$/);
	});
});

describe('the API key', () => {
	const echo = `The API key ${KEY} is unknown`;

	test.each([
		['the message of the service', statusError(401, { code: 'X', message: echo })],
		['its details', statusError(400, { message: 'x', details: { [KEY]: [echo] } })],
		['its note to developers', statusError(400, { message: 'x', devMessage: echo.toUpperCase() })],
		['its code', statusError(401, { code: KEY })],
		['other parts of the body', statusError(401, { source: { request: [echo] } })],
		['a connection', new ConnectionError('ECONNRESET', echo)],
		['a wrong answer', new AnswerError(echo, { statusCode: 200, headers: { a: KEY }, body: KEY })],
		['a refused value', new InputError('Limit', `is ${KEY}`, echo)],
		['anything else', echo],
	])('echoed in %s is in no part of the error', (_where, error) => {
		const shown = allOf(errorOf(error, {}, echo));
		expect(shown.toLowerCase()).not.toContain(KEY);
		expect(shown).toContain(REDACTED);
	});
});

test('n8n does not put its own words over ours', () => {
	for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET']) {
		const error = errorOf(statusError(500, { message: `upstream ${code}` }));
		expect(error.message).toMatch(/^CometChat had a fault of its own/);
	}
});

describe('errorItem', () => {
	test('holds nothing but the message, or n8n would not take it for an error', () => {
		const withDescription = errorOf(statusError(404));
		expect(withDescription.description).toBeTruthy();
		expect(errorItem(withDescription)).toEqual({ error: withDescription.message });
		expect(errorItem(errorOf(new Error('odd')))).toEqual({ error: 'odd.' });
	});
});
