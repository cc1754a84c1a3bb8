import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { pack, unpackPackage } from '../e2e/lib/package';
import { ROOT } from '../e2e/lib/paths';
import { run } from '../e2e/lib/processes';
import { NotInstallable, engineOf, nodeFor, partsOf } from './install';
import { writeResult, type Result } from './results';
import { EXCLUSIONS, RELEASES, compareVersions, isFailure, type Release } from './versions';

/**
 * Tests the packed package against older and newer versions of n8n, using the tests of the action node.
 * Usage: npm run test:compat [-- version …]. By default, tests all versions in test/compat/versions.ts.
 */

const RUN_TIMEOUT_MS = 20 * 60_000;

interface JestReport {
	numPassedTests: number;
	numFailedTests: number;
	success: boolean;
	testResults: Array<{
		message: string;
		assertionResults: Array<{ fullName: string; status: string }>;
	}>;
}

/** Script that loads all nodes and credentials with a release's own n8n-workflow. */
const LOAD = `
const { n8n } = require('./package.json');
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	const [[name, type]] = Object.entries(require('./' + file)).filter(([key]) => file.includes('/' + key + '.'));
	new type();
}`;

function escapeForPattern(text: string): string {
	return text.replace(/[.*+?^\${}()|[\]\\]/g, '\\$&');
}

function excludedFor({ n8n }: Release) {
	return EXCLUSIONS.filter(({ below }) => compareVersions(n8n, below) < 0);
}

async function jest(node: string, release: Release, env: NodeJS.ProcessEnv): Promise<JestReport> {
	const folder = await mkdtemp(join(tmpdir(), 'cometchat-compat-'));
	const report = join(folder, 'report.json');
	const excluded = excludedFor(release).map(({ test }) => escapeForPattern(test));
	const args = [
		join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
		...['--config', join(__dirname, 'jest.config.js'), '--json', `--outputFile=${report}`],
		// Older engines leave timers running, which keeps Jest from exiting
		'--forceExit',
		...(excluded.length > 0 ? ['--testNamePattern', `^(?!${excluded.join('|')})`] : []),
	];
	try {
		await new Promise<void>((resolve, reject) => {
			const child = spawn(node, args, {
				cwd: ROOT,
				// Some tests run the command "node", so put the release's Node.js first in PATH
				env: { ...process.env, ...env, PATH: `${dirname(node)}:${process.env.PATH}` },
				stdio: ['ignore', 'ignore', 'inherit'],
				timeout: RUN_TIMEOUT_MS,
				killSignal: 'SIGKILL',
			});
			child.once('error', reject);
			child.once('close', () => resolve());
		});
		return JSON.parse(await readFile(report, 'utf8'));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Returns the latest commit that changed the package, followed by + if the working tree has changes. */
async function commitOf(): Promise<string> {
	const git = async (...args: string[]) => await run('git', args, { cwd: ROOT });
	const commit = await git('log', '-1', '--format=%h', '--abbrev=7', '--', 'nodes', 'credentials');
	const changed = await git('status', '--porcelain', 'nodes', 'credentials');
	return commit.trim() + (changed === '' ? '' : '+');
}

function failuresOf({ testResults }: JestReport): string[] {
	return testResults
		.flatMap(({ assertionResults }) => assertionResults)
		.filter(({ status }) => status === 'failed')
		.map(({ fullName }) => fullName);
}

function failureOf(report: JestReport): string {
	const [first] = failuresOf(report);
	if (first !== undefined) return `${report.numFailedTests} tests fail, e.g. "${first}"`;
	const message = report.testResults.find((file) => file.message !== '')?.message ?? 'no report';
	return message.split('\n').find((line) => line.trim() !== '' && !line.includes('●')) ?? message;
}

/** Returns the exclusions that no test has the name of, e.g. because the test was renamed. */
function unusedOf({ testResults }: JestReport, release: Release): string[] {
	const names = testResults.flatMap(({ assertionResults }) =>
		assertionResults.map(({ fullName }) => fullName),
	);
	return excludedFor(release)
		.map(({ test }) => test)
		.filter((test) => !names.some((name) => name.startsWith(test)));
}

function reasonOf(error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	return /^\w*Error: .*$/m.exec(text)?.[0] ?? text;
}

async function testRelease(release: Release, tarball: string, commit: string): Promise<Result> {
	const { n8n } = release;
	try {
		const parts = await partsOf(release);
		const { core, workflow } = parts;
		const engine = await engineOf(release, parts);
		const node = await nodeFor(parts);
		const packageRoot = await unpackPackage(tarball, engine);
		const version = (await run(node, ['--version'])).trim().slice(1);
		const tried: Omit<Result, 'outcome'> = { n8n, core, workflow, node: version, commit };
		try {
			await run(node, ['-e', LOAD], { cwd: packageRoot });
		} catch (error) {
			return { ...tried, outcome: 'fail', reason: `The node does not load: ${reasonOf(error)}` };
		}
		const report = await jest(node, release, {
			COMETCHAT_N8N_ROOT: engine,
			COMETCHAT_PACKAGE_ROOT: packageRoot,
		});
		const { numPassedTests: passed, success } = report;
		if (!success) {
			const failures = failuresOf(report);
			return { ...tried, passed, outcome: 'fail', reason: failureOf(report), failures };
		}
		const [unused] = unusedOf(report, release);
		if (unused !== undefined) {
			return { ...tried, passed, outcome: 'fail', reason: `No test is called "${unused}"` };
		}
		const left = [...new Set(excludedFor(release).map(({ reason }) => reason))];
		const reason = left.length > 0 ? `Skipped: ${left.join('; ')}` : undefined;
		return { ...tried, passed, outcome: 'pass', reason };
	} catch (error) {
		if (!(error instanceof NotInstallable)) throw error;
		return { n8n, outcome: 'not tested', reason: `Does not install: ${error.message}` };
	}
}

async function main(wanted: string[]): Promise<void> {
	const unknown = wanted.filter((version) => !RELEASES.some(({ n8n }) => n8n === version));
	if (unknown.length > 0) throw new Error(`Not in test/compat/versions.ts: ${unknown.join(', ')}`);
	const commit = await commitOf();
	const { tarball, remove } = await pack();
	try {
		for (const release of RELEASES) {
			if (wanted.length > 0 && !wanted.includes(release.n8n)) continue;
			const result = await testRelease(release, tarball, commit);
			await writeResult(result, commit);
			const { n8n, node = '-', outcome, passed = 0, reason = '' } = result;
			console.log(`n8n ${n8n}, Node.js ${node}: ${outcome}, ${passed} tests passed. ${reason}`);
			if (isFailure(result)) process.exitCode = 1;
		}
	} finally {
		remove();
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
