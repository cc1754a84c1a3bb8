import { mkdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Case, Contender } from './cases';
import { prepareService } from './control';
import type { ExpressionEngine } from './job';
import { measure, startService } from './processes';
import { stagePackage } from './stage';

const SHOWN_FUNCTIONS = 25;

/** Whose code a function is, by its file; the first that fits. */
const ORIGINS: Array<[origin: string, file: RegExp]> = [
	['our node', /\/dist\/(?:nodes|credentials)\/(?!.*node_modules)/],
	['HTTP Request', /n8n-nodes-base\/dist\/nodes\/(?:HttpRequest|Transform)/],
	['axios', /node_modules\/axios\//],
	['undici', /node_modules\/undici\//],
	['n8n: expressions', /@n8n\/(?:expression-runtime|tournament)\/|n8n-workflow\/.*expression/],
	['n8n: workflow', /n8n-workflow\//],
	['n8n: engine', /n8n-core\//],
	['n8n: network', /@n8n\/backend-network\//],
	['other packages', /node_modules\//],
	['Node.js', /^node:/],
	['bench', /\/(?:bench|engine)\//],
];

interface Share {
	name: string;
	ms: number;
}

function originOf({ url, functionName }: { url: string; functionName: string }): string {
	if (url === '') return functionName.startsWith('(') ? functionName : 'V8 built-in';
	return ORIGINS.find(([, file]) => file.test(url))?.[0] ?? 'other';
}

/** Sums up the time that was spent in each function itself. */
export function selfTimes(profile: Profiler.Profile): { origins: Share[]; functions: Share[] } {
	const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
	const origins = new Map<string, number>();
	const functions = new Map<string, number>();
	profile.samples?.forEach((id, index) => {
		const frame = nodes.get(id);
		const ms = (profile.timeDeltas?.[index] ?? 0) / 1000;
		if (!frame) return;
		const place = frame.url.replace(/^.*node_modules\//, '').replace(/^.*\/dist\//, 'dist/');
		const name = `${frame.functionName || '(anonymous)'}  ${place}:${frame.lineNumber + 1}`;
		const origin = originOf(frame);
		origins.set(origin, (origins.get(origin) ?? 0) + ms);
		functions.set(`${origin}  ${name}`, (functions.get(`${origin}  ${name}`) ?? 0) + ms);
	});
	return { origins: sorted(origins), functions: sorted(functions) };
}

function sorted(times: Map<string, number>): Share[] {
	return [...times].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
}

function print(shares: Share[], size: number): void {
	for (const { name, ms } of shares) {
		console.log(
			`${ms.toFixed(0).padStart(7)} ms ${((ms * 1000) / size).toFixed(1).padStart(9)} µs/item  ${name}`,
		);
	}
}

/** Runs one case once under the CPU profiler, and prints where the time went. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			contender: { type: 'string', default: 'ours' },
			work: { type: 'string', default: 'messages' },
			size: { type: 'string', default: '2000' },
			latency: { type: 'string', default: '20' },
			expressions: { type: 'string', default: 'vm' },
		},
	});
	const run = {
		work: values.work,
		size: Number(values.size),
		latencyMs: Number(values.latency),
	} as Case;
	const folder = join(__dirname, '..', 'build', 'bench');
	mkdirSync(folder, { recursive: true });
	const profile = join(folder, `${values.contender}-${run.work}-${run.size}.cpuprofile`);
	const { env, remove } = stagePackage();
	const { service, stop } = await startService(run.work === 'groups' ? run.size : 0, false);
	try {
		await prepareService(service, run);
		const contender = values.contender as Contender;
		const expressionEngine = values.expressions as ExpressionEngine;
		const measurement = await measure({ service, contender, run, expressionEngine, profile }, env);
		const { origins, functions } = selfTimes(JSON.parse(readFileSync(profile, 'utf8')));
		console.log(measurement);
		print(origins, run.size);
		console.log('');
		print(functions.slice(0, SHOWN_FUNCTIONS), run.size);
		console.log(`\n${profile}`);
	} finally {
		await stop();
		remove();
	}
}

if (require.main === module) void main();
