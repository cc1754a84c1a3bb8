import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createSecureServer, type TlsOptions } from 'node:tls';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import {
	ERRORS_BY_COMETCHAT_CODE,
	ERRORS_BY_NETWORK_CODE,
	ERRORS_BY_STATUS,
	type Explanation,
} from '../../nodes/CometChat/errors/table';
import {
	ConnectionError,
	toProxyErrorIfOtherTarget,
} from '../../nodes/CometChat/transport/failure';
import { getLabelsByFieldName } from '../../nodes/CometChat/request/fieldTree';
import { serve } from '../../tools/n8nEngine/serve';
import {
	makeCertificate,
	startSandbox,
	type Certificate,
	type Sandbox,
} from '../../tools/sandbox/server';
import { credentialsOf, errorOf, get, itemsOf, removeReaction, useSandbox } from './harness';
import { DECLARED } from './operations';
import { KEY, json, withRecorder } from './recorder';

const sandbox = useSandbox();

const ONE_ATTEMPT = { requestOptions: { maxTries: 1 } };

const removal = removeReaction('101', '👍', 'mira', ONE_ATTEMPT);

/** Expects a connection error for a read and for a change. Neither error may warn about a possible change. */
async function expectNotConnected(baseUrl: string, reason: string, advice: string): Promise<void> {
	for (const parameters of [get('101', ONE_ATTEMPT), removal]) {
		const { message, description } = await errorOf({ apiKey: KEY, baseUrl }, parameters);
		expect(message).toBe(`Couldn't connect to CometChat: ${reason}`);
		expect(description?.slice(0, advice.length)).toBe(advice);
		expect(description).not.toContain('before you run this item again');
	}
}

const secures: Sandbox[] = [];

/** Starts a sandbox that uses HTTPS and is closed after the test. */
async function startSecure(tls: Certificate): Promise<Sandbox> {
	const secure = await startSandbox({ tls });
	secures.push(secure);
	return secure;
}

afterEach(async () => await Promise.all(secures.splice(0).map((secure) => secure.close())));

