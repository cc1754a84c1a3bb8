import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CACHE, E2E } from './paths';
import { freePort } from './ports';
import { startService, waitFor, type Service } from './processes';

export interface N8nOptions {
	/** Parent folder of n8n's data folder, .n8n */
	userFolder: string;
	/** Defaults to a free port */
	port?: number;
	/** "start" runs the main process. "worker" and "webhook" run the other processes of queue mode. */
	command?: 'start' | 'worker' | 'webhook';
	/** Command-line arguments after the command */
	args?: string[];
	env?: Record<string, string>;
	/** Maximum time until n8n is ready, in milliseconds. Defaults to five minutes. */
	startTimeoutMs?: number;
}

export interface N8n {
	/** `http://127.0.0.1:<port>` */
	readonly url: string;
	readonly service: Service;
	/** Stops n8n and its child processes. */
	stop: () => Promise<void>;
}

/** Returns the key that encrypts credentials in the user folder, and creates the key if it's missing. */
function encryptionKey(userFolder: string): string {
	const file = join(userFolder, 'encryption-key');
	if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'));
	return readFileSync(file, 'utf8');
}

/** This process's environment, minus any n8n, npm, and Jest variables. */
function cleanEnvironment(): NodeJS.ProcessEnv {
	const foreign = /^(?:N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_|npm_|INIT_CWD|JEST_|NODE_OPTIONS)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function buildEnvironment(options: N8nOptions, port: number): Promise<NodeJS.ProcessEnv> {
	const { userFolder, env } = options;
	const home = join(userFolder, 'home');
	mkdirSync(home, { recursive: true });
	return {
		...cleanEnvironment(),
		NODE_ENV: 'production',
		HOME: home,
		N8N_USER_FOLDER: userFolder,
		// Shortens the starts after the first one by about a quarter
		NODE_COMPILE_CACHE: join(CACHE, 'compiled'),
		N8N_ENCRYPTION_KEY: encryptionKey(userFolder),
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_SECURE_COOKIE: 'false',
		// Turn off n8n's requests to external services
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_AI_GATEWAY_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,agents,chat-hub,mcp',
		...env,
	};
}

/** True once the editor's API responds. n8n's health check passes earlier. */
async function isServing(url: string): Promise<boolean> {
	const answer = await fetch(`${url}/rest/settings`).catch(() => undefined);
	return (await answer?.text())?.startsWith('{"data"') ?? false;
}

/** Log messages that worker and webhook processes write once they're ready. */
const READY = { worker: 'worker is now ready', webhook: 'Webhook listener waiting for requests' };

const START_TIMEOUT_MS = 300_000;

/**
 * Starts an n8n process and waits until it's ready.
 *
 * @throws Error with advice and the end of the process's log if it exits or takes longer than `startTimeoutMs`
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { userFolder, command = 'start', args = [], startTimeoutMs = START_TIMEOUT_MS } = options;
	mkdirSync(userFolder, { recursive: true });
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	const logFile = join(userFolder, 'n8n.log');
	const service = startService(
		process.execPath,
		[join(E2E, 'node_modules', 'n8n', 'bin', 'n8n'), command, ...args],
		{
			env: await buildEnvironment(options, port),
			cwd: userFolder,
			logFile,
		},
	);
	const isReady = async () =>
		command === 'start' ? await isServing(url) : service.log().includes(READY[command]);
	try {
		await waitFor(
			`The start of n8n ${command}`,
			async () => {
				if (service.ended !== undefined) throw new Error(`n8n ended: ${service.ended}`);
				return await isReady();
			},
			startTimeoutMs,
		);
	} catch (error) {
		await service.stop();
		const advice = `If the machine is busy, end other programs and start again. ${logFile} ends with:`;
		throw new Error(`${String(error)}\n${advice}\n${service.log().slice(-3_000)}`);
	}
	return { url, service, stop: async () => await service.stop() };
}
