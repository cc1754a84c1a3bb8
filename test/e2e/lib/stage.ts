import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../tools/sandbox/server';
import { messageIn, type StoredExecution } from './burst';
import { Client } from './client';
import { startCloud } from './cloud';
import { startN8n, type N8n } from './n8n';
import { openAll } from './opened';
import { installPackage } from './package';
import { freePort } from './ports';

/** n8n with the package, the sandbox beside it, and a credential from one to the other. */
export interface Stage {
	readonly n8n: N8n;
	/** Folder of n8n's data, with its home folder in `home` */
	readonly userFolder: string;
	client: Client;
	sandbox: Sandbox;
	/** Id of the credential "CometChat", which works */
	credentialId: string;
	/** Every execution of a workflow, as the database has it, oldest first; n8n may be down. */
	executions(workflowId: string): StoredExecution[];
	/** Ends n8n with a signal, and starts it again at the same address with all that it keeps. */
	restart(signal?: NodeJS.Signals): Promise<void>;
	close(): Promise<void>;
}

export interface StageOptions {
	/** Whether CometChat's own hosts lead to the sandbox, whose app is then in the EU */
	cloud?: boolean;
	/** Environment variables of n8n that differ from those in n8n.ts */
	env?: Record<string, string>;
}

/** Data of a credential that points at the sandbox. */
export const credentialData = ({ apiKey, baseUrl }: Sandbox): IDataObject => ({
	apiKey,
	region: 'custom',
	baseUrl,
});

/** The tarball that the set-up of all tests made. */
export function tarball(): string {
	const path = process.env.COMETCHAT_E2E_TARBALL;
	if (!path) throw new Error('The tests are run with "npm run test:e2e"');
	return path;
}

function storedIn(userFolder: string, workflowId: string): StoredExecution[] {
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
		message: messageIn(String(data)),
	}));
}

/** Starts everything in a new user folder, which is thrown away at the end. */
export async function openStage({ cloud = false, env }: StageOptions = {}): Promise<Stage> {
	return await openAll(async (opened) => {
		const userFolder = mkdtempSync(join(tmpdir(), 'cometchat-e2e-'));
		opened.add(() => rmSync(userFolder, { recursive: true, force: true }));
		await installPackage(tarball(), userFolder);
		const sandbox = await startSandbox();
		opened.add(async () => await sandbox.close());
		const hosts = cloud ? await startCloud(sandbox, userFolder) : undefined;
		if (hosts) opened.add(hosts.close);
		const options = { userFolder, port: await freePort(), env: { ...hosts?.env, ...env } };
		let n8n = await startN8n(options);
		opened.add(async () => await n8n.stop());
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
			executions: (workflowId) => storedIn(userFolder, workflowId),
			async restart(signal) {
				await n8n.service.stop(signal);
				n8n = await startN8n(options);
			},
			close: opened.close,
		};
	});
}