describe('The connection error explains', () => {
	test('an unknown certificate, and how to trust it', async () => {
		const secure = await startSecure(await makeCertificate());
		await expectNotConnected(
			secure.baseUrl,
			'its certificate is not trusted',
			"Check 'Base URL' in the credential. If the server uses your own certificate, start n8n with NODE_EXTRA_CA_CERTS, or turn on 'Ignore SSL Issues (Insecure)' in the credential.",
		);
		expect(secure.log).toEqual([]);
	});

	test('a TLS handshake that the server ends', async () => {
		const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const target = { apiKey: KEY, baseUrl: `https://127.0.0.1:${port}/v3` };
		const { message } = await errorOf(target, removal);
		server.close();
		expect(message).toBe("Couldn't connect to CometChat");
	});

	test.each<[string, () => string, string, string]>([
		[
			'https:// to a port that uses HTTP',
			() => sandbox().baseUrl.replace('http:', 'https:'),
			'the server does not use HTTPS',
			"Check the protocol and the port of 'Base URL' in the credential. The connection reported: write EPROTO ",
		],
		[
			'an unreachable host',
			() => 'http://127.255.255.255:9/v3',
			"n8n's network has no route to the host",
			"Check 'Base URL' in the credential. Check n8n's network connection.",
		],
	])('%s', async (_, getUrl, reason, advice) => {
		await expectNotConnected(getUrl(), reason, advice);
	});

	test('a host that does not exist', async () => {
		const target = { apiKey: KEY, baseUrl: 'https://nowhere.invalid/v3' };
		const { message, description } = await errorOf(target, get('101', ONE_ATTEMPT));
		expect(message).toMatch(/^Couldn't connect to CometChat: the host (name could|does not exist)/);
		expect(description).toMatch(/^Check /);
	});
});

const ENCRYPTED = { allowUnauthorizedCerts: true };

describe('The connection error explains a server that', () => {
	test.each<[string, TlsOptions, RegExp]>([
		[
			'offers only TLS 1.0',
			{ minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
			/^Couldn't connect to CometChat: the server offers only outdated versions of TLS\./,
		],
		[
			'has no common cipher',
			{ maxVersion: 'TLSv1.2', ciphers: 'PSK-AES128-CBC-SHA@SECLEVEL=0' },
			/^Couldn't connect to CometChat: the server refused the TLS handshake\. .*may share no cipher/,
		],
		[
			'requires a client certificate',
			{ requestCert: true, rejectUnauthorized: true },
			/^Couldn't connect to CometChat: the server requires a client certificate\./,
		],
		[
			'requires a client certificate in TLS 1.2',
			{ maxVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: true },
			/^Couldn't connect to CometChat: .*may require a client certificate/,
		],
	])('%s', async (_what, options, expected) => {
		const server = createSecureServer({ ...(await makeCertificate()), ...options });
		server.on('tlsClientError', () => {}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const target = { apiKey: KEY, baseUrl: `https://127.0.0.1:${port}/v3` };
		for (const parameters of [get('101', ONE_ATTEMPT), removal]) {
			const credentials = credentialsOf(target, ENCRYPTED);
			const { message, description } = await errorOf(target, parameters, { credentials });
			expect(`${message}. ${description}`).toMatch(expected);
			expect(description).not.toContain('before you run this item again');
		}
		server.close();
	});

	test.each(['gzip', 'br', 'deflate'])('sends broken %s', async (encoding) => {
		const { url, close } = await serve((_, response) => {
			response.writeHead(200, { 'content-encoding': encoding }).end('This is not compressed');
		});
		const target = { apiKey: KEY, baseUrl: `${url}/v3` };
		const { message, description } = await errorOf(target, get('101', ONE_ATTEMPT));
		await close();
		expect(message).toBe("CometChat's response can't be decompressed");
		expect(description).toMatch(
			/^Check any proxy between n8n and CometChat\. Trying again doesn't/,
		);
	});
});

test.each([
	[
		'ends early',
		'end',
		'CometChat sent incomplete or broken JSON with status 200',
		/^Try again later\. Check any proxy between n8n and CometChat\.$/,
	],
	[
		'breaks off',
		'destroy',
		'The connection closed before the response was complete',
		/^Try again later\. The connection reported: /,
	],
] as const)('A compressed response that %s is explained', async (_what, stop, message, advice) => {
	const data = { id: '101', text: randomBytes(3_000).toString('hex') };
	const compressed = gzipSync(JSON.stringify({ data }));
	const { url, close } = await serve((_, response) => {
		response.writeHead(200, { 'content-encoding': 'gzip' });
		response.write(compressed.subarray(0, -1_000), () => response[stop]());
	});
	const target = { apiKey: KEY, baseUrl: `${url}/v3` };
	const error = await errorOf(target, get('101', ONE_ATTEMPT));
	await close();
	expect(error.message).toBe(message);
	expect(error.description).toMatch(advice);
});

describe('The proxy is named', () => {
	test.each([
		['that is down', 'connect ECONNREFUSED 127.0.0.1:3128'],
		['that is down at an IPv6 address', 'connect ECONNREFUSED ::1:3128'],
		['that does not exist', 'getaddrinfo ENOTFOUND proxy.local'],
	])('%s', (_what, message) => {
		const error = new ConnectionError(message.split(' ')[1], message, true);
		const own = new URL('https://abc.api-us.cometchat.io/v3');
		expect(toProxyErrorIfOtherTarget(error, own)).toMatchObject({
			code: 'ERR_PROXY',
			whileConnecting: true,
		});
	});

	test.each([
		['connect ECONNREFUSED 127.0.0.1:443', 'https://abc.api-us.cometchat.io/v3'],
		['connect ENETUNREACH 203.0.113.1:443 - Local (0.0.0.0:0)', 'https://abc.example/v3'],
		['connect ECONNREFUSED 127.0.0.1:8080', 'http://localhost:8080/v3'],
		['getaddrinfo ENOTFOUND abc.example', 'https://abc.example/v3'],
		['read ECONNRESET', 'https://abc.example/v3'],
	])('but not for %s at %s', (message, url) => {
		const error = new ConnectionError('CODE', message, true);
		expect(toProxyErrorIfOtherTarget(error, new URL(url))).toBe(error);
	});
});

test('A refused connection is retried, even for a change', async () => {
	const { port, close } = await serve();
	await close();
	const target = { apiKey: KEY, baseUrl: `http://127.0.0.1:${port}/v3` };
	const twice = get('1', { requestOptions: { maxTries: 2 } });
	const { message, description } = await errorOf(target, twice);
	expect(message).toBe("Couldn't connect to CometChat: the connection was refused");
	expect(description).toMatch(
		/^Check 'Base URL' in the credential, and make sure that the service is running\. Stopped after 2 attempts/,
	);
	const running = itemsOf(
		{ ...target, apiKey: sandbox().apiKey },
		removeReaction('101', '👍', 'mira'),
	);
	await wait(50);
	const late = await startSandbox({ port });
	expect(await running.finally(late.close)).toHaveLength(1);
	expect(late.log).toHaveLength(1);
});

test.each(['before', 'inside'] as const)(
	'The time limit ends a response that trickles %s the JSON',
	async (where) => {
		sandbox().setFaults([{ effect: { trickle: { everyMs: 20, where } } }]);
		const parameters = get('101', { requestOptions: { timeout: 600, maxTries: 1 } });
		const { message, description } = await errorOf(sandbox(), parameters);
		expect(message).toBe('CometChat did not respond in time');
		expect(description).toBe(
			"Raise 'Timeout' under Settings → Request Options. Try again later. The connection reported: no complete response within 600 ms (ETIMEDOUT).",
		);
		expect(sandbox().log).toHaveLength(1);
	},
);

test.each([300, 304])('Status %i is reported as an error, not as a redirect', async (status) => {
	await withRecorder(
		(response) => json(response, status, {}),
		async (recorder) => {
			const { message, description } = await errorOf(recorder, get('101'));
			expect(message).toBe('CometChat did not process the request');
			expect(description).toMatch(
				new RegExp(
					`^CometChat replied with status ${status} and (JSON with an unexpected structure|an empty response)`,
				),
			);
		},
	);
});

test('Advice in errors names only existing fields', () => {
	const tables: Explanation[] = [
		ERRORS_BY_COMETCHAT_CODE,
		ERRORS_BY_STATUS,
		ERRORS_BY_NETWORK_CODE,
	].flatMap(Object.values);
	const labels = Object.assign(
		{},
		...DECLARED.map(({ operation }) => getLabelsByFieldName(operation.fields)),
	) as Record<string, string>;
	const checked = tables.flatMap(({ fieldsToCheck = [], optionToRaise }) => [
		...fieldsToCheck.map((entry) => [entry].flat()[0]),
		...(optionToRaise ? [optionToRaise] : []),
	]);
	expect(['timeout', 'maxWait', 'parentId', ...Object.keys(labels)]).toEqual(
		expect.arrayContaining(checked),
	);
	const quoted = tables.flatMap(({ message, advice = '' }) => [
		...`${message}. ${advice}`.replace(/(\w)'(s|t)\b/g, '$1$2').matchAll(/'([^']+)'/g),
	]);
	/** Field labels in the credential and in n8n's own settings */
	const others = [
		...['App ID', 'Base URL', 'Ignore SSL Issues (Insecure)', 'REST API Key', 'Region'],
		...['On Error', 'Timeout'],
	];
	expect([...Object.values(labels), ...others]).toEqual(
		expect.arrayContaining(quoted.map(([, label]) => label)),
	);
});

test('A response that is not HTTP leaves the outcome of a new reaction unknown', async () => {
	const { url, server, close } = await serve();
	server.on('connection', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
	try {
		const target = { apiKey: KEY, baseUrl: `${url}/v3` };
		const { message, description } = await errorOf(target, get('101', ONE_ATTEMPT));
		expect(message).toBe("Couldn't read CometChat's response: it is not HTTP");
		expect(description).toMatch(
			/^Check the protocol and the port of 'Base URL' in the credential\./,
		);
		expect((await errorOf(target, { ...removal, operation: 'addReaction' })).message).toBe(
			'CometChat may already have added the reaction',
		);
	} finally {
		await close();
	}
});
