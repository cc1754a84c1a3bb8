import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { FaultEffect, Sandbox } from '../../tools/sandbox/server';
import { testCredential } from '../../tools/n8nEngine/credentialTest';
import { leaksIn } from './errors.texts';
import { serve, type Served } from '../../tools/n8nEngine/serve';
import { credentialsOf, useSandbox, wire } from './harness';

const sandbox = useSandbox();

const NO_COMETCHAT =
	/^This address does not respond as CometChat does\. Check 'App ID' and 'Region', or 'Base URL'/;

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
			/^This region has no such app\. Check 'App ID' and 'Region'/,
		],
		['an address without the version', ({ url }) => ({ baseUrl: url }), NO_COMETCHAT],
	])('is not passed by %s', async (_, changes, message) => {
		const credential = credentialsOf(sandbox(), changes(sandbox()));
		const result = await testCredential(credential);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
		expect(leaksIn(result, String(credential.apiKey))).toEqual([]);
		expect(sandbox().log.length).toBe(1);
	});

	test.each<[string, FaultEffect, RegExp]>([
		['a web page', { html: true }, NO_COMETCHAT],
		['204', { noContent: true }, NO_COMETCHAT],
		['{}', { noData: true }, NO_COMETCHAT],
		['an unknown refusal', { status: { status: 403, body: { error: {} } } }, NO_COMETCHAT],
		[
			'a rate limit',
			{ tooManyRequests: {} },
			/^CometChat's rate limit was reached\. Try again in a minute/,
		],
		[
			'a refused empty key',
			{ echoKey: { status: 401, code: 'AUTH_ERR_EMPTY_APIKEY' } },
			/^CometChat received no API key\. Fill in 'REST API Key'/,
		],
		[
			'a refusal that repeats the key',
			{ echoKey: { status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND' } },
			/does not know this API key/,
		],
	])('is not passed by a host that answers %s', async (_, effect, message) => {
		sandbox().setFaults([{ effect }]);
		const result = await testCredential(credentialsOf(sandbox()));
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
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
			expect(result.message).toMatch(NO_COMETCHAT);
		}
		expect(visits).toEqual([]);
	});

	test('is not passed when nothing listens there', async () => {
		const baseUrl = `${address()}/v3`;
		await server.close();
		const result = await testCredential(credentialsOf(sandbox(), { baseUrl }));
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(
			/^Couldn't connect to CometChat: the connection was refused \(127\.0\.0\.1:\d+\)\. Check 'Base URL'/,
		);
		expect(leaksIn(result, sandbox().apiKey)).toEqual([]);
	});
});
