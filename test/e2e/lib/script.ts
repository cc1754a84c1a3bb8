import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from './paths';
import { waitFor } from './processes';

/** A running TypeScript script. */
export interface Script {
	readonly child: ChildProcess;
	/** Resolves to the exit code, or to null if a signal ended the script */
	readonly exit: Promise<number | null>;
	/** Returns the script's output so far. */
	output(): string;
	waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
}

/**
 * Runs a TypeScript file from this repository. Signals sent to the child process reach the script directly.
 */
export function startScript(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Script {
	const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, file), ...args], {
		cwd: ROOT,
		env: { ...process.env, ...env },
	});
	let output = '';
	child.stdout.on('data', (chunk) => (output += String(chunk)));
	child.stderr.on('data', (chunk) => (output += String(chunk)));
	return {
		child,
		exit: new Promise((done) => child.once('close', done)),
		output: () => output,
		waitForOutput: async (pattern) =>
			await waitFor(`Output that matches ${pattern}`, () => pattern.exec(output), 100_000),
	};
}
