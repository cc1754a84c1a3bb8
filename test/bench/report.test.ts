import type { Case } from '../../bench/cases';
import { LIFE, caseName } from '../../bench/cases';
import { toChart } from '../../bench/chart';
import { toPage } from '../../bench/page';
import type { Results } from '../../bench/report';
import { toMarkdown } from '../../bench/report';
import type { Outcome } from '../../bench/statistics';
import { lookupIn } from '../../bench/statistics';
import { measured } from './measured';

const run: Case = { work: 'messages', size: 2_000, latencyMs: 20 };

const outcomes: Outcome[] = [
	{
		run,
		contender: 'ours',
		rounds: [measured({ ms: 1_500, baselineMb: 200, peakMb: 321, peakConnections: 48 })],
	},
	{ run, contender: 'httpRequest', rounds: [measured({ ms: 3_000, peakConnections: 700 })] },
	{ run, contender: 'floor', rounds: [], failure: 'The run ended with 1: no socket\nat x.ts' },
];

const results: Results = {
	date: '2026-03-04T05:06:07.000Z',
	machine: {
		processor: 'Some CPU',
		cores: 4,
		memoryGb: 16,
		system: 'Linux 6',
		node: 'v24.0.0',
		n8n: '2.0.0',
		undici: '8.0.0',
	},
	expressionEngine: 'vm',
	rounds: 1,
	outcomes,
	marks: [
		{ name: 'Time', atMost: 0.9, figure: 0.5, reached: true },
		{ name: 'Memory', atMost: 0.9, reached: false },
	],
};

describe('the page of results', () => {
	const lines = toMarkdown(results).split('\n');

	test('names the day, the machine and the versions', () => {
		const text = lines.join(' ');
		for (const fact of ['2026-03-04', 'Some CPU, 4 cores, 16 GB', 'v24.0.0', 'n8n 2.0.0']) {
			expect(text).toContain(fact);
		}
	});

	test('has a line per contender, with ratios of ours to it', () => {
		expect(lines).toContain(
			'| CometChat node | 1.50 s | 1.00 | 0.00 s | 321 MB | 121 MB | 48 | 0 | 0 |',
		);
		expect(lines).toContain(
			'| HTTP Request | 3.00 s | 0.50 | 0.00 s | 0 MB | 0 MB | 700 | 0 | 0 |',
		);
	});

	test('says why a contender has no figures', () => {
		expect(lines).toContain(
			'| undici Pool | failed: The run ended with 1: no socket |  |  |  |  |  |  |  |',
		);
	});

	test('says of each mark whether it was reached', () => {
		expect(lines).toContain('| Time | 0.9 | 0.50 | reached |');
		expect(lines).toContain('| Memory | 0.9 | not measured | missed |');
	});
});

describe('the chart', () => {
	const chart = toChart(lookupIn(outcomes));
	const widths = [...chart.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) =>
		Number(width),
	);

	test('has a bar for each contender that finished, as long as its time', () => {
		expect(widths).toHaveLength(2);
		expect(widths[0] / widths[1]).toBeCloseTo(0.5, 2);
	});

	test('writes the seconds beside the bars', () => {
		expect(chart).toContain('>1.50 s<');
		expect(chart).toContain('>3.00 s<');
	});

	test('shows only cases that were measured', () => {
		expect(chart).toContain('2,000 messages, 20 ms latency');
		expect(chart).not.toContain('groups');
	});
});

describe('the page for users', () => {
	const life: Case = LIFE[0];
	const page = toPage({
		...results,
		outcomes: [
			...outcomes,
			{
				run: life,
				contender: 'ours',
				rounds: [measured({ ms: 6_300, requests: 200, refused: 1 })],
			},
			{
				run: life,
				contender: 'httpRequest',
				rounds: [measured({ ms: 9_000, requests: 400, refused: 64 })],
			},
		],
	});

	test('compares with HTTP Request where both were measured', () => {
		expect(page).toContain('| 2,000 messages, 20 ms | 0.50 |');
		expect(page).not.toContain('100,000 groups');
	});

	test('says what the rate limit allows, and what it refused', () => {
		expect(page).toContain(`| ${caseName(life)} | 6.3 s | 9.0 s | 6.1 s | 0.5 % | 16.0 % |`);
	});
});
