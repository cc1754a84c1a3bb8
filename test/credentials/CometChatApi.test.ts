import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { apiKeyOf, authenticate, baseUrlOf } from '../../credentials/CometChatApi.credentials';

import { createRedactor } from '../../nodes/CometChat/transport/redact';
import { anyCodeUnit } from '../fuzz/hostile';

const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

const cloud: ICredentialDataDecryptedObject = { apiKey: KEY, appId: '2379614d', region: 'eu' };

const CLOUD_BASE = 'https://2379614d.api-eu.cometchat.io/v3';

const custom = (baseUrl: string): ICredentialDataDecryptedObject => ({
	apiKey: KEY,
	region: 'custom',
	baseUrl,
});

const at = (request: Partial<IHttpRequestOptions> & { uri?: string }, credentials = cloud) =>
	authenticate(credentials, { url: '', ...request });

/** The message of what a call throws; anything else than an Error fails the test. */
async function refusalOf(call: () => unknown): Promise<string> {
	try {
		await call();
	} catch (error) {
		if (error instanceof Error) return `${error.message}${JSON.stringify({ ...error })}`;
		throw error;
	}
	throw new Error('nothing was refused');
}

describe('baseUrlOf', () => {
	test.each(['us', 'eu', 'in'])('in the region %s the host holds app and region', (region) => {
		expect(baseUrlOf({ ...cloud, region })).toBe(`https://2379614d.api-${region}.cometchat.io/v3`);
	});

	test('an App ID may be pasted with white space, in capitals, or be all digits', () => {
		expect(baseUrlOf({ ...cloud, appId: ' 2379614D\n' })).toBe(CLOUD_BASE);
		expect(baseUrlOf({ ...cloud, appId: 12345 })).toBe('https://12345.api-eu.cometchat.io/v3');
	});

	test.each([
		'',
		'a.evil.com/',
		'x@evil',
		'a b',
		'a\u3002evil', // ideographic full stop, which URLs read as a dot
		'\u212aelvin', // Kelvin sign, which lower-cases to k
		'\u017fs', // long s, which upper-cases to S
		'a\u00ade',
		'-a',
		'x'.repeat(64),
		undefined,
		null,
		true,
		{ toString: () => 'a' },
	])('the App ID %j could name another host or none', async (appId) => {
		expect(await refusalOf(() => baseUrlOf(Object.assign({}, cloud, { appId })))).toContain(
			"'App ID' in the CometChat credential can contain only letters, digits and hyphens. Copy it",
		);
	});

	test.each(['', 'US', 'us@evil', undefined])('the region %j is none', async (region) => {
		expect(await refusalOf(() => baseUrlOf(Object.assign({}, cloud, { region })))).toContain(
			"'Region' in the CometChat credential must be US, EU, India or Custom Base URL",
		);
	});

	test('whatever App ID and region are, the host is one of the cloud or the values are refused', () => {
		const text = fc.oneof(
			fc.string({ unit: anyCodeUnit, maxLength: 12 }),
			fc.string({ unit: fc.constantFrom(...'aZ0-._@:/\\#?%\u3002\uff0e '), maxLength: 12 }),
		);
		const region = fc.oneof(
			fc.constantFrom('us', 'eu', 'in'),
			text.filter((t) => t !== 'custom'),
		);
		fc.assert(
			fc.property(text, region, (appId, regionText) => {
				try {
					const url = new URL(baseUrlOf({ apiKey: KEY, appId, region: regionText }));
					expect(url.host).toMatch(/^[a-z0-9-]{1,63}\.api-(us|eu|in)\.cometchat\.io$/);
					expect(url.pathname).toBe('/v3');
				} catch (error) {
					expect(error).toMatchObject({ message: expect.stringMatching(/^'(App ID|Region)' in/) });
				}
			}),
			{ numRuns: 1_000 },
		);
	});

	test.each([
		['https://chat.example.com/v3', 'https://chat.example.com/v3'],
		[' https://chat.example.com/v3/// ', 'https://chat.example.com/v3'],
		['HTTPS://Chat.Example.COM:443/v3', 'https://chat.example.com/v3'],
		['http://127.0.0.1:8080/v3', 'http://127.0.0.1:8080/v3'],
		['https:\\\\chat.example.com\\v3', 'https://chat.example.com/v3'],
	])('the custom base URL %j is %s', (baseUrl, expected) => {
		expect(baseUrlOf(custom(baseUrl))).toBe(expected);
	});

	test.each([
		...['127.0.0.1', '127.1.2.3', '10.0.0.1', '10.255.255.255', '192.168.0.7'],
		...['172.16.0.1', '172.31.255.254', '[::1]', '[fc00::1]', '[fd12:3456::7]'],
		...['localhost', 'sandbox', 'host.docker.internal'],
	])('http:// may lead to %s, which is this machine or a private network', (host) => {
		expect(baseUrlOf(custom(`http://${host}:4100/v3`))).toBe(`http://${host}:4100/v3`);
	});

	test.each([
		...['8.8.8.8', '11.0.0.1', '172.15.0.1', '172.32.0.1', '192.169.0.1', '100.127.0.1'],
		...['[2001:db8::1]', '[fe80::1]', '[::2]', '[::ffff:8.8.8.8]', '134744072'],
		...['chat.example.com', '10.example.com', '127.0.0.1.example.com', 'localhost.example.com'],
		...['sandbox.', 'localhost@chat.example.com'],
	])('http:// must not carry the key to %s', async (host) => {
		expect(await refusalOf(() => baseUrlOf(custom(`http://${host}/v3`)))).toBe(
			"'Base URL' in the CometChat credential must start with https://{}",
		);
	});

	test.each([
		['', 'e.g. https://chat.example.com/v3'],
		['chat.example.com/v3', "isn't a valid URL"],
		['ftp://chat.example.com/v3', 'must start with https://'],
		['https://chat.example.com@evil.example/v3', 'contain a username'],
		['https://chat.example.com/v3?x=1', 'contain a username'],
		['https://chat.example.com/v3#x', 'contain a username'],
	])('the custom base URL %j is refused, with the words: %s', async (baseUrl, words) => {
		expect(await refusalOf(() => baseUrlOf(custom(baseUrl)))).toContain(words);
	});
});

