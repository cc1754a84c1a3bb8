import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../tools/sandbox/server';
import { findBurstMessage, type StoredExecution } from './burst';
import { Client } from './client';
import { startCloud } from './cloud';
import { startN8n, type N8n } from './n8n';
import { withCleanup } from './cleanup';
import { installPackage } from './package';
import { freePort } from './ports';

/** A running n8n with the package installed, a sandbox, and a credential for the sandbox. */
export interface TestSystem {
	readonly n8n: N8n;
	/** n8n's user folder. The `home` folder inside is the n8n process's home folder. */
	readonly userFolder: string;
	client: Client;
	sandbox: Sandbox;
	/** ID of "CometChat", a valid credential for the sandbox */
	credentialId: string;
	/** Reads all executions of a workflow from the database, oldest first. Works even while n8n is stopped. */
	executions(workflowId: string): StoredExecution[];
	/**
	 * Stops n8n with a signal and restarts it on the same port with the same data.
	 *
	 * @param env environment variables that this run adds
	 */
	restart(signal?: NodeJS.Signals, env?: Record<string, string>): Promise<void>;
	close: () => Promise<void>;
}

export interface TestSystemOptions {
	/** True to redirect requests for CometChat's EU hosts to the sandbox */
	cloud?: boolean;
	/** Environment variables for n8n, in addition to the defaults in n8n.ts */
	env?: Record<string, string>;
}

/** Credential data that connects to the sandbox. */
export const credentialData = ({ apiKey, baseUrl }: Sandbox): IDataObject => ({
	apiKey,
	region: 'custom',
	baseUrl,
});

/** Returns the path of the tarball that Jest's global setup packed. */
export function getTarball(): string {
	const path = process.env.COMETCHAT_E2E_TARBALL;
	if (!path) throw new Error('Run the tests with "npm run test:e2e"');
	return path;
}

/** Reads a workflow's executions from n8n's database. */
function readExecutions(userFolder: string, workflowId: string): StoredExecution[] {
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'));
	const rows = database
		.prepare(
			`SELECT id, status, data FROM execution_entity JOIN execution_data ON executionId = id
			WHERE execution_entity.workflowId = ? ORDER BY id`,
		)
		.all(workflowId);
	database.close();
	return rows.map(({ id, status, data }) => ({
		id: String(id),
		status: String(status),
		message: findBurstMessage(String(data)),
	}));
}

/** Starts a sandbox and an n8n with a temporary user folder. */
export async function startTestSystem({
	cloud = false,
	env,
}: TestSystemOptions = {}): Promise<TestSystem> {
	return await withCleanup(async (cleanup) => {
		const userFolder = mkdtempSync(join(tmpdir(), 'cometchat-e2e-'));
		cleanup.add(() => rmSync(userFolder, { recursive: true, force: true }));
		await installPackage(getTarball(), userFolder);
		const sandbox = await startSandbox();
		cleanup.add(async () => await sandbox.close());
		const hosts = cloud ? await startCloud(sandbox, userFolder) : undefined;
		if (hosts) cleanup.add(hosts.close);
		const options = { userFolder, port: await freePort(), env: { ...hosts?.env, ...env } };
		let n8n = await startN8n(options);
		cleanup.add(async () => await n8n.stop());
		const client = new Client(n8n.url);
		await client.signIn();
		const credentialId = await client.addCredential(
			'CometChat',
			'cometChatApi',
			credentialData(sandbox),
		);
		return {
			get n8n() {
				return n8n;
			},
			userFolder,
			client,
			sandbox,
			credentialId,
			executions: (workflowId) => readExecutions(userFolder, workflowId),
			async restart(signal, env) {
				await n8n.service.stop(signal);
				n8n = await startN8n({ ...options, env: { ...options.env, ...env } });
			},
			close: cleanup.close,
		};
	});
}
