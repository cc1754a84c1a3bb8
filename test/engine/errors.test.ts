import type { INodeParameters } from 'n8n-workflow';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import type { FaultEffect } from '../../sandbox/server';
import { formsOf, leaksIn, textsIn } from './errors.texts';
import {
	credentialsOf,
	errorOf,
	get,
	itemsOf,
	list,
	NODE,
	removeReaction,
	run,
	useSandbox,
	wire,
} from './harness';
import { OPERATIONS, OPERATIONS_IN_BOTH_WAYS, WAYS, labelsOf } from './operations';

const sandbox = useSandbox();

/** Options with which nothing is attempted again. */
const once = { options: { maxTries: 1, maxWait: 0 } };

const respondWith = (effect: FaultEffect) => sandbox().setFaults([{ effect }]);

const body = (code: string, message: string, more = {}) => ({ error: { code, message, ...more } });

interface Row {
	status: number;
	code: string;
	/** What happened */
	message: string;
	/** Parameters whose labels are named, as far as the operation has them */
	check?: string[];
	/** What to do */
	advice?: string;
}

const CHECK_KEY = "Check 'REST API Key', 'App ID' and 'Region' in the credential";

const INVALID_APP = {
	code: 'AUTH_ERR_INVALID_APPID',
	message: 'This region has no such app',
	advice: "Check 'App ID' and 'Region' in the credential",
};

const NO_PLAN = {
	code: 'ERR_PLAN_RESTRICTION',
	message: "The app's plan does not include this",
	advice: 'Change the plan in the CometChat dashboard',
};

const NO_ROLE = {
	status: 403,
	message: "The user's role in the group does not allow this",
	check: ['onBehalfOf'],
	advice: 'Act on behalf of an admin of the group, or as the app',
};

const ROWS: Row[] = [
	{
		status: 400,
		code: 'ERR_BAD_REQUEST',
		message: 'CometChat rejected a field value',
		advice: 'Correct the field that CometChat names',
	},
	{
		status: 401,
		code: 'AUTH_ERR_APIKEY_NOT_FOUND',
		message: 'CometChat does not know this API key',
		advice: CHECK_KEY,
	},
	{
		status: 401,
		code: 'AUTH_ERR_EMPTY_APIKEY',
		message: 'CometChat received no API key',
		advice: "Fill in 'REST API Key' in the credential",
	},
	{
		status: 403,
		code: 'AUTH_ERR_NO_ACCESS',
		message: 'This API key lacks full access',
		advice:
			"Use a key with the fullAccess scope as 'REST API Key' in the credential, not an Auth Key",
	},
	{
		status: 403,
		code: 'ERR_MESSAGE_NO_ACCESS',
		message: 'The user may not see this message',
		check: ['onBehalfOf', 'messageId'],
		advice: 'A message becomes visible about 3 seconds after it was sent',
	},
	{
		status: 404,
		code: 'ERR_MESSAGE_ID_NOT_FOUND',
		message: 'No message has this ID',
		check: ['messageId'],
	},
	{
		status: 404,
		code: 'ERR_MSG_NOT_FOUND',
		message: 'No message has this ID',
		check: ['messageId'],
	},
	{
		status: 404,
		code: 'ERR_UID_NOT_FOUND',
		message: 'No active user has this UID',
		check: ['onBehalfOf', 'userId', 'uids', 'owner', 'sender'],
	},
	{
		status: 404,
		code: 'ERR_GUID_NOT_FOUND',
		message: 'No group has this GUID',
		check: ['groupId', 'guid'],
	},
	{
		status: 404,
		code: 'ERR_API_NOT_FOUND',
		message: 'CometChat has nothing at this address',
		advice: "Check 'Base URL' in the credential: it ends with the version segment, e.g. /v3",
	},
	{ status: 400, ...INVALID_APP },
	{ status: 401, ...INVALID_APP },
	{ status: 404, ...INVALID_APP },
	{ status: 402, ...NO_PLAN },
	{ status: 403, ...NO_PLAN },
	{
		status: 403,
		code: 'ERR_PLAN_QUOTA_RESTRICTION',
		message: "The app's quota is used up",
		advice: 'Wait until it is renewed, or change the plan in the CometChat dashboard',
	},
	{
		status: 403,
		code: 'ERR_SUBSCRIPTION_EXPIRED',
		message: "The app's subscription has expired",
		advice: 'Renew it in the CometChat dashboard',
	},
	{ code: 'ERR_GROUP_NO_ADMIN_SCOPE', ...NO_ROLE },
	{ code: 'ERR_GROUP_NO_CLEARANCE', ...NO_ROLE },
	{
		status: 403,
		code: 'ERR_MESSAGE_NOT_A_SENDER',
		message: 'Only the sender may change this message',
		check: ['onBehalfOf'],
		advice: 'Act on behalf of the sender, or as the app',
	},
	{
		status: 404,
		code: 'ERR_NOT_A_MEMBER',
		message: 'The user is not a member of the group',
		check: ['userId', 'onBehalfOf', 'groupId'],
	},
	{
		status: 403,
		code: 'ERR_BLOCKED_BY_WEBHOOK',
		message: 'CometChat blocked the message',
		advice: 'Check the extensions and webhooks of the app in the CometChat dashboard',
	},
	{
		status: 404,
		code: 'ERR_OF_TOMORROW',
		message: 'CometChat found nothing at this address',
		check: ['messageId', 'reaction', 'groupId', 'userId', 'onBehalfOf'],
		advice: "Check 'App ID' and 'Region', or 'Base URL', in the credential",
	},
	{
		status: 409,
		code: 'ERR_GUID_ALREADY_EXISTS',
		message: 'CometChat already has this',
		check: ['guid', 'muid'],
	},
	{
		status: 403,
		code: 'toString',
		message: 'CometChat denied access',
		check: ['onBehalfOf'],
		advice: "Check that 'REST API Key' in the credential has the fullAccess scope",
	},
];

