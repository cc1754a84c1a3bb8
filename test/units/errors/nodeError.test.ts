import { ExpressionError, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { DescribedError, InputError } from '../../../nodes/CometChat/errors/describedErrors';
import { toNodeError, type ErrorMessageContext } from '../../../nodes/CometChat/errors/nodeError';
import {
	ConnectionError,
	FailedAttemptsError,
	ErrorResponseError,
	type FailedAttemptsSummary,
} from '../../../nodes/CometChat/transport/failure';
import { REDACTED, createSecretRedactor } from '../../../nodes/CometChat/helpers/redact';
import { UnusableResponseError } from '../../../nodes/CometChat/transport/response';
import { KEY, NODE as node } from '../context';

const labels = {
	messageId: 'Message ID',
	reaction: 'Reaction',
	onBehalfOf: 'On Behalf Of',
	groupId: 'Group',
	maxWait: 'Longest Retry Wait (Seconds)',
	timeout: 'Timeout',
	requestOptions: 'Request Options',
};

const changeWords = { done: 'removed the reaction', placeToCheck: 'the message' };

/** Converts a request error to the error that n8n displays. */
const convert = (
	error: unknown,
	failure: Partial<FailedAttemptsSummary> = {},
	context: Partial<ErrorMessageContext> = {},
): Error & { description?: string | null } =>
	toNodeError(
		node,
		new FailedAttemptsError({
			error,
			attempts: 1,
			elapsedMs: 0,
			mayHaveWorked: false,
			isRepeatable: true,
			...failure,
		}),
		{ redact: createSecretRedactor(KEY), itemIndex: 3, labels, ...context },
	);

const statusError = (statusCode: number, error?: unknown) =>
	new ErrorResponseError({ statusCode, headers: {}, body: error === undefined ? '' : { error } });

describe("The error for CometChat's refusal", () => {
	test('explains the refusal in the message, and quotes CometChat in the description', () => {
		const details = { page: 'is wrong' };
		const said = { code: 'ERR_MSG_NOT_FOUND', message: 'No.', details, devMessage: 'Dev' };
		const error = convert(statusError(404, { ...said, huge: 'x'.repeat(9_999) }));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'No message has this ID',
			description: expect.stringMatching(
				/^Check 'Message ID'\. CometChat replied: No \(ERR_MSG_NOT_FOUND\)\.? page: is wrong\. Dev\.$/,
			),
			httpCode: '404',
			context: { itemIndex: 3 },
			errorResponse: { statusCode: 404, ...said, details: 'page: is wrong' },
		});
	});

	test.each<[unknown, string]>([
		[{ error: { message: 'No such thing!' } }, 'CometChat replied: No such thing!'],
		['', 'CometChat replied with status 404 and an empty response.'],
		[{}, 'CometChat replied with status 404 and JSON with an unexpected structure.'],
	])('quotes the body %j as: %s', (body, words) => {
		const { description } = convert(new ErrorResponseError({ statusCode: 404, headers: {}, body }));
		expect(description?.endsWith(` ${words}`)).toBe(true);
	});

	test.each<[number, string | undefined, string]>([
		[300, undefined, 'CometChat did not process the request'],
		[308, undefined, 'The request was redirected, so it was stopped to protect your API key'],
		[308, 'ERR_NO_VACANCY', 'The group is full'],
		[404, undefined, 'CometChat found nothing at this address'],
		[404, 'ERR_NEW', 'CometChat found nothing that matches these values'],
		[404, 'toString', 'CometChat found nothing that matches these values'],
		[401, 'ERR_NEW', 'CometChat denied access'],
		[401, 'AUTH_ERR_NEW', 'CometChat rejected the API key'],
		[400, 'ERR_NEW', 'CometChat rejected a field value'],
		[408, undefined, 'CometChat timed out waiting for the request'],
		[409, 'ERR_NEW', 'This ID is already in use'],
		[418, 'ERR_NEW', 'CometChat did not process the request'],
		[499, undefined, 'CometChat did not process the request'],
		[429, undefined, "CometChat's rate limit was reached"],
		[503, undefined, 'CometChat is currently unavailable'],
		[500, undefined, 'CometChat could not process the request'],
		[599, undefined, 'CometChat could not process the request'],
	])('explains the status %i with the code %p: %s', (status, code, message) => {
		expect(convert(statusError(status, code && { code }))).toMatchObject({
			message,
			httpCode: String(status),
		});
	});

	test.each<[Record<string, string> | undefined, RegExp]>([
		[labels, /^Check 'Message ID', 'Reaction', 'Group', and 'On Behalf Of'\. Check 'App ID'/],
		[{ groupId: 'Team', onBehalfOf: 'As' }, /^Check 'Team' and 'As'\. Check 'App ID'/],
		[{ messageId: 'Message', reaction: 'Message' }, /^Check 'Message'\. Check 'App ID'/],
		[undefined, /^Check 'App ID' and 'Region' in the credential\. CometChat/],
	])('names the fields to check, given the labels %j', (own, words) => {
		expect(convert(statusError(404), {}, { labels: own }).description).toMatch(words);
	});

	test.each<[string, RegExp]>([
		['owner', /^Check 'Owner'\. /],
		['sender', /^Check 'Sender'\. /],
	])('names the filled field %s after a 404 with an unknown code', (name, words) => {
		const context = {
			labels: { onBehalfOf: 'On Behalf Of', owner: 'Owner', sender: 'Sender' },
			isFilled: (each: string) => each === name,
		};
		const { description } = convert(statusError(404, { code: 'ERR_NEW' }), {}, context);
		expect(description).toMatch(words);
	});
});

