import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import type { Case } from './cases';
import { CONTENDER_NAMES, caseName, casesOf, contendersOf } from './cases';
import { toChart } from './chart';
import { prepareService } from './control';
import type { ExpressionEngine, Measurement } from './job';
import { describeMachine } from './machine';
import { checkMarks } from './marks';
import { toPage } from './page';
import { measure, startService } from './processes';
import type { Results } from './report';
import { toMarkdown } from './report';
import type { Service } from './service';
import { stagePackage } from './stage';
import type { Outcome } from './statistics';
import { lookupIn } from './statistics';

const HELP = `Measures the node beside n8n's HTTP Request node and a bare undici Pool.

  --quick              only the cases that the marks need
  --only TEXT          only cases with this text in their name, e.g. "2,000 messages"
  --rounds N           rounds of each case (default 3)
  --expressions NAME   n8n's evaluator of expressions: vm (its default) or legacy
  --out DIR            where results go (default bench/results, and docs/speed.md with it;
                       build/bench with --quick or --only)
  --help               prints this text

Needs the built package (npm run build) and a whole n8n: test/e2e/, or the folder that
COMETCHAT_N8N_ROOT names.
`;

interface Options {
	cases: Case[];
	rounds: number;
	expressionEngine: ExpressionEngine;
	out: string;
}

function readOptions(): Options | undefined {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			only: { type: 'string', default: '' },
			rounds: { type: 'string', default: '3' },
			expressions: { type: 'string', default: 'vm' },
			out: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	const { expressions } = values;
	if (expressions !== 'vm' && expressions !== 'legacy') {
		throw new Error('--expressions is either vm or legacy');
	}
	const rounds = Number(values.rounds);
	if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds is a number from 1 on');
	const whole = !values.quick && values.only === '';
	return {
		cases: casesOf(values.quick).filter((run) => caseName(run).includes(values.only)),
		rounds,
		expressionEngine: expressions,
		out: resolve(values.out ?? join(__dirname, whole ? 'results' : '../build/bench')),
	};
}

/** Moves so many from the front to the back: no contender always comes first. */
function rotated<T>(list: T[], by: number): T[] {
	const start = by % list.length;
	return [...list.slice(start), ...list.slice(0, start)];
}

async function runCase(
	run: Case,
	service: Service,
	{ rounds, expressionEngine }: Options,
	env: NodeJS.ProcessEnv,
): Promise<Outcome[]> {
	const outcomes = contendersOf(run).map((contender): Outcome => ({ run, contender, rounds: [] }));
	for (let round = 0; round < rounds; round++) {
		for (const outcome of rotated(outcomes, round)) {
			if (outcome.failure !== undefined) continue;
			const { contender } = outcome;
			await prepareService(service, run);
			try {
				const measured = await measure({ service, contender, run, expressionEngine }, env);
				outcome.rounds.push(measured);
				console.log(progress(outcome, measured));
			} catch (error) {
				outcome.failure = error instanceof Error ? error.message : String(error);
				console.error(`${caseName(run)}  ${CONTENDER_NAMES[contender]}  ${outcome.failure}`);
			}
		}
	}
	return outcomes;
}

function progress({ run, contender }: Outcome, measured: Measurement): string {
	const { ms, cpuMs, peakMb, peakConnections, refused } = measured;
	return [
		caseName(run).padEnd(24),
		CONTENDER_NAMES[contender].padEnd(26),
		`${(ms / 1000).toFixed(2)} s`.padStart(9),
		`cpu ${(cpuMs / 1000).toFixed(2)} s`.padStart(13),
		`${peakMb.toFixed(0)} MB`.padStart(8),
		`${peakConnections} connections`.padStart(18),
		`${refused} refused`.padStart(14),
	].join(' ');
}

async function main(): Promise<void> {
	const options = readOptions();
	if (!options) {
		process.stdout.write(HELP);
		return;
	}
	const { env, remove } = stagePackage();
	const outcomes: Outcome[] = [];
	try {
		for (const run of options.cases) {
			const { service, stop } = await startService(
				run.work === 'groups' ? run.size : 0,
				run.limit !== undefined,
			);
			try {
				outcomes.push(...(await runCase(run, service, options, env)));
			} finally {
				await stop();
			}
		}
	} finally {
		remove();
	}
	await write(outcomes, options);
}

/** Writes the page for users, formatted like the others. */
async function writePage(file: string, results: Results): Promise<void> {
	const options = await resolveConfig(join(__dirname, '../docs/speed.md'));
	writeFileSync(file, await format(toPage(results), { ...options, parser: 'markdown' }));
}

async function write(
	outcomes: Outcome[],
	{ out, rounds, expressionEngine }: Options,
): Promise<void> {
	const lookup = lookupIn(outcomes);
	const results: Results = {
		date: new Date().toISOString(),
		machine: describeMachine(),
		expressionEngine,
		rounds,
		outcomes,
		marks: checkMarks(lookup),
	};
	mkdirSync(out, { recursive: true });
	writeFileSync(join(out, 'results.json'), `${JSON.stringify(results, null, '\t')}\n`);
	writeFileSync(join(out, 'results.md'), toMarkdown(results));
	writeFileSync(join(out, 'chart.svg'), toChart(lookup));
	const isPublished = out === join(__dirname, 'results');
	await writePage(join(isPublished ? join(__dirname, '../docs') : out, 'speed.md'), results);
	console.log('');
	for (const { name, atMost, figure, reached } of results.marks) {
		const verdict = figure === undefined ? 'not measured' : reached ? 'reached' : 'missed';
		console.log(`${verdict.padEnd(13)}${figure?.toFixed(2) ?? '–'} (at most ${atMost})  ${name}`);
	}
	console.log(`\nWritten to ${relative(process.cwd(), out)}`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
