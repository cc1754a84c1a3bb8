import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleGroups } from '../sandbox/data/sample';
import { makeCertificate, startSandbox, type Sandbox } from '../sandbox/server';
import { ROOT } from '../scripts/markdown';
import { CASES, CONTENDERS, type Case, type Job, type Measurement, type Outcome } from './cases';
import type { ProcessFigures } from './contender';
import { formatFigures, writeFigures } from './page';

/** Compares the node with n8n's HTTP Request node. README.md describes the options. */

/** A full n8n installation, because n8n's engine packages don't contain the HTTP Request node. */
const N8N_ROOT = resolve(process.env.COMETCHAT_N8N_ROOT ?? join(ROOT, 'test/e2e'));

const MAX_RUN_MS = 300_000;

/** Name of the file with the sandbox's certificate. */
const CERTIFICATE = 'certificate.pem';

/** Copies a built package next to n8n's own n8n-workflow package, as if installed in n8n. */
function install(from: string, folder: string): void {
	mkdirSync(folder);
	for (const name of ['package.json', 'dist']) {
		cpSync(join(from, name), join(folder, name), { recursive: true });
	}
	symlinkSync(join(N8N_ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
}

/** Resets the sandbox, and sets a case's latency and rate limit. */
function prepare(sandbox: Sandbox, { latencyMs, limit }: Case): void {
	sandbox.reset();
	sandbox.setFaults([{ effect: { latency: { ms: latencyMs }, ...(limit && { window: limit }) } }]);
}

/**
 * Measures a contender in a new process.
 *
 * @throws Error with the process's output if the process fails or times out
 */
async function measure(
	sandbox: Sandbox,
	{ run, contender }: Outcome,
	env: NodeJS.ProcessEnv,
): Promise<Measurement> {
	const { baseUrl, apiKey, store } = sandbox;
	const ids = run.work === 'messages' ? store.messages.all().map(({ id }) => id) : [];
	const job: Job = { run, contender, baseUrl, apiKey, ids };
	prepare(sandbox, run);
	const child = fork(join(__dirname, 'contender.ts'), [JSON.stringify(job)], {
		execArgv: [...process.execArgv, '--expose-gc'],
		env,
		silent: true,
		timeout: MAX_RUN_MS,
	});
	let output = '';
	child.stderr?.on('data', (part: Buffer) => (output += part.toString()));
	child.stdout?.resume();
	const ended = once(child, 'close').then(([code, signal]) => {
		throw new Error(`${run.name}  ${CONTENDERS[contender]}  ${code ?? signal}: ${output}`);
	});
	await Promise.race([once(child, 'message'), ended]);
	prepare(sandbox, run);
	child.send('go');
	const figures: ProcessFigures = (await Promise.race([once(child, 'message'), ended]))[0];
	const { peakConnections: connections, requests, byStatus } = sandbox.stats;
	await ended.catch(() => {});
	return { ...figures, connections, requests, refused: byStatus[429] ?? 0 };
}

/**
 * Measures the contenders in turns.
 *
 * @param folder contains the built packages
 */
async function measureAll(
	sandbox: Sandbox,
	outcomes: Outcome[],
	rounds: number,
	folder: string,
): Promise<void> {
	for (let round = 0; round < rounds; round++) {
		// Alternates which contender goes first
		for (const outcome of round % 2 === 0 ? outcomes : outcomes.toReversed()) {
			const { run, contender } = outcome;
			const measurement = await measure(sandbox, outcome, {
				...process.env,
				COMETCHAT_N8N_ROOT: N8N_ROOT,
				COMETCHAT_PACKAGE_ROOT: join(folder, contender === 'before' ? 'before' : 'ours'),
				// As in production, "error" keeps n8n from building debug messages. "silent" doesn't.
				N8N_LOG_LEVEL: 'error',
				NODE_EXTRA_CA_CERTS: join(folder, CERTIFICATE),
			});
			outcome.rounds.push(measurement);
			console.log(`${run.name}  ${CONTENDERS[contender]}  ${Math.round(measurement.ms)} ms`);
		}
	}
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			only: { type: 'string', default: '' },
			rounds: { type: 'string', default: '3' },
			against: { type: 'string' },
		},
	});
	const { only, against } = values;
	const rounds = Number(values.rounds);
	if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be at least 1');

	const folder = mkdtempSync(join(tmpdir(), 'cometchat-bench-'));
	const outcomes: Outcome[] = [];
	try {
		install(ROOT, join(folder, 'ours'));
		if (against !== undefined) install(resolve(against), join(folder, 'before'));
		const certificate = await makeCertificate();
		writeFileSync(join(folder, CERTIFICATE), certificate.cert);
		for (const run of CASES.filter(({ name }) => name.includes(only))) {
			const contenders = [...run.contenders, ...(against === undefined ? [] : ['before' as const])];
			const own = contenders.map((contender): Outcome => ({ run, contender, rounds: [] }));
			const groups = run.work === 'groups' ? run.size - sampleGroups().length : 0;
			const tls = run.limit && certificate;
			const sandbox = await startSandbox({ tls, groups, validate: false, logLimit: 100 });
			await measureAll(sandbox, own, rounds, folder).finally(sandbox.close);
			outcomes.push(...own);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	const table = formatFigures(outcomes);
	console.log(table);
	if (only === '' && against === undefined) await writeFigures('figures', table, rounds, N8N_ROOT);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
