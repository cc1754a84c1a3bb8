import type { INode } from 'n8n-workflow';
import { ExpressionError, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InputError } from '../../../../nodes/CometChat/errors/inputError';
import type { ErrorContext } from '../../../../nodes/CometChat/errors/nodeError';
import { toNodeError, wholeText } from '../../../../nodes/CometChat/errors/nodeError';
import type { Failure } from '../../../../nodes/CometChat/transport/failure';
import { DescribedError } from '../../../../nodes/CometChat/errors/describedError';
import {
	ConnectionError,
	SendError,
	StatusError,
} from '../../../../nodes/CometChat/transport/failure';
import { REDACTED, redactor } from '../../../../nodes/CometChat/transport/redact';
import { ResponseError } from '../../../../nodes/CometChat/transport/response';

const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

const node: INode = {
	id: '1',
	name: 'CometChat',
	type: 'n8n-nodes-cometchat.cometChat',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const labels = {
	messageId: 'Message ID',
	reaction: 'Reaction',
	onBehalfOf: 'On Behalf Of',
	groupId: 'Group',
	maxWait: 'Max Wait (Seconds)',
};

const change = { done: 'removed the reaction', inspect: 'the message' };

/** What n8n shows of an error. */
interface Shown extends Error {
	description?: string | null;
}

const errorOf = (
	error: unknown,
	failure: Partial<Failure> = {},
	context: Partial<ErrorContext> = {},
): Shown =>
	toNodeError(
		node,
		new SendError({ error, attempts: 1, waitedMs: 0, outcomeUnknown: false, ...failure }),
		{ redact: redactor(KEY), itemIndex: 3, labels, hasSettings: true, ...context },
	);

const statusError = (statusCode: number, error?: unknown) =>
	new StatusError({ statusCode, headers: {}, body: error === undefined ? '' : { error } });

/** Everything of an error that n8n shows, stores or gives to an agent. */
function allOf(error: Shown): string {
	return JSON.stringify([{ ...error }, error.message, error.description, error.stack]);
}

describe('what the service says', () => {
	test('the message says what happened; the description what to do, and quotes the service', () => {
		const error = errorOf(
			statusError(404, {
				code: 'ERR_MESSAGE_ID_NOT_FOUND',
				message: 'The message 999 does not exist.',
			}),
		);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'No message has this ID',
			description:
				"Check 'Message ID'. CometChat replied: The message 999 does not exist (ERR_MESSAGE_ID_NOT_FOUND).",
			httpCode: '404',
			context: { itemIndex: 3 },
		});
	});

	test('with a code alone, or a message alone, that is quoted', () => {
		expect(errorOf(statusError(404, { code: 'ERR_NEW' })).description).toMatch(
			/ CometChat replied: ERR_NEW\.$/,
		);
		expect(errorOf(statusError(404, { message: 'No such thing!' })).description).toMatch(
			/ CometChat replied: No such thing!$/,
		);
	});

	test('an unknown code is explained by the status', () => {
		expect(errorOf(statusError(404, { code: 'ERR_NEW' })).message).toBe(
			'CometChat found nothing at this address',
		);
	});

	test.each(['toString', 'constructor', '__proto__'])(
		'a code that happens to be called %s is just an unknown one',
		(code) => {
			expect(errorOf(statusError(404, { code })).message).toBe(
				'CometChat found nothing at this address',
			);
		},
	);

	test('details name the rejected fields', () => {
		const details = { perPage: ['must be a number', 'must be at most 1000'], page: 'is wrong' };
		const error = errorOf(
			statusError(400, {
				code: 'ERR_BAD_REQUEST',
				message: 'Bad',
				devMessage: 'Dev note',
				details,
			}),
		);
		expect(error).toMatchObject({
			message: 'CometChat rejected a field value',
			description:
				'Correct the field that CometChat names. CometChat replied: Bad (ERR_BAD_REQUEST). perPage: must be a number, must be at most 1000; page: is wrong. Dev note.',
		});
	});

	test.each<[unknown, string]>([
		['', 'status 404 and an empty response'],
		['<html>', 'status 404 and a web page (HTML)'],
		[['x'], 'status 404 and a list'],
		[{}, 'status 404 and JSON of another shape'],
	])('of %j nothing can be quoted', (body, words) => {
		const error = errorOf(new StatusError({ statusCode: 404, headers: {}, body }));
		expect(error.description).toMatch(
			new RegExp(`CometChat replied with ${words.replace(/[()]/g, '.')}\\.$`),
		);
	});

	test.each([
		[300, 'did not carry out the request'],
		[301, 'was redirected'],
		[302, 'was redirected'],
		[303, 'was redirected'],
		[304, 'did not carry out the request'],
		[307, 'was redirected'],
		[308, 'was redirected'],
		[400, 'rejected a field value'],
		[418, 'did not carry out the request'],
		[500, 'had an internal error'],
		[501, 'had an internal error'],
		[503, 'is not available'],
		[599, 'had an internal error'],
	])('status %i alone is explained: %s', (status, words) => {
		const error = errorOf(statusError(status));
		expect(error.message).toContain(words);
		expect(error).toMatchObject({ httpCode: String(status) });
	});

	test('is in what n8n stores with the error, each text once', () => {
		const sent = { code: 'ERR_X', message: 'No', devMessage: 'Dev', details: { a: ['b'] } };
		expect(errorOf(statusError(400, { ...sent, huge: 'x'.repeat(9_999) }))).toMatchObject({
			errorResponse: { statusCode: 400, ...sent, details: 'a: b' },
		});
	});

	test('of any depth and size makes a short error', () => {
		let deep: unknown = {};
		for (let depth = 0; depth < 20_000; depth++) deep = [deep];
		const error = errorOf(
			statusError(400, { message: 'x'.repeat(2_000_000), details: { deep, x: { toString: 1 } } }),
		);
		expect(error.message).toBe('CometChat rejected a field value');
		expect(String(error.description).length).toBeLessThan(1_500);
		expect(error.description).toMatch(/ deep: …; x: {"toString":1}\.$/);
	});
});

