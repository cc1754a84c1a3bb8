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

const sandbox = useSandbox();

const OPERATIONS: Array<[string, INodeParameters]> = [
	['List', list()],
	['Get', get('101')],
	['Remove Reaction', removeReaction('101', '👍', 'mira')],
];

/** Options with which nothing is tried again. */
const once = { options: { maxTries: 1 } };

const answerWith = (effect: FaultEffect) => sandbox().setFaults([{ effect }]);

const body = (code: string, message: string, more = {}) => ({ error: { code, message, ...more } });

/** Status, code, what happened, what to do. */
const ROWS: Array<[number, string, RegExp, RegExp]> = [
	[400, 'ERR_BAD_REQUEST', /does not accept a value/, /correct the field/],
	[
		401,
		'AUTH_ERR_APIKEY_NOT_FOUND',
		/does not know the API key/,
		/"API Key", "App ID" and "Region"/,
	],
	[401, 'AUTH_ERR_EMPTY_APIKEY', /got no API key/, /"API Key" in the credential/],
	[403, 'AUTH_ERR_NO_ACCESS', /lacks full access/, /fullAccess scope/],
	[403, 'ERR_MESSAGE_NO_ACCESS', /may not see this message/, /"On Behalf Of".*3 seconds/],
	[404, 'ERR_MESSAGE_ID_NOT_FOUND', /No message has this ID/, /"Message ID"/],
	[404, 'ERR_UID_NOT_FOUND', /no such user, or the user is deactivated/, /"On Behalf Of"/],
	[404, 'ERR_GUID_NOT_FOUND', /no such group/, /GUID/],
	[404, 'ERR_API_NOT_FOUND', /nothing at this address/, /"Base URL"/],
	[400, 'AUTH_ERR_INVALID_APPID', /no such app in this region/, /"App ID" and "Region"/],
	[401, 'AUTH_ERR_INVALID_APPID', /no such app in this region/, /"App ID" and "Region"/],
	[404, 'AUTH_ERR_INVALID_APPID', /no such app in this region/, /"App ID" and "Region"/],
	[403, 'ERR_PLAN_RESTRICTION', /plan of this app does not include/, /[Cc]hange the plan/],
	[402, 'ERR_PLAN_RESTRICTION', /plan of this app does not include/, /[Cc]hange the plan/],
	[403, 'ERR_PLAN_QUOTA_RESTRICTION', /quota of this app is used up/, /change the plan/],
	[403, 'ERR_SUBSCRIPTION_EXPIRED', /subscription of this app has expired/, /renew it/],
	[429, 'ERR_TOO_MANY_REQUESTS', /limits the rate of requests/, /"Max Wait" or "Max Tries"/],
];

