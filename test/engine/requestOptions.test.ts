import type { INodeParameters } from 'n8n-workflow';
import { Server } from 'proxy-chain';

import { makeCertificate, startSandbox } from '../../tools/sandbox/server';
import { AS_TOOL, NODE, errorOf, get, itemsOf, run, useSandbox } from './harness';

const sandbox = useSandbox();

/** A forward proxy: which ports it was asked for, and by whom. It wants a name where one is set. */
const asked: Array<{ port: number; isTunnel: boolean; username: string }> = [];
let wanted = '';
let proxy: Server;
let proxyAddress: string;

beforeAll(async () => {
	proxy = new Server({
		port: 0,
		host: '127.0.0.1',
		prepareRequestFunction: ({ port, isHttp, username, password }) => {
			asked.push({ port: Number(port), isTunnel: !isHttp, username });
			return { requestAuthentication: wanted !== '' && `${username}:${password}` !== wanted };
		},
	});
	await proxy.listen();
	proxyAddress = `127.0.0.1:${proxy.port}`;
});

beforeEach(() => {
	asked.splice(0);
	wanted = '';
});

afterAll(async () => await proxy.close(true));

const portOf = (baseUrl: string) => Number(new URL(baseUrl).port);

const through = (address: INodeParameters[string]) =>
	get('101', {
		requestOptions: { proxy: address, allowUnauthorizedCerts: true },
		options: { maxTries: 1 },
	});

describe.each([
	['the node', {}],
	['an agent', AS_TOOL],
])("n8n's Request Options, as %s", (_, settings) => {
	test('send requests through a proxy', async () => {
		const parameters = get('101', { requestOptions: { proxy: `http://${proxyAddress}` } });
		expect(await itemsOf(sandbox(), parameters, { settings })).toHaveLength(1);
		expect(asked).toEqual([{ port: portOf(sandbox().baseUrl), isTunnel: false, username: '' }]);
	});

	test('name themselves to a proxy that asks for it', async () => {
		wanted = 'ann:secret';
		const parameters = get('101', {
			requestOptions: { proxy: `http://ann:secret@${proxyAddress}` },
		});
		expect(await itemsOf(sandbox(), parameters, { settings })).toHaveLength(1);
		expect(asked).toHaveLength(1);
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

test.each([
	'socks5://127.0.0.1:1080',
	'ftp://ann:secret@proxy.example:21',
	'localhost:3128',
	'file://host/etc',
])('"%s" is refused: n8n would go past a proxy that it does not know', async (typed) => {
	const { message, description } = await errorOf(sandbox(), through(typed));
	expect(message).toMatch(/^'Proxy' (must start with http:\/\/ or https:\/\/|is not the address)/);
	expect(JSON.stringify([message, description])).not.toContain('secret@');
	expect(sandbox().log).toHaveLength(0);
});

test('an expression that gives no proxy is refused: the request would go past it', async () => {
	const { message } = await errorOf(sandbox(), through('={{ $json.proxy }}'));
	expect(message).toBe("'Proxy' is empty: its expression gave nothing");
	expect(sandbox().log).toHaveLength(0);
});

describe.each(['http', 'https'])('A proxy before an %s service', (protocol) => {
	const withService = async (
		use: (service: { apiKey: string; baseUrl: string }) => Promise<void>,
	) => {
		const service = await startSandbox({
			tls: protocol === 'https' ? await makeCertificate() : undefined,
		});
		await use(service).finally(async () => await service.close());
	};

	test('gets every request, or nobody does', async () => {
		await withService(async (service) => {
			expect(await itemsOf(service, through(`http://${proxyAddress}`))).toHaveLength(1);
			expect(asked).toEqual([
				{ port: portOf(service.baseUrl), isTunnel: protocol === 'https', username: '' },
			]);
		});
	});

	test.each([
		['a closed port', 'http://127.0.0.1:9', "Couldn't connect to the proxy"],
		['a host that is none', 'http://proxy.invalid:3128', "Couldn't connect to the proxy"],
		['a wrong password', 'http://ann:wrong@PROXY', 'The proxy asks for a user name and a password'],
	])('is what an error names: %s', async (_, address, expected) => {
		wanted = 'ann:secret';
		await withService(async (service) => {
			const parameters = through(address.replace('PROXY', proxyAddress));
			const { message, description } = await errorOf(service, parameters);
			expect(message).toBe(expected);
			expect(description).toMatch(/^Check 'Proxy' under Settings → Request Options\./);
			expect(`${message} ${description}`).not.toMatch(/App ID|Base URL|wrong/);
		});
	});
});

test('Request Options that n8n cannot resolve fail each item, and no input item passes as done', async () => {
	const parameters = {
		resource: 'message',
		operation: 'delete',
		messageId: '={{ $json.id }}',
		requestOptions: { timeout: '={{ $("Nowhere").item.json.ms }}' },
	};
	const input = [{ id: 101 }, { id: 102 }];
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const { items, error } = await run(sandbox(), parameters, { input, onError });
		expect(error).toBeUndefined();
		const output = items(NODE, onError === 'continueErrorOutput' ? 1 : 0);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		for (const { json } of output) expect(json.error).toContain("Referenced node doesn't exist");
	}
	expect(sandbox().log).toHaveLength(0);
});