describe('fields to check', () => {
	const missing = (context: Partial<ErrorContext>) =>
		errorOf(statusError(404), {}, context).description;

	test('are those that the operation has, under its labels', () => {
		expect(missing({})).toMatch(/^Check 'Message ID', 'Reaction', 'Group', and 'On Behalf Of'\. /);
		expect(missing({ labels: { groupId: 'Team', onBehalfOf: 'As' } })).toMatch(
			/^Check 'Team' and 'As'\. Check 'App ID' and 'Region', or 'Base URL', in the credential\. /,
		);
	});

	test('are not mentioned where the operation has none of them', () => {
		for (const labels of [{}, undefined]) {
			expect(missing({ labels })).toMatch(/^Check 'App ID' and 'Region', or 'Base URL'/);
		}
	});

	test('are mentioned once where two have the same label', () => {
		const twice = { messageId: 'Message', reaction: 'Message' };
		expect(missing({ labels: twice })).toMatch(/^Check 'Message'\. /);
	});
});

describe('settings', () => {
	const timeout = new ConnectionError('ETIMEDOUT', 'no complete response within 5 ms');

	test('of the node are named where the node runs', () => {
		expect(errorOf(timeout).description).toMatch(
			/^Raise 'Timeout' under Settings → Request Options\. /,
		);
		expect(errorOf(statusError(429)).description).toMatch(
			/^Raise 'Max Wait \(Seconds\)' under Options\. Make fewer requests at the same time\. /,
		);
		const selfSigned = errorOf(new ConnectionError('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed'));
		expect(selfSigned.description).toContain("'Ignore SSL Issues (Insecure)'");
	});

	test('are not mentioned where there are none, as in a trigger', () => {
		const errors = [
			timeout,
			statusError(429),
			new ConnectionError('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed'),
		];
		for (const error of errors) {
			const context = { hasSettings: false, labels: {} };
			const { description } = errorOf(error, { requiredMs: 9_000 }, context);
			expect(description).not.toMatch(/Request Options|Max Wait|under Options/);
			expect(description).toMatch(/^(Try again later|Make fewer requests|Check 'Base URL')/);
			expect(description).toContain(': the next would have to wait 9 seconds, too long to wait. ');
		}
	});
});

