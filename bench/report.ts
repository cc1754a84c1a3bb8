import type { Case } from './cases';
import { CONTENDER_NAMES, caseName, contendersOf, leastMs } from './cases';
import type { ExpressionEngine, Measurement } from './job';
import type { Machine } from './machine';
import type { CheckedMark } from './marks';
import type { Lookup, Outcome } from './statistics';
import { lookupIn } from './statistics';

/** Everything that one run of the benchmark found: what is written as JSON. */
export interface Results {
	/** ISO 8601 */
	date: string;
	machine: Machine;
	expressionEngine: ExpressionEngine;
	rounds: number;
	outcomes: Outcome[];
	marks: CheckedMark[];
}

const COLUMNS = [
	'Contender',
	'Time',
	'Ours ÷ it',
	'CPU time',
	'Peak memory',
	'Above baseline',
	'Connections at once',
	'Connections in all',
	'Refused',
];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const megabytes = (mb: number): string => `${mb.toFixed(0)} MB`;

function row(cells: string[]): string {
	return `| ${cells.join(' | ')} |`;
}

function cells(name: string, measured: Measurement, ours: Measurement | undefined): string[] {
	return [
		name,
		seconds(measured.ms),
		ours ? (ours.ms / measured.ms).toFixed(2) : '',
		seconds(measured.cpuMs),
		megabytes(measured.peakMb),
		megabytes(measured.peakMb - measured.baselineMb),
		measured.peakConnections.toFixed(0),
		measured.connections.toFixed(0),
		measured.refused.toFixed(0),
	];
}

function caseTable(run: Case, outcomes: Outcome[], lookup: Lookup): string[] {
	const ours = lookup(run, 'ours');
	const rows = contendersOf(run).flatMap((contender) => {
		const name = CONTENDER_NAMES[contender];
		const measured = lookup(run, contender);
		if (measured) return [row(cells(name, measured, ours))];
		const outcome = outcomes.find((one) => one.run === run && one.contender === contender);
		const failure = outcome?.failure?.split('\n')[0];
		return failure === undefined
			? []
			: [row([name, `failed: ${failure}`, '', '', '', '', '', '', ''])];
	});
	return [
		`### ${caseName(run)}`,
		'',
		...(run.limit ? [`The limit allows ${seconds(leastMs(run))} at best.`, ''] : []),
		row(COLUMNS),
		row(COLUMNS.map((_, index) => (index === 0 ? '---' : '--:'))),
		...rows,
		'',
	];
}

function marksTable(marks: CheckedMark[]): string[] {
	return [
		row(['Mark', 'At most', 'Measured', '']),
		row(['---', '--:', '--:', '---']),
		...marks.map(({ name, atMost, figure, reached }) =>
			row([
				name,
				String(atMost),
				figure?.toFixed(2) ?? 'not measured',
				reached ? 'reached' : 'missed',
			]),
		),
		'',
	];
}

/** The results as a page of Markdown. */
export function toMarkdown({
	date,
	machine,
	expressionEngine,
	rounds,
	outcomes,
	marks,
}: Results): string {
	const { processor, cores, memoryGb, system, node, n8n, undici } = machine;
	const lookup = lookupIn(outcomes);
	const runs = [...new Set(outcomes.map(({ run }) => run))];
	return [
		'# Results',
		'',
		`Medians of ${rounds} rounds, ${date.slice(0, 10)}. ${processor}, ${cores} cores, ${memoryGb} GB, ${system}, Node.js ${node}, n8n ${n8n} with its "${expressionEngine}" expressions, undici ${undici}. What is measured and how: [README](../README.md).`,
		'',
		...marksTable(marks),
		...runs.flatMap((run) => caseTable(run, outcomes, lookup)),
	].join('\n');
}
