import type { Case, Contender } from './cases';
import { CONTENDER_NAMES, LIFE, caseName, contendersOf } from './cases';
import type { Lookup } from './statistics';

const WIDTH = 790;
const LABEL = 220;
const VALUE = 70;
const BAR = 18;
const GAP = 6;
const TITLE = 34;

/** The cases that the chart shows, as far as they were measured. */
const SHOWN: Case[] = [
	{ work: 'groups', size: 100_000, latencyMs: 20 },
	{ work: 'groups', size: 10_000, latencyMs: 20 },
	{ work: 'messages', size: 2_000, latencyMs: 20 },
	...LIFE.slice(0, 1),
];

const COLOURS: Record<Contender, string> = {
	ours: '#6b4de6',
	oursComputed: '#a08df0',
	httpRequest: '#9aa0ab',
	httpRequestSplit: '#b9bec7',
	requestHelper: '#7fc8ae',
	floor: '#2fa57c',
};

const STYLE =
	'text{font:13px system-ui,sans-serif;fill:#24292f}.t{font-weight:600}@media(prefers-color-scheme:dark){text{fill:#e6e8eb}}';

interface Bar {
	contender: Contender;
	seconds: number;
}

function bar({ contender, seconds }: Bar, longest: number, y: number): string {
	const length = Math.max(1, (seconds / longest) * (WIDTH - LABEL - VALUE));
	const middle = y + BAR / 2 + 5;
	return [
		`<text x="${LABEL - 8}" y="${middle}" text-anchor="end">${CONTENDER_NAMES[contender]}</text>`,
		`<rect x="${LABEL}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="3" fill="${COLOURS[contender]}"/>`,
		`<text x="${(LABEL + length + 8).toFixed(1)}" y="${middle}">${seconds.toFixed(2)} s</text>`,
	].join('');
}

/** The times of the cases that matter most as an SVG image: shorter bars are faster. */
export function toChart(lookup: Lookup): string {
	let y = 0;
	const parts = SHOWN.flatMap((run) => {
		const bars = contendersOf(run).flatMap((contender): Bar[] => {
			const measured = lookup(run, contender);
			return measured ? [{ contender, seconds: measured.ms / 1000 }] : [];
		});
		if (bars.length === 0) return [];
		const longest = Math.max(...bars.map(({ seconds }) => seconds));
		const name = run.limit ? caseName(run) : `${caseName(run)} latency`;
		const title = `<text class="t" x="0" y="${y + 22}">${name}</text>`;
		y += TITLE;
		const drawn = bars.map((one) => {
			const svg = bar(one, longest, y);
			y += BAR + GAP;
			return svg;
		});
		return [title, ...drawn];
	});
	const size = `width="${WIDTH}" height="${y + 4}" viewBox="0 0 ${WIDTH} ${y + 4}"`;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="Seconds that each contender takes; shorter is faster">`,
		`<style>${STYLE}</style>`,
		...parts,
		'</svg>\n',
	].join('\n');
}