describe('attempts and waits', () => {
	const described = (failure: Partial<Failure>, status = 503) =>
		errorOf(statusError(status), failure).description;

	test('are told when there was more than one attempt', () => {
		expect(described({ attempts: 6, waitedMs: 12_345 })).toContain(
			' Stopped after 6 attempts and 12.3 seconds of waiting. ',
		);
		expect(described({ attempts: 2, waitedMs: 1_000 })).toContain('and 1 second of waiting');
		expect(described({ attempts: 2, waitedMs: 0 })).toContain(' Stopped after 2 attempts. ');
	});

	test('are not told when the first attempt was the last', () => {
		expect(described({})).not.toContain('Stopped');
		expect(described({ waitedMs: 9_000 })).not.toContain('Stopped');
	});

	test('a wait that is not allowed is told with its length', () => {
		expect(described({ attempts: 2, waitedMs: 3_000, requiredMs: 9_000 }, 429)).toContain(
			" Stopped after 2 attempts and 3 seconds of waiting: the next would have to wait 9 seconds, more than 'Max Wait (Seconds)' allows. ",
		);
		expect(described({ attempts: 1, requiredMs: 3_600_000 }, 429)).toContain(
			" Stopped after 1 attempt: the next would have to wait 3,600 seconds, more than 'Max Wait (Seconds)' allows. ",
		);
	});

	test('what bounds a wait instead of the option is named in its place, with what to do', () => {
		const waitLimit = { words: 'a poll may take', advice: 'Poll less often' };
		const { description } = errorOf(
			statusError(429),
			{ attempts: 2, requiredMs: 9_000 },
			{ waitLimit },
		);
		expect(description).toMatch(/^Poll less often\. Stopped after 2 attempts: /);
		expect(description).toContain('wait 9 seconds, more than a poll may take. ');
		expect(description).not.toContain('Max Wait');
		expect(errorOf(statusError(503), {}, { waitLimit }).description).toMatch(/^Try again later/);
	});

	test('an item that was not sent says so, and quotes nothing that the service never said', () => {
		expect(described({ attempts: 0, requiredMs: 9_000 }, 429)).toMatch(
			/ The item was not sent: the rate limit lasts another 9 seconds, more than 'Max Wait \(Seconds\)' allows\.$/,
		);
	});
});

describe('connections', () => {
	test.each([
		['ECONNREFUSED', "Couldn't connect to CometChat: the connection was refused", "'Base URL'"],
		['ENOTFOUND', "Couldn't connect to CometChat: the host does not exist", "'App ID'"],
		['EAI_AGAIN', 'the host name could not be looked up', 'network'],
		['ECONNABORTED', 'CometChat did not respond in time', "'Timeout'"],
		['ETIMEDOUT', 'CometChat did not respond in time', "'Timeout'"],
		['ERR_CONNECT_TIMEOUT', "Couldn't connect to CometChat in time", "'Base URL'"],
		['ECONNRESET', 'The connection closed before the response was complete', 'Try again'],
		['HPE_INVALID_CONSTANT', "CometChat's response could not be read", 'any proxy in between'],
		['Z_DATA_ERROR', "CometChat's response could not be read", 'any proxy in between'],
		['CERT_HAS_EXPIRED', 'its certificate is not trusted', 'NODE_EXTRA_CA_CERTS'],
		['EPROTO', 'the server does not speak HTTPS', 'the port'],
		['EHOSTUNREACH', 'the network of n8n has no route to it', 'the network'],
		['EWHATEVER', "Couldn't connect to CometChat", "'Base URL'"],
		['hasOwnProperty', "Couldn't connect to CometChat", "'Base URL'"],
	])('%s: %s', (code, what, advice) => {
		const error = errorOf(new ConnectionError(code, 'low-level words'));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toContain(what);
		expect(error.description).toContain(advice);
		expect(error.description).toMatch(/ The connection reported: low-level words \(\w+\)\.$/);
		expect(error).toMatchObject({
			httpCode: code,
			errorResponse: { code, message: 'low-level words' },
		});
	});

	test('attempts are told', () => {
		const { description } = errorOf(new ConnectionError('ECONNRESET', 'x'), {
			attempts: 6,
			waitedMs: 9_000,
		});
		expect(description).toContain(' Stopped after 6 attempts and 9 seconds of waiting. ');
	});
});

