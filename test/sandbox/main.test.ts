import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { request } from 'undici';
import { readOptions } from '../../tools/sandbox/options';
import { startReceiver } from './receiver';

const ROOT = join(__dirname, '../..');
// tsx starts slowly on a busy machine
jest.setTimeout(90_000);

const children: ChildProcess[] = [];

function run(...args: string[]) {
	// The tsx command would receive the signals instead of the sandbox
	const child = spawn(
		process.execPath,
		['--import', 'tsx', join(ROOT, 'tools/sandbox/main.ts'), ...args],
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
	/** Waits until the output matches. */
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

test('the command prints its address, logs requests, delivers events and ends on SIGINT', async () => {
	const receiver = await startReceiver();
	try {
		const { child, exit, printed } = run(
			'--port=0',
			`--webhook=${receiver.url}`,
			'--webhook-user=hook',
			'--webhook-password=secret1',
		);
		const [, baseUrl] = await printed(/^Base URL {2}(\S+)$/m);
		const [, apikey] = await printed(/API Key {3}(\S+)/);
		await printed(/curl -H 'apikey: \w+' 'http:/);
		const answer = await request(`${baseUrl}/messages/109/reactions/ok`, {
			method: 'POST',
			headers: { apikey, onBehalfOf: 'leo' },
		});
		await answer.body.dump();
		expect(answer.statusCode).toBe(200);
		await printed(/200 {2}POST \/v3\/messages\/109\/reactions\/ok {2}as leo/);
		while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
		const [{ headers, body }] = receiver.received;
		expect(body).toMatchObject({ trigger: 'message_reaction_added' });
		expect(headers.authorization).toMatch(/^Basic /);
		child.kill('SIGINT');
		expect(await exit).toBe(0);
	} finally {
		await receiver.close();
	}
});

test('--json prints a single line, and SIGTERM ends the command', async () => {
	const { child, exit, printed, output } = run('--port', '0', '--json');
	await printed(/\n/);
	const facts = JSON.parse(output()) as Record<string, string>;
	expect(Object.keys(facts)).toEqual(['url', 'baseUrl', 'apiKey', 'authOnlyKey', 'appId']);
	const answer = await request(`${facts.baseUrl}/groups`, { headers: { apikey: facts.apiKey } });
	await answer.body.dump();
	expect(answer.statusCode).toBe(200);
	const taken = run('--port', new URL(facts.url).port);
	expect(await taken.exit).toBe(1);
	expect(taken.output()).toMatch(/^Port \d+ is in use. Choose another port with --port\n$/);
	child.kill('SIGTERM');
	expect(await exit).toBe(0);
	expect(output().trim().split('\n')).toHaveLength(1);
});

test('command line options become options of the sandbox', () => {
	const args = ['--groups=500', '--total-pages=next', '--rate-limit=2', '--latency=1', '--json'];
	expect(readOptions([...args, '--webhook=http://localhost/', '--webhook-user=hook'])).toEqual({
		help: false,
		json: true,
		quiet: true,
		sandbox: {
			port: 4100,
			groups: 500,
			totalPages: 'next',
			faults: [
				{ effect: { latency: { ms: 1 } } },
				{ effect: { window: { requests: 2, ms: 60_000 } } },
			],
			webhooks: [{ url: 'http://localhost/', username: 'hook' }],
		},
	});
});

test.each([
	['--webhook=http://example.com/', 'url'],
	['--webhook-user=hook', '--webhook is missing'],
	['--nothing', "Unknown option '--nothing'"],
	['--port=x', '--port needs a whole number'],
	['--port=65536', '--port must be at most 65535'],
	['--rate-limit=0', '--rate-limit'],
	['--total-pages=all', 'must be count or next'],
])('%s is refused', (option, text) => {
	expect(() => readOptions([option])).toThrow(text);
});
