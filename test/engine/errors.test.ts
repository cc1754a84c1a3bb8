import type { FaultEffect } from '../../tools/sandbox/server';
import { leaksIn } from './errors.texts';
import { serve, type Served } from '../../tools/n8nEngine/serve';
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
import { OPERATIONS } from './operations';

const sandbox = useSandbox();

/** Options with which nothing is attempted again. */
const once = { requestOptions: { maxTries: 1, maxWait: 0 } };

const respondWith = (effect: FaultEffect) => sandbox().setFaults([{ effect }]);

describe('A response that holds nothing usable', () => {
	const JSON_EXPECTED = 'with status 200 instead of JSON';

	const NOT_USABLE: Array<[string, FaultEffect, string]> = [
		['a web page', { html: true }, `CometChat sent a web page (HTML) ${JSON_EXPECTED}`],
		[
			'204',
			{ noContent: true },
			'CometChat sent an empty response with status 204 instead of JSON',
		],
		['{}', { noData: true }, "CometChat's response contains no data"],
	];

	const REPRESENTATIVES = OPERATIONS.filter(({ name }) =>
		['List groups', 'Get message', 'Send message', 'Delete group'].includes(name),
	);

	test.each(NOT_USABLE)('(%s) is an error', async (_, effect, expected) => {
		for (const { parameters, change } of REPRESENTATIVES) {
			respondWith(effect);
			const error = await errorOf(sandbox(), parameters);
			expect(error.name).toBe('NodeApiError');
			if (change) {
				expect(error.message).toBe(`CometChat may already have ${change.done}`);
				expect(error.description).toContain(
					`Check ${change.inspect} before you run this item again. ${expected}`,
				);
			} else {
				expect(error.message.startsWith(expected)).toBe(true);
			}
			expect(error.description).toMatch(
				/Check 'App ID' and 'Region', or 'Base URL', in the credential, and any proxy between n8n and CometChat\.?$/,
			);
		}
		expect(sandbox().log).toHaveLength(REPRESENTATIVES.length);
	});
});

describe('A redirect', () => {
	let elsewhere: Served;
	let visits: string[];

	beforeEach(async () => {
		visits = [];
		elsewhere = await serve((request, response) => {
			visits.push(String(request.url));
			response.setHeader('content-type', 'application/json');
			response.end('{"data":[]}');
		});
	});

	afterEach(async () => await elsewhere.close());

	const MAYBE = 'CometChat may already have removed the reaction';
	const STOPPED = 'The request was redirected, so it was stopped to protect your API key';

	test.each([
		[301, MAYBE],
		[302, MAYBE],
		[303, MAYBE],
		[307, STOPPED],
		[308, STOPPED],
	])('%i is not followed, and of a change says: %s', async (status, ofChange) => {
		respondWith({ redirect: { status, location: `${elsewhere.url}/v3/groups` } });
		for (const [parameters, message] of [
			[get('101'), STOPPED],
			[removeReaction('101', '👍', 'mira'), ofChange],
		] as const) {
			const error = await errorOf(sandbox(), parameters);
			expect(error.message).toBe(message);
			expect(`${message}. ${error.description}`).toContain(`${STOPPED}. `);
			expect(error.description).toContain(
				`Check 'App ID' and 'Region', or 'Base URL', in the credential. CometChat replied with status ${status} and an empty response`,
			);
			expect(error.httpCode).toBe(String(status));
		}
		expect(visits).toEqual([]);
		expect(sandbox().log.length).toBe(2);
	});

	test('to another path of the same host is not followed either', async () => {
		respondWith({ redirect: { status: 302, location: '/v3/messages/101' } });
		expect((await errorOf(sandbox(), list())).message).toMatch(/^The request was redirected/);
		expect(wire(sandbox())).toEqual(['GET /groups?page=1&perPage=50']);
	});
});

describe('A page that fails in the middle', () => {
	const parameters = list({
		returnAll: true,
		options: { perPage: 10 },
		requestOptions: { maxTries: 1 },
	});

	beforeEach(() => {
		// One page after the other, so that the third request is the third page
		sandbox().setSettings({ totalPages: 'next' });
		sandbox().setFaults([{ match: { nth: [3] }, effect: { status: { status: 500 } } }]);
	});

	test('leaves what came before it on "Continue"', async () => {
		const items = await itemsOf(sandbox(), parameters, { onError: 'continueRegularOutput' });
		expect(items.length).toBe(21);
		expect(items.slice(0, 20).map(({ json }) => json.error)).toEqual(Array(20).fill(undefined));
		expect(items[20].json.error).toContain(
			'CometChat had an internal error. Try again later. CometChat replied with status 500 and an empty response. The 20 items fetched before this are kept',
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
});

describe('The API key', () => {
	const echoes: Array<[string, (key: string) => FaultEffect]> = [
		['in message, details and devMessage', () => ({ echoKey: { status: 401 } })],
		['with 429', () => ({ echoKey: { status: 429, code: 'ERR_TOO_MANY_REQUESTS' } })],
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
		sandbox().setFaults([{ effect: effect(sandbox().apiKey) }]);
		const credentials = credentialsOf(sandbox(), { apiKey: `  ${sandbox().apiKey}\n` });
		for (const onError of modes) {
			for (const parameters of [list(), removeReaction('101', '👍', 'mira')]) {
				const result = await run(sandbox(), { ...parameters, ...once }, { onError, credentials });
				expect(result.error === undefined).toBe(onError !== undefined);
				expect(leaksIn(result.run, sandbox().apiKey)).toEqual([]);
				if (result.error) expect(leaksIn(result.error, sandbox().apiKey)).toEqual([]);
			}
		}
		expect(sandbox().log.every(({ keyOk }) => keyOk)).toBe(true);
	});

	test('leaves a mark where it was, so that the words around it are kept', async () => {
		sandbox().setFaults([{ effect: { echoKey: { status: 401 } } }]);
		const error = await errorOf(sandbox(), list());
		expect(error.description).toContain(
			'CometChat replied: The API key ********** was refused (AUTH_ERR_APIKEY_NOT_FOUND)',
		);
		expect(error.description).toContain('apikey: The API key ********** was refused');
	});

	test('would be found by this search, wherever it were', () => {
		const secret = 'a+b/c';
		const error = new Error('x', { cause: { deep: [`<${encodeURIComponent(secret)}>`] } });
		expect(leaksIn(error, secret).length).toBeGreaterThan(0);
		expect(leaksIn(new Map([['k', new Set([secret.toUpperCase()])]]), secret)).not.toEqual([]);
		expect(leaksIn({ [secret]: 1 }, secret)).not.toEqual([]);
		expect(leaksIn(Object.assign(new Error('y'), { stack: secret }), secret)).not.toEqual([]);
		expect(leaksIn({ other: 'text' }, secret)).toEqual([]);
	});
});