test.each<[string, boolean, string, string]>([
	['ENOTFOUND', false, "Couldn't connect to CometChat: the host does not exist", 'App ID'],
	['ETIMEDOUT', false, 'CometChat did not respond in time', 'Timeout'],
	['ETIMEDOUT', true, "Couldn't connect to CometChat in time", 'Region'],
	['ECONNABORTED', true, 'CometChat did not respond in time', 'Timeout'],
	['HPE_X', false, "Couldn't read CometChat's response: it is not HTTP", 'Region'],
	['HPE_INVALID_EOF_STATE', false, 'The connection closed before the response was complete', 'Try'],
	['CERT_X', false, "Couldn't connect to CometChat", 'Region'],
])(
	'explains the connection error %s (while connecting: %j): %s',
	(code, connecting, message, advice) => {
		const error = new ConnectionError(code, 'x', connecting);
		const shown = convert(error, { attempts: 6, elapsedMs: 9_000 });
		expect(shown).toMatchObject({ message, httpCode: code, errorResponse: { code, message: 'x' } });
		expect(shown.description).toContain(advice);
		expect(shown.description).toContain(
			' Stopped after 6 attempts in 9 seconds. The connection reported: x (',
		);
	},
);

test('explains a successful response that cannot be used', () => {
	const response = { statusCode: 200, headers: {}, body: '<html>' };
	expect(
		convert(new UnusableResponseError('It holds no data', response), { attempts: 2 }),
	).toMatchObject({
		message: 'It holds no data',
		description:
			"Check 'App ID' and 'Region' in the credential. Check any proxy between n8n and CometChat. Stopped after 2 attempts in 0 seconds.",
		httpCode: '200',
		errorResponse: { statusCode: 200 },
	});
});

