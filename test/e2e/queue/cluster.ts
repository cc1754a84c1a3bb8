import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../../tools/sandbox/server';
import { BURST_MESSAGE, type StoredExecution } from '../lib/burst';
import { Client } from '../lib/client';
import { startN8n, type N8n, type N8nOptions } from '../lib/n8n';
import { openAll } from '../lib/opened';
import { installPackage } from '../lib/package';
import { credentialData, tarball } from '../lib/stage';
import { startPostgres } from './postgres';
import { startRedis } from './redis';

/** n8n in queue mode. Each process has its own user folder and package. */
export interface Cluster {
	main: N8n;
	workers: N8n[];
	/** Webhook processes */
	webhooks: N8n[];
	client: Client;
	sandbox: Sandbox;
	credentialId: string;
	/** Reads all executions of a workflow from the database, oldest first. */
	executions(workflowId: string): Promise<StoredExecution[]>;
	/** IDs of the executions that a worker has started. */
	startedBy(worker: N8n): string[];
	close(): Promise<void>;
}

/**
 * Settings that detect a dead worker within seconds instead of minutes, and mark its executions as crashed
 * soon instead of after 3 hours. On a busy machine n8n then also gives up slow executions.
 */
const IMPATIENT = {
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.1', // minutes
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

export interface ClusterOptions {
	/** Number of webhook processes, 0 by default */
	webhooks?: number;
	/** True if n8n detects a dead worker within seconds */
	impatient?: boolean;
}

/**
 * More database connections and a longer ping timeout. By default an n8n process has two connections and
 * responds to every call with 503 if the database is slow to answer a ping.
 */
const ROOMY = { DB_POSTGRESDB_POOL_SIZE: '10', DB_PING_TIMEOUT_MS: '60000' };

/** Starts Redis, PostgreSQL, n8n, two workers and the sandbox. */
export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
	return await openAll(async (opened) => {
		const folder = mkdtempSync(join(tmpdir(), 'cometchat-queue-'));
		opened.add(() => rmSync(folder, { recursive: true, force: true }));
		const sandbox = await startSandbox();
		opened.add(async () => await sandbox.close());
		const postgres = await startPostgres();
		opened.add(postgres.stop);
		const redis = await startRedis(folder);
		opened.add(async () => await redis.service.stop());
		const env = {
			...(options.impatient ? IMPATIENT : {}),
			...ROOMY,
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_DATABASE: 'n8n',
		};
		const instance = async (
			name: string,
			command: NonNullable<N8nOptions['command']>,
			args: string[] = [],
		) => {
			const userFolder = join(folder, name);
			await installPackage(tarball(), userFolder);
			const n8n = await startN8n({ userFolder, command, args, env });
			opened.add(n8n.stop);
			return n8n;
		};
		const main = await instance('main', 'start');
		const workers = [
			await instance('worker-1', 'worker', ['--concurrency=5']),
			await instance('worker-2', 'worker', ['--concurrency=5']),
		];
		const webhooks: N8n[] = [];
		for (let number = 1; number <= (options.webhooks ?? 0); number++) {
			webhooks.push(await instance(`webhooks-${number}`, 'webhook'));
		}
		const client = new Client(main.url);
		await client.signIn();
		const credentialId = await client.addCredential(
			'CometChat',
			'cometChatApi',
			credentialData(sandbox),
		);
		return {
			main,
			workers,
			webhooks,
			client,
			sandbox,
			credentialId,
			async executions(workflowId) {
				const rows = await postgres.rows(
					`SELECT id, status, substring(data from '${BURST_MESSAGE}')
					FROM execution_entity JOIN execution_data ON "executionId" = id
					WHERE execution_entity."workflowId" = '${workflowId}' ORDER BY id`,
				);
				return rows.map(([id, status, message]) => ({ id, status, message }));
			},
			startedBy: ({ service }) =>
				Array.from(service.log().matchAll(/Worker started execution (\d+)/g), ([, id]) => id),
			close: opened.close,
		};
	});
}