describe('What the service refuses', () => {
	test.each(ROWS)('%i %s', async (status, code, what, todo) => {
		const said = `The service's own words on ${code}.`;
		answerWith({ status: { status, body: body(code, said) } });
		for (const [, parameters] of OPERATIONS) {
			const error = await errorOf(sandbox(), { ...parameters, ...once });
			expect(error.name).toBe('NodeApiError');
			expect(error.message).toMatch(what);
			expect(error.message).toMatch(todo);
			expect(error.message).toContain(`CometChat says: ${code}: ${said}`);
			expect(error.description?.toLowerCase()).toMatch(new RegExp(todo.source.toLowerCase()));
			expect(error.httpCode).toBe(String(status));
			expect(error.context.itemIndex).toBe(0);
		}
	});

	test.each<[number, RegExp]>([
		[400, /does not accept a value/],
		[401, /refused the API key/],
		[403, /refused access/],
		[404, /found nothing/],
		[408, /waited too long/],
		[413, /too large/],
		[414, /too long/],
		[418, /did not carry out the request/],
		[429, /limits the rate/],
		[500, /had a fault of its own/],
		[502, /gateway before CometChat got no answer/],
		[503, /not available right now/],
		[504, /gateway before CometChat waited too long/],
		[507, /had a fault of its own/],
	])('%i without a code that is known is explained by its status', async (status, what) => {
		answerWith({ status: { status, body: body('ERR_NEW', 'Something new.') } });
		const known = await errorOf(sandbox(), get('101', once));
		expect(known.message).toMatch(what);
		expect(known.message).toContain('CometChat says: ERR_NEW: Something new.');
		answerWith({ status: { status, body: '<html>gateway</html>' } });
		const page = await errorOf(sandbox(), get('101', once));
		expect(page.message).toMatch(what);
		expect(page.message).toContain(`It answered a web page (HTML) with status ${status}.`);
	});

	test.each<[string, unknown, string]>([
		[
			'lists of texts',
			{ limit: ['must be a number', 'is odd'] },
			'limit: must be a number, is odd',
		],
		['a text', { limit: 'must be a number' }, 'limit: must be a number'],
		['several fields', { a: ['one'], b: ['two'] }, 'a: one; b: two'],
		['no object at all', 'just words', 'just words'],
	])('details with %s are readable', async (_, details, readable) => {
		answerWith({
			status: {
				status: 400,
				body: body('ERR_BAD_REQUEST', 'Not valid.', { details, devMessage: 'For developers' }),
			},
		});
		const error = await errorOf(sandbox(), list());
		expect(error.message).toContain(`${readable}.`);
		expect(error.description).toContain(`CometChat names: ${readable}.`);
		expect(error.description).toContain('For developers.');
	});

	test.each<[string, () => Promise<string>, RegExp]>([
		['a wrong key', () => message(list(), { apiKey: 'f'.repeat(40) }), /AUTH_ERR_APIKEY_NOT_FOUND/],
		[
			'a key without full access',
			() => message(list(), { apiKey: sandbox().authOnlyKey }),
			/AUTH_ERR_NO_ACCESS/,
		],
		[
			'a wrong App ID',
			() => message(list(), { baseUrl: `${sandbox().url}/app/wrong/v3` }),
			/AUTH_ERR_INVALID_APPID/,
		],
		[
			'a base URL without the version',
			() => message(list(), { baseUrl: sandbox().url }),
			/ERR_API_NOT_FOUND/,
		],
		['an unknown message', () => message(get('999')), /ERR_MESSAGE_ID_NOT_FOUND: .*999/],
		[
			'an unknown user',
			() => message(list({ onBehalfOf: 'nobody' })),
			/ERR_UID_NOT_FOUND: .*nobody/,
		],
		[
			'a deactivated user',
			() => message(list({ onBehalfOf: 'old-account' })),
			/deactivated.*ERR_UID_NOT_FOUND/,
		],
		[
			'a message of others',
			() => message(get('101', { onBehalfOf: 'carla' })),
			/may not see.*ERR_MESSAGE_NO_ACCESS/,
		],
		[
			'a reaction that is not there',
			() => message(removeReaction('101', 'never made', 'mira')),
			/found nothing.*ERR_REACTION_NOT_FOUND/,
		],
		[
			'a reaction of somebody else',
			() => message(removeReaction('101', ':+1:', 'mira')),
			/ERR_REACTION_NOT_FOUND/,
		],
	])('the sandbox itself refuses %s', async (_, messageOf, expected) => {
		expect(await messageOf()).toMatch(expected);
	});

	async function message(parameters: INodeParameters, credential = {}): Promise<string> {
		const credentials = credentialsOf(sandbox(), credential);
		return (await errorOf(sandbox(), parameters, { credentials })).message;
	}
});

describe('What is no answer', () => {
	const NO_ANSWERS: Array<[string, FaultEffect, string]> = [
		['a web page', { html: true }, 'answered a web page (HTML) with status 200 instead of JSON'],
		['no byte', { empty: true }, 'answered nothing with status 200 instead of JSON'],
		['204', { noContent: true }, 'answered nothing with status 204 instead of JSON'],
		['broken JSON', { brokenJson: true }, 'answered broken JSON with status 200 instead of JSON'],
		['{}', { noData: true }, 'The answer has no "data"'],
		['data: null', { nullData: true }, 'The answer\'s "data" is null'],
		['a list', { status: { status: 200, body: [1] } }, 'answered a list with status 200'],
		['plain text', { status: { status: 200, body: 'OK' } }, 'answered text that is not JSON'],
		['data: 5', { status: { status: 200, body: { data: 5 } } }, 'The answer\'s "data" is not a'],
	];
	const cases = OPERATIONS.flatMap(([name, parameters]) =>
		NO_ANSWERS.map(
			([what, effect, expected]): [string, string, INodeParameters, FaultEffect, string] => [
				what,
				name,
				parameters,
				effect,
				expected,
			],
		),
	);

	test.each(cases)('%s is an error of %s', async (_, name, parameters, effect, expected) => {
		answerWith(effect);
		const error = await errorOf(sandbox(), parameters);
		expect(error.name).toBe('NodeApiError');
		expect(error.message).toContain(expected);
		expect(error.message).toMatch(
			name === 'Remove Reaction' ? /whether it was carried out is not known/ : /"Base URL"/,
		);
		expect(sandbox().log.length).toBe(1);
	});

	test('a message where groups should be, and groups where a message should be', async () => {
		answerWith({ status: { status: 200, body: { data: { id: '1' } } } });
		expect((await errorOf(sandbox(), list())).message).toMatch(/"data" is not a list of groups/);
		answerWith({ status: { status: 200, body: { data: [] } } });
		expect((await errorOf(sandbox(), get('1'))).message).toMatch(/"data" is not a message/);
		answerWith({ status: { status: 200, body: { data: ['guid'] } } });
		expect((await errorOf(sandbox(), list())).message).toMatch(/"data" is not a list of groups/);
	});
});

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
		answerWith({ redirect: { status, location: `http://127.0.0.1:${port}/v3/groups` } });
		for (const [, parameters] of OPERATIONS) {
			const error = await errorOf(sandbox(), parameters);
			expect(error.message).toMatch(/answers with a redirect, which is not followed/);
			expect(error.message).toMatch(/"App ID" and "Region", or "Base URL"/);
			expect(error.httpCode).toBe(String(status));
		}
		expect(visits).toEqual([]);
		expect(sandbox().log.length).toBe(3);
	});

	test('to another path of the same host is not followed either', async () => {
		answerWith({ redirect: { status: 302, location: '/v3/messages/101' } });
		expect((await errorOf(sandbox(), list())).message).toMatch(/which is not followed/);
		expect(wire(sandbox())).toEqual(['GET /groups?page=1&perPage=50']);
	});
});

