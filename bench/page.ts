import type { Case } from './cases';
import { LIFE, caseName, leastMs } from './cases';
import type { Measurement } from './job';
import type { Results } from './report';
import { lookupIn } from './statistics';

const LISTS: Case[] = [20, 100].map((latencyMs) => ({ work: 'groups', size: 100_000, latencyMs }));

const ITEMS: Case[] = [
	{ work: 'messages', size: 2_000, latencyMs: 0 },
	{ work: 'messages', size: 2_000, latencyMs: 20 },
	{ work: 'messages', size: 10_000, latencyMs: 20 },
];

const row = (cells: string[]) => `| ${cells.join(' | ')} |`;

const table = (head: string[], rows: string[][]) =>
	[row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const ratio = (ours: number, theirs: number) => (ours / theirs).toFixed(2);

const percent = ({ refused, requests }: Measurement) =>
	`${((100 * refused) / Math.max(1, requests)).toFixed(1)} %`;

/** docs/speed.md: what a run of the whole benchmark says to users. */
export function toPage({ date, machine, rounds, outcomes }: Results): string {
	const lookup = lookupIn(outcomes);
	const rows = (
		cases: Case[],
		cells: (run: Case, ours: Measurement, it: Measurement) => string[],
	) =>
		cases.flatMap((run) => {
			const [ours, it] = [lookup(run, 'ours'), lookup(run, 'httpRequest')];
			return ours && it ? [[caseName(run), ...cells(run, ours, it)]] : [];
		});
	return `# Speed

<!-- Written by "npm run bench". -->

Measured side by side in one run: the same work, the same service, the same n8n engine with its production settings. Medians of ${rounds} rounds on ${date.slice(0, 10)}, ${machine.cores} cores, n8n ${machine.n8n}.

![Time for the same work: this node, HTTP Request, HTTP Request with Split Out, a bare client](../bench/results/chart.svg)

## Without a rate limit

${table(
	[
		'Work, latency',
		"Time, of HTTP Request's",
		'With a computed ID',
		"n8n's request helper alone",
		'Peak memory',
		'Connections at once',
	],
	rows([...LISTS, ...ITEMS], (run, ours, it) => [
		ratio(ours.ms, it.ms),
		...(['oursComputed', 'requestHelper'] as const).map((contender) => {
			const measured = lookup(run, contender);
			return measured ? ratio(measured.ms, it.ms) : '';
		}),
		ratio(ours.peakMb, it.peakMb),
		`${ours.peakConnections.toFixed(0)} to its ${it.peakConnections.toFixed(0)}`,
	]),
)}

HTTP Request is at its best here: 1,000 groups per page, and one item per page. For single items it opens a connection for each item at once.

Single items name their message by \`{{ $json.id }}\`. An expression that only names a field of the item is read without n8n's evaluator, which takes about as long as a request. "With a computed ID" is the same with an expression that n8n has to evaluate, and "n8n's request helper alone" a node that does nothing but evaluate and send, as many at once.

## As in life

TLS, 80 ms of latency, and CometChat's limit of 20,000 requests a minute, in windows of a second. HTTP Request has the batches that suit this limit best, and Retry On Fail; this node has its defaults.

${table(
	[
		'Work',
		'This node',
		'HTTP Request',
		'The limit allows',
		'Refused, this node',
		'Refused, HTTP Request',
	],
	rows(LIFE, (run, ours, it) => [
		`${(ours.ms / 1000).toFixed(1)} s`,
		`${(it.ms / 1000).toFixed(1)} s`,
		`${(leastMs(run) / 1000).toFixed(1)} s`,
		percent(ours),
		percent(it),
	]),
)}

All figures, also beside a bare client: [results.md](../bench/results/results.md). How they are measured: [bench/README.md](../bench/README.md).
`;
}
