import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	getCheckedApiKey,
	authenticate,
	getBaseUrl,
} from '../../credentials/CometChatApi.credentials';

import { createSecretRedactor } from '../../nodes/CometChat/helpers/redact';

const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

const cloud: ICredentialDataDecryptedObject = { apiKey: KEY, appId: '2379614d', region: 'eu' };

const CLOUD_BASE = 'https://2379614d.api-eu.cometchat.io/v3';

const COPY = 'Copy it again from the CometChat dashboard, under API & Auth Keys';

const createCustom = (baseUrl: string): ICredentialDataDecryptedObject => ({
	apiKey: KEY,
	region: 'custom',
	baseUrl,
});

const send = (request: Partial<IHttpRequestOptions> & { uri?: string }, credentials = cloud) =>
	authenticate(credentials, { url: '', ...request });

/** Returns the message of the thrown Error. Fails if the Error has any other properties. */
async function catchMessage(call: () => unknown): Promise<string> {
	try {
		await call();
	} catch (error) {
		if (error instanceof Error && Object.keys(error).length === 0) return error.message;
		throw error;
	}
	throw new Error('The call threw nothing');
}

describe('getBaseUrl', () => {
	test.each<[object, string]>([
		[{ region: 'us' }, 'https://2379614d.api-us.cometchat.io/v3'],
		[{ region: 'in' }, 'https://2379614d.api-in.cometchat.io/v3'],
		[{ appId: ' 2379614D\n' }, CLOUD_BASE],
		[{ appId: 'x'.repeat(63) }, `https://${'x'.repeat(63)}.api-eu.cometchat.io/v3`],
		[{ appId: 12345 }, 'https://12345.api-eu.cometchat.io/v3'],
	])('builds the address of a cloud app: %j', (changes, expected) => {
		expect(getBaseUrl({ ...cloud, ...changes })).toBe(expected);
	});

	test.each([
		'',
		...Array.from('./:@\\#?%_ \n\u3002\uff0e').map((mark) => `a${mark}evil`),
		'x@evil',
		'a\u3002evil', // Ideographic full stop, which URLs read as a dot
		'\u212aelvin', // Kelvin sign, whose lower case is k
		'\u017fs', // Long s, whose upper case is S
		'-a',
		'x'.repeat(64),
		undefined,
		null,
		{ toString: () => 'a' },
	])('rejects the App ID %j', async (appId) => {
		expect(await catchMessage(() => getBaseUrl(Object.assign({}, cloud, { appId })))).toBe(
			"'App ID' in the CometChat credential can contain only letters, digits and hyphens. Copy it from the CometChat dashboard, under API & Auth Keys",
		);
	});

	test.each(['', 'US', 'us@evil', undefined])('rejects the region %j', async (region) => {
		expect(await catchMessage(() => getBaseUrl(Object.assign({}, cloud, { region })))).toBe(
			"'Region' in the CometChat credential must be US, EU, India or Custom Base URL",
		);
	});

	test.each([
		[' https://chat.example.com/v3/// ', 'https://chat.example.com/v3'],
		['HTTPS://Chat.Example.COM:443/v3', 'https://chat.example.com/v3'],
		['https:\\\\chat.example.com\\v3', 'https://chat.example.com/v3'],
		['https://chat.example.com/v3.0', 'https://chat.example.com/v3.0'],
		['https://gateway.example.com/v1/chat/', 'https://gateway.example.com/v1/chat'],
		...['cc-cluster-2', 'cc-edge-2'].map((cluster) => {
			const url = `https://2380119f4c6a5b7d.api-us.${cluster}.io/v3`;
			return [url, url];
		}),
	])('normalizes the custom base URL %j', (baseUrl, expected) => {
		expect(getBaseUrl(createCustom(baseUrl))).toBe(expected);
	});

	test.each([
		...['127.0.0.1', '127.1.2.3', '10.0.0.1', '10.255.255.255', '192.168.0.7'],
		...['172.16.0.1', '172.31.255.254', '[::1]', '[fc00::1]', '[fd12:3456::7]'],
		...['localhost', 'sandbox', 'host.docker.internal'],
	])('allows http:// for the local or private host %s', (host) => {
		expect(getBaseUrl(createCustom(`http://${host}:4100/v3`))).toBe(`http://${host}:4100/v3`);
	});

	const HTTPS = "'Base URL' in the CometChat credential must start with https://";

	test.each([
		...['8.8.8.8', '11.0.0.1', '172.15.0.1', '172.32.0.1', '192.169.0.1', '100.127.0.1'],
		...['[2001:db8::1]', '[fe80::1]', '[::2]', '[::ffff:8.8.8.8]', '134744072'],
		...['chat.example.com', '10.example.com', '127.0.0.1.example.com', 'localhost.example.com'],
		...['sandbox.', 'localhost@chat.example.com'],
	])('rejects http:// for the public host %s', async (host) => {
		expect(await catchMessage(() => getBaseUrl(createCustom(`http://${host}/v3`)))).toBe(HTTPS);
	});

	test.each([
		['', 'e.g. https://chat.example.com/v3'],
		['chat.example.com/v3', "isn't a valid URL"],
		['ftp://chat.example.com/v3', HTTPS],
		['https://chat.example.com@evil.example/v3', 'contain a username'],
		['https://chat.example.com/v3?x=1', 'contain a username'],
		['https://chat.example.com/v3#x', 'contain a username'],
		['https://chat.example.com/v3/users', 'must not contain "/users". Remove everything after /v3'],
		['https://chat.example.com/v3.0//groups/', 'contain "//groups". Remove everything after /v3.0'],
		[
			'https://x.api-us.cometchat.io/v3/users/leo/messages',
			'contain "/users/leo/messages". Remove everything after /v3',
		],
		[
			'https://api-in.cometchat.io/v3.0/users',
			"older address of CometChat, which doesn't contain the app. Set 'Region' to India and fill in 'App ID'",
		],
		['https://API-US.cometchat.io/v3', "Set 'Region' to US and fill in 'App ID'"],
	])('rejects the custom base URL %j: %s', async (baseUrl, words) => {
		expect(await catchMessage(() => getBaseUrl(createCustom(baseUrl)))).toContain(words);
	});
});

