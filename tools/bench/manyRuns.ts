import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type * as Limiter from '../../nodes/CometChat/transport/limiter';
import type { ResponseWithLimits } from '../../nodes/CometChat/transport/rateLimitHeaders';
import { ROOT, formatMarkdown, formatTable, replaceBetweenMarks } from '../scripts/markdown';
import { median, PAGE } from './page';

/** Measures the rate limiter alone, with many runs at one limit. README.md describes the options. */

const LATENCY_MS = 20;

/** Runs at a rate limit of 300 requests per window. */
interface Scenario {
	/** Number of runs at the same time */
	runs: number;
	requestsPerRun: number;
	windowMs: number;
	/** Number of times that the runs are repeated, so that scenarios send the same number of requests */
	repeat: number;
}

interface Figures {
	cpuMsPerRequest: number;
	ms: number;
	/** Percentage of requests that were refused */
	refused: number;
}

const LIMIT = 300;

/** Rate limit that is ten times as fast, so that sending thousands of requests takes seconds. */
const FAST = { requestsPerRun: 2_000, windowMs: 100 };

const SCENARIOS: Scenario[] = [
	{ runs: 1, repeat: 10, ...FAST },
	{ runs: 10, repeat: 1, ...FAST },
	{ runs: 40, repeat: 1, requestsPerRun: 150, windowMs: 1_000 },
];

const countRequests = ({ runs, requestsPerRun, repeat }: Scenario) =>
	runs * requestsPerRun * repeat;

/** Computes the minimum time that the rate limit allows, in milliseconds. */
const minimumMs = (scenario: Scenario): number =>
	(Math.ceil(countRequests(scenario) / LIMIT) - 1) * scenario.windowMs + LATENCY_MS;

/** Creates a service with a rate limit, which reports in each response how many requests remain. */
function createService(windowMs: number): () => Promise<ResponseWithLimits> {
	let used = 0;
	let current = 0;
	return async () => {
		await setTimeout(LATENCY_MS / 2);
		const window = Math.floor(Date.now() / windowMs);
		if (window !== current) used = 0;
		current = window;
		const isRefused = used === LIMIT;
		if (!isRefused) used++;
		const headers = {
			'x-ratelimit-remaining': String(LIMIT - used),
			'x-ratelimit-reset': String(((window + 1) * windowMs) / 1000),
		};
		await setTimeout(LATENCY_MS / 2);
		return { statusCode: isRefused ? 429 : 200, headers };
	};
}

async function measure(
	{ RequestLimiter, SharedLimits }: typeof Limiter,
	scenario: Scenario,
): Promise<Figures> {
	const { runs, requestsPerRun, windowMs, repeat } = scenario;
	const respond = createService(windowMs);
	let refused = 0;
	// Starts at the beginning of a window
	await setTimeout(windowMs - (Date.now() % windowMs));
	const cpu = process.cpuUsage();
	const started = performance.now();
	for (let times = 0; times < repeat; times++) {
		const shared = new SharedLimits();
		const limiters = Array.from({ length: runs }, () => new RequestLimiter(undefined, shared));
		const send = async (limiter: Limiter.RequestLimiter, order: number) => {
			while ((await limiter.send(['app'], order, 300_000, respond)).statusCode === 429) refused++;
		};
		const orders = Array.from({ length: requestsPerRun }, (_, order) => order);
		await Promise.all(limiters.flatMap((limiter) => orders.map((order) => send(limiter, order))));
		for (const limiter of limiters) limiter.stop();
	}
	const { user, system } = process.cpuUsage(cpu);
	const count = countRequests(scenario);
	return {
		cpuMsPerRequest: (user + system) / 1000 / count,
		ms: performance.now() - started,
		refused: (100 * refused) / (count + refused),
	};
}

/** Formats one row per scenario. The CPU time is compared with a single run at the same limit. */
function formatRows(name: string, rounds: Figures[][]): string[][] {
	return SCENARIOS.map((scenario, index) => {
		const { runs, requestsPerRun, windowMs } = scenario;
		const isComparable = windowMs === FAST.windowMs;
		const of = (key: keyof Figures) => median(rounds.map((round) => round[index]?.[key] ?? NaN));
		const ratios = rounds.map((round) => {
			const [single] = round;
			return (round[index]?.cpuMsPerRequest ?? NaN) / (single?.cpuMsPerRequest ?? NaN);
		});
		return [
			name,
			`${runs} × ${requestsPerRun.toLocaleString('en-US')}, ${windowMs.toLocaleString('en-US')} ms`,
			`${of('cpuMsPerRequest').toFixed(3)} ms`,
			isComparable ? median(ratios).toFixed(2) : '',
			`${(of('ms') / 1000).toFixed(2)} s`,
			`${(minimumMs(scenario) / 1000).toFixed(2)} s`,
			`${of('refused').toFixed(1)} %`,
		];
	});
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { rounds: { type: 'string', default: '5' }, against: { type: 'string' } },
	});
	const { against } = values;
	const load = async (folder: string) =>
		(await import(join(folder, 'dist/nodes/CometChat/transport/limiter.js'))) as typeof Limiter;
	const folders = [ROOT, ...(against === undefined ? [] : [resolve(against)])];
	const builds = await Promise.all(folders.map(load));
	const rounds: Figures[][][] = builds.map(() => []);
	// The first round is a warm-up
	for (let round = 0; round <= Number(values.rounds); round++) {
		for (const [index, build] of builds.entries()) {
			const figures: Figures[] = [];
			for (const scenario of SCENARIOS) figures.push(await measure(build, scenario));
			if (round > 0) rounds[index]?.push(figures);
			console.log(
				`Round ${round}`,
				folders[index],
				figures.map(({ ms }) => Math.round(ms)),
			);
		}
	}
	const names = ['CometChat node', 'base build'];
	const rows = rounds.flatMap((all, index) => formatRows(names[index] ?? '', all));
	const head = ['Build', 'Runs × requests, window', 'CPU per request', 'Ratio', 'Time', 'Minimum'];
	const table = formatTable([...head, 'Refused'], rows);
	console.log(table);
	if (against !== undefined) return;
	const [cpu] = cpus();
	const date = new Date().toISOString().slice(0, 10);
	const facts = `Medians of ${values.rounds} rounds on ${date}: ${cpus().length} cores (${cpu?.model.trim()}), Node.js ${process.version}.`;
	const page = readFileSync(join(ROOT, PAGE), 'utf8');
	const content = replaceBetweenMarks(page, 'many-runs', `${facts}\n\n${table}`);
	writeFileSync(join(ROOT, PAGE), await formatMarkdown(PAGE, content));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
