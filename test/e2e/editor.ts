import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import { Client, OWNER } from './lib/client';
import { loadExample, listExamples, type SavedCredentials } from './lib/examples';
import { installN8n } from './lib/install';
import { startN8n, type N8n } from './lib/n8n';
import { installPackage, pack } from './lib/package';
import { CACHE, ROOT } from './lib/paths';
import { freePort, isFree } from './lib/ports';
import { credentialData } from './lib/testSystem';
import { LOGIN, webhookUrl } from './lib/webhook';
import type { WorkflowDraft } from '../../tools/n8nEngine/draft';

const HELP = `Runs the real n8n with this package, beside the sandbox, on this machine until Ctrl+C.

  --port N   port of n8n (default 5678, or a free one when that is taken)
  --reload   compiles the nodes when a file changes, and n8n loads them anew (npm run dev)
  --fresh    forgets the workflows and credentials of earlier runs
  --help     prints this text
`;

/** Folder that keeps n8n's data between runs. COMETCHAT_EDITOR_FOLDER overrides the default. */
const USER_FOLDER = process.env.COMETCHAT_EDITOR_FOLDER ?? join(CACHE, 'editor');

/**
 * File that stores the sandbox's port. Later runs try to reuse the port, because saved credentials contain
 * it.
 */
const SANDBOX_PORT = join(USER_FOLDER, 'sandbox-port');

class UsageError extends Error {}

function readOptions(args: string[]) {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string' },
			reload: { type: 'boolean', default: false },
			fresh: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const { port } = values;
	if (
		port !== undefined &&
		(!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
	) {
		throw new UsageError(`--port needs a number from 1 to 65535, not "${port}"`);
	}
	return { ...values, port: port === undefined ? undefined : Number(port) };
}

async function choosePort(wanted: number | undefined): Promise<number> {
	if (await isFree(wanted ?? 5678)) return wanted ?? 5678;
	if (wanted !== undefined)
		throw new Error(`Port ${wanted} is taken: name another one with --port`);
	return await freePort();
}

async function sandboxPort(): Promise<number> {
	const last = existsSync(SANDBOX_PORT) ? Number(readFileSync(SANDBOX_PORT, 'utf8')) : 4100;
	const port = (await isFree(last)) ? last : await freePort();
	writeFileSync(SANDBOX_PORT, String(port));
	return port;
}

/** Name of the example workflow that the sandbox's webhook triggers. */
const STARTED_BY_REACTION = 'banned-reaction';

/** Name of the example workflow that answers as a bot. */
const BOT = 'slash-commands';

/** Creates a credential, or updates the existing credential of the same type. */
async function saveCredential(
	client: Client,
	name: string,
	type: string,
	data: IDataObject,
): Promise<SavedCredentials> {
	const known = (await client.listCredentials()).find((each) => each.type === type);
	if (known) await client.call('PATCH', `/credentials/${known.id}`, { ...known, data });
	return { [type]: known ?? { id: await client.addCredential(name, type, data), name } };
}

/**
 * Creates the owner account, the credentials, and the example workflows if they're missing. Publishes the
 * example that receives the sandbox's events, and the example of a bot.
 *
 * @returns the names of the examples
 */
async function prepareWorkflows(n8n: N8n, sandbox: Sandbox): Promise<string[]> {
	const client = new Client(n8n.url);
	await client.signIn();
	const chosen: SavedCredentials = {
		...(await saveCredential(client, 'CometChat', 'cometChatApi', credentialData(sandbox))),
		...(await saveCredential(client, 'CometChat Webhook', 'cometChatWebhookApi', LOGIN)),
	};
	const ids = new Map((await client.listWorkflows()).map(({ id, name }) => [name, id]));
	const examples = listExamples().map((name) => loadExample(name, chosen));
	for (const draft of examples) {
		if (!ids.has(draft.name)) ids.set(draft.name, await client.addWorkflow(draft));
	}
	const publish = async (example: string) => {
		const { name } = loadExample(example, chosen);
		const id = ids.get(name) ?? '';
		await client.publish(id);
		return { id, name };
	};
	await publish(BOT);
	const { id, name } = await publish(STARTED_BY_REACTION);
	const saved = await client.call<WorkflowDraft>('GET', `/workflows/${id}`);
	sandbox.webhooks.set([{ name, url: webhookUrl(n8n, saved), ...LOGIN }]);
	return examples.map((draft) => draft.name);
}

function announce(n8n: N8n, sandbox: Sandbox, examples: string[]): string {
	return `
n8n       ${n8n.url}
  sign in   ${OWNER.email}
  password  ${OWNER.password}

Sandbox   ${sandbox.url}/   groups, messages, and each request as it comes
  webhooks  the credential "CometChat Webhook" has the username ${LOGIN.username} and the
            password ${LOGIN.password}; the sandbox's page has filled them in

Workflows ${examples.join('\n          ')}

To start "${loadExample(STARTED_BY_REACTION, {}).name}": on the sandbox's page you are
Aisha, in the group Lantern Makers. React to a message with 👎. The reaction is removed, Aisha gets a
message, and n8n shows the run under Executions.

To talk to the bot of "${loadExample(BOT, {}).name}":
open the group All Hands on the sandbox's page, and write /help, /whoami or /members.

Stop both with Ctrl+C.
`;
}

/** Functions that stop the running processes and servers, called in order. */
const running: Array<() => Promise<void>> = [];

let stopping: Promise<void> | undefined;

async function stopAll(): Promise<void> {
	stopping ??= (async () => {
		for (const stop of running.splice(0)) await stop();
	})();
	await stopping;
}

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		process.stdout.write(HELP);
		return;
	}
	const port = await choosePort(options.port);
	await installN8n(console.log);
	if (options.fresh) rmSync(USER_FOLDER, { recursive: true, force: true });
	mkdirSync(USER_FOLDER, { recursive: true });
	console.log('Building and packing the package …');
	const { tarball, remove } = await pack();
	const installed = await installPackage(tarball, USER_FOLDER);
	remove();
	console.log('Starting the sandbox and n8n …');
	const sandbox = await startSandbox({ port: await sandboxPort(), recent: true });
	running.push(sandbox.close);
	const env = options.reload ? { N8N_DEV_RELOAD: 'true' } : undefined;
	const n8n = await startN8n({ userFolder: USER_FOLDER, port, env });
	running.unshift(n8n.stop);
	const examples = await prepareWorkflows(n8n, sandbox);
	console.log(announce(n8n, sandbox, examples));
	if (options.reload) {
		running.unshift(compileOnChange(join(installed, 'dist')));
		console.log(
			'The editor shows a changed node after a second or two. Start again for new icons.',
		);
	}
}

/**
 * Recompiles the nodes into a folder whenever a source file changes. Returns a function that stops the
 * compiler.
 */
function compileOnChange(folder: string): () => Promise<void> {
	const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
	const args = [tsc, '--watch', '--preserveWatchOutput', '--outDir', folder];
	const compiler = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
	return () => {
		compiler.kill();
		return Promise.resolve();
	};
}

function onSignal(): void {
	if (stopping) process.exit(1); // A second Ctrl+C kills all processes
	console.log('\nStopping …');
	void stopAll().then(() => process.exit(0));
}

process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

main().catch(async (error: unknown) => {
	if (stopping) return; // Errors are expected if the user stops the script during startup
	console.error(error instanceof Error ? error.message : String(error));
	if (error instanceof UsageError || error instanceof TypeError) console.error(`\n${HELP}`);
	await stopAll();
	process.exit(1);
});
