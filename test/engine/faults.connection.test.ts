import type { INodeParameters } from 'n8n-workflow';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { BY_CODE, BY_NETWORK_CODE, BY_STATUS } from '../../nodes/CometChat/errors/table';
import { selfSignedCertificate, startSandbox } from '../../sandbox/server';
import type { FaultEffect } from '../../sandbox/server';
import { errorOf, get, itemsOf, jsonOf, removeReaction, useSandbox } from './harness';
import type { OperationCase } from './operations';
import { OPERATIONS, OPERATIONS_IN_BOTH_WAYS, WAYS, labelsOf } from './operations';
import { json, withRecorder } from './recorder';

const sandbox = useSandbox();

const removal = removeReaction('101', '👍', 'mira', { options: { maxTries: 1 } });

/** A removal that got no connection was not carried out. */
async function expectNotConnected(
	baseUrl: string,
	settings: object,
	message: string,
	advice: string,
): Promise<void> {
	const target = { apiKey: sandbox().apiKey, baseUrl };
	for (const parameters of [get('101', { options: { maxTries: 1 } }), removal]) {
		const error = await errorOf(target, parameters, { settings });
		expect(error.message.startsWith(message)).toBe(true);
		expect(error.description?.startsWith(advice)).toBe(true);
		expect(error.description).not.toContain('before you run this item again');
	}
}

