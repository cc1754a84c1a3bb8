import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleGroups } from '../sandbox/data/sample';
import { makeCertificate, startSandbox, type Sandbox } from '../sandbox/server';
import {
	CASES,
	CONTENDERS,
	CROWD,
	type Case,
	type Contender,
	type Job,
	type Measurement,
	type Outcome,
	type Service,
} from './cases';
import type { ProcessFigures } from './contender';
import { formatFigures, writePage } from './page';

/** Compares the node with n8n's HTTP Request node. README.md describes the options. */

const ROOT = join(__dirname, '../..');

/** A whole n8n. The engine's packages don't contain HTTP Request. */
const N8N_ROOT = resolve(process.env.COMETCHAT_N8N_ROOT ?? join(ROOT, 'test/e2e'));

const MAX_RUN_MS = 300_000;

/** Folders with a built node, by contender. */
type Packages = Partial<Record<Contender, string>>;

/** Copies a built package next to n8n's own n8n-workflow, as in an installation. */
function install(from: string, folder: string): string {
	mkdirSync(folder);
	for (const name of ['package.json', 'dist']) {
		cpSync(join(from, name), join(folder, name), { recursive: true });
	}
	symlinkSync(join(N8N_ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
	return folder;
}

/** Resets the sandbox and fills it for a case. */
function prepare(sandbox: Sandbox, { work, size, latencyMs, limit }: Case): Service {
	sandbox.reset();
	sandbox.setFaults([{ effect: { latency: { ms: latencyMs }, ...(limit && { window: limit }) } }]);
	const { store, baseUrl, apiKey } = sandbox;
	const service = { baseUrl, apiKey, ids: [] };
	if (work === 'groups') return service;
	if (work === 'messages') return { ...service, ids: store.messages.all().map(({ id }) => id) };
	store.createGroup({ guid: CROWD, owner: 'app_system' });
	const ids = Array.from({ length: size }, (_, index) => `member-${index}`);
	for (const uid of ids) {
		if (!store.people.has(uid)) store.people.create({ uid, name: uid });
		store.joinGroup(CROWD, uid);
	}
	return { ...service, ids };
}

/** Does a job in a new process. @throws Error with the output of a process that failed or timed out */
async function measure(
	sandbox: Sandbox,
	{ run, contender }: Omit<Job, 'service'>,
	env: NodeJS.ProcessEnv,
): Promise<Measurement> {
	const job: Job = { run, contender, service: prepare(sandbox, run) };
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
		throw new Error(`The run ended with ${code ?? signal}: ${output.slice(0, 500)}`);
	});
	await Promise.race([once(child, 'message'), ended]);
	prepare(sandbox, run);
	child.send('go');
	const [figures]: ProcessFigures[] = await Promise.race([once(child, 'message'), ended]);
	const { peakConnections: connections, requests, byStatus } = sandbox.stats;
	await ended.catch(() => {});
	return { ...figures, connections, requests, refused: byStatus[429] ?? 0 };
}

async function runCase(run: Case, rounds: number, packages: Packages): Promise<Outcome[]> {
	const tls = run.limit && (await makeCertificate());
	const certificate = join(`${packages.ours}`, 'certificate.pem');
	writeFileSync(certificate, tls?.cert ?? '');
	const groups = run.work === 'groups' ? run.size - sampleGroups().length : 0;
	const sandbox = await startSandbox({ tls, groups, validate: false, logLimit: 100 });
	const contenders = [...run.contenders, ...(packages.before ? (['before'] as const) : [])];
	const outcomes = contenders.map((contender): Outcome => ({ run, contender, rounds: [] }));
	for (let round = 0; round < rounds; round++) {
		// Contenders take turns at being the first
		for (const outcome of round % 2 === 0 ? outcomes : outcomes.toReversed()) {
			const { contender, failure } = outcome;
			if (failure !== undefined) continue;
			const env = {
				...process.env,
				COMETCHAT_N8N_ROOT: N8N_ROOT,
				COMETCHAT_PACKAGE_ROOT: packages[contender] ?? packages.ours,
				// As in production, n8n builds no debug messages. With "silent", n8n would build them
				N8N_LOG_LEVEL: 'error',
				...(tls && { NODE_EXTRA_CA_CERTS: certificate }),
			};
			try {
				outcome.rounds.push(await measure(sandbox, { contender, run }, env));
			} catch (error) {
				outcome.failure = error instanceof Error ? error.message : String(error);
			}
			const result = outcome.failure ?? `${Math.round(outcome.rounds[round].ms)} ms`;
			console.log(`${run.name}  ${CONTENDERS[contender]}  ${result}`);
		}
	}
	await sandbox.close();
	return outcomes;
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
		const packages: Packages = {
			ours: install(ROOT, join(folder, 'ours')),
			...(against && { before: install(resolve(against), join(folder, 'before')) }),
		};
		for (const run of CASES.filter(({ name }) => name.includes(only))) {
			outcomes.push(...(await runCase(run, rounds, packages)));
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	console.log(formatFigures(outcomes));
	if (only === '' && against === undefined) await writePage(outcomes, rounds, N8N_ROOT);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
