import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { setTimeout } from 'node:timers/promises';
import type { Case } from './cases';
import { readStats } from './control';
import type { Job, Measurement } from './job';
import { currentMb, peakMb, resetPeak } from './memory';

/** Small work of the same kind, so that code which is loaded at its first use is not measured. */
const TRIAL = { size: 20, searchKey: 'generated-000001' };

/**
 * A process of its own for one run: `contender.ts JOB`, with a Job as JSON. It loads, does a small
 * trial, and then the work, and prints a Measurement as JSON.
 */
async function main(): Promise<void> {
	const job = JSON.parse(process.argv[2]) as Job;
	const work = await loadContender(job);
	await work({ ...job, run: { ...job.run, ...TRIAL } });
	globalThis.gc?.();
	const before = await readStats(job.service);
	const session = job.profile ? await startProfile() : undefined;

	await startOfWindow(job.run);
	const baselineMb = currentMb();
	resetPeak();
	const cpu = process.cpuUsage();
	const began = performance.now();
	const count = await work(job);
	const ms = performance.now() - began;
	const { user, system } = process.cpuUsage(cpu);
	const peak = peakMb();

	if (session && job.profile) await endProfile(session, job.profile);
	if (count !== job.run.size) throw new Error(`${count} items came instead of ${job.run.size}`);
	const after = await readStats(job.service);
	const measurement: Measurement = {
		ms,
		cpuMs: (user + system) / 1000,
		baselineMb,
		peakMb: peak,
		connections: after.connections - before.connections,
		peakConnections: after.peakConnections,
		peakInFlight: after.peakInFlight,
		requests: after.requests - before.requests,
		refused: (after.byStatus[429] ?? 0) - (before.byStatus[429] ?? 0),
	};
	console.log(JSON.stringify(measurement));
}

/** With a rate limit, all begin at the same moment of its windows, which are aligned to the clock. */
async function startOfWindow({ limit }: Case): Promise<void> {
	if (limit) await setTimeout(limit.windowMs - (Date.now() % limit.windowMs));
}

/** Only what a contender needs is loaded: the floor has no n8n in its memory. */
async function loadContender(job: Job): Promise<(job: Job) => Promise<number>> {
	if (job.contender === 'floor') return (await import('./floor')).runFloor;
	const { prepareEngine, runInEngine } = await import('./inEngine');
	await prepareEngine(job.expressionEngine);
	return runInEngine;
}

async function startProfile(): Promise<Session> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: 500 });
	await session.post('Profiler.start');
	return session;
}

async function endProfile(session: Session, file: string): Promise<void> {
	const { profile } = await session.post('Profiler.stop');
	writeFileSync(file, JSON.stringify(profile));
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
