import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { AS_TOOL, errorOf, get, itemsOf, useSandbox } from './harness';

const sandbox = useSandbox();

/** A forward proxy: what it was asked for, and with which credentials. */
const asked: Array<{ url?: string; authorization?: string }> = [];
let proxy: Server;
let proxyAddress: string;

beforeAll(async () => {
	proxy = createServer((incoming, outgoing) => {
		const { url = '', method, headers } = incoming;
		asked.push({ url, authorization: headers['proxy-authorization'] });
		request(url, { method, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		}).end();
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	const { port } = proxy.address() as AddressInfo;
	proxyAddress = `127.0.0.1:${port}`;
});

beforeEach(() => asked.splice(0));

afterAll(() => {
	proxy.closeAllConnections();
	proxy.close();
});

describe.each([
	['the node', {}],
	['an agent', AS_TOOL],
])("n8n's Request Options, as %s", (_, settings) => {
	test('send requests through a proxy', async () => {
		const parameters = get('101', { requestOptions: { proxy: `http://${proxyAddress}` } });
		expect(await itemsOf(sandbox(), parameters, { settings })).toHaveLength(1);
		expect(asked).toEqual([{ url: `${sandbox().baseUrl}/messages/101` }]);
	});

	test('name themselves to a proxy that asks for it', async () => {
		const parameters = get('101', {
			requestOptions: { proxy: `http://ann:secret@${proxyAddress}` },
		});
		expect(await itemsOf(sandbox(), parameters, { settings })).toHaveLength(1);
		const authorization = `Basic ${Buffer.from('ann:secret').toString('base64')}`;
		expect(asked).toEqual([expect.objectContaining({ authorization })]);
	});

	test('end a request that takes too long', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 600 } } }]);
		const parameters = get('101', {
			requestOptions: { timeout: 100 },
			options: { maxTries: 1 },
		});
		const { message, description } = await errorOf(sandbox(), parameters, { settings });
		expect(message).toMatch(/^CometChat did not respond in time/);
		expect(description).toMatch(/^Raise 'Timeout' under Settings → Request Options\. /);
	});
});

test.each([
	'nonsense',
	'http://',
	'file:///etc',
	'http://50%off:x@proxy.example:80',
	'http://u:50%@proxy.example:80',
])('"%s" is no proxy, and refused before anything is sent', async (typed) => {
	const parameters = get('101', { requestOptions: { proxy: typed } });
	const { message, description } = await errorOf(sandbox(), parameters);
	expect(message).toBe("'Proxy' is not the address of a proxy");
	expect(description).toMatch(/^Enter one such as http:/);
	expect(sandbox().log).toHaveLength(0);
	expect(asked).toHaveLength(0);
});