describe('The description', () => {
	const describeRefusal = (
		failure: Partial<FailedAttemptsSummary>,
		context?: Partial<ErrorMessageContext>,
	) => convert(statusError(429), failure, context).description;

	const RAISE = "Raise 'Longest Retry Wait (Seconds)' under Settings → Request Options.";
	const QUOTE = 'CometChat replied with status 429 and an empty response.';

	test.each<[Partial<FailedAttemptsSummary>, string]>([
		[
			{ elapsedMs: 9_000 },
			`${RAISE} Send fewer requests at the same time, or try again later. ${QUOTE}`,
		],
		[
			{ attempts: 2, elapsedMs: 50 },
			`${RAISE} Send fewer requests at the same time, or try again later. Stopped after 2 attempts in 0.1 seconds. ${QUOTE}`,
		],
		[
			{ attempts: 1, disallowedWaitMs: 3_600_000 },
			`The next attempt would have to wait 3,600 seconds, which is too long. ${RAISE} Or send fewer requests at the same time. ${QUOTE}`,
		],
		[
			{ attempts: 2, elapsedMs: 3_000, disallowedWaitMs: 9_000 },
			`The next attempt would have to wait 9 seconds, which is too long. ${RAISE} Or send fewer requests at the same time. Stopped after 2 attempts in 3 seconds. ${QUOTE}`,
		],
		[
			{ attempts: 0, disallowedWaitMs: 9_000 },
			`The item was not sent: the rate limit lasts another 9 seconds, which is too long. ${RAISE} Or send fewer requests at the same time.`,
		],
	])('begins with the wait if known, and reports attempts: %j', (failure, words) => {
		expect(describeRefusal(failure)).toBe(words);
	});

	test('replaces "Try again later" if the wait is known', () => {
		expect(convert(statusError(503), { disallowedWaitMs: 400_000 }).description).toBe(
			`The next attempt would have to wait 400 seconds, which is too long. ${RAISE} Or try again after that time. CometChat replied with status 503 and an empty response.`,
		);
	});

	test('names only settings that the node has', () => {
		const timeout = new ConnectionError('ETIMEDOUT', 'slow');
		expect(describeRefusal({})).toMatch(
			/^Raise 'Longest Retry Wait \(Seconds\)' under Settings → Request Options\. Send fewer/,
		);
		expect(describeRefusal({}, { labels: undefined })).toMatch(
			/^Send fewer requests at the same time, or try again later\. /,
		);
		expect(convert(timeout).description).toMatch(
			/^Raise 'Timeout' under Settings → Request Options\. Try again later\. /,
		);
		expect(convert(timeout, {}, { labels: {} }).description).toMatch(/^Try again later\. /);
	});
});

test.each<[string, string, string]>([
	['us', '401', "Check 'REST API Key', 'App ID', and 'Region' in the credential."],
	['custom', '401', "Check 'REST API Key' and 'Base URL' in the credential."],
	['us', 'AUTH_ERR_INVALID_APPID', "Check 'App ID' and 'Region' in the credential."],
	['custom', 'AUTH_ERR_INVALID_APPID', "Check 'Base URL' in the credential."],
	['us', 'ERR_API_NOT_FOUND', "Check 'App ID' and 'Region' in the credential."],
	[
		'custom',
		'ERR_API_NOT_FOUND',
		"Check that 'Base URL' in the credential ends with the version segment, e.g. /v3.",
	],
	['us', 'ECONNREFUSED', "Check 'App ID' and 'Region' in the credential. Check n8n's network"],
	['custom', 'ECONNREFUSED', "Check 'Base URL' in the credential, and make sure"],
	['custom', 'HPE_INVALID_CONSTANT', "Check the protocol and the port of 'Base URL'"],
	[
		'custom',
		'AUTH_ERR_EMPTY_APPID',
		"Set 'Region' to the app's region, and fill in 'App ID' in the credential.",
	],
])(
	'names only the credential fields that are shown for the region %s: %s',
	(region, cause, start) => {
		const error = /^(\d|ERR_|AUTH)/.test(cause)
			? statusError(Number(cause) || 404, { code: Number(cause) ? undefined : cause })
			: new ConnectionError(cause, 'x');
		const { description } = convert(error, {}, { region, labels: {} });
		expect(description?.slice(0, start.length)).toBe(start);
		expect(description).not.toMatch(region === 'custom' ? /'App ID' and/ : /'Base URL'/);
	},
);

