import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT, replaceBetweenMarks, formatMarkdown, formatTable } from '../scripts/markdown';
import { CONTENDERS, minimumMs, type Measurement, type Outcome } from './cases';

const PAGE = 'tools/bench/RESULTS.md';

/** Returns the median, or NaN if the array is empty. */
export function median(numbers: number[]): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	const [low = NaN, high = low] = sorted.slice(Math.floor(middle), Math.ceil(middle) + 1);
	return (low + high) / 2;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

/** Formats the results as table rows, one per contender and case. */
export function formatFigures(outcomes: Outcome[]): string {
	const rows = outcomes.map(({ run, contender, rounds }, index) => {
		const start = [run === outcomes[index - 1]?.run ? '' : run.name, CONTENDERS[contender]];
		const of = (key: keyof Measurement) => median(rounds.map((round) => round[key]));
		const isOurs = (other: Outcome) => other.run === run && other.contender === 'ours';
		const ours = outcomes.find(isOurs)?.rounds.map(({ ms }) => ms) ?? [];
		return [
			...start,
			seconds(of('ms')),
			(median(ours) / of('ms')).toFixed(2),
			run.limit ? seconds(minimumMs(run)) : '',
			seconds(of('cpuMs')),
			`${of('peakMb').toFixed(0)} MB`,
			of('connections').toFixed(0),
			`${((100 * of('refused')) / of('requests')).toFixed(1)} %`,
		];
	});
	const head = ['Work, latency', 'Contender', 'Time', 'Ours ÷ its', 'Minimum', 'CPU time'];
	return formatTable([...head, 'Peak memory', 'Peak connections', 'Refused'], rows);
}

/** Writes a table into the results page, below a line about the rounds and the machine. */
export async function writeFigures(
	mark: string,
	table: string,
	rounds: number,
	n8n: string,
): Promise<void> {
	const { version } = JSON.parse(
		readFileSync(join(n8n, 'node_modules/n8n/package.json'), 'utf8'),
	) as { version: string };
	const [cpu] = cpus();
	const date = new Date().toISOString().slice(0, 10);
	const facts = `Medians of ${rounds} rounds on ${date}: ${cpus().length} cores (${cpu?.model.trim()}), Node.js ${process.version}, n8n ${version}.`;
	const content = `${facts}\n\n${table}`;
	const page = replaceBetweenMarks(readFileSync(join(ROOT, PAGE), 'utf8'), mark, content);
	writeFileSync(join(ROOT, PAGE), await formatMarkdown(PAGE, page));
}