describe('apiKeyOf', () => {
	test('gives the key without the white space that came along', () => {
		expect(apiKeyOf({ apiKey: `\t ${KEY}\r\n` })).toBe(KEY);
	});

	test.each([[undefined], [''], ['  '], [null], [{}]])('%j is no key', async (apiKey) => {
		expect(await refusalOf(() => apiKeyOf(Object.assign({}, cloud, { apiKey })))).toContain(
			"'REST API Key' in the CometChat credential is empty",
		);
	});

	test.each([`${KEY}\r\nHost: evil`, `${KEY} ${KEY}`, `${KEY}\u200b`, `${KEY}é`, `\u0000${KEY}`])(
		'a key that no header can carry is refused without showing it',
		async (apiKey) => {
			const message = await refusalOf(() => apiKeyOf({ apiKey }));
			expect(message).toContain(
				"'REST API Key' in the CometChat credential contains an invalid character",
			);
			expect(message).not.toContain(KEY);
		},
	);
});

describe('a short key', () => {
	test('is refused without showing it: it could not be kept out of messages', async () => {
		for (const apiKey of ['abcdefg', ' abcdefg\n', 1234567]) {
			const message = await refusalOf(() => at({ url: '/groups' }, { ...cloud, apiKey }));
			expect(message).toContain(
				"'REST API Key' in the CometChat credential has fewer than 8 characters. Copy it again",
			);
			expect(message).not.toContain(String(apiKey).trim());
		}
		expect(apiKeyOf({ apiKey: 'abcdefgh' })).toBe('abcdefgh');
	});

	test('or one that is a number is refused: it would be taken out of items as an ID', async () => {
		for (const apiKey of ['12345678', 123456789012345]) {
			expect(await refusalOf(() => apiKeyOf({ apiKey }))).toContain('is a number, not a key');
		}
		for (const apiKey of ['1234567890123456', '12345678a', 'a12345678']) {
			expect(apiKeyOf({ apiKey })).toBe(apiKey);
		}
	});

	test('is exactly one that is not looked for in items and errors', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(...'abcXYZ-'), maxLength: 20 }), (apiKey) => {
				const isFound = createRedactor(apiKey)(`<${apiKey}>`) !== `<${apiKey}>`;
				const isSent = (() => {
					try {
						return apiKeyOf({ apiKey }) === apiKey;
					} catch {
						return false;
					}
				})();
				expect(isSent).toBe(isFound);
			}),
		);
	});
});