describe('responses of success without anything usable', () => {
	const response = { statusCode: 200, headers: {}, body: '<html>' };

	test('say what came and where to look', () => {
		const error = errorOf(new ResponseError("CometChat's response contains no data", response), {
			attempts: 2,
		});
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: "CometChat's response contains no data",
			description:
				"Check 'App ID' and 'Region', or 'Base URL', in the credential, and any proxy in between. Stopped after 2 attempts.",
			httpCode: '200',
		});
	});
});

describe('a change that may have been made', () => {
	const unknown = { outcomeUnknown: true };
	const response = { statusCode: 200, headers: {}, body: '' };

	test.each<[string, unknown, string]>([
		['a gateway that gave up', statusError(504), 'The gateway before CometChat waited too long'],
		[
			'a cut connection',
			new ConnectionError('ECONNRESET', 'x'),
			'The connection closed before the response was complete',
		],
		['a response without data', new ResponseError('No data', response), 'No data'],
	])('is what the message says after %s, and what to look at comes first', (_, error, what) => {
		const { message, description } = errorOf(error, unknown, { change });
		expect(message).toBe('CometChat may already have removed the reaction');
		expect(description).toMatch(
			new RegExp(`^Check the message before you run this item again\\. ${what}\\. `),
		);
		expect(description).not.toContain('Try again');
	});

	test('is not spoken of when nothing was changed, or what was is not known', () => {
		expect(errorOf(statusError(504), {}, { change }).message).toContain('gateway');
		expect(errorOf(statusError(504), unknown).message).toContain('gateway');
	});
});

describe('what was not sent', () => {
	test('a refused value is an operation error with its advice as the description', () => {
		const error = errorOf(new InputError('Limit', 'is wrong', "Lower 'Limit'."));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: "'Limit' is wrong",
			description: "Lower 'Limit'.",
			context: { itemIndex: 3 },
		});
		expect(errorOf(new InputError('Limit', 'is wrong')).description).toBeFalsy();
	});

	test('is told without attempts, because there were none', () => {
		const error: Shown = toNodeError(node, new InputError('Limit', 'is wrong'), {
			redact: redactor(KEY),
		});
		expect(error.message).toBe("'Limit' is wrong");
		expect(error.description).toBeFalsy();
	});

	test('anything else that was thrown is told in its own words', () => {
		for (const [thrown, message] of [
			[new Error('odd'), 'odd'],
			['just a text!', 'just a text!'],
			[undefined, 'undefined'],
		]) {
			const error = errorOf(thrown);
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error.message).toBe(message);
		}
	});
});

test('an addition comes last', () => {
	const addition = '3 items came before';
	expect(errorOf(new Error('odd'), {}, { addition }).description).toBe('3 items came before.');
	expect(errorOf(new DescribedError('odd', 'Do it'), {}, { addition }).description).toBe(
		'Do it. 3 items came before.',
	);
	expect(errorOf(statusError(500), {}, { addition }).description).toMatch(
		/ 3 items came before\.$/,
	);
});