describe('getCheckedApiKey', () => {
	test.each<[unknown, string]>([
		...[undefined, '', '  ', null, {}].map((key): [unknown, string] => [key, 'is empty']),
		...[`${KEY}\r\nHost: evil`, `${KEY} ${KEY}`, `${KEY}\u200b`, `${KEY}é`, `\u0000${KEY}`].map(
			(key): [unknown, string] => [key, `contains an invalid character. ${COPY}`],
		),
		// Keys this short wouldn't be redacted
		['abcdefg', `has fewer than 8 characters. ${COPY}`],
		[1234567, `has fewer than 8 characters. ${COPY}`],
		// Redacting a numeric key would also redact IDs with the same digits
		['12345678', `is a number, not a key. ${COPY}`],
		[123456789012345, `is a number, not a key. ${COPY}`],
	])('rejects the key %j without repeating it', async (apiKey, problem) => {
		const message = await catchMessage(() =>
			getCheckedApiKey(Object.assign({}, cloud, { apiKey })),
		);
		expect(message).toBe(`'REST API Key' in the CometChat credential ${problem}`);
	});

	test.each(['abcdefgh', '1234567890123456', '12345678a', 'a12345678'])(
		'returns the key %s without white space around it',
		(apiKey) => expect(getCheckedApiKey({ apiKey: `\t ${apiKey}\r\n` })).toBe(apiKey),
	);

	test('accepts exactly the keys that can be redacted', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: fc.constantFrom(...Array.from('abcXYZ-')), maxLength: 20 }),
				(apiKey) => {
					const isRedacted = createSecretRedactor(apiKey)(`<${apiKey}>`) !== `<${apiKey}>`;
					if (isRedacted) expect(getCheckedApiKey({ apiKey })).toBe(apiKey);
					else expect(() => getCheckedApiKey({ apiKey })).toThrow("'REST API Key'");
				},
			),
		);
	});
});

