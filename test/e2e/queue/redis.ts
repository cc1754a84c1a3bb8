import { join } from 'node:path';

import { freePort } from '../lib/ports';
import { run, startService, waitFor, type Service } from '../lib/processes';

/** Starts Redis on a free loopback port without persistence. */
export async function startRedis(folder: string): Promise<{ port: number; service: Service }> {
	const port = await freePort();
	const service = startService(
		'/usr/bin/redis-server',
		['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
		{ cwd: folder, env: process.env, logFile: join(folder, 'redis.log') },
	);
	await waitFor('The start of Redis', async () => {
		const answer = await run('redis-cli', ['-p', String(port), 'ping']).catch(() => '');
		return answer.startsWith('PONG');
	});
	return { port, service };
}
