import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MAX_IN_FLIGHT } from '../nodes/CometChat/transport/limiter';
import { MAX_AHEAD } from '../nodes/CometChat/operation/pagePagination';
import type { Job, Measurement } from './job';
import type { Service } from './service';

/** Longest time for one run, in milliseconds. */
const LONGEST_RUN = 300_000;

function start(file: string, argument: string, options: SpawnOptions): ChildProcess {
	const args = ['--expose-gc', '--import', 'tsx', join(__dirname, file), argument];
	return spawn(process.execPath, args, options);
}

/** Starts the service with so many groups in a process of its own. */
export async function startService(
	groups: number,
): Promise<{ service: Service; stop: () => Promise<void> }> {
	const child = start('service.ts', String(groups), { stdio: ['pipe', 'pipe', 'inherit'] });
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
	const child = start('contender.ts', JSON.stringify(job), {
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
		timeout: LONGEST_RUN,
	});
	let output = '';
	let complaint = '';
	child.stdout?.on('data', (part: Buffer) => (output += part.toString()));
	child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()));
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	if (code !== 0)
		throw new Error(`The run ended with ${code ?? signal}: ${complaint.slice(0, 500)}`);
	return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measurement;
}