describe.each(WAYS)('Without a connection, through %s,', (_, settings) => {
	test('a certificate that nobody signed is named, and how to trust it', async () => {
		const secure = await startSandbox({ tls: await selfSignedCertificate() });
		try {
			await expectNotConnected(
				secure.baseUrl,
				settings,
				"Couldn't connect to CometChat: its certificate is not trusted",
				"Check 'Base URL' in the credential. For a certificate of your own, start n8n with NODE_EXTRA_CA_CERTS, or turn on 'Ignore SSL Issues (Insecure)' under Settings → Request Options.",
			);
			expect(secure.log).toEqual([]);
			const trusting = get('101', { requestOptions: { allowUnauthorizedCerts: true } });
			expect(await itemsOf(secure, trusting, { settings })).toHaveLength(1);
		} finally {
			await secure.close();
		}
	});

	test('a certificate that has expired is not trusted', async () => {
		const validTo = new Date('2020-01-02');
		const tls = await selfSignedCertificate({ validFrom: new Date('2020-01-01'), validTo });
		const secure = await startSandbox({ tls });
		try {
			const { message } = await errorOf(secure, get('101', { options: { maxTries: 1 } }), {
				settings,
			});
			expect(message).toMatch(/^Couldn't connect to CometChat: its certificate is not trusted/);
		} finally {
			await secure.close();
		}
	});

	test('https to a port that speaks http is called that', async () => {
		await expectNotConnected(
			sandbox().baseUrl.replace('http:', 'https:'),
			settings,
			"Couldn't connect to CometChat: the server does not speak HTTPS",
			"Check 'Base URL' in the credential: https:// or http://, and the port.",
		);
	});

	test('http to a port that speaks https is an error that says what to check', async () => {
		const secure = await startSandbox({ tls: await selfSignedCertificate() });
		try {
			const plain = { apiKey: secure.apiKey, baseUrl: secure.baseUrl.replace('https:', 'http:') };
			const parameters = get('101', { options: { maxTries: 1 } });
			const { message } = await errorOf(plain, parameters, { settings });
			expect(message).toMatch(/^(The connection closed before|CometChat )/);
		} finally {
			await secure.close();
		}
	});

	test('a host that cannot be reached is called that', async () => {
		await expectNotConnected(
			'http://127.255.255.255:9/v3',
			settings,
			"Couldn't connect to CometChat: the network of n8n has no route to it",
			"Check 'Base URL' in the credential and the network of n8n.",
		);
	});

	test('a host that does not exist is called that', async () => {
		const { message, description } = await errorOf(
			{ apiKey: sandbox().apiKey, baseUrl: 'http://nowhere.invalid/v3' },
			get('101', { options: { maxTries: 1 } }),
			{ settings },
		);
		expect(message).toMatch(/^Couldn't connect to CometChat: the host (name could|does not exist)/);
		expect(description).toMatch(/^Check /);
	});
});

describe.each(WAYS)('A body that trickles, through %s,', (_, settings) => {
	const parameters = get('101', {
		requestOptions: { timeout: 600 },
		options: { maxTries: 2 },
	});

	test.each(['before', 'inside'] as const)(
		'is cut off by the time limit of the whole request (%s the JSON)',
		async (where) => {
			sandbox().setFaults([{ effect: { trickle: { everyMs: 50, where } } }]);
			const { message, description } = await errorOf(sandbox(), parameters, { settings });
			expect(message).toMatch(/^CometChat did not respond in time/);
			expect(description).toMatch(
				/^Raise 'Timeout' under Settings → Request Options\. Stopped after 2 attempts/,
			);
			expect(sandbox().log).toHaveLength(2);
		},
	);

	test('of a change leaves its outcome unknown', async () => {
		sandbox().setFaults([{ effect: { trickle: { everyMs: 50 } } }]);
		const limited = { ...removal, requestOptions: { timeout: 600 } };
		const { message } = await errorOf(sandbox(), limited, { settings });
		expect(message).toMatch(/^CometChat may already have removed the reaction/);
		expect(sandbox().log).toHaveLength(1);
	});

	test('that is complete in time is taken', async () => {
		sandbox().setFaults([{ effect: { trickle: { everyMs: 20, forMs: 200 } } }]);
		const patient = { ...parameters, requestOptions: { timeout: 20_000 } };
		expect(await itemsOf(sandbox(), patient, { settings })).toHaveLength(1);
	});
});

describe.each(WAYS)('A refusal by the rate limit, through %s,', (_, settings) => {
	test.each(['0', 'past'] as const)(
		'is followed by a pause although Retry-After asks for none (%s)',
		async (retryAfter) => {
			sandbox().setFaults([{ match: { times: 3 }, effect: { tooManyRequests: { retryAfter } } }]);
			expect(await itemsOf(sandbox(), get('101'), { settings })).toHaveLength(1);
			const times = sandbox().log.map(({ at }) => at);
			expect(times).toHaveLength(4);
			for (const [index, at] of times.slice(1).entries()) {
				expect(at - times[index]).toBeGreaterThanOrEqual(240);
			}
		},
	);

	test.each([503, 502])('with status %i waits for Retry-After: 0 as well', async (status) => {
		const headers = { 'retry-after': '0' };
		sandbox().setFaults([{ match: { times: 2 }, effect: { status: { status, headers } } }]);
		expect(await itemsOf(sandbox(), get('101'), { settings })).toHaveLength(1);
		const times = sandbox().log.map(({ at }) => at);
		for (const [index, at] of times.slice(1).entries()) {
			expect(at - times[index]).toBeGreaterThanOrEqual(240);
		}
	});
});

describe.each(WAYS)('Low rate limits, through %s,', (_, settings) => {
	const ids = (count: number) =>
		Array.from({ length: count }, (__, index) => ({ id: String(101 + (index % 16)) }));

	test.each(['none', 'x-rate-limit'] as const)(
		'let 200 messages through at 10 a second, with the default options (headers: %s)',
		async (rateHeaders) => {
			sandbox().setFaults([{ effect: { window: { requests: 10, ms: 1_000, rateHeaders } } }]);
			const input = ids(200);
			const items = await itemsOf(sandbox(), get('={{ $json.id }}'), { input, settings });
			expect(items.map(({ json: { id } }) => id)).toEqual(input.map(({ id }) => id));
		},
		120_000,
	);
});

describe.each(WAYS)('Statuses that look like redirects, through %s:', (_, settings) => {
	test.each([300, 304])('%i is a response like any other', async (status) => {
		await withRecorder(
			(response) => json(response, status, {}),
			async (recorder) => {
				const { message, description } = await errorOf(recorder, get('101'), { settings });
				expect(message).toMatch(/^CometChat did not carry out the request/);
				expect(description).toMatch(
					new RegExp(
						`^CometChat replied with status ${status} and (JSON of another shape|an empty response)\\.$`,
					),
				);
			},
		);
	});

	test('408 is attempted again by what changes nothing', async () => {
		sandbox().setFaults([{ match: { nth: [1] }, effect: { status: { status: 408 } } }]);
		expect(await itemsOf(sandbox(), get('101'), { settings })).toHaveLength(1);
		expect(sandbox().log.map(({ status }) => status)).toEqual([408, 200]);
	});
});

describe('What an error advises', () => {
	/** Fields that are not the operation's: of the credential, and of n8n. */
	const ELSEWHERE = [
		'App ID',
		'Base URL',
		'Ignore SSL Issues (Insecure)',
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

	async function expectOwnFields(
		{ parameters, ...operation }: OperationCase,
		settings: object,
		effect: FaultEffect,
	): Promise<void> {
		sandbox().setFaults([{ effect }]);
		const options = { maxTries: 1, maxWait: 0 };
		const error = await errorOf(sandbox(), { ...parameters, options }, { settings });
		const own = Object.values(labelsOf({ parameters, ...operation }));
		for (const name of quotedIn(`${error.message} ${error.description}`)) {
			expect([...own, ...ELSEWHERE]).toContain(name);
		}
	}

	test.each(OPERATIONS_IN_BOTH_WAYS)(
		'names only fields that exist: %s, through %s',
		async (_name, _way, operation, settings) => {
			const words = { error: { code: 'NEW', message: 'Words' } };
			for (const status of Object.keys(BY_STATUS).map(Number)) {
				await expectOwnFields(operation, settings, { status: { status, body: words } });
				await expectOwnFields(operation, settings, { status: { status } });
			}
			for (const code of Object.keys(BY_CODE)) {
				const body = { error: { code, message: 'Words' } };
				await expectOwnFields(operation, settings, { status: { status: 403, body } });
			}
		},
	);

	test('is known for every code', () => {
		const tables = [BY_CODE, BY_STATUS, BY_NETWORK_CODE].flatMap(Object.values);
		const named = new Set(tables.flatMap(({ check = [] }) => check));
		const all = new Set(OPERATIONS.flatMap((operation) => Object.keys(labelsOf(operation))));
		named.delete('timeout');
		expect([...all]).toEqual(expect.arrayContaining([...named]));
	});
});

test('A response of 2 MB of words is quoted in part', async () => {
	const words = 'x'.repeat(2_000_000);
	sandbox().setFaults([{ effect: { status: { status: 400, body: words } } }]);
	const { description } = await errorOf(sandbox(), get('101'));
	expect(description?.length).toBeLessThan(3_000);
});

test('A server that is not HTTP leaves the outcome of a change unknown', async () => {
	const server = createServer();
	server.on('connection', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		const { port } = server.address() as AddressInfo;
		const target = { apiKey: sandbox().apiKey, baseUrl: `http://127.0.0.1:${port}/v3` };
		const parameters: INodeParameters = get('101', { options: { maxTries: 1 } });
		expect((await errorOf(target, parameters)).message).toBe(
			"CometChat's response could not be read",
		);
		expect((await errorOf(target, removal)).message).toMatch(/^CometChat may already have/);
	} finally {
		server.close();
	}
});

test('A service that is there on the second attempt is used', async () => {
	sandbox().setFaults([{ match: { nth: [1] }, effect: { cutBefore: true } }]);
	expect(await jsonOf(sandbox(), get('101'))).toMatchObject([{ id: '101' }]);
});
