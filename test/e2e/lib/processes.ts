import { spawn } from 'node:child_process';
import {
	closeSync,
	mkdirSync,
	openSync,
	readFileSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Time before a process that ignores SIGTERM is killed, in milliseconds. */
const GRACE_MS = 10_000;

/** IDs of the process groups that are running. */
const running = new Set<number>();

process.once('exit', () => {
	for (const pid of running) signalGroup(pid, 'SIGKILL');
});

/**
 * Environment variable with the path of a folder that contains a file per running process group. Jest's global
 * setup uses the files to end leftover processes after Jest has exited.
 */
const GROUPS_FOLDER = 'COMETCHAT_E2E_PROCESSES';

/** Kills all processes that tests started when the current process exits. */
export function endAllWithThisProcess(folder: string): void {
	process.env[GROUPS_FOLDER] = folder;
	mkdirSync(folder, { recursive: true });
	const end = () => {
		for (const pid of readdirSync(folder)) signalGroup(Number(pid), 'SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	};
	process.once('exit', end);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => process.exit(1));
	}
}

/** Records that a process group has started or ended. */
function trackGroup(pid: number, runs: boolean): void {
	const folder = process.env[GROUPS_FOLDER];
	if (runs) running.add(pid);
	else running.delete(pid);
	if (!folder) return;
	if (runs) writeFileSync(join(folder, String(pid)), '');
	else rmSync(join(folder, String(pid)), { force: true });
}

export interface Service {
	readonly pid: number;
	/** Exit code or signal name, or undefined while the process is running. */
	readonly ended: number | string | undefined;
	/** Returns the process's output so far. */
	log(): string;
	/**
	 * Stops the process and its children. Sends `signal` first (SIGTERM by default), and SIGKILL if any of them
	 * is still running. Resolves once all of them have ended.
	 */
	stop(signal?: NodeJS.Signals): Promise<void>;
}

/** User ID and group ID to run a program with. Setting them requires root. */
export interface User {
	uid?: number;
	gid?: number;
}

export interface ServiceOptions extends User {
	cwd?: string;
	env: NodeJS.ProcessEnv;
	logFile: string;
}

/** Sends a signal to a process group. Returns true if at least one process received the signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		process.kill(-pid, signal);
		return true;
	} catch {
		return false;
	}
}

/** Starts a program in its own process group and writes its output to a file. */
export function startService(command: string, args: string[], options: ServiceOptions): Service {
	const { logFile, ...rest } = options;
	mkdirSync(dirname(logFile), { recursive: true });
	const out = openSync(logFile, 'a');
	const child = spawn(command, args, { ...rest, detached: true, stdio: ['ignore', out, out] });
	closeSync(out);
	const { pid } = child;
	if (pid === undefined) throw new Error(`${command} could not be started`);
	trackGroup(pid, true);
	let ended: number | string | undefined;
	const exited = new Promise<void>((done) => {
		child.once('exit', (code, signal) => {
			ended = code ?? signal ?? 0;
			done();
		});
	});
	return {
		pid,
		get ended() {
			return ended;
		},
		log: () => readFileSync(logFile, 'utf8'),
		async stop(signal = 'SIGTERM') {
			if (ended === undefined) child.kill(signal);
			await Promise.race([exited, wait(GRACE_MS, undefined, { ref: false })]);
			// Child processes can outlive the main process
			for (let waited = 0; signalGroup(pid, 0) && waited < 2_000; waited += 50) await wait(50);
			signalGroup(pid, 'SIGKILL');
			await exited;
			trackGroup(pid, false);
		},
	};
}

export interface CommandOptions extends User {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
}

/**
 * Runs a program and waits for it to exit.
 *
 * @returns the program's standard output
 * @throws Error with the end of the program's output if its exit code isn't 0
 */
export async function run(
	command: string,
	args: string[],
	options: CommandOptions = {},
): Promise<string> {
	const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	let stdout = '';
	let all = '';
	child.stdout.on('data', (chunk: Buffer) => {
		stdout += chunk.toString();
		all += chunk.toString();
	});
	child.stderr.on('data', (chunk: Buffer) => {
		all += chunk.toString();
	});
	const code = await new Promise<number | null>((done, refuse) => {
		child.once('error', refuse);
		child.once('close', done);
	});
	if (code !== 0) {
		throw new Error(`${command} ${args.join(' ')} ended with code ${code}:\n${all.slice(-2_000)}`);
	}
	return stdout;
}

type Found<T> = Exclude<T, undefined | null | false>;

const isFound = <T>(value: T): value is Found<T> =>
	value !== undefined && value !== null && value !== false;

/**
 * Calls `find` repeatedly until it finds a value.
 *
 * @param event description of the awaited event, for the error message
 * @param find returns undefined, null, or false until the event has happened
 * @throws Error if `find` finds nothing within `timeoutMs`
 */
export async function waitFor<T>(
	event: string,
	find: () => T | Promise<T>,
	timeoutMs = 60_000,
): Promise<Found<T>> {
	const end = Date.now() + timeoutMs;
	for (;;) {
		const value = await find();
		if (isFound(value)) return value;
		if (Date.now() > end) throw new Error(`${event} did not happen within ${timeoutMs / 1000} s`);
		await wait(100);
	}
}
