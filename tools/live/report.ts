import { version as nodeVersion } from 'node:process';

import { version } from '../../package.json';
import { formatTable } from '../scripts/markdown';
import { formatAnswers, type Answers } from './questions';
import type { CheckResult } from './results';
import type { UploadRequest } from './uploads';

export interface CheckResults {
	operations: CheckResult[];
	events: CheckResult[];
	/** Requests of the upload probes. Empty without probes. */
	uploads: UploadRequest[];
	/** Answers to the open questions. */
	answers: Answers;
	/** Rate-limit headers found in the responses. */
	rateLimits: string[];
	/** Groups, users and bots that couldn't be removed, e.g. "group n8n-check-…". */
	notRemoved: string[];
	isStopped: boolean;
}

function formatSection(title: string, head: string[], results: CheckResult[]): string[] {
	if (results.length === 0) return [];
	const rows = results.map(({ name, outcome, deviations }) => [
		name,
		outcome,
		deviations.join('<br>') || 'no',
	]);
	return [`## ${title}`, formatTable([...head, 'Deviates'], rows)];
}

function formatUploads(uploads: UploadRequest[]): string[] {
	if (uploads.length === 0) return [];
	const rows = uploads.map(({ name, outcome, fields }) => [name, outcome, fields.join(', ')]);
	return ['## Upload probes', formatTable(['Request', 'Status', 'Fields'], rows)];
}

export const countDeviations = ({ operations, events }: CheckResults): number =>
	[...operations, ...events].reduce((sum, { deviations }) => sum + deviations.length, 0);

/**
 * Formats the results as Markdown to attach to an issue. The report contains field names, types, and
 * statuses, but no values.
 */
export function formatReport(results: CheckResults, region: string): string {
	const count = countDeviations(results);
	return [
		'# CometChat check',
		`n8n-nodes-cometchat ${version}, Node.js ${nodeVersion}, region ${region}, ${new Date().toISOString()}`,
		...formatSection('Operations', ['Operation', 'Status'], results.operations),
		...formatSection('Webhook events', ['Event', 'Deliveries'], results.events),
		...formatUploads(results.uploads),
		'## Open questions',
		formatAnswers(results.answers),
		`Rate limit: ${results.rateLimits.join('; ')}`,
		...(results.isStopped ? ['Stopped before the end.'] : []),
		count === 0 ? 'Nothing deviates.' : `Deviations: ${count}.`,
		...results.notRemoved.map(
			(name) => `Could not remove the ${name}. Remove it in the dashboard.`,
		),
		'',
	].join('\n\n');
}
