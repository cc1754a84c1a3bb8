import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

import type { Copy } from './project';
import { ROOT } from './project';

/** Line and column of the start, line and column of the end, and whether it ran (1) or not (0). */
export type Statement = [number, number, number, number, number];

/** What a test file did. */
export interface TestFile {
	test: string;
	passed: boolean;
	milliseconds: number;
	/** Of each built file that it loaded. */
	hits: Array<{ path: string; statements: Statement[] }>;
}

/** What reporter.mjs tells. */
type Told =
	| { event: 'start'; test: string }
	| { event: 'failure'; test: string; name: string }
	| ({ event: 'end' } & TestFile);

const jestConfig: object = createRequire(__filename)(join(ROOT, 'jest.config.js'));

const running = new Set<ChildProcess>();

/** Starts jest with these test files, in this order, one after the other. */
function startJest(copy: Copy, tests: string[], coverage: boolean): ChildProcess {
	const config = {
		...jestConfig,
		rootDir: copy.root,
		cacheDirectory: join(copy.root, '.cache/jest'),
		reporters: [join(__dirname, 'reporter.mjs')],
		testSequencer: join(__dirname, 'sequencer.mjs'),
		collectCoverage: coverage,
		coverageReporters: [],
		coverageThreshold: undefined,
	};
	const command = join(copy.root, 'node_modules/jest/bin/jest.js');
	const flags = ['--config', JSON.stringify(config), '--runInBand', '--ci', '--runTestsByPath'];
	const jest = spawn(process.execPath, [command, ...flags, ...tests], {
		cwd: copy.root,
		env: { ...process.env, TMPDIR: copy.temporary },
		stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
		// A process group of its own, which ends with all that the tests started
		detached: true,
	});
	running.add(jest);
	jest.once('exit', () => running.delete(jest));
	return jest;
}

/** Ends a process and all that it started. */
function endGroup({ pid }: ChildProcess): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// All have ended by themselves
	}
}

/** Ends what runs: it would outlive this process. */
export function endTests(): void {
	for (const jest of running) endGroup(jest);
}

function readable(stream: unknown): Readable {
	if (!(stream instanceof Readable)) throw new Error('jest has no pipes');
	return stream;
}

async function* toldBy(jest: ChildProcess): AsyncGenerator<Told> {
	for await (const line of createInterface(readable(jest.stdio[3]))) yield JSON.parse(line) as Told;
}

/** @returns the first lines that jest wrote where it tells of errors, once it ended */
async function errorsOf(jest: ChildProcess): Promise<string> {
	let text = '';
	for await (const chunk of readable(jest.stderr)) if (text.length < 2_000) text += String(chunk);
	return text.trim();
}

/**
 * Runs test files and tells of each when it ends.
 *
 * @throws {Error} when jest ends before it ran all of them
 */
export async function runAll(
	copy: Copy,
	tests: string[],
	onEnd: (file: TestFile) => void,
): Promise<void> {
	const jest = startJest(copy, tests, true);
	const errors = errorsOf(jest);
	let ended = 0;
	try {
		for await (const told of toldBy(jest)) {
			if (told.event !== 'end') continue;
			ended++;
			onEnd(told);
		}
	} finally {
		endGroup(jest);
	}
	if (ended < tests.length) throw new Error(`jest ended early: ${await errors}`);
}

/**
 * Runs test files up to the first test that fails, or the first file that takes longer than it may.
 *
 * @param limits milliseconds that each test file may take, in the order in which they run
 * @returns what noticed: the name of a test, or that a file hung; nothing when all tests pass
 * @throws {Error} when jest ends before any test
 */
export async function firstNotice(
	copy: Copy,
	limits: ReadonlyMap<string, number>,
): Promise<string | undefined> {
	const jest = startJest(copy, [...limits.keys()], false);
	const errors = errorsOf(jest);
	let current: string | undefined;
	let timer: NodeJS.Timeout | undefined;
	let isHanging = false;
	let ended = 0;
	try {
		for await (const told of toldBy(jest)) {
			clearTimeout(timer);
			if (told.event === 'failure') return `${told.test}: ${told.name}`;
			if (told.event === 'end') {
				if (!told.passed) return `${told.test} cannot run`;
				ended++;
				continue;
			}
			current = told.test;
			timer = setTimeout(() => {
				isHanging = true;
				endGroup(jest);
			}, limits.get(told.test));
		}
	} finally {
		clearTimeout(timer);
		endGroup(jest);
	}
	if (isHanging) return `${current} hangs`;
	if (ended === limits.size) return undefined;
	if (current !== undefined) return `${current} ends jest`;
	throw new Error(`jest did not start: ${await errors}`);
}