const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

/** The first sentences of the description for an operation with these labels. */
function todo({ check = [], advice }: Row, labels: Record<string, string>): string {
	const named = check.flatMap((name) => (name in labels ? [`'${labels[name]}'`] : []));
	const checked = named.length > 0 ? `Check ${listFormat.format([...new Set(named)])}. ` : '';
	return `${checked}${advice === undefined ? '' : `${advice}. `}`;
}

describe.each(WAYS)('What the service refuses, through %s:', (way, settings) => {
	test.each(ROWS)('$status $code', async (row) => {
		const { status, code, message } = row;
		const said = `The service's own words on ${code}.`;
		respondWith({ status: { status, body: body(code, said) } });
		for (const operation of OPERATIONS) {
			const error = await errorOf(sandbox(), { ...operation.parameters, ...once }, { settings });
			const description = `${todo(row, labelsOf(operation))}CometChat replied: ${said.slice(0, -1)} (${code}).`;
			expect(error.name).toBe('NodeApiError');
			expect(error.description).toBe(description);
			// An agent sees nothing but the message
			expect(error.message).toBe(
				way === 'custom operations' ? message : `${message}. ${description}`,
			);
			expect(error.httpCode).toBe(String(status));
			expect(error.context.itemIndex).toBe(0);
		}
	});
});

