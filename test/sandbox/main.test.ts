import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { request } from 'undici';
import { startReceiver } from './receiver';

const ROOT = join(__dirname, '../..');
const children: ChildProcessWithoutNullStreams[] = [];

function run(...args: string[]) {
	// Without the command tsx in between, so that what is ended is the sandbox itself.
	const child = spawn(
		process.execPath,
		['--import', 'tsx', join(ROOT, 'sandbox/main.ts'), ...args],
		{ cwd: ROOT },
	);
	children.push(child);
	let output = '';
	let changed = () => {};
	const take = (chunk: Buffer) => {
		output += chunk.toString();
		changed();
	};
	child.stdout.on('data', take);
	child.stderr.on('data', take);
	const exit = new Promise<number | null>((resolve) => {
		child.once('exit', (code) => {
			resolve(code);
			changed();
		});
	});
	/** Waits until the output has a match. */
	const printed = async (pattern: RegExp): Promise<RegExpExecArray> => {
		for (;;) {
			const match = pattern.exec(output);
			if (match) return match;
			if (child.exitCode !== null) throw new Error(`It ended: ${output}`);
			await new Promise<void>((resolve) => (changed = resolve));
		}
	};
	return { child, exit, printed, output: () => output };
}

afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

test('it says how to reach it, logs requests, and ends on SIGINT', async () => {
	const { child, exit, printed } = run('--port', '0');
	const [, baseUrl] = await printed(/^Base URL {2}(\S+)$/m);
	const [, apiKey] = await printed(/API Key {3}(\S+)/);
	await printed(/curl -H 'apikey: \w+' 'http:/);
	const answer = await request(`${baseUrl}/groups?perPage=2`, {
		headers: { apikey: apiKey, onBehalfOf: 'mira' },
	});
	await answer.body.dump();
	expect(answer.statusCode).toBe(200);
	await printed(/200 {2}GET \/v3\/groups\?perPage=2 {2}as mira/);
	child.kill('SIGINT');
	expect(await exit).toBe(0);
});

test('--json prints one line and nothing else, and SIGTERM ends it', async () => {
	const options = [
		'--groups',
		'500',
		'--total-pages',
		'next',
		'--rate-limit',
		'2',
		'--latency',
		'1',
	];
	const { child, exit, printed, output } = run('--port', '0', '--json', ...options);
	await printed(/\n/);
	const facts = JSON.parse(output()) as Record<string, string>;
	expect(Object.keys(facts)).toEqual(['url', 'baseUrl', 'apiKey', 'authOnlyKey', 'appId']);
	const get = async () => {
		const answer = await request(`${facts.baseUrl}/groups`, { headers: { apikey: facts.apiKey } });
		return { status: answer.statusCode, body: await answer.body.text() };
	};
	const first = await get();
	expect(JSON.parse(first.body).meta.pagination).toMatchObject({ total: 0, total_pages: 2 });
	await get();
	expect((await get()).status).toBe(429);
	child.kill('SIGTERM');
	expect(await exit).toBe(0);
	expect(output().trim().split('\n')).toHaveLength(1);
});

test('--webhook delivers what happens', async () => {
	const receiver = await startReceiver();
	try {
		const { printed } = run(
			'--port=0',
			`--webhook=${receiver.url}`,
			'--webhook-user=hook',
			'--webhook-password=secret1',
			'--webhook-events=message_reaction_added,message_reaction_removed',
		);
		const [, baseUrl] = await printed(/^Base URL {2}(\S+)$/m);
		const [, apikey] = await printed(/API Key {3}(\S+)/);
		const answer = await request(`${baseUrl}/messages/109/reactions/ok`, {
			method: 'POST',
			headers: { apikey, onBehalfOf: 'leo' },
		});
		await answer.body.dump();
		while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
		const [{ headers, body }] = receiver.received;
		expect(body).toMatchObject({ trigger: 'message_reaction_added' });
		expect(headers.authorization).toMatch(/^Basic /);
	} finally {
		await receiver.close();
	}
});

test.each([
	['--webhook=http://example.com/', 1, 'url'],
	['--webhook-user=hook', 1, '--webhook is missing'],
	['--help', 0, '--total-pages KIND'],
	['--nothing', 1, "Unknown option '--nothing'"],
	['--port=x', 1, '--port needs a whole number'],
	['--rate-limit=0', 1, '--rate-limit'],
	['--total-pages=all', 1, 'either count or next'],
])('%s ends with %i', async (arg, code, text) => {
	const { exit, output } = run(arg);
	expect(await exit).toBe(code);
	expect(output()).toContain(text);
});
