import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { RELEASES, compareVersions, type Outcome } from './versions';

/** Test result for an n8n release. */
export interface Result {
	n8n: string;
	core?: string;
	workflow?: string;
	/** Node.js version. */
	node?: string;
	outcome: Outcome;
	/** Latest commit that changed the tested package, followed by + if the working tree had changes. */
	commit?: string;
	/** Number of tests that passed. */
	passed?: number;
	/** Reason for a failure, or for skipping tests. */
	reason?: string;
	/** Names of the tests that failed. */
	failures?: string[];
}

const JSON_FILE = join(__dirname, 'results.json');
const TABLE_FILE = join(__dirname, 'RESULTS.md');

const OUTCOMES: Record<Outcome, (result: Result) => string> = {
	pass: ({ passed }) => `✅ ${passed} tests pass`,
	fail: () => '❌ fails',
	'not tested': () => 'not tested',
};

function readResults(): Result[] {
	return existsSync(JSON_FILE) ? JSON.parse(readFileSync(JSON_FILE, 'utf8')) : [];
}

/** Formats the results as a Markdown table, oldest n8n version first. */
function tableOf(results: Result[], current: string): string {
	const isEarlier = ({ commit }: Result) => commit !== undefined && commit !== current;
	const rows = results.map((result) => [
		result.n8n,
		RELEASES.find(({ n8n }) => n8n === result.n8n)?.released?.slice(0, 7) ?? '',
		result.node ?? '',
		result.commit ?? '',
		OUTCOMES[result.outcome](result),
		[isEarlier(result) ? 'Earlier code' : '', result.reason ?? ''].filter(Boolean).join('. '),
	]);
	const head = ['n8n', 'Minor released', 'Node.js', 'Commit', 'Result', 'Remark'];
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * Adds a result to results.json and RESULTS.md, instead of an earlier result of the release.
 *
 * @param current commit whose results aren't marked as earlier code
 */
export async function writeResult(result: Result, current: string): Promise<void> {
	const others = readResults().filter(({ n8n }) => n8n !== result.n8n);
	const all = [...others, result].sort((a, b) => compareVersions(a.n8n, b.n8n));
	await write(JSON_FILE, JSON.stringify(all));
	await write(
		TABLE_FILE,
		`# Tested versions of n8n

Written by \`npm run test:compat\`, which runs the tests of the action node (of \`*.soak.ts\`, those of the environment, of random cases and of all values) with the packed package on each n8n's engine. "Earlier code" marks results of an earlier commit of the package.

${tableOf(all, current)}
`,
	);
}

async function write(file: string, text: string): Promise<void> {
	const options = await resolveConfig(file);
	writeFileSync(file, await format(text, { ...options, filepath: file }));
}
