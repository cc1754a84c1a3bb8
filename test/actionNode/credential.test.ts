import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { testCredential } from '../../tools/n8nEngine/credentialTest';
import { serve } from '../../tools/n8nEngine/serve';
import type { FaultEffect, Sandbox } from '../../tools/sandbox/server';
import { findLeaks } from './findLeaks';
import { credentialsOf, useSandbox, wire } from './harness';

const sandbox = useSandbox();

/** Runs the credential test, which must fail, and returns the failure message. */
async function failureOf(changes: ICredentialDataDecryptedObject = {}): Promise<string> {
	const credential = credentialsOf(sandbox(), changes);
	const result = await testCredential(credential);
	expect(result.status).toBe('Error');
	expect(findLeaks(result, String(credential.apiKey))).toEqual([]);
	return result.message;
}

const ADDRESS = "Check 'Base URL' in the credential";

const refusal = (status: number, code: string): FaultEffect => ({
	status: { status, body: { error: { code, message: 'Refused' } } },
});

describe('The credential test', () => {
	test('accepts a valid key, and sends one small request', async () => {
		expect(await testCredential(credentialsOf(sandbox()))).toEqual({
			status: 'OK',
			message: 'CometChat accepted the API key',
		});
		expect(wire(sandbox())).toEqual(['GET /groups?perPage=1']);
		expect(sandbox().violations).toEqual([]);
	});

	test('accepts a key with whitespace, an app-specific base URL, and an app without groups', async () => {
		const apiKey = ` ${sandbox().apiKey}\n`;
		const baseUrl = `${sandbox().url}/app/${sandbox().appId}/v3/`;
		const credential = credentialsOf(sandbox(), { apiKey, baseUrl });
		expect((await testCredential(credential)).status).toBe('OK');
		const body = { data: [], meta: {} };
		sandbox().setFaults([{ effect: { status: { status: 200, body } } }]);
		expect((await testCredential(credential)).status).toBe('OK');
	});

	test.each<[string, (service: Sandbox) => ICredentialDataDecryptedObject, string]>([
		[
			'an unknown key',
			() => ({ apiKey: 'f'.repeat(40) }),
			"CometChat does not recognize this API key. Check 'REST API Key'",
		],
		[
			'a key without full access',
			({ authOnlyKey }) => ({ apiKey: authOnlyKey }),
			'This API key lacks full access. Use a key with the fullAccess scope',
		],
		[
			'a wrong App ID or region',
			({ url }) => ({ baseUrl: `${url}/app/another/v3` }),
			"No app in this region has this ID. Check 'Base URL'",
		],
		[
			'a base URL without the version',
			({ url }) => ({ baseUrl: url }),
			"CometChat has no API at this address. Check that 'Base URL' in the credential ends with the version segment",
		],
	])('rejects %s', async (_, changes, message) => {
		expect((await failureOf(changes(sandbox()))).slice(0, message.length)).toBe(message);
		expect(sandbox().log.length).toBe(1);
	});

	test.each<[FaultEffect, string]>([
		[
			{ html: true },
			`CometChat sent a web page (HTML) with status 200 instead of JSON. ${ADDRESS}. Check any proxy between n8n and CometChat.`,
		],
		[
			{ noData: true },
			`CometChat's response contains no list of groups. ${ADDRESS}. Check any proxy between n8n and CometChat.`,
		],
		[
			{ status: { status: 404, body: '<html>Not here' } },
			`CometChat found nothing at this address. ${ADDRESS}. CometChat replied with status 404 and a web page (HTML).`,
		],
		[
			refusal(200, 'ERR_PLAN_QUOTA_RESTRICTION'),
			"The app's quota is used up. Wait until the quota renews, or change the plan in the CometChat dashboard. CometChat replied: Refused (ERR_PLAN_QUOTA_RESTRICTION).",
		],
		[
			{ tooManyRequests: {} },
			"CometChat's rate limit was reached. Send fewer requests at the same time, or try again later.",
		],
		[
			{ echoKey: { status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND' } },
			"CometChat does not recognize this API key. Check 'REST API Key' and 'Base URL' in the credential. CometChat replied: The API key ********** was refused (AUTH_ERR_APIKEY_NOT_FOUND).",
		],
	])('fails with an explanation of the response %j', async (effect, message) => {
		sandbox().setFaults([{ effect }]);
		expect((await failureOf()).slice(0, message.length)).toBe(message);
		expect(sandbox().log.length).toBe(1);
	});

	test('rejects an invalid base URL, and sends nothing', async () => {
		expect(await failureOf({ baseUrl: 'chat.example.com' })).toMatch(
			/'Base URL' .* isn't a valid URL/,
		);
		expect(sandbox().log).toEqual([]);
	});

	test.each([301, 302, 307, 308])('does not follow a redirect with status %i', async (status) => {
		const visits: unknown[] = [];
		const { url, close } = await serve((request, response) => {
			visits.push(request.url);
			response.end();
		});
		const location = `${url}/v3/groups?perPage=1`;
		sandbox().setFaults([{ effect: { redirect: { status, location } } }]);
		const message = await failureOf().finally(close);
		expect(message).toBe(
			`The request was redirected, so it was stopped to protect your API key. ${ADDRESS}. CometChat replied with status ${status} and an empty response.`,
		);
		expect(visits).toEqual([]);
	});

	test('fails if the connection is refused', async () => {
		const { url, close } = await serve();
		await close();
		expect(await failureOf({ baseUrl: `${url}/v3` })).toMatch(
			/^Couldn't connect to CometChat: the connection was refused\. Check 'Base URL' in the credential, and make sure that the service is running\. The connection reported: connect ECONNREFUSED 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\.$/,
		);
	});
});
