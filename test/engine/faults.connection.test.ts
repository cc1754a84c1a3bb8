import { execFile } from 'node:child_process';
import events from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { serve } from '../../tools/n8nEngine/serve';
import {
	ERRORS_BY_CODE,
	ERRORS_BY_NETWORK_CODE,
	ERRORS_BY_STATUS,
	type Explanation,
} from '../../nodes/CometChat/errors/table';
import { getFieldLabels } from '../../nodes/CometChat/values/shownFields';
import {
	makeCertificate,
	startSandbox,
	type Certificate,
	type CertificateOptions,
	type FaultEffect,
	type Sandbox,
} from '../../tools/sandbox/server';
import { errorOf, get, itemsOf, removeReaction, useSandbox } from './harness';
import { DECLARED, OPERATIONS, fieldsOf } from './operations';
import { json, withRecorder } from './recorder';

const sandbox = useSandbox();

const once = { requestOptions: { maxTries: 1 } };

const removal = removeReaction('101', '👍', 'mira', once);

/** A removal that got no connection was not carried out. */
async function expectNotConnected(baseUrl: string, message: string, advice: string): Promise<void> {
	const target = { apiKey: sandbox().apiKey, baseUrl };
	for (const parameters of [get('101', once), removal]) {
		const error = await errorOf(target, parameters);
		expect(error.message).toBe(`Couldn't connect to CometChat: ${message}`);
		expect(error.description?.startsWith(advice)).toBe(true);
		expect(error.description).not.toContain('before you run this item again');
	}
}

/** Starts a sandbox for HTTPS with this certificate; the test ends it. */
async function startSecure(tls: Certificate): Promise<Sandbox> {
	const secure = await startSandbox({ tls });
	secures.push(secure);
	return secure;
}

const secures: Sandbox[] = [];

afterEach(async () => await Promise.all(secures.splice(0).map((secure) => secure.close())));

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

const NOT_TRUSTED = 'its certificate is not trusted';

/** Certificates, and what an n8n says that trusts the authority that signed them. */
const CERTIFICATES: Array<[CertificateOptions, string | null]> = [
	[{}, null],
	[{ host: 'chat.example.com' }, 'the certificate is for another host'],
	[{ validFrom: inDays(1), validTo: inDays(2) }, NOT_TRUSTED],
	[{ validFrom: inDays(-2), validTo: inDays(-1) }, NOT_TRUSTED],
];