describe('An error of one item', () => {
	const input = ['101', '999', '102', '', '103'].map((id, order) => ({ id, order, keep: 'me' }));
	const parameters = get('={{ $json.id }}', { output: 'fields', fields: ['id'] });

	test('stops the run and names the item', async () => {
		const answered = await errorOf(sandbox(), parameters, { input: input.slice(0, 3) });
		expect(answered.context.itemIndex).toBe(1);
		expect(answered.node).toMatchObject({ name: NODE });
		const refused = await errorOf(sandbox(), parameters, { input: input.slice(2) });
		expect(refused.context.itemIndex).toBe(1);
		expect(refused.node).toMatchObject({ name: NODE });
	});

	test('stops the run before the other items are sent', async () => {
		sandbox().setFaults([{ match: { path: '/v3/messages/10' }, effect: { latency: { ms: 60 } } }]);
		const many = Array.from({ length: 400 }, (_, index) => ({ id: index === 3 ? '999' : '101' }));
		const { message } = await errorOf(sandbox(), parameters, { input: many });
		expect(message).toMatch(/ERR_MESSAGE_ID_NOT_FOUND/);
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
					error: expect.stringMatching(/^No message has this ID.*ERR_MESSAGE_ID_NOT_FOUND/),
				},
				pairedItem: { item: 1 },
			},
			{ json: { id: '102' }, pairedItem: { item: 2 } },
			{
				json: { error: expect.stringMatching(/^"Message ID" is empty/) },
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
			{ ...input[3], error: expect.stringMatching(/"Message ID" is empty/) },
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'of every operation, and of every kind, has its input and pairing on %s',
		async (onError) => {
			for (const [, operation] of OPERATIONS) {
				answerWith({ html: true });
				const result = await run(sandbox(), operation, { input: [{ a: 1 }, { a: 2 }], onError });
				expect(result.error).toBeUndefined();
				const output = onError === 'continueErrorOutput' ? 1 : 0;
				const items = result.items(NODE, output);
				expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
				expect(items.map(({ json }) => json.error)).toEqual([
					expect.stringMatching(/a web page/),
					expect.stringMatching(/a web page/),
				]);
				expect(items.map(({ json }) => json.a)).toEqual(
					output === 1 ? [1, 2] : [undefined, undefined],
				);
			}
		},
	);
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
		expect(items[20].json.error).toMatch(
			/fault of its own.*The 20 items that came before are kept/,
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
		const { message } = await errorOf(sandbox(), parameters);
		expect(message).toMatch(/20 items had come before: to keep them, set "On Error"/);
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
		['in a body that is no JSON', (key) => ({ status: { status: 500, body: `<html>${key}` } })],
		[
			'in an answer without data',
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
			for (const [, parameters] of OPERATIONS) {
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
		expect(error.message).toContain('The API key ********** was refused.');
		expect(error.description).toContain('apikey: The API key ********** was refused.');
	});

	test('that the service does not know is not shown either', async () => {
		const apiKey = 'deadbeef'.repeat(5);
		const result = await run(sandbox(), list(), {
			credentials: credentialsOf(sandbox(), { apiKey }),
		});
		expect(result.error?.message).toMatch(/AUTH_ERR_APIKEY_NOT_FOUND: The API key \*+ does not/);
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
