import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../../tools/sandbox/server';
import { Client, type Execution } from '../lib/client';
import { example, type Chosen } from '../lib/examples';
import { startN8n, type N8n } from '../lib/n8n';
import { installPackage } from '../lib/package';
import { until } from '../lib/processes';
import { credentialData, tarball } from '../lib/stage';

/** n8n polls once a minute at most. */
const NEXT_POLL_MS = 90_000;

let sandbox: Sandbox;
let userFolder: string;
let n8n: N8n | undefined;
let client: Client;

beforeEach(async () => {
	userFolder = mkdtempSync(join(tmpdir(), 'cometchat-e2e-'));
	await installPackage(tarball(), userFolder);
	sandbox = await startSandbox();
});

afterEach(async () => {
	await n8n?.stop();
	n8n = undefined;
	await sandbox.close();
	rmSync(userFolder, { recursive: true, force: true });
});

async function start(): Promise<void> {
	n8n = await startN8n({ userFolder });
	client = new Client(n8n.url);
	await client.signIn();
}

async function addExample(): Promise<string> {
	const id = await client.addCredential('CometChat', 'cometChatApi', credentialData(sandbox));
	const chosen: Chosen = { cometChatApi: { id, name: 'CometChat' } };
	return await client.addWorkflow(example('new-group', chosen));
}

/** Waits for so many executions that have ended, and gives them, oldest first. */
async function executionsOf(id: string, count: number): Promise<Execution[]> {
	return await until(
		`Execution number ${count}`,
		async () => {
			const ended = (await client.executions(id)).filter(({ status }) => status === 'success');
			if (ended.length < count) return undefined;
			return await Promise.all(ended.reverse().map((run) => client.execution(run.id)));
		},
		NEXT_POLL_MS,
	);
}

async function nextPoll(): Promise<void> {
	const before = sandbox.log.length;
	await until(
		'The next poll',
		async () => (sandbox.log.length > before ? true : undefined),
		NEXT_POLL_MS,
	);
}

const givenBy = (runs: Execution[]) =>
	runs.map((run) => run.items('Next step').map(({ json }) => json.guid));

test('An active workflow starts when a group is created, and goes on after n8n or the workflow was off', async () => {
	await start();
	const id = await addExample();
	const shown = await client.runFrom(id, 'CometChat Polling Trigger');
	expect(shown.items('CometChat Polling Trigger')[0].json.guid).toBe('ideas');
	await client.publish(id);

	sandbox.store.createGroup({ guid: 'while-active', name: 'Now', owner: 'mira', type: 'private' });
	const inTrigger = async () =>
		(await executionsOf(id, 2)).filter(({ mode }) => mode === 'trigger');
	const [first] = await inTrigger();
	expect(first.items('Next step').map(({ json }) => json)).toEqual([
		{
			guid: 'while-active',
			text: 'mira opened the private group "Now"',
			createdAt: expect.stringMatching(/^20\d\d-.*Z$/),
		},
	]);

	await n8n?.stop();
	sandbox.store.createGroup({ guid: 'while-away' });
	await start();
	const runs = (await executionsOf(id, 3)).filter(({ mode }) => mode === 'trigger');
	expect(givenBy(runs)).toEqual([['while-active'], ['while-away']]);

	await nextPoll();
	expect(await client.executions(id)).toHaveLength(3);

	await client.unpublish(id);
	sandbox.store.createGroup({ guid: 'while-inactive' });
	await client.publish(id);
	expect(givenBy((await executionsOf(id, 4)).slice(-1))).toEqual([['while-inactive']]);
	expect(sandbox.violations).toEqual([]);
}, 400_000);
