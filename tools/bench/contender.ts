import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Case, Job } from './cases';
import { runInN8n, startEvaluator } from './inN8n';
import type { Measurement } from './results';

/** What the process itself sees; the rest of a measurement is counted by the service. */
export type Seen = Omit<Measurement, 'connections' | 'requests' | 'refused'>;

/** Small work of the same kind, so that code which is loaded at its first use is not measured. */
const TRIAL = { size: 20, searchKey: 'generated-000001' };

/** The most memory since the peak was reset, in MB; outside Linux, of the process's whole life. */
function peakMb(): number {
	const status = '/proc/self/status';
	const kilobytes = existsSync(status)
		? Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8'))?.[1])
		: process.resourceUsage().maxRSS;
	return kilobytes / 1024;
}

/** So that loading a program does not hide what its work takes. */
function resetPeak(): void {
	if (existsSync('/proc/self/clear_refs')) writeFileSync('/proc/self/clear_refs', '5');
}

/** With a rate limit, all begin at the same moment of its windows, which are aligned to the clock. */
async function startOfWindow({ limit }: Case): Promise<void> {
	if (limit) await setTimeout(limit.windowMs - (Date.now() % limit.windowMs));
}

/**
 * One run in a process of its own: `contender.ts JOB`, with a Job as JSON. It loads, does a small trial
 * and says "ready"; once it hears anything it does the work, and sends what it has Seen.
 */
async function main(): Promise<void> {
	const job: Job = JSON.parse(process.argv[2]);
	const { run } = job;
	await startEvaluator();
	await runInN8n({ ...job, run: { ...run, ...TRIAL } });
	process.send?.('ready');
	await once(process, 'message');
	globalThis.gc?.();
	await startOfWindow(run);
	resetPeak();
	const cpu = process.cpuUsage();
	const began = performance.now();
	const count = await runInN8n(job);
	const ms = performance.now() - began;
	const { user, system } = process.cpuUsage(cpu);
	if (count !== run.size) throw new Error(`${count} items came instead of ${run.size}`);
	const cpuMs = (user + system) / 1000;
	const seen: Seen = { ms, cpuMs, peakMb: peakMb() };
	process.send?.(seen, () => process.exit(0));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