describe('The error for a rejected field value', () => {
	const userLabels = {
		uid: 'User ID (UID)',
		role: 'Role',
		roles: 'Roles',
		avatar: 'Avatar Image URL',
	};
	const GENERAL = 'Failed to validate the data sent with the request.';
	const ROLE =
		"Check 'Role'. Choose a role from the list of the app's roles, or create this role in the CometChat dashboard.";

	test.each<[string, number, object, string[], string]>([
		['an unknown role', 400, { code: 'ERR_BAD_REQUEST', message: GENERAL }, ['role'], ROLE],
		['any code', 400, { code: 'ERR_NEW', message: GENERAL }, ['role'], ROLE],
		['any status', 422, { code: 'ERR_NEW', message: GENERAL }, ['role'], ROLE],
		['the documented code', 404, { code: 'ERR_ROLE_NOT_FOUND' }, ['role'], ROLE],
		['an unknown code that mentions roles', 404, { code: 'ERR_NO_ROLE' }, ['role', 'uid'], ROLE],
		[
			'a text that mentions roles',
			403,
			{ code: 'ERR_NEW', message: 'No such role' },
			['role'],
			ROLE,
		],
		['another unknown code', 404, { code: 'ERR_NEW' }, ['role'], "Check 'Role'. CometChat replied"],
		[
			'a role in a filter',
			400,
			{ code: 'ERR_BAD_REQUEST', message: GENERAL },
			['roles'],
			ROLE.replace('Role', 'Roles'),
		],
		[
			'details about the role',
			400,
			{ code: 'ERR_BAD_REQUEST', message: GENERAL, details: { role: ['is invalid'] } },
			['role', 'avatar'],
			ROLE,
		],
		[
			'details about another field',
			400,
			{ code: 'ERR_BAD_REQUEST', message: GENERAL, details: { avatar: ['must be a URL'] } },
			['role', 'avatar'],
			"Check 'Avatar Image URL'. CometChat replied",
		],
		[
			'no role',
			400,
			{ code: 'ERR_BAD_REQUEST', message: GENERAL },
			[],
			'Check all field values, because CometChat names no field. CometChat replied',
		],
		[
			'a text that names a field',
			400,
			{ code: 'ERR_BAD_REQUEST', message: 'The link is too long.' },
			[],
			"Correct the field that CometChat's message mentions. CometChat replied",
		],
	])('leads on after %s (%i)', (_, status, error, filled, start) => {
		const isFilled = (name: string) => filled.includes(name);
		const { description } = convert(
			statusError(status, error),
			{},
			{ labels: userLabels, isFilled },
		);
		expect(description?.slice(0, start.length)).toBe(start);
	});
});

test.each<[string[], string]>([
	[['userId'], "Check 'User'."],
	[[], "Check 'On Behalf Of' and 'User'."],
])('names the fields with a value, or else all: %j', (filled, start) => {
	const error = statusError(404, { code: 'ERR_UID_NOT_FOUND', message: 'No such user.' });
	const { description } = convert(
		error,
		{},
		{
			labels: { userId: 'User', onBehalfOf: 'On Behalf Of' },
			isFilled: (name) => filled.includes(name),
		},
	);
	expect(description?.slice(0, start.length)).toBe(start);
});

test('blames CometChat, not a proxy, for a web page with status 500', () => {
	const error = new ErrorResponseError({ statusCode: 500, headers: {}, body: '<html>Oops</html>' });
	expect(convert(error).message).toBe('CometChat could not process the request');
});

test.each([
	['html', '<html>Blocked</html>'],
	[
		'a page that starts with a comment',
		'\uFEFF\n<!-- x --><!-- <y> -->\n<!DOCTYPE html><p>Blocked',
	],
])("doesn't blame a field or the key for a refusal that is a web page: %s", (_, body) => {
	for (const statusCode of [400, 401, 403]) {
		const error = new ErrorResponseError({ statusCode, headers: {}, body });
		expect(convert(error, {}, { region: 'custom' })).toMatchObject({
			message: "A web page came back instead of CometChat's response",
			description: `Check 'Base URL' in the credential. Check any proxy between n8n and CometChat. The status is ${statusCode}.`,
		});
	}
});

