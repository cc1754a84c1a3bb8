import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { program } from '../../tools/live/program';

export const REPORT = join(mkdtempSync(join(tmpdir(), 'cometchat-check-')), 'report.md');

afterAll(() => rmSync(join(REPORT, '..'), { recursive: true }));

/** Runs the program of `npm run check:live`, which writes to `REPORT`. Returns its exit code and its output. */
export async function startProgram(args: string[], env: NodeJS.ProcessEnv) {
	let output = '';
	const print = (line: string) => (output += `${line}\n`);
	const { signal } = new AbortController();
	const code = await program({ args: [`--report=${REPORT}`, ...args], env, signal, print });
	return { code, output };
}
