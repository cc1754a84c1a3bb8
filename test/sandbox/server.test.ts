import { connect } from 'node:net';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { call, guidsOf, newAgent, removeReaction } from './client';

const running: Sandbox[] = [];
const start: typeof startSandbox = async (options) => {
	const sandbox = await startSandbox(options);
	running.push(sandbox);
	return sandbox;
};
afterEach(() => Promise.all(running.splice(0).map((sandbox) => sandbox.close())));

describe('an address', () => {
	test('is free and on loopback by default', async () => {
		const [one, two] = await Promise.all([start(), start()]);
		expect(one.url).toBe(`http://127.0.0.1:${one.port}`);
		expect(one.baseUrl).toBe(`${one.url}/v3`);
		expect(two.port).not.toBe(one.port);
	});

	test('that is taken is refused', async () => {
		const { port } = await start();
		await expect(startSandbox({ port })).rejects.toThrow('EADDRINUSE');
	});
});

describe('the log', () => {
	test('has each request as it came, without the key', async () => {
		const sandbox = await start();
		await removeReaction(sandbox, '104', '?x=1&y#z', 'priya');
		await call(sandbox, '/groups?tags=a%2Cb&types=public&types=private');
		const [removal, list] = sandbox.log;
		expect(removal).toMatchObject({
			id: 1,
			method: 'DELETE',
			url: '/v3/messages/104/reactions/%3Fx%3D1%26y%23z',
			path: '/v3/messages/104/reactions/%3Fx%3D1%26y%23z',
			query: {},
			status: 200,
			keyOk: true,
			inFlight: 1,
		});
		expect(removal.headers).toMatchObject({ apikey: '***', onbehalfof: 'priya' });
		expect(list).toMatchObject({
			id: 2,
			url: '/v3/groups?tags=a%2Cb&types=public&types=private',
			path: '/v3/groups',
			query: { tags: 'a,b', types: ['public', 'private'] },
		});
		expect(Math.abs(list.at - Date.now())).toBeLessThan(2000);
		expect(list.ms).toBeGreaterThan(0);
		expect(JSON.stringify(sandbox.log)).not.toContain(sandbox.apiKey);
	});

	test('tells a wrong key without showing it', async () => {
		const sandbox = await start();
		await call(sandbox, '/groups', { headers: { apikey: 'secret-but-wrong' } });
		expect(sandbox.log[0].keyOk).toBe(false);
		expect(JSON.stringify(sandbox.log)).not.toContain('secret-but-wrong');
	});

	test('keeps only so many entries', async () => {
		const sandbox = await start({ logLimit: 10 });
		for (let n = 0; n < 40; n++) await call(sandbox, '/messages/101');
		expect(sandbox.log.length).toBeGreaterThanOrEqual(10);
		expect(sandbox.log.length).toBeLessThanOrEqual(11);
		expect(sandbox.log.at(-1)?.id).toBe(40);
		expect(sandbox.stats.requests).toBe(40);
	});
});

describe('the counts', () => {
	test('tell how many requests and connections there were at once', async () => {
		const sandbox = await start({ faults: [{ effect: { latency: { ms: 60 } } }] });
		const dispatcher = newAgent(3);
		try {
			const path = '/messages/101';
			await Promise.all(Array.from({ length: 9 }, () => call(sandbox, path, { dispatcher })));
			expect(sandbox.stats).toEqual({
				requests: 9,
				connections: 3,
				openConnections: 3,
				peakConnections: 3,
				inFlight: 0,
				peakInFlight: 3,
				byStatus: { 200: 9 },
			});
			expect(new Set(sandbox.log.map(({ connection }) => connection)).size).toBe(3);
			expect(Math.max(...sandbox.log.map(({ inFlight }) => inFlight))).toBe(3);
		} finally {
			await dispatcher.close();
		}
	});
});

describe('closing', () => {
	test('cuts idle connections, and frees the port', async () => {
		const sandbox = await startSandbox();
		const socket = connect(sandbox.port, '127.0.0.1');
		await new Promise((resolve) => socket.once('connect', resolve));
		const closed = new Promise((resolve) => socket.once('close', resolve));
		socket.on('error', () => {});
		socket.resume();
		await sandbox.close();
		await closed;
		const again = await start({ port: sandbox.port });
		expect(again.port).toBe(sandbox.port);
	});
});

describe('many groups', () => {
	test('a million can be walked to the end', async () => {
		const sandbox = await start({ groups: 1_000_000, validate: false });
		const path = '/groups?perPage=1000&page=';
		expect(guidsOf(await call(sandbox, `${path}1`))).toHaveLength(1000);
		for (const page of [2, 100, 500, 900, 999, 1000]) {
			expect((await call(sandbox, `${path}${page}`)).status).toBe(200);
		}
		const rest = guidsOf(await call(sandbox, `${path}1001`));
		expect(rest).toHaveLength(sandbox.store.groupCount - 1_000_000);
	});

	test.each([-1, 1.5, 1e9])('%d of them are refused', async (groups) => {
		await expect(startSandbox({ groups })).rejects.toThrow(RangeError);
	});
});