describe('What the service refuses', () => {
	test.each<[number, string, string?]>([
		[400, 'CometChat rejected a field value'],
		[401, 'CometChat rejected the API key'],
		[403, 'CometChat denied access'],
		[404, 'CometChat found nothing at this address'],
		[408, 'CometChat waited too long for the request'],
		[413, 'The request is too large'],
		[414, 'The address of the request is too long'],
		[418, 'CometChat did not carry out the request'],
		[429, "CometChat's rate limit was reached"],
		[500, 'CometChat had an internal error'],
		[502, 'The gateway before CometChat received no response'],
		[503, 'CometChat is not available right now'],
		[504, 'The gateway before CometChat waited too long'],
		[507, 'CometChat had an internal error'],
	])('%i without a code that is known is explained by its status', async (status, message) => {
		for (const { parameters, change } of OPERATIONS) {
			respondWith({ status: { status, body: body('ERR_NEW', 'Something new.') } });
			const known = await errorOf(sandbox(), { ...parameters, ...once });
			const mayBeDone = change && (status >= 500 || status === 408);
			expect(known.message).toBe(mayBeDone ? `CometChat may already have ${change.done}` : message);
			if (mayBeDone) {
				expect(known.description).toBe(
					`Check ${change.inspect} before you run this item again. ${message}. CometChat replied: Something new (ERR_NEW).`,
				);
			}
			expect(known.description).toContain('CometChat replied: Something new (ERR_NEW).');
			respondWith({ status: { status, body: '<html>gateway</html>' } });
			const page = await errorOf(sandbox(), { ...parameters, ...once });
			expect(page.message).toBe(known.message);
			expect(page.description).toContain(
				`CometChat replied with status ${status} and a web page (HTML).`,
			);
		}
	});

	test.each<[string, unknown, string]>([
		[
			'lists of texts',
			{ limit: ['must be a number', 'is odd'] },
			'limit: must be a number, is odd',
		],
		['a text', { limit: 'must be a number' }, 'limit: must be a number'],
		['several fields', { a: ['one'], b: ['two'] }, 'a: one; b: two'],
		['words only', 'just words', 'just words'],
		['a list', ['one', { two: 2 }], 'one; {"two":2}'],
	])('details with %s are readable', async (_, details, readable) => {
		respondWith({
			status: {
				status: 400,
				body: body('ERR_BAD_REQUEST', 'Not valid.', { details, devMessage: 'For developers' }),
			},
		});
		const { message, description } = await errorOf(sandbox(), list());
		expect(message).toBe('CometChat rejected a field value');
		expect(description).toBe(
			`Correct the field that CometChat names. CometChat replied: Not valid (ERR_BAD_REQUEST). ${readable}. For developers.`,
		);
	});

	const asked = { onBehalfOf: 'carla' };

	test.each<[string, INodeParameters, object, string, string]>([
		[
			'a key without full access',
			list(),
			{ key: 'authOnlyKey' },
			'This API key lacks full access',
			'The API key ********** has no access to this resource (AUTH_ERR_NO_ACCESS).',
		],
		[
			'a wrong App ID',
			list(),
			{ path: '/app/wrong/v3' },
			'This region has no such app',
			'The App ID is not valid in this region (AUTH_ERR_INVALID_APPID).',
		],
		[
			'a base URL without the version',
			list(),
			{ path: '' },
			'CometChat has nothing at this address',
			'The API endpoint does not exist (ERR_API_NOT_FOUND).',
		],
		[
			'an unknown message',
			get('999'),
			{},
			'No message has this ID',
			'The message 999 does not exist (ERR_MESSAGE_ID_NOT_FOUND).',
		],
		[
			'an unknown user',
			list({ onBehalfOf: 'nobody' }),
			{},
			'No active user has this UID',
			'The UID nobody does not exist (ERR_UID_NOT_FOUND).',
		],
		[
			'a deactivated user',
			list({ onBehalfOf: 'old-account' }),
			{},
			'No active user has this UID',
			'The UID old-account does not exist (ERR_UID_NOT_FOUND).',
		],
		[
			'a message of others',
			get('101', asked),
			{},
			'The user may not see this message',
			'The user has no access to the message 101 (ERR_MESSAGE_NO_ACCESS).',
		],
		[
			'a reaction that is not there',
			removeReaction('101', 'never made', 'mira'),
			{},
			'CometChat found nothing at this address',
			'The user has not made this reaction to the message 101 (ERR_REACTION_NOT_FOUND).',
		],
		[
			'a reaction of somebody else',
			removeReaction('101', ':+1:', 'mira'),
			{},
			'CometChat found nothing at this address',
			'The user has not made this reaction to the message 101 (ERR_REACTION_NOT_FOUND).',
		],
		[
			'a GUID that is taken',
			{ resource: 'group', operation: 'create', guid: 'lunch', name: 'Lunch' },
			{},
			'CometChat already has this',
			'The GUID lunch already exists (ERR_GUID_ALREADY_EXISTS).',
		],
		[
			'a change by somebody who is not an admin',
			{ resource: 'group', operation: 'delete', groupId: 'all-hands', onBehalfOf: 'leo' },
			{},
			"The user's role in the group does not allow this",
			'The user leo is no admin of the group (ERR_GROUP_NO_ADMIN_SCOPE).',
		],
		[
			'an edit by somebody else',
			{
				resource: 'message',
				operation: 'update',
				messageId: '101',
				updateFields: { text: 'x' },
				onBehalfOf: 'jonas',
			},
			{},
			'Only the sender may change this message',
			'The user jonas has not sent this message (ERR_MESSAGE_NOT_A_SENDER).',
		],
		[
			'the removal of who is not a member',
			{ resource: 'group', operation: 'removeMember', groupId: 'lunch', userId: 'ext_sam-99' },
			{},
			'The user is not a member of the group',
			'The user ext_sam-99 is not a member of the group (ERR_NOT_A_MEMBER).',
		],
	])('the sandbox itself refuses %s', async (_, parameters, credential, message, said) => {
		const { key, path = '/v3' } = credential as { key?: 'authOnlyKey'; path?: string };
		const { url, apiKey } = sandbox();
		const credentials = credentialsOf(sandbox(), {
			apiKey: key ? sandbox()[key] : apiKey,
			baseUrl: `${url}${path}`,
		});
		const error = await errorOf(sandbox(), parameters, { credentials });
		expect(error.message).toBe(message);
		expect(error.description).toContain(`CometChat replied: ${said}`);
	});
});