describe('authenticate', () => {
	test('puts the key on a path below the base URL and keeps what the request has', async () => {
		const signal = new AbortController().signal;
		const request = await at({
			method: 'DELETE',
			url: '/messages/5/reactions/%F0%9F%91%8D',
			qs: { a: 1 },
			headers: { onBehalfOf: 'ann' },
			timeout: 5,
			abortSignal: signal,
		});
		expect(request).toMatchObject({
			method: 'DELETE',
			url: `${CLOUD_BASE}/messages/5/reactions/%F0%9F%91%8D`,
			qs: { a: 1 },
			headers: { onBehalfOf: 'ann', apikey: KEY },
			timeout: 5,
			abortSignal: signal,
		});
		expect(request).not.toHaveProperty('baseURL');
		expect(request).not.toHaveProperty('uri');
	});

	test.each([
		['/groups', `${CLOUD_BASE}/groups`],
		['groups', `${CLOUD_BASE}/groups`],
		['', `${CLOUD_BASE}/`],
		['/groups?a=b', `${CLOUD_BASE}/groups?a=b`],
		[`${CLOUD_BASE}/groups`, `${CLOUD_BASE}/groups`],
		['HTTPS://2379614D.API-EU.COMETCHAT.IO/v3/groups', `${CLOUD_BASE}/groups`],
		['https://2379614d.api-eu.cometchat.io:443/v3/groups', `${CLOUD_BASE}/groups`],
	])('%j goes to %s', async (url, expected) => {
		expect((await at({ url })).url).toBe(expected);
		// The older helper, which the HTTP Request node uses, names the address otherwise
		const legacy = await at({ uri: url });
		expect(legacy.url).toBe(expected);
		expect(legacy).not.toHaveProperty('uri');
	});

	test.each(['//evil.example/x', '/\\evil.example', '@evil.example'])(
		'%j only looks like another host: it is a path below the base URL',
		async (url) => {
			expect((await at({ url })).url).toMatch(new RegExp(`^${CLOUD_BASE}/`));
		},
	);

	test.each([
		'https://evil.example/v3/groups',
		'https:evil.example',
		'http://2379614d.api-eu.cometchat.io/v3/groups',
		'https://2379614d.api-eu.cometchat.io:8443/v3/groups',
		'https://2379614d.api-eu.cometchat.io@evil.example/v3',
		'https://2379614d.api-eu.cometchat.io.evil.example/v3',
		'https://2379614d.api-eu.cometchat.io\u3002evil.example/v3',
		'https://evil.example\\@2379614d.api-eu.cometchat.io/v3',
		'blob:https://2379614d.api-eu.cometchat.io/v3/groups',
		'file:///etc/passwd',
	])('the key does not go to %s', async (url) => {
		for (const request of [{ url }, { uri: url }, { url: '/groups', baseURL: url }]) {
			const message = await refusalOf(() => at(request));
			expect(message).toContain('sends its key only to 2379614d.api-eu.cometchat.io, not to ');
			expect(message).not.toContain(KEY);
		}
	});

	test('a base URL of the request counts, as long as it is on the own host', async () => {
		const request = await at({
			baseURL: 'https://2379614d.api-eu.cometchat.io/v4/',
			url: '/groups',
		});
		expect(request.url).toBe('https://2379614d.api-eu.cometchat.io/v4/groups');
	});

	test('whatever the address, the request goes to the own host or is refused without the key', async () => {
		const part = fc.constantFrom(
			...['https:', 'HTTP:', 'blob:', '/', '//', '\\', '@', ':', '#', '?', '.', '..'],
			...['%2f', ' ', '\t'],
			...['evil.example', '2379614d.api-eu.cometchat.io', 'v3', '443', '\u3002', '\uff0f'],
		);
		const url = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
		await fc.assert(
			fc.asyncProperty(url, fc.constantFrom('url', 'uri', 'baseURL'), async (text, name) => {
				try {
					const request = await at({ [name]: text });
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

	test('neither of the two request helpers follows a redirect', async () => {
		const asked = { disableFollowRedirect: false, followRedirect: true, maxRedirects: 9 };
		expect(await authenticate(cloud, { url: '/groups', ...asked })).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
			maxRedirects: 0,
		});
	});

	test('every certificate is accepted only if the credential says so, by both request helpers', async () => {
		const accepting = { skipSslCertificateValidation: true, rejectUnauthorized: false };
		const request = { url: '/groups' };
		const trusting = { ...cloud, allowUnauthorizedCerts: true };
		expect(await authenticate(trusting, request)).toMatchObject(accepting);
		for (const allowUnauthorizedCerts of [false, undefined, 'false', '']) {
			const strict = Object.assign({}, cloud, { allowUnauthorizedCerts });
			expect(await authenticate(strict, request)).toEqual(await authenticate(cloud, request));
		}
		expect(await authenticate(cloud, request)).not.toHaveProperty('rejectUnauthorized');
	});

	test('the request and the credential passed in stay as they were', async () => {
		const headers = Object.freeze({ onBehalfOf: 'ann' });
		const request = Object.freeze({ url: '/groups', baseURL: CLOUD_BASE, headers });
		const credentials = Object.freeze({ ...cloud, apiKey: ` ${KEY} ` });
		const result = await authenticate(credentials, request);
		expect(result.headers).toEqual({ onBehalfOf: 'ann', apikey: KEY });
		expect(request).toEqual({
			url: '/groups',
			baseURL: CLOUD_BASE,
			headers: { onBehalfOf: 'ann' },
		});
	});

	test('a custom installation gets the key on its own host and port only', async () => {
		const own = custom('http://127.0.0.1:8080/chat/v3/');
		expect((await at({ url: '/groups' }, own)).url).toBe('http://127.0.0.1:8080/chat/v3/groups');
		for (const url of ['http://127.0.0.1:8081/chat/v3', 'https://127.0.0.1:8080/chat/v3']) {
			expect(await refusalOf(() => at({ url }, own))).toContain('only to 127.0.0.1:8080');
		}
	});
});