test('reports a change with an unknown outcome in the message, and says what to check first', () => {
	const unknown = { mayHaveWorked: true, isRepeatable: false };
	const { message, description } = convert(statusError(504), unknown, { changeWords });
	expect(message).toBe('CometChat may already have removed the reaction');
	expect(description).toBe(
		'Check the message before you run this item again. The gateway in front of CometChat timed out. CometChat replied with status 504 and an empty response.',
	);
	expect(convert(statusError(504), {}, { changeWords }).message).toContain('gateway');
	expect(convert(statusError(504), unknown).message).toContain('gateway');
});

const SAFE = 'CometChat may have made the change anyway. Trying again does not make it twice.';

test.each<[string, Error, string]>([
	['a failed request', statusError(504), 'The gateway in front of CometChat timed out'],
	['an invalid value', new InputError('Limit', 'is wrong', 'Lower it.'), "'Limit' is wrong"],
])('says after %s that a repeatable change may have been made', (_, error, message) => {
	const shown = convert(error, { mayHaveWorked: true }, { changeWords });
	expect(shown.message).toBe(message);
	expect(shown.description).toContain(SAFE);
	expect(convert(error, {}, { changeWords }).description).not.toContain('anyway');
});

describe("The error for the user's or n8n's mistake", () => {
	test('is a NodeOperationError with the advice and the addition as its description', () => {
		const thrown = new InputError('Limit', 'is wrong', "Lower 'Limit'");
		for (const error of [
			convert(thrown),
			toNodeError(node, thrown, { redact: createSecretRedactor(KEY), itemIndex: 3 }),
		]) {
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error).toMatchObject({
				message: "'Limit' is wrong",
				description: "Lower 'Limit'.",
				context: { itemIndex: 3 },
			});
		}
		const addition = '3 items came before';
		const error = new DescribedError('odd', 'Do it');
		expect(convert(error, {}, { addition }).description).toBe('Do it. 3 items came before.');
		expect(convert(statusError(500), {}, { addition }).description).toMatch(
			/ 3 items came before\.$/,
		);
	});

	test("is n8n's own error, with the item's index and without the API key", () => {
		const error = new ExpressionError('Unexecuted', { parameter: 'messageId', itemIndex: 0 });
		const before = { ...error.context };
		expect(convert(error)).toBe(error);
		expect(error.description).toBeUndefined();
		expect([error.message, error.context]).toEqual(['Unexecuted', before]);
		expect(
			convert(new NodeOperationError(node, `No ${KEY}`, { description: `Not ${KEY}` })),
		).toMatchObject({
			message: `No ${REDACTED}`,
			description: `Not ${REDACTED}`,
			context: { itemIndex: 3 },
		});
	});

	test("is n8n's own error with the addition as its description", () => {
		const addition = 'The item itself was completed';
		const error = convert(new ExpressionError('Unexecuted'), {}, { addition });
		expect(error.description).toBe('The item itself was completed.');
	});
});

const echo = `The API key ${KEY} is unknown`;

test.each([
	['the details of the service', statusError(400, { message: 'x', details: { [KEY]: [echo] } })],
	['a connection', new ConnectionError('ECONNRESET', echo)],
	['a refused value', new InputError('Limit', `is ${KEY}`, echo)],
	['a text that is cut within the key', statusError(401, { message: `${'x'.repeat(980)}${KEY}` })],
])('removes the API key from all parts of an error: %s', (_, error) => {
	const { message, description, stack, ...rest } = convert(error, {}, { addition: echo });
	const shown = JSON.stringify([rest, message, description, stack]).toLowerCase();
	expect(shown).not.toContain(KEY.slice(0, 9));
	expect(shown).toContain(REDACTED);
});