describe('authenticate', () => {
	test('adds the base URL and the key, and leaves the rest of the request unchanged', async () => {
		const request = Object.freeze({
			method: 'DELETE' as const,
			url: '/messages/5/reactions/%F0%9F%91%8D',
			baseURL: CLOUD_BASE,
			qs: { a: 1 },
			headers: Object.freeze({ onBehalfOf: 'ann' }),
			timeout: 5,
			abortSignal: new AbortController().signal,
		});
		const before = { ...request };
		const result = await authenticate(Object.freeze({ ...cloud, apiKey: ` ${KEY} ` }), request);
		expect(result).toMatchObject({
			method: 'DELETE',
			qs: { a: 1 },
			timeout: 5,
			abortSignal: request.abortSignal,
			url: `${CLOUD_BASE}/messages/5/reactions/%F0%9F%91%8D`,
			headers: { onBehalfOf: 'ann', apikey: KEY },
		});
		expect(result).not.toHaveProperty('baseURL');
		expect(request).toEqual(before);
	});

	test.each([
		['/groups', `${CLOUD_BASE}/groups`],
		['groups', `${CLOUD_BASE}/groups`],
		['//groups', `${CLOUD_BASE}/groups`],
		['', `${CLOUD_BASE}/`],
		['/groups?a=b', `${CLOUD_BASE}/groups?a=b`],
		[`${CLOUD_BASE}/groups`, `${CLOUD_BASE}/groups`],
		['HTTPS://2379614D.API-EU.COMETCHAT.IO/v3/groups', `${CLOUD_BASE}/groups`],
		['https://2379614d.api-eu.cometchat.io:443/v3/groups', `${CLOUD_BASE}/groups`],
	])('sends %j to %s', async (url, expected) => {
		expect((await send({ url })).url).toBe(expected);
		// n8n's legacy request helper, which the HTTP Request node uses, takes the URL as `uri`
		const legacy = await send({ uri: url });
		expect(legacy.url).toBe(expected);
		expect(legacy).not.toHaveProperty('uri');
	});

	test.each([
		'https://evil.example/v3/groups',
		'https:evil.example',
		'http://2379614d.api-eu.cometchat.io/v3/groups',
		'https://2379614d.api-eu.cometchat.io:8443/v3/groups',
		'https://2379614d.api-eu.cometchat.io@evil.example/v3',
		'https://2379614d.api-eu.cometchat.io.evil.example/v3',
		'https://evil.example\\@2379614d.api-eu.cometchat.io/v3',
		'blob:https://2379614d.api-eu.cometchat.io/v3/groups',
		'file:///etc/passwd',
	])("doesn't send the key to %s", async (url) => {
		for (const request of [{ url }, { uri: url }, { url: '/groups', baseURL: url }]) {
			const message = await catchMessage(() => send(request));
			expect(message).toContain(
				'The CometChat credential sends its key only to 2379614d.api-eu.cometchat.io, not to ',
			);
			expect(message).not.toContain(KEY);
		}
	});

	test('names an address without a host', async () => {
		expect(await catchMessage(() => send({ url: 'file:///etc/passwd' }))).toMatch(
			/, not to another address$/,
		);
	});

	test("respects a request's own base URL on the credential's host", async () => {
		const baseURL = 'https://2379614d.api-eu.cometchat.io/v4/';
		expect((await send({ baseURL, url: '/groups' })).url).toBe(`${baseURL}groups`);
	});

	test("rejects requests to other hosts, with an error that doesn't contain the key", async () => {
		const part = fc.constantFrom(
			...['https:', 'HTTP:', 'blob:', '/', '//', '\\', '@', ':', '#', '?', '.', '..'],
			...['%2f', ' ', '\t'],
			...['evil.example', '2379614d.api-eu.cometchat.io', 'v3', '443', '\u3002', '\uff0f'],
		);
		const url = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
		await fc.assert(
			fc.asyncProperty(url, fc.constantFrom('url', 'uri', 'baseURL'), async (text, name) => {
				try {
					const request = await send({ [name]: text });
					expect(new URL(request.url).protocol).toBe('https:');
					expect(new URL(request.url).host).toBe('2379614d.api-eu.cometchat.io');
				} catch (error) {
					const message = error instanceof Error ? error.message : '';
					expect(message).toMatch(/sends its key only to|its URL isn't valid/);
					expect(message).not.toContain(KEY);
				}
			}),
			{ numRuns: 1_000 },
		);
	});

	test("follows no redirect with either of n8n's request helpers", async () => {
		const following = { disableFollowRedirect: false, followRedirect: true, maxRedirects: 9 };
		expect(await send({ url: '/groups', ...following })).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
			maxRedirects: 0,
		});
	});

	test("accepts any certificate only if 'Ignore SSL Issues' is on", async () => {
		const accepting = { skipSslCertificateValidation: true, rejectUnauthorized: false };
		const trusting = { ...cloud, allowUnauthorizedCerts: true };
		expect(await send({}, trusting)).toMatchObject(accepting);
		for (const allowUnauthorizedCerts of [false, undefined, 'false', '']) {
			const strict = Object.assign({}, cloud, { allowUnauthorizedCerts });
			expect(await send({}, strict)).not.toHaveProperty('rejectUnauthorized');
		}
	});

	test("sends a custom installation's key only to its own host and port", async () => {
		const own = createCustom('http://127.0.0.1:8080/chat/v3/');
		expect((await send({ url: '/groups' }, own)).url).toBe('http://127.0.0.1:8080/chat/v3/groups');
		for (const url of ['http://127.0.0.1:8081/chat/v3', 'https://127.0.0.1:8080/chat/v3']) {
			expect(await catchMessage(() => send({ url }, own))).toContain('only to 127.0.0.1:8080');
		}
	});
});
