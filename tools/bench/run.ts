import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleGroups } from '../sandbox/data/sample';
import { makeCertificate, startSandbox, type FaultPlan, type Sandbox } from '../sandbox/server';
import {
	CASES,
	CONTENDER_NAMES,
	CROWD,
	memberOf,
	SENDER,
	TARGETS,
	type Case,
	type Contender,
	type Job,
	type Service,
} from './cases';
import type { Seen } from './contender';
import { printed, writePage } from './page';
import type { Measurement, Outcome } from './results';

/** Measures the node beside n8n's HTTP Request node; README.md has the options. */

const ROOT = join(__dirname, '../..');

/** A whole n8n: HTTP Request is in none of the packages of the engine. */
const N8N_ROOT = resolve(process.env.COMETCHAT_N8N_ROOT ?? join(ROOT, 'test/e2e'));

/** Longest time for one run, in milliseconds. */
const LONGEST_RUN = 300_000;

/** Copies a built package to where it finds n8n's own n8n-workflow, as in an installation. */
function stage(from: string, folder: string): string {
	mkdirSync(folder);
	for (const name of ['package.json', 'dist']) {
		cpSync(join(from, name), join(folder, name), { recursive: true });
	}
	symlinkSync(join(N8N_ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
	return folder;
}

/** The sandbox as at its start, with groups to send to and messages to read. */
function prepare(sandbox: Sandbox, { work, size, latencyMs, limit }: Case): Service {
	sandbox.reset();
	const { store, baseUrl, apiKey } = sandbox;
	const plan: FaultPlan = [{ effect: { latency: { ms: latencyMs } } }];
	if (limit) {
		const { kind, requests, windowMs: ms, ...form } = limit;
		plan.push({ match: kind && { kind }, effect: { window: { requests, ms, ...form } } });
	}
	sandbox.setFaults(plan);
	// A list is to have as many groups as it says, and needs no targets
	if (work === 'groups') return { baseUrl, apiKey, messageIds: [], groupIds: [] };
	if (work === 'removals') {
		store.createGroup({ guid: CROWD, owner: 'app_system' });
		for (let index = 0; index < size; index++) {
			const uid = memberOf(index);
			if (!store.people.has(uid)) store.people.create({ uid, name: uid });
			store.joinGroup(CROWD, uid);
		}
		return { baseUrl, apiKey, messageIds: [''], groupIds: [CROWD] };
	}
	const targets = Array.from({ length: TARGETS }, (_, index) => {
		const guid = `target-${index}`;
		store.createGroup({ guid, owner: 'app_system' });
		store.joinGroup(guid, SENDER);
		const message = { sender: SENDER, receiver: guid, text: `Message in ${guid}` };
		const { id } = store.sendMessage({ ...message, receiverType: 'group' });
		return { guid, id };
	});
	const messageIds = targets.map(({ id }) => id);
	return { baseUrl, apiKey, messageIds, groupIds: targets.map(({ guid }) => guid) };
}

/** Does a job in a process of its own. @throws with what it said when it failed or took too long */
async function measure(
	sandbox: Sandbox,
	job: Omit<Job, 'service'>,
	env: NodeJS.ProcessEnv,
): Promise<Measurement> {
	const { run, contender } = job;
	const whole: Job = { run, contender, service: prepare(sandbox, run) };
	const child = fork(join(__dirname, 'contender.ts'), [JSON.stringify(whole)], {
		execArgv: [...process.execArgv, '--expose-gc'],
		env,
		silent: true,
		timeout: LONGEST_RUN,
	});
	let complaint = '';
	child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()));
	child.stdout?.resume();
	const ended = once(child, 'close').then(([code, signal]) => {
		throw new Error(`The run ended with ${code ?? signal}: ${complaint.slice(0, 500)}`);
	});
	await Promise.race([once(child, 'message'), ended]);
	prepare(sandbox, run);
	child.send('go');
	const [seen]: Seen[] = await Promise.race([once(child, 'message'), ended]);
	const { peakConnections: connections, requests, byStatus } = sandbox.stats;
	await ended.catch(() => {});
	return { ...seen, connections, requests, refused: byStatus[429] ?? 0 };
}

/** @param packages where our node is built, by the contender that has it */
async function runCase(
	run: Case,
	contenders: Contender[],
	rounds: number,
	packages: Partial<Record<Contender, string>>,
	folder: string,
): Promise<Outcome[]> {
	const tls = run.tls ? await makeCertificate() : undefined;
	const trusted = join(folder, 'certificate.pem');
	writeFileSync(trusted, tls?.cert ?? '');
	const groups = run.work === 'groups' ? run.size - sampleGroups().length : 0;
	const sandbox = await startSandbox({ tls, groups, validate: false, logLimit: 100 });
	const outcomes = contenders.map((contender): Outcome => ({ run, contender, rounds: [] }));
	for (let round = 0; round < rounds; round++) {
		// No contender always comes first
		for (const outcome of round % 2 === 0 ? outcomes : outcomes.toReversed()) {
			const { contender, failure } = outcome;
			if (failure !== undefined) continue;
			const env = {
				...process.env,
				COMETCHAT_N8N_ROOT: N8N_ROOT,
				COMETCHAT_PACKAGE_ROOT: packages[contender] ?? packages.ours,
				// As in production, debug messages cost nothing; "silent" would build and then drop them
				N8N_LOG_LEVEL: 'error',
				...(tls && { NODE_EXTRA_CA_CERTS: trusted }),
			};
			try {
				outcome.rounds.push(await measure(sandbox, { contender, run }, env));
			} catch (error) {
				outcome.failure = error instanceof Error ? error.message : String(error);
			}
			const said = outcome.failure ?? `${Math.round(outcome.rounds[round].ms)} ms`;
			console.log(`${run.name}  ${CONTENDER_NAMES[contender]}  ${said}`);
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
	if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds is a number from 1 on');

	const folder = mkdtempSync(join(tmpdir(), 'cometchat-bench-'));
	const outcomes: Outcome[] = [];
	try {
		const packages = {
			ours: stage(ROOT, join(folder, 'ours')),
			...(against && { before: stage(resolve(against), join(folder, 'before')) }),
		};
		for (const run of CASES.filter(({ name }) => name.includes(only))) {
			// Where our node is alone, the rate limit is the measure
			const isCompared = packages.before !== undefined && run.contenders.length > 1;
			const contenders = [...run.contenders, ...(isCompared ? (['before'] as const) : [])];
			outcomes.push(...(await runCase(run, contenders, rounds, packages, folder)));
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	console.log(await printed(outcomes));
	if (only === '' && against === undefined) await writePage(outcomes, rounds, N8N_ROOT);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
