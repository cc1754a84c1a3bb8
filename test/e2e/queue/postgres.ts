import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../lib/ports';
import { run, startService, waitFor, type User } from '../lib/processes';

export interface Postgres {
	port: number;
	/** Runs a query and returns its rows. */
	rows(sql: string): Promise<string[][]>;
	stop(): Promise<void>;
}

function findBinaries(): string {
	const root = '/usr/lib/postgresql';
	const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a));
	return join(root, newest, 'bin');
}

/**
 * Returns the user to run PostgreSQL as. PostgreSQL refuses to run as root, so root uses the `postgres` user
 * that Debian's package creates.
 */
async function findUser(): Promise<User> {
	if (process.getuid?.() !== 0) return {};
	const [uid, gid] = await Promise.all(
		['-u', '-g'].map(async (of) => await run('id', [of, 'postgres'])),
	);
	return { uid: Number(uid), gid: Number(gid) };
}

/** Starts PostgreSQL on a free loopback port with its data in a temporary folder. */
export async function startPostgres(): Promise<Postgres> {
	const folder = mkdtempSync(join(tmpdir(), 'cometchat-postgres-'));
	const data = join(folder, 'data');
	mkdirSync(data);
	const user = await findUser();
	const { uid, gid } = user;
	if (uid !== undefined && gid !== undefined) {
		chownSync(folder, uid, gid);
		chownSync(data, uid, gid);
	}
	const env = { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8' };
	const inside = { ...user, cwd: folder, env };
	const bin = findBinaries();
	await run(join(bin, 'initdb'), ['-D', data, '-U', 'n8n', '-A', 'trust', '-N'], inside);
	const port = await freePort();
	const service = startService(
		join(bin, 'postgres'),
		['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-F'],
		{ ...inside, logFile: join(folder, 'postgres.log') },
	);
	const call = async (program: string, ...args: string[]) =>
		await run(
			join(bin, program),
			['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', ...args],
			inside,
		);
	await waitFor('The start of PostgreSQL', async () => {
		return await call('pg_isready', '-d', 'postgres').catch(() => undefined);
	});
	await call('createdb', 'n8n');
	return {
		port,
		async rows(sql) {
			const lines = (await call('psql', '-AtX', '-c', sql, 'n8n')).split('\n');
			return lines.filter((line) => line !== '').map((line) => line.split('|'));
		},
		async stop() {
			await service.stop('SIGINT'); // SIGINT requests PostgreSQL's fast shutdown
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
