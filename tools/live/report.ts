import { version as nodeVersion } from 'node:process';

import { version } from '../../package.json';
import { table } from '../scripts/markdown';
import type { Results } from './run';

/** A table of a report. */
interface Section {
	title: string;
	head: string[];
	rows: string[][];
}

const sectionsOf = ({ steps, events }: Results): Section[] => [
	{
		title: 'Operations',
		head: ['Operation', 'Status', 'Deviates', 'Time', 'Rate limit'],
		rows: steps.map(({ operation, status, deviations, ms, limits }) => [
			operation,
			status,
			deviations.join('<br>') || 'no',
			`${ms} ms`,
			limits,
		]),
	},
	{
		title: 'Webhook events',
		head: ['Event', 'Deliveries', 'Deviates'],
		rows: events.map(({ trigger, deliveries, deviations }) => [
			trigger,
			String(deliveries),
			deviations.join('<br>') || 'no',
		]),
	},
];

/** Number of deviations. */
export const deviationsIn = ({ steps, events }: Results): number =>
	[...steps, ...events].reduce((sum, { deviations }) => sum + deviations.length, 0);

/** Lines below the tables. */
function formatSummary(results: Results): string {
	const count = deviationsIn(results);
	return [
		...(results.wasStopped ? ['Stopped before the end.'] : []),
		count === 0 ? 'Nothing deviates.' : `${count} ${count === 1 ? 'deviation' : 'deviations'}.`,
		...results.left.map((thing) => `Could not remove ${thing}: remove it in the dashboard.`),
	].join('\n');
}

/** Markdown to attach to an issue. Contains names of fields, types, statuses and times, but no values. */
export function formatReport(results: Results, region: string): string {
	const sections = sectionsOf(results)
		.filter(({ rows }) => rows.length > 0)
		.map(({ title, head, rows }) => [`## ${title}`, table(head, rows)].join('\n\n'));
	return [
		'# CometChat check',
		`n8n-nodes-cometchat ${version}, Node.js ${nodeVersion}, region ${region}, ${new Date().toISOString()}`,
		...sections,
		formatSummary(results),
		'',
	].join('\n\n');
}
