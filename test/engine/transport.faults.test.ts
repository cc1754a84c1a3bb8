import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startSandbox } from '../../sandbox/server';
import type { FaultEffect } from '../../sandbox/server';
import { errorOf, get, itemsOf, jsonOf, removeReaction, useSandbox, wire } from './harness';

const sandbox = useSandbox();

/** n8n's own options: longer than the machine ever needs, shorter than the faults take. */
const TIMEOUT = { requestOptions: { timeout: 3_000 } };

/** A message of the sample data and its sender, who has made a reaction to it. */
function reacted() {
	const { store } = sandbox();
	const { id, sender } = store.messages()[0];
	store.addReaction(id, sender, 'mark');
	const isThere = () => store.reactions(id).some(({ reaction }) => reaction === 'mark');
	return { id, sender, isThere, parameters: removeReaction(id, 'mark', sender) };
}

const firstMeets = (effect: FaultEffect) => sandbox().setFaults([{ match: { nth: [1] }, effect }]);

const READ_AGAIN: Array<[string, FaultEffect]> = [
	['status 502', { status: { status: 502, body: 'Bad gateway' } }],
	['status 503', { status: { status: 503 } }],
	['status 504', { status: { status: 504 } }],
	['status 408', { status: { status: 408 } }],
	['a connection cut before the work', { cutBefore: true }],
	['a connection cut after the work', { cutAfter: true }],
	['no response in time', { latency: { ms: 8_000 } }],
	['a response whose body stops coming', { slowBody: { ms: 12_000 } }],
];

const NOT_READ_AGAIN: Array<[string, FaultEffect]> = [
	['status 500', { status: { status: 500 } }],
	['status 501', { status: { status: 501 } }],
	['status 400', { status: { status: 400 } }],
	['a web page', { html: true }],
	['broken JSON', { brokenJson: true }],
	['a redirect', { redirect: { status: 302, location: 'http://127.0.0.1:9/' } }],
];

describe('Get', () => {
	test.each(READ_AGAIN)('is sent again after %s', async (_, effect) => {
		firstMeets(effect);
		const [{ id }] = sandbox().store.messages();
		const [message] = await jsonOf(sandbox(), get(id, TIMEOUT));
		expect(message.id).toBe(id);
		expect(wire(sandbox())).toEqual([`GET /messages/${id}`, `GET /messages/${id}`]);
	});

	test.each(NOT_READ_AGAIN)('is not sent again after %s', async (_, effect) => {
		firstMeets(effect);
		const [{ id }] = sandbox().store.messages();
		await errorOf(sandbox(), get(id));
		expect(sandbox().log).toHaveLength(1);
	});

	test('says how often it was sent, and that the service does not respond in time', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 8_000 } } }]);
		const [{ id }] = sandbox().store.messages();
		const options = { maxTries: 2 };
		const { message, description } = await errorOf(sandbox(), get(id, { ...TIMEOUT, options }));
		expect(message).toBe('CometChat did not respond in time');
		expect(description).toMatch(
			/^Raise 'Timeout' under Settings → Request Options\. Stopped after 2 attempts and (?:0\.\d seconds|1 second) of waiting\. The connection reported: no complete response within 3000 ms \(ETIMEDOUT\)\.$/,
		);
	});

	test('is sent again when a response breaks off in the middle', async () => {
		let requests = 0;
		const server = createServer((_, response) => {
			requests++;
			const body = JSON.stringify({ data: { id: '7', data: { text: 'x'.repeat(5_000) } } });
			response.writeHead(200, {
				'content-type': 'application/json',
				'content-length': body.length,
			});
			if (requests > 1) response.end(body);
			else response.write(body.slice(0, 2_000), () => response.destroy());
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		try {
			const { port } = server.address() as AddressInfo;
			const target = { apiKey: sandbox().apiKey, baseUrl: `http://127.0.0.1:${port}/v3` };
			expect(await jsonOf(target, get('7'))).toMatchObject([{ id: '7' }]);
			expect(requests).toBe(2);
		} finally {
			server.close();
		}
	});
});

describe('Remove Reaction', () => {
	test('is sent again after a refusal by the rate limit, where nothing was carried out', async () => {
		const { isThere, parameters } = reacted();
		firstMeets({ tooManyRequests: { seconds: 1 } });
		expect(await itemsOf(sandbox(), parameters)).toHaveLength(1);
		expect(sandbox().log.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
		expect(isThere()).toBe(false);
	});

	const UNSAFE: Array<[string, FaultEffect, boolean]> = [
		['a connection cut before the work', { cutBefore: true }, true],
		['a connection cut after the work', { cutAfter: true }, false],
		['no response in time', { latency: { ms: 8_000 } }, true],
		['a response whose body stops coming', { slowBody: { ms: 12_000 } }, false],
		['status 500', { status: { status: 500 } }, true],
		['status 502', { status: { status: 502, body: 'Bad gateway' } }, true],
		['status 503', { status: { status: 503 } }, true],
		['status 408', { status: { status: 408 } }, true],
		['status 504', { status: { status: 504 } }, true],
		['a web page', { html: true }, true],
		['an empty response', { empty: true }, false],
		['broken JSON', { brokenJson: true }, false],
	];

	test.each(UNSAFE)(
		'is never sent again after %s, and says that it is not known whether it was carried out',
		async (_, effect, stays) => {
			const { isThere, parameters } = reacted();
			firstMeets(effect);
			const { message, description } = await errorOf(sandbox(), { ...parameters, ...TIMEOUT });
			expect(message).toBe('CometChat may already have removed the reaction');
			expect(description).toMatch(/^Check the message before you run this item again\. /);
			expect(description).not.toContain('Try again');
			expect(sandbox().log).toHaveLength(1);
			expect(isThere()).toBe(stays);
		},
	);

	test('does not say so when the service refused it', async () => {
		const { id, sender } = reacted();
		const { message } = await errorOf(sandbox(), removeReaction(id, 'never-made', sender));
		expect(message).toBe('CometChat found nothing at this address');
	});
});

describe('a refused connection', () => {
	async function freePort(): Promise<number> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		await new Promise((resolve) => server.close(resolve));
		return port;
	}

	test('is attempted again, also by Remove Reaction, until the service is there', async () => {
		const port = await freePort();
		const target = { apiKey: sandbox().apiKey, baseUrl: `http://127.0.0.1:${port}/v3` };
		const { id, sender } = reacted();
		const running = itemsOf(target, removeReaction(id, 'mark', sender));
		await new Promise((resolve) => setTimeout(resolve, 100));
		const late = await startSandbox({ port });
		try {
			late.store.addReaction(id, sender, 'mark');
			expect(await running).toHaveLength(1);
			expect(late.log).toHaveLength(1);
		} finally {
			await late.close();
		}
	});

	test('names the address once it is given up', async () => {
		const port = await freePort();
		const target = { apiKey: sandbox().apiKey, baseUrl: `http://127.0.0.1:${port}/v3` };
		const { message, description } = await errorOf(target, get('1', { options: { maxTries: 2 } }));
		expect(message).toBe("Couldn't connect to CometChat: the connection was refused");
		expect(description).toMatch(
			/^Check 'Base URL' in the credential, and that the service is running\. Stopped after 2 attempts/,
		);
	});
});
