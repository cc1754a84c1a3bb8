import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { FaultEffect, Sandbox } from '../../tools/sandbox/server';
import { testCredential } from '../../tools/n8nEngine/credentialTest';
import { leaksIn } from './errors.texts';
import { serve, type Served } from '../../tools/n8nEngine/serve';
import { credentialsOf, useSandbox, wire } from './harness';

const sandbox = useSandbox();

const CHECK_ADDRESS = "Check 'App ID' and 'Region', or 'Base URL', in the credential";

const refusal = (status: number, code: string): FaultEffect => ({
	status: { status, body: { error: { code, message: 'Refused' } } },
});

describe('The test of the credential', () => {
	test('is passed by the right key, with one small request', async () => {
		expect(await testCredential(credentialsOf(sandbox()))).toMatchObject({ status: 'OK' });
		expect(wire(sandbox())).toEqual(['GET /groups?perPage=1']);
		expect(sandbox().violations).toEqual([]);
	});

	test('is passed by a key that was pasted with white space, and by the address of an app', async () => {
		const apiKey = ` ${sandbox().apiKey}\n`;
		const baseUrl = `${sandbox().url}/app/${sandbox().appId}/v3/`;
		const result = await testCredential(credentialsOf(sandbox(), { apiKey, baseUrl }));
		expect(result.status).toBe('OK');
	});

	test('is passed by an app without groups', async () => {
		const body = { data: [], meta: {} };
		sandbox().setFaults([{ effect: { status: { status: 200, body } } }]);
		expect((await testCredential(credentialsOf(sandbox()))).status).toBe('OK');
	});

	test.each<[string, (service: Sandbox) => ICredentialDataDecryptedObject, RegExp]>([
		[
			'a wrong key',
			() => ({ apiKey: 'f'.repeat(40) }),
			/^CometChat does not know this API key\. Check 'REST API Key'/,
		],
		[
			'a key without full access',
			({ authOnlyKey }) => ({ apiKey: authOnlyKey }),
			/^This API key lacks full access\. Use a key with the fullAccess scope/,
		],
		[
			'a wrong App ID or region',
			({ url }) => ({ baseUrl: `${url}/app/another/v3` }),
			/^No app in this region has this ID\. Check 'App ID' and 'Region'/,
		],
		[
			'an address without the version',
			({ url }) => ({ baseUrl: url }),
			/^CometChat has no API at this address\. Check that 'Base URL' in the credential ends with the version segment/,
		],
	])('is not passed by %s', async (_, changes, message) => {
		const credential = credentialsOf(sandbox(), changes(sandbox()));
		const result = await testCredential(credential);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
		expect(leaksIn(result, String(credential.apiKey))).toEqual([]);
		expect(sandbox().log.length).toBe(1);
	});

	test.each<[string, FaultEffect, string]>([
		[
			'a web page',
			{ html: true },
			`CometChat sent a web page (HTML) with status 200 instead of JSON. ${CHECK_ADDRESS}, and any proxy between n8n and CometChat.`,
		],
		[
			'204',
			{ noContent: true },
			`CometChat sent an empty response with status 204 instead of JSON. ${CHECK_ADDRESS}, and any proxy between n8n and CometChat.`,
		],
		[
			'{}',
			{ noData: true },
			`CometChat's response contains no data. ${CHECK_ADDRESS}, and any proxy between n8n and CometChat.`,
		],
		[
			'status 404 without a code of CometChat',
			{ status: { status: 404, body: '<html>Not here' } },
			`CometChat found nothing at this address. ${CHECK_ADDRESS}. CometChat replied with status 404 and a web page (HTML).`,
		],
		[
			'an unknown refusal',
			{ status: { status: 403, body: { error: {} } } },
			"CometChat denied access. Check that 'REST API Key' in the credential has the fullAccess scope. CometChat replied with status 403 and JSON of another shape.",
		],
		[
			'status 500',
			{ status: { status: 500 } },
			'CometChat had an internal error. Try again later. CometChat replied with status 500 and an empty response.',
		],
		[
			'status 503',
			{ status: { status: 503 } },
			'CometChat is currently unavailable. Try again later. CometChat replied with status 503 and an empty response.',
		],
		[
			'an expired subscription',
			refusal(403, 'ERR_SUBSCRIPTION_EXPIRED'),
			"The app's subscription has expired. Renew it in the CometChat dashboard. CometChat replied: Refused (ERR_SUBSCRIPTION_EXPIRED).",
		],
		[
			"a plan's limit, with a status of success",
			refusal(200, 'ERR_PLAN_QUOTA_RESTRICTION'),
			"The app's quota is used up. Wait until the quota renews, or change the plan in the CometChat dashboard. CometChat replied: Refused (ERR_PLAN_QUOTA_RESTRICTION).",
		],
		[
			'a rate limit',
			{ tooManyRequests: {} },
			"CometChat's rate limit was reached. Send fewer requests at the same time, or try again in a minute.",
		],
		[
			'a refused empty key',
			{ echoKey: { status: 401, code: 'AUTH_ERR_EMPTY_APIKEY' } },
			"CometChat received no API key. Fill in 'REST API Key' in the credential.",
		],
		[
			'a refusal that repeats the key',
			{ echoKey: { status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND' } },
			"CometChat does not know this API key. Check 'REST API Key', 'App ID' and 'Region', or 'Base URL', in the credential. CometChat replied: The API key ********** was refused (AUTH_ERR_APIKEY_NOT_FOUND).",
		],
	])('is not passed by a host that answers %s', async (_, effect, message) => {
		sandbox().setFaults([{ effect }]);
		const result = await testCredential(credentialsOf(sandbox()));
		expect(result.status).toBe('Error');
		expect(result.message.slice(0, message.length)).toBe(message);
		expect(leaksIn(result, sandbox().apiKey)).toEqual([]);
		expect(sandbox().log.length).toBe(1);
	});

	test.each<[string, ICredentialDataDecryptedObject, RegExp]>([
		['an empty key', { apiKey: ' ' }, /'REST API Key' in the CometChat credential is empty/],
		['a base URL that is none', { baseUrl: 'chat.example.com' }, /'Base URL' .* isn't a valid URL/],
	])('is not passed by %s, and nothing is sent', async (_, changes, message) => {
		const result = await testCredential(credentialsOf(sandbox(), changes));
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
		expect(sandbox().log).toEqual([]);
	});
});

describe('The test of the credential with a second host', () => {
	let server: Served;
	let visits: string[];

	beforeEach(async () => {
		visits = [];
		server = await serve((request, response) => {
			visits.push(String(request.url));
			response.setHeader('content-type', 'application/json').end('{"data":[]}');
		});
	});

	afterEach(async () => {
		if (server.server.listening) await server.close();
	});

	const address = () => server.url;

	test('does not follow a redirect there, and is not passed by it', async () => {
		for (const status of [301, 302, 307, 308]) {
			const location = `${address()}/v3/groups?perPage=1`;
			sandbox().setFaults([{ effect: { redirect: { status, location } } }]);
			const result = await testCredential(credentialsOf(sandbox()));
			expect(result.status).toBe('Error');
			expect(result.message).toBe(
				`The request was redirected, so it was stopped to protect your API key. ${CHECK_ADDRESS}. CometChat replied with status ${status} and an empty response.`,
			);
		}
		expect(visits).toEqual([]);
	});

	test('is not passed when nothing listens there', async () => {
		const baseUrl = `${address()}/v3`;
		await server.close();
		const result = await testCredential(credentialsOf(sandbox(), { baseUrl }));
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(
			/^Couldn't connect to CometChat: the connection was refused\. Check 'Base URL' in the credential, and check that the service is running\. The connection reported: connect ECONNREFUSED 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\.$/,
		);
		expect(leaksIn(result, sandbox().apiKey)).toEqual([]);
	});
});