describe("n8n's own errors", () => {
	const expression = () =>
		new ExpressionError('Referenced node is unexecuted', {
			causeDetailed: 'There is no connection',
			descriptionKey: 'noNodeExecutionData',
			parameter: 'messageId',
			runIndex: 0,
			itemIndex: 0,
		});

	test('stay as they are, with all that the editor shows of them', () => {
		const error = expression();
		const before = { ...error.context };
		expect(errorOf(error)).toBe(error);
		expect(error.message).toBe('Referenced node is unexecuted');
		expect(error.context).toEqual(before);
		expect(before).toMatchObject({ parameter: 'messageId', itemIndex: 0 });
	});

	test('get the index of the item when they have none', () => {
		const error = new NodeOperationError(node, 'No');
		expect(errorOf(error)).toBe(error);
		expect(error.context.itemIndex).toBe(3);
		const first = new NodeOperationError(node, 'No', { itemIndex: 0 });
		expect(errorOf(first)).toMatchObject({ context: { itemIndex: 0 } });
	});

	test('hold the key no more than others', () => {
		const error = new NodeOperationError(node, `No ${KEY}`, { description: `Not ${KEY}` });
		expect(errorOf(error)).toMatchObject({
			message: `No ${REDACTED}`,
			description: `Not ${REDACTED}`,
		});
	});
});

describe('the API key', () => {
	const echo = `The API key ${KEY} is unknown`;

	test.each([
		['the message of the service', statusError(401, { code: 'X', message: echo })],
		['its details', statusError(400, { message: 'x', details: { [KEY]: [echo] } })],
		['its note to developers', statusError(400, { message: 'x', devMessage: echo.toUpperCase() })],
		['its code', statusError(401, { code: KEY })],
		['plain text', new StatusError({ statusCode: 401, headers: {}, body: echo })],
		['a connection', new ConnectionError('ECONNRESET', echo)],
		['a wrong response', new ResponseError(echo, { statusCode: 200, headers: {}, body: KEY })],
		['a refused value', new InputError('Limit', `is ${KEY}`, echo)],
		['anything else', echo],
	])('echoed in %s is in no part of the error', (_where, error) => {
		const shown = allOf(errorOf(error, {}, { addition: echo }));
		expect(shown.toLowerCase()).not.toContain(KEY);
		expect(shown).toContain(REDACTED);
	});

	test('is not there in part either, where a long text is cut', () => {
		const message = `${'x'.repeat(980)}${KEY}`;
		for (const part of [{ message }, { devMessage: message }, { details: { a: message } }]) {
			expect(allOf(errorOf(statusError(401, part)))).not.toContain(KEY.slice(0, 8));
		}
	});
});

test('n8n does not put its own words over ours', () => {
	for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET']) {
		const error = errorOf(statusError(500, { message: `upstream ${code}` }));
		expect(error.message).toBe('CometChat had an internal error');
		expect(errorOf(new Error(`upstream ${code}`)).message).toBe(`upstream ${code}`);
	}
});

describe('wholeText', () => {
	test('has both texts, as sentences', () => {
		expect(wholeText(new DescribedError('It failed', 'Do this'))).toBe('It failed. Do this.');
		expect(wholeText(new DescribedError('It failed!', 'Do this. Or that…'))).toBe(
			'It failed! Do this. Or that…',
		);
		expect(wholeText(errorOf(new InputError('Limit', 'is wrong', 'Lower it.')))).toBe(
			"'Limit' is wrong. Lower it.",
		);
	});

	test('is the message where there is no description, or the message has it already', () => {
		expect(wholeText(new Error('It failed'))).toBe('It failed');
		expect(wholeText(new DescribedError('It failed', ''))).toBe('It failed');
		expect(wholeText(new DescribedError('It failed: do this', 'do this'))).toBe(
			'It failed: do this',
		);
		expect(wholeText(Object.assign(new Error('It failed'), { description: null }))).toBe(
			'It failed',
		);
	});
});
