import { version as nodeVersion } from 'node:process';

import { version } from '../../package.json';
import { formatTable } from '../scripts/markdown';
import { formatAnswers, type Answers } from './questions';

/** Result of checking an operation or a webhook event. */
export interface CheckResult {
	name: string;
	/**
	 * For operations, the status and error code of each response. For webhook events, the number of
	 * deliveries.
	 */
	outcome: string;
	deviations: string[];
}

export interface CheckResults {
	operations: CheckResult[];
	events: CheckResult[];
	/** Answers to the open questions. */
	answers: Answers;
	/** Rate-limit headers found in the responses. */
	rateLimits: string[];
	/** Groups and users that couldn't be removed, e.g. "group n8n-check-…". */
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