describe('Without a connection', () => {
	test('a certificate that nobody known signed is named, and how to trust it', async () => {
		const secure = await startSecure(await makeCertificate());
		await expectNotConnected(
			secure.baseUrl,
			NOT_TRUSTED,
			"Check 'Base URL' in the credential. If the server has your own certificate, start n8n with NODE_EXTRA_CA_CERTS, or turn on 'Ignore SSL Issues (Insecure)' in the credential.",
		);
		expect(secure.log).toEqual([]);
		// The other way round there is a connection, but no answer that anybody could read
		const plain = { apiKey: secure.apiKey, baseUrl: secure.baseUrl.replace('https:', 'http:') };
		const { message } = await errorOf(plain, get('101', once));
		expect(message).toMatch(/^(The connection closed before|CometChat )/);
	});

	test('a certificate of an own authority is trusted with NODE_EXTRA_CA_CERTS, if it is right', async () => {
		const authority = await makeCertificate({ host: 'authority.example.com' });
		const services = await Promise.all(
			CERTIFICATES.map(
				async ([options]) =>
					await startSecure(await makeCertificate({ ...options, signedBy: authority })),
			),
		);
		const folder = mkdtempSync(join(tmpdir(), 'cometchat-authority-'));
		const file = join(folder, 'authority.pem');
		writeFileSync(file, authority.cert);
		const child = join(__dirname, 'removals.child.ts');
		const addresses = services.map(({ baseUrl }) => baseUrl);
		const { stdout } = await promisify(execFile)(
			process.execPath,
			['--import', 'tsx', child, services[0].apiKey, ...addresses],
			{ env: { ...process.env, NODE_EXTRA_CA_CERTS: file } },
		).finally(() => rmSync(folder, { recursive: true }));
		const expected = CERTIFICATES.map(
			([, said]) => said && `Couldn't connect to CometChat: ${said}`,
		);
		expect(JSON.parse(stdout)).toEqual(expected);
		// Without it none is
		for (const secure of services) {
			const { message } = await errorOf(secure, get('101', once));
			expect(message).toBe(`Couldn't connect to CometChat: ${NOT_TRUSTED}`);
		}
	});

	test('https to a port that speaks http is called that, in one line', async () => {
		const baseUrl = sandbox().baseUrl.replace('http:', 'https:');
		await expectNotConnected(
			baseUrl,
			'the server does not use HTTPS',
			"Check the protocol and the port of 'Base URL' in the credential.",
		);
		const target = { apiKey: sandbox().apiKey, baseUrl };
		const { description } = await errorOf(target, removal);
		expect(description).toMatch(
			/ The connection reported: write EPROTO .*wrong version number.*: \(EPROTO\)\.$/,
		);
	});

	test('a TLS handshake that the server ends sends nothing', async () => {
		const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
		await events.once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const target = { apiKey: sandbox().apiKey, baseUrl: `https://127.0.0.1:${port}/v3` };
		const { message } = await errorOf(target, removal);
		server.close();
		expect(message).toBe("Couldn't connect to CometChat");
	});

	test('a host that cannot be reached is called that', async () => {
		await expectNotConnected(
			'http://127.255.255.255:9/v3',
			"n8n's network has no route to the host",
			"Check 'Base URL' in the credential and n8n's network.",
		);
	});

	test('a host that does not exist is called that', async () => {
		const target = { apiKey: sandbox().apiKey, baseUrl: 'https://nowhere.invalid/v3' };
		const { message, description } = await errorOf(target, get('101', once));
		expect(message).toMatch(/^Couldn't connect to CometChat: the host (name could|does not exist)/);
		expect(description).toMatch(/^Check /);
	});

	test('a port where nothing listens is named, after as many attempts as it was to have', async () => {
		const { port, close } = await serve();
		await close();
		const target = { apiKey: sandbox().apiKey, baseUrl: `http://127.0.0.1:${port}/v3` };
		const { message, description } = await errorOf(
			target,
			get('1', { requestOptions: { maxTries: 2 } }),
		);
		expect(message).toBe("Couldn't connect to CometChat: the connection was refused");
		expect(description).toMatch(
			/^Check 'Base URL' in the credential, and check that the service is running\. Stopped after 2 attempts/,
		);
		// Remove Reaction, too, is attempted again: nothing was carried out
		const running = itemsOf(target, removeReaction('101', '👍', 'mira'));
		await new Promise((resolve) => setTimeout(resolve, 50));
		const late = await startSandbox({ port });
		try {
			expect(await running).toHaveLength(1);
			expect(late.log).toHaveLength(1);
		} finally {
			await late.close();
		}
	});
});

describe('A body that trickles', () => {
	const limited = { requestOptions: { timeout: 150 } };

	test.each(['before', 'inside'] as const)(
		'is cut off by the time limit of the whole request (%s the JSON)',
		async (where) => {
			sandbox().setFaults([{ effect: { trickle: { everyMs: 20, where } } }]);
			const { message, description } = await errorOf(
				sandbox(),
				get('101', { requestOptions: { timeout: 150, maxTries: 1 } }),
			);
			expect(message).toBe('CometChat did not respond in time');
			expect(description).toContain(
				"Raise 'Timeout' under Settings → Request Options. Try again later. The connection reported: no complete response within 150 ms (ETIMEDOUT)",
			);
			expect(sandbox().log).toHaveLength(1);
		},
	);

	test('of a change leaves its outcome unknown', async () => {
		sandbox().setFaults([{ effect: { trickle: { everyMs: 20 } } }]);
		const { message } = await errorOf(sandbox(), { ...removal, ...limited });
		expect(message).toMatch(/^CometChat may already have removed the reaction/);
		expect(sandbox().log).toHaveLength(1);
	});

	test('that is complete in time is taken', async () => {
		sandbox().setFaults([{ effect: { trickle: { everyMs: 20, forMs: 100 } } }]);
		const patient = get('101', { requestOptions: { timeout: 20_000 } });
		expect(await itemsOf(sandbox(), patient)).toHaveLength(1);
	});
});

test.each([300, 304])('Status %i is a response like any other, and no redirect', async (status) => {
	await withRecorder(
		(response) => json(response, status, {}),
		async (recorder) => {
			const { message, description } = await errorOf(recorder, get('101'));
			expect(message).toMatch(/^CometChat did not process the request/);
			expect(description).toMatch(
				new RegExp(
					`^CometChat replied with status ${status} and (JSON of another shape|an empty response)`,
				),
			);
		},
	);
});

describe('What an error advises', () => {
	/** Fields that are not the operation's: of the credential, and of n8n. */
	const ELSEWHERE = [
		'App ID',
		'Base URL',
		'Ignore SSL Issues (Insecure)',
		'Longest Retry Wait (Seconds)',
		'On Error',
		'REST API Key',
		'Region',
		'Timeout',
	];

	const quotedIn = (text: string) =>
		[
			...text
				.replace(/(\w)'s/g, '$1s')
				.replace(/n't/g, 'nt')
				.matchAll(/'([^']+)'/g),
		].map(([, name]) => name);

	const withCode = (code: string): FaultEffect => ({
		status: { status: 403, body: { error: { code, message: 'Words' } } },
	});

	// Between them these have every field that an error can name
	test.each(
		OPERATIONS.filter(({ name }) =>
			['Create group', 'Send message', 'Remove reaction from message'].includes(name),
		),
	)('names only fields that exist: $name', async (operation) => {
		const fields = fieldsOf(operation).flatMap((field) => [field, ...(field.options ?? [])]);
		const own = fields.flatMap((field) =>
			'displayName' in field ? [field.displayName, `Settings → ${field.displayName}`] : [],
		);
		const effects = [
			...Object.keys(ERRORS_BY_STATUS).map((status) => ({ status: { status: Number(status) } })),
			...Object.keys(ERRORS_BY_CODE).map(withCode),
		];
		for (const effect of effects) {
			sandbox().setFaults([{ effect }]);
			const requestOptions = { maxTries: 1, maxWait: 0 };
			const error = await errorOf(sandbox(), { ...operation.parameters, requestOptions });
			for (const name of quotedIn(`${error.message} ${error.description}`)) {
				expect([...own, ...ELSEWHERE]).toContain(name);
			}
		}
	});

	test('is known for every code', () => {
		const tables: Explanation[] = [
			ERRORS_BY_CODE,
			ERRORS_BY_STATUS,
			ERRORS_BY_NETWORK_CODE,
		].flatMap(Object.values);
		const named = new Set(
			tables.flatMap(({ check = [] }) => check.map((entry) => [entry].flat()[0])),
		);
		const all = new Set(
			DECLARED.flatMap(({ operation }) => Object.keys(getFieldLabels(operation.fields))),
		);
		named.delete('timeout');
		expect([...all]).toEqual(expect.arrayContaining([...named]));
	});
});

test('A server that is not HTTP leaves the outcome of a change unknown', async () => {
	const { url, server, close } = await serve();
	server.on('connection', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
	try {
		const target = { apiKey: sandbox().apiKey, baseUrl: `${url}/v3` };
		const { message } = await errorOf(target, get('101', once));
		expect(message).toBe("CometChat's response could not be read");
		expect((await errorOf(target, removal)).message).toMatch(/^CometChat may already have/);
	} finally {
		await close();
	}
});