describe.each(OPERATIONS_IN_BOTH_WAYS)(
	'A response to %s, through %s, that holds nothing usable',
	(_name, _way, { parameters, change, returns }, settings) => {
		const NOT_USABLE: Array<[string, FaultEffect, string]> = [
			[
				'a web page',
				{ html: true },
				'CometChat sent a web page (HTML) with status 200 instead of JSON',
			],
			[
				'no byte',
				{ empty: true },
				'CometChat sent an empty response with status 200 instead of JSON',
			],
			[
				'204',
				{ noContent: true },
				'CometChat sent an empty response with status 204 instead of JSON',
			],
			[
				'broken JSON',
				{ brokenJson: true },
				'CometChat sent broken JSON with status 200 instead of JSON',
			],
			['{}', { noData: true }, "CometChat's response contains no data"],
			['data: null', { nullData: true }, "CometChat's response contains no data"],
			[
				'a list',
				{ status: { status: 200, body: [1] } },
				'CometChat sent a list with status 200 instead of JSON',
			],
			[
				'plain text',
				{ status: { status: 200, body: 'OK' } },
				'CometChat sent text that is not JSON with status 200 instead of JSON',
			],
			[
				'data: 5',
				{ status: { status: 200, body: { data: 5 } } },
				"CometChat's response contains no ",
			],
			[
				'nothing in it',
				{ status: { status: 200, body: { data: returns === 'many' ? [{}] : {} } } },
				"CometChat's response contains no ",
			],
			[
				'the other kind of data',
				{
					status: { status: 200, body: { data: returns === 'many' ? { id: '1' } : [{ id: '1' }] } },
				},
				"CometChat's response contains no ",
			],
		];

		test.each(NOT_USABLE)('(%s) is an error', async (_, effect, expected) => {
			respondWith(effect);
			const error = await errorOf(sandbox(), parameters, { settings });
			const advice =
				"Check 'App ID' and 'Region', or 'Base URL', in the credential, and any proxy in between.";
			expect(error.name).toBe('NodeApiError');
			if (change) {
				expect(error.message).toMatch(new RegExp(`^CometChat may already have ${change.done}`));
				expect(error.description).toContain(
					`Check ${change.inspect} before you run this item again. ${expected}`,
				);
			} else {
				expect(error.message.startsWith(expected)).toBe(true);
			}
			expect(error.description?.endsWith(advice)).toBe(true);
			expect(sandbox().log.length).toBe(1);
		});
	},
);

describe('A redirect', () => {
	let elsewhere: Server;
	let visits: string[];

	beforeEach(async () => {
		visits = [];
		elsewhere = createServer((request, response) => {
			visits.push(String(request.url));
			response.setHeader('content-type', 'application/json');
			response.end('{"data":[]}');
		});
		await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
	});

	afterEach(async () => {
		elsewhere.closeAllConnections();
		await new Promise((resolve) => elsewhere.close(resolve));
	});

	test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
		const { port } = elsewhere.address() as AddressInfo;
		respondWith({ redirect: { status, location: `http://127.0.0.1:${port}/v3/groups` } });
		for (const { parameters } of OPERATIONS) {
			const error = await errorOf(sandbox(), parameters);
			expect(error.message).toBe(
				'The request was redirected, so it was stopped to protect your API key',
			);
			expect(error.description).toBe(
				`Check 'App ID' and 'Region', or 'Base URL', in the credential. CometChat replied with status ${status} and an empty response.`,
			);
			expect(error.httpCode).toBe(String(status));
		}
		expect(visits).toEqual([]);
		expect(sandbox().log.length).toBe(OPERATIONS.length);
	});

	test('to another path of the same host is not followed either', async () => {
		respondWith({ redirect: { status: 302, location: '/v3/messages/101' } });
		expect((await errorOf(sandbox(), list())).message).toMatch(/^The request was redirected/);
		expect(wire(sandbox())).toEqual(['GET /groups?page=1&perPage=50']);
	});
});

