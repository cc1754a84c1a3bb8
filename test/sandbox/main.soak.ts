import { request } from 'undici';
import { waitFor } from '../e2e/lib/processes';
import { startScript, type Script } from '../e2e/lib/script';
import { startReceiver } from './receiver';

const scripts: Script[] = [];

function run(...args: string[]): Script {
	const script = startScript('tools/sandbox/main.ts', args);
	scripts.push(script);
	return script;
}

afterEach(() => scripts.splice(0).forEach(({ child }) => child.kill('SIGKILL')));

test('the command prints its address, logs requests, delivers events and ends on SIGINT', async () => {
	const receiver = await startReceiver();
	try {
		const { child, exit, waitForOutput } = run(
			'--port=0',
			`--webhook=${receiver.url}`,
			'--webhook-user=hook',
			'--webhook-password=secret1',
		);
		const [, baseUrl] = await waitForOutput(/^Base URL {2}(\S+)$/m);
		const [, apikey] = await waitForOutput(/API Key {3}(\S+)/);
		await waitForOutput(/curl -H 'apikey: \w+' 'http:/);
		const answer = await request(`${baseUrl}/messages/109/reactions/ok`, {
			method: 'POST',
			headers: { apikey, onBehalfOf: 'leo' },
		});
		await answer.body.dump();
		expect(answer.statusCode).toBe(200);
		await waitForOutput(/200 {2}POST \/v3\/messages\/109\/reactions\/ok {2}as leo/);
		await waitFor('The delivery', () => receiver.received.length > 0);
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
	const { child, exit, waitForOutput, output } = run('--port', '0', '--json');
	await waitForOutput(/\n/);
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
