import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { node } from '../../../tools/n8nEngine/draft';
import { startSandbox } from '../../../tools/sandbox/server';
import { BURST_MESSAGE, type StoredExecution } from '../lib/burst';
import { Client } from '../lib/client';
import { startN8n, type N8n, type N8nOptions } from '../lib/n8n';
import { withCleanup } from '../lib/cleanup';
import { installPackage } from '../lib/package';
import { useResource } from '../lib/testHooks';
import { credentialData, getTarball } from '../lib/testSystem';
import { startPostgres } from './postgres';
import { startRedis } from './redis';

/**
 * Allows more database connections and slower pings than n8n's defaults. If the database responds too slowly
 * to a ping, n8n returns 503 for every call.
 */
const DATABASE_SETTINGS = { DB_POSTGRESDB_POOL_SIZE: '10', DB_PING_TIMEOUT_MS: '60000' };

/**
 * Starts an n8n cluster in queue mode: Redis, PostgreSQL, the sandbox, n8n's main process, two workers, and two
 * webhook processes. Each n8n process has its own user folder and copy of the package.
 */
async function openCluster() {
	return await withCleanup(async (cleanup) => {
		const folder = mkdtempSync(join(tmpdir(), 'cometchat-queue-'));
		cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
		const sandbox = await startSandbox();
		cleanup.add(async () => await sandbox.close());
		const postgres = await startPostgres();
		cleanup.add(postgres.stop);
		const redis = await startRedis(folder);
		cleanup.add(async () => await redis.service.stop());
		const env = {
			...DATABASE_SETTINGS,
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
		const start = async (name: string, command: N8nOptions['command'], args: string[] = []) => {
			const userFolder = join(folder, name);
			await installPackage(getTarball(), userFolder);
			const n8n = await startN8n({ userFolder, command, args, env });
			cleanup.add(n8n.stop);
			return n8n;
		};
		const main = await start('main', 'start');
		const webhooks: N8n[] = [];
		for (const number of [1, 2]) {
			await start(`worker-${number}`, 'worker', ['--concurrency=5']);
			webhooks.push(await start(`webhooks-${number}`, 'webhook'));
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
			webhooks,
			client,
			sandbox,
			credentialId,
			/** Reads all executions of a workflow from the database, oldest first. */
			async executions(workflowId: string): Promise<StoredExecution[]> {
				const rows = await postgres.rows(
					`SELECT id, status, substring(data from '${BURST_MESSAGE}')
					FROM execution_entity JOIN execution_data ON "executionId" = id
					WHERE execution_entity."workflowId" = '${workflowId}' ORDER BY id`,
				);
				return rows.map(([id, status, message]) => ({ id, status, message }));
			},
			close: cleanup.close,
		};
	});
}

/** Starts a cluster for the tests in a file, and resets the sandbox before each test. */
export const useCluster = () => useResource(openCluster, ({ sandbox }) => sandbox.reset(), 400_000);

/**
 * n8n's built-in Webhook node, which responds on receipt. In queue mode, n8n never responds with the result of
 * an execution that ends before n8n has started to wait for it.
 */
export const webhookNode = (path: string): INode =>
	node({
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { path, httpMethod: 'GET', responseMode: 'onReceived', options: {} },
	});