describe('An error of one item', () => {
	const input = ['101', '999', '102', '', '103'].map((id, order) => ({ id, order, keep: 'me' }));
	const parameters = get('={{ $json.id }}', { output: 'fields', fields: ['id'] });

	test('stops the run and names the item', async () => {
		const failed = await errorOf(sandbox(), parameters, { input: input.slice(0, 3) });
		expect(failed.context.itemIndex).toBe(1);
		expect(failed.node).toMatchObject({ name: NODE });
		const refused = await errorOf(sandbox(), parameters, { input: input.slice(2) });
		expect(refused.context.itemIndex).toBe(1);
		expect(refused.node).toMatchObject({ name: NODE });
	});

	test('stops the run before the other items are sent', async () => {
		sandbox().setFaults([{ match: { path: '/v3/messages/10' }, effect: { latency: { ms: 60 } } }]);
		const many = Array.from({ length: 400 }, (_, index) => ({ id: index === 3 ? '999' : '101' }));
		const { message } = await errorOf(sandbox(), parameters, { input: many });
		expect(message).toBe('No message has this ID');
		await wait(150);
		expect(sandbox().log.length).toBeLessThan(100);
	});

	test('stops the run early when an item is refused before it is sent', async () => {
		const many = Array.from({ length: 400 }, (_, index) => ({ id: index === 0 ? '' : '101' }));
		expect((await errorOf(sandbox(), parameters, { input: many })).message).toMatch(/is empty/);
		await wait(150);
		expect(sandbox().log.length).toBeLessThan(100);
	});

	test('leaves the others alone on "Continue"', async () => {
		const items = await itemsOf(sandbox(), parameters, {
			input,
			onError: 'continueRegularOutput',
		});
		expect(items).toEqual([
			{ json: { id: '101' }, pairedItem: { item: 0 } },
			{
				json: {
					error:
						"No message has this ID. Check 'Message ID'. CometChat replied: The message 999 does not exist (ERR_MESSAGE_ID_NOT_FOUND).",
				},
				pairedItem: { item: 1 },
			},
			{ json: { id: '102' }, pairedItem: { item: 2 } },
			{
				json: { error: "'Message ID' is empty. Fill in 'Message ID'." },
				pairedItem: { item: 3 },
			},
			{ json: { id: '103' }, pairedItem: { item: 4 } },
		]);
	});

	test('goes to the second branch on "Continue (using error output)", with its input', async () => {
		const result = await run(sandbox(), parameters, { input, onError: 'continueErrorOutput' });
		expect(result.error).toBeUndefined();
		expect(result.items(NODE)).toEqual([
			{ json: { id: '101' }, pairedItem: { item: 0 } },
			{ json: { id: '102' }, pairedItem: { item: 2 } },
			{ json: { id: '103' }, pairedItem: { item: 4 } },
		]);
		const failed = result.items(NODE, 1);
		expect(failed.map(({ json }) => json)).toEqual([
			{
				...input[1],
				error: expect.stringMatching(/ERR_MESSAGE_ID_NOT_FOUND/),
			},
			{ ...input[3], error: "'Message ID' is empty. Fill in 'Message ID'." },
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
	});
});

describe('A page that fails in the middle', () => {
	const parameters = list({ returnAll: true, options: { perPage: 10, maxTries: 1 } });

	beforeEach(() => {
		// One page after the other, so that the third request is the third page
		sandbox().setSettings({ totalPages: 'next' });
		sandbox().setFaults([{ match: { nth: [3] }, effect: { status: { status: 500 } } }]);
	});

	test('leaves what came before it on "Continue"', async () => {
		const items = await itemsOf(sandbox(), parameters, { onError: 'continueRegularOutput' });
		expect(items.length).toBe(21);
		expect(items.slice(0, 20).map(({ json }) => json.error)).toEqual(Array(20).fill(undefined));
		expect(items[20].json.error).toBe(
			'CometChat had an internal error. Try again later. CometChat replied with status 500 and an empty response. The 20 items fetched before this are kept.',
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(21).fill({ item: 0 }));
	});

	test('sends only the reason to the error output', async () => {
		const result = await run(sandbox(), parameters, {
			input: [{ keep: 'me' }],
			onError: 'continueErrorOutput',
		});
		expect(result.items(NODE).length).toBe(20);
		expect(result.items(NODE, 1)).toMatchObject([
			{ json: { keep: 'me', error: expect.stringMatching(/20 items/) }, pairedItem: { item: 0 } },
		]);
	});

	test('says how to keep what came before it when the run stops', async () => {
		const { description } = await errorOf(sandbox(), parameters);
		expect(description).toMatch(
			/The 20 items fetched before this are lost: to keep what was fetched, set 'On Error' in the node's Settings to continue\.$/,
		);
	});
});

describe('The API key', () => {
	// One that looks different when it is percent-encoded
	const odd = useSandbox({ apiKey: 'K3y+with/odd=chars&more%25:5a9d0c3b7e12' });

	const echoes: Array<[string, (key: string) => FaultEffect]> = [
		['in message, details and devMessage', () => ({ echoKey: { status: 401 } })],
		['with 403', () => ({ echoKey: { status: 403, code: 'AUTH_ERR_NO_ACCESS' } })],
		['with an unknown status', () => ({ echoKey: { status: 418, code: 'ERR_TEAPOT' } })],
		['with 429', () => ({ echoKey: { status: 429, code: 'ERR_TOO_MANY_REQUESTS' } })],
		[
			'percent-encoded',
			(key) => ({
				status: { status: 400, body: body('ERR_BAD_REQUEST', `?k=${encodeURIComponent(key)}`) },
			}),
		],
		[
			'in other letters',
			(key) => ({ status: { status: 400, body: body(key.toUpperCase(), key.toLowerCase()) } }),
		],
		['in a body that is not JSON', (key) => ({ status: { status: 500, body: `<html>${key}` } })],
		[
			'in a response without data',
			(key) => ({ status: { status: 200, body: { [key]: key, data: null } } }),
		],
		[
			'in the address of a redirect',
			(key) => ({ redirect: { status: 302, location: `/?${encodeURIComponent(key)}` } }),
		],
	];
	const modes = [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const;

	test.each(echoes)('echoed by the service %s is nowhere in the run data', async (_, effect) => {
		odd().setFaults([{ effect: effect(odd().apiKey) }]);
		const credentials = credentialsOf(odd(), { apiKey: `  ${odd().apiKey}\n` });
		for (const onError of modes) {
			for (const { parameters } of OPERATIONS) {
				const result = await run(odd(), { ...parameters, ...once }, { onError, credentials });
				expect(result.error === undefined).toBe(onError !== undefined);
				expect(leaksIn(result.run, odd().apiKey)).toEqual([]);
				if (result.error) expect(leaksIn(result.error, odd().apiKey)).toEqual([]);
			}
		}
		expect(odd().log.every(({ keyOk }) => keyOk)).toBe(true);
	});

	test('leaves a mark where it was, so that the words around it are kept', async () => {
		odd().setFaults([{ effect: { echoKey: { status: 401 } } }]);
		const error = await errorOf(odd(), list());
		expect(error.description).toContain(
			'CometChat replied: The API key ********** was refused (AUTH_ERR_APIKEY_NOT_FOUND).',
		);
		expect(error.description).toContain('apikey: The API key ********** was refused.');
	});

	test('that the service does not know is not shown either', async () => {
		const apiKey = 'deadbeef'.repeat(5);
		const result = await run(sandbox(), list(), {
			credentials: credentialsOf(sandbox(), { apiKey }),
		});
		expect(result.error?.message).toBe('CometChat does not know this API key');
		expect(result.error).toHaveProperty(
			'description',
			`${CHECK_KEY}. CometChat replied: The API key ********** does not exist (AUTH_ERR_APIKEY_NOT_FOUND).`,
		);
		expect(leaksIn(result.run, apiKey)).toEqual([]);
	});

	test('would be found by this search, wherever it were', () => {
		const secret = 'a+b/c';
		const error = new Error('x', { cause: { deep: [`<${encodeURIComponent(secret)}>`] } });
		expect(leaksIn(error, secret).length).toBeGreaterThan(0);
		expect(leaksIn(new Map([['k', new Set([secret.toUpperCase()])]]), secret)).not.toEqual([]);
		expect(leaksIn({ [secret]: 1 }, secret)).not.toEqual([]);
		expect(leaksIn(Object.assign(new Error('y'), { stack: secret }), secret)).not.toEqual([]);
		expect(leaksIn({ other: 'text' }, secret)).toEqual([]);
		expect(textsIn(new Error('message'))).toContain('message');
		expect(formsOf(secret)).toContain('a%2bb%2fc');
	});
});
