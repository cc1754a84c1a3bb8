import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MAX_IN_FLIGHT } from '../nodes/CometChat/transport/limiter';
import { MAX_AHEAD } from '../nodes/CometChat/operation/pagePagination';
import type { Job, Measurement } from './job';
import type { Service } from './service';

/** Longest time for one run, in milliseconds. */
const LONGEST_RUN = 300_000;

function start(file: string, args: string[], options: SpawnOptions): ChildProcess {
	const all = ['--expose-gc', '--import', 'tsx', join(__dirname, file), ...args];
	return spawn(process.execPath, all, options);
}

/** Starts the service with so many groups in a process of its own, over TLS or not. */
export async function startService(
	groups: number,
	overTls: boolean,
): Promise<{ service: Service; stop: () => Promise<void> }> {
	const args = [String(groups), ...(overTls ? ['tls'] : [])];
	const child = start('service.ts', args, { stdio: ['pipe', 'pipe', 'inherit'] });
	if (!child.stdout) throw new Error('The service has no output');
	const ended = once(child, 'exit');
	const [line] = (await Promise.race([
		once(createInterface(child.stdout), 'line'),
		ended.then(() => {
			throw new Error('The service did not start');
		}),
	])) as [string];
	return {
		service: JSON.parse(line) as Service,
		stop: async () => {
			child.stdin?.end();
			await ended;
		},
	};
}

/** Writes a certificate where Node.js takes one that it is to trust. */
function trust(certificate: string): { file: string; remove: () => void } {
	const folder = mkdtempSync(join(tmpdir(), 'cometchat-bench-'));
	const file = join(folder, 'certificate.pem');
	writeFileSync(file, certificate);
	return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Does a job in a new process.
 *
 * @throws with what the process said when it failed or took too long
 */
export async function measure(
	order: Omit<Job, 'inFlight'>,
	env: NodeJS.ProcessEnv,
): Promise<Measurement> {
	const job: Job = {
		...order,
		inFlight: order.run.work === 'groups' ? MAX_AHEAD : MAX_IN_FLIGHT,
	};
	const { certificate } = order.service;
	const trusted = certificate === undefined ? undefined : trust(certificate);
	const child = start('contender.ts', [JSON.stringify(job)], {
		env: { ...env, ...(trusted ? { NODE_EXTRA_CA_CERTS: trusted.file } : {}) },
		stdio: ['ignore', 'pipe', 'pipe'],
		timeout: LONGEST_RUN,
	});
	let output = '';
	let complaint = '';
	child.stdout?.on('data', (part: Buffer) => (output += part.toString()));
	child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()));
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	trusted?.remove();
	if (code !== 0)
		throw new Error(`The run ended with ${code ?? signal}: ${complaint.slice(0, 500)}`);
	return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measurement;
}
