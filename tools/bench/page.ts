import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT, between, formatted, table } from '../scripts/markdown';
import { CONTENDER_NAMES } from './cases';
import { checkMarks, lookupIn, type Lookup, type Outcome } from './results';

const PAGE = 'tools/bench/RESULTS.md';

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const shown = (ratio: number) => (Number.isNaN(ratio) ? '' : ratio.toFixed(ratio < 0.1 ? 3 : 2));
const megabytes = (mb: number) => `${mb.toFixed(0)} MB`;

/** A line for each contender of each case; the case is named in its first. */
function figures(outcomes: Outcome[], lookup: Lookup): string {
	const rows = outcomes.map(({ run, contender, failure }, index) => {
		const who = [run === outcomes[index - 1]?.run ? '' : run.name, CONTENDER_NAMES[contender]];
		if (failure !== undefined) return [...who, failure.split('\n')[0], ...Array(5).fill('')];
		const its = lookup(run.name, contender);
		return [
			...who,
			seconds(its.ms),
			shown(lookup(run.name, 'ours').ms / its.ms),
			seconds(its.cpuMs),
			megabytes(its.peakMb),
			its.connections.toFixed(0),
			`${((100 * its.refused) / its.requests).toFixed(1)} %`,
		];
	});
	const head = ['Work, latency', 'Who', 'Time', 'Ours ÷ its', 'CPU time', 'Peak memory'];
	return table([...head, 'Connections', 'Refused'], rows);
}

/** Those of the cases that were run. */
function marks(outcomes: Outcome[], lookup: Lookup): string {
	const checked = checkMarks(lookup).filter(({ name }) =>
		outcomes.some(({ run }) => name.startsWith(`${run.name}: `)),
	);
	const rows = checked.map(({ name, atMost, figure, reached }) => {
		const verdict = Number.isNaN(figure) ? 'not measured' : reached ? 'reached' : 'missed';
		return [name, String(atMost), shown(figure), verdict];
	});
	return table(['Mark', 'At most', 'Measured', ''], rows);
}

/** The results as Markdown: the marks, and all figures. */
export async function printed(outcomes: Outcome[]): Promise<string> {
	const lookup = lookupIn(outcomes);
	return await formatted(PAGE, `${marks(outcomes, lookup)}\n\n${figures(outcomes, lookup)}`);
}

/** Writes the page with the results. */
export async function writePage(outcomes: Outcome[], rounds: number, n8n: string): Promise<void> {
	const { version } = JSON.parse(
		readFileSync(join(n8n, 'node_modules/n8n/package.json'), 'utf8'),
	) as { version: string };
	const [{ model }] = cpus();
	const date = new Date().toISOString().slice(0, 10);
	const facts = `Medians of ${rounds} rounds on ${date}: ${cpus().length} cores (${model.trim()}), Node.js ${process.version}, n8n ${version}.`;
	const content = `${facts}\n\n${await printed(outcomes)}`;
	writeFileSync(
		join(ROOT, PAGE),
		await formatted(PAGE, between(readFileSync(join(ROOT, PAGE), 'utf8'), 'figures', content)),
	);
}
