import { request } from 'undici';

import {
	ERRORS_BY_COMETCHAT_CODE,
	ERRORS_BY_NETWORK_CODE,
} from '../../nodes/CometChat/errors/table';
import { DELETIONS, STEPS } from '../../tools/live/steps';
import { checkDeliveries, collectDeliveries, startListener } from '../../tools/live/webhooks';
import { useSandbox } from '../actionNode/harness';
import { DECLARED } from '../actionNode/operations';
import { startProgram } from './startProgram';

const sandbox = useSandbox();
const never = new AbortController().signal;

test('the live check covers every operation', () => {
	const checked = new Set([...STEPS, ...DELETIONS].map(([operation]) => operation));
	const missing = DECLARED.filter(({ key }) => !checked.has(key));
	expect(missing.map(({ file }) => `${file} has no step in tools/live/steps.ts`)).toEqual([]);
});

test('deviating deliveries are reported, and unrelated deliveries are ignored', async () => {
	const listener = await startListener(0, 100);
	const data = { group: { guid: 'n8n-check-1' } };
	const envelope = { appId: 'app', region: 'us', webhook: 'check' };
	const bodies = [
		{ ...envelope, trigger: 'group_frozen', data },
		{ ...envelope, trigger: 'message_sent', data },
		{
			...envelope,
			appId: undefined,
			trigger: 'message_sent',
			data: { message: { id: 'n8n-check-1' } },
		},
	];
	for (const body of bodies) {
		const url = `http://127.0.0.1:${listener.port}/`;
		await (await request(url, { method: 'POST', body: JSON.stringify(body) })).body.dump();
	}
	const deliveries = await collectDeliveries(listener, 'n8n-check-1', never).finally(
		listener.close,
	);
	expect(checkDeliveries(deliveries)).toMatchObject([
		{
			name: 'group_frozen',
			outcome: '1',
			deviations: ['unknown event'],
		},
		{
			name: 'message_sent',
			outcome: '2',
			deviations: ['unexpected shape: the trigger finds nothing in data', 'missing: appId'],
		},
	]);
});

const BASE_URL_ADVICE = "Check 'Base URL' in the credential.";

describe('The live check creates nothing, and explains the error, for', () => {
	const { AUTH_ERR_APIKEY_NOT_FOUND, AUTH_ERR_INVALID_APPID, ERR_API_NOT_FOUND } =
		ERRORS_BY_COMETCHAT_CODE;
	const { ENOTFOUND, EAI_AGAIN } = ERRORS_BY_NETWORK_CODE;

	test.each([
		[
			'a wrong key',
			{ COMETCHAT_API_KEY: 'f'.repeat(40) },
			'',
			`${AUTH_ERR_APIKEY_NOT_FOUND.message}. Check 'REST API Key' and 'Base URL' in the credential.`,
		],
		[
			'an app of another region',
			{},
			'/app/other/v3',
			`${AUTH_ERR_INVALID_APPID.message}. ${BASE_URL_ADVICE}`,
		],
		[
			'an address without the API',
			{},
			'/',
			`${ERR_API_NOT_FOUND.message}. ${ERR_API_NOT_FOUND.baseUrlAdvice}.`,
		],
	])('%s', async (_what, env, path, said) => {
		const { url, apiKey } = sandbox();
		const COMETCHAT_BASE_URL = `${url}${path || '/v3'}`;
		const { code, output } = await startProgram([], {
			COMETCHAT_API_KEY: apiKey,
			COMETCHAT_BASE_URL,
			...env,
		});
		expect(code).toBe(2);
		expect(output.slice(0, said.length)).toBe(said);
		expect(sandbox().log.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test('a port that is in use', async () => {
		const { apiKey, baseUrl } = sandbox();
		const env = { COMETCHAT_API_KEY: apiKey, COMETCHAT_BASE_URL: baseUrl };
		const listener = await startListener(4101, undefined, 'https://example.com/hook');
		const { code, output } = await startProgram(['--listen', listener.address], env).finally(
			listener.close,
		);
		expect(code).toBe(2);
		expect(output).toContain('listen EADDRINUSE: address already in use :::4101');
		expect(sandbox().log.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test.each([
		[
			'a host that does not exist',
			{ COMETCHAT_API_KEY: 'f'.repeat(40), COMETCHAT_BASE_URL: 'https://nowhere.invalid/v3' },
			[`${ENOTFOUND.message}. ${BASE_URL_ADVICE}`, `${EAI_AGAIN.message}. ${EAI_AGAIN.advice}.`],
		],
		[
			'an unknown region',
			{ COMETCHAT_API_KEY: 'f'.repeat(40), COMETCHAT_APP_ID: 'app', COMETCHAT_REGION: 'mars' },
			["'Region' in the CometChat credential must be US, EU, India or Custom Base URL"],
		],
		[
			'an app without a key',
			{ COMETCHAT_APP_ID: 'app', COMETCHAT_REGION: 'eu' },
			['Set COMETCHAT_API_KEY, or unset the others to check the sandbox'],
		],
	])('%s', async (_what, env, said) => {
		const { code, output } = await startProgram([], env);
		expect(code).toBe(2);
		expect(said).toContain(output.trim().replace(/ The connection reported: .*/, ''));
	});
});
