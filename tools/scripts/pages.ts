import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { EVENTS, getLabelOfEventDefinition } from '../../nodes/CometChat/webhookTrigger/events';
import { ROOT } from './markdown';

/** All documentation pages. */
const PAGES = globSync(['*.md', 'docs/*.md', 'nodes/**/*.md', 'tools/*/*.md'], { cwd: ROOT });

/**
 * Labels that the docs may use although the files in `shown` don't contain them: event names, and labels of
 * n8n's editor and CometChat's dashboard.
 */
const LABELS = new Set([
	...EVENTS.map(getLabelOfEventDefinition),
	...['+', 'Actions', 'Triggers', 'Execute step', 'Publish', 'Expression', 'Settings', 'Filter'],
	...['From list', 'From file', 'Webhook URLs', 'Production URL', 'Import', 'Always Output Data'],
	...['Authentication', 'Predefined Credential Type', 'HTTP Request', 'Stop Workflow', 'Core'],
	...['Continue (using error output)', '+ Add a description', 'Human review', 'CometChat Tool'],
	...['Save execution progress', 'Standard', 'Community nodes', 'Install', 'API & Auth Keys'],
	...['Region', 'Webhooks'],
]);

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

/**
 * Content of all files that contain labels: the nodes, the credentials, the sandbox's page, and the
 * examples.
 */
const shown = globSync(
	['nodes/**/*.ts', 'credentials/*.ts', 'tools/sandbox/page.html', 'examples/**/*.json'],
	{ cwd: ROOT },
)
	.map(read)
	.join('\n');

/** Lists the anchors that GitHub generates for a page's headings. */
const anchorsOf = (path: string): string[] =>
	[...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
		title
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/ /g, '-'),
	);

function brokenLinks(page: string): string[] {
	const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
	return links.flatMap(([, path = '', anchor]) => {
		const target = path === '' ? page : join(dirname(page), path);
		if (!existsSync(join(ROOT, target))) return [`unknown file ${target}`];
		if (anchor === undefined || anchorsOf(target).includes(anchor)) return [];
		return [`${target} has no heading #${anchor}`];
	});
}

/** Lists npm scripts and files that a page's commands mention but that don't exist. */
function brokenCommands(page: string): string[] {
	const names = [...read(page).matchAll(/(?<=\bnpm run )[\w:-]*\w/g)].map(([name]) => name);
	const files = [...read(page).matchAll(/(?<=\b(?:tsx|jest|node) )[\w./-]+/g)].map(
		([file]) => file,
	);
	return [
		...names.filter((name) => !(name in scripts)).map((name) => `unknown script "${name}"`),
		...files
			.filter((file) => file.includes('/') && globSync(`${file}*`, { cwd: ROOT }).length === 0)
			.map((file) => `unknown file ${file}`),
	];
}

/** Matches text that ends where a bold title can start, such as a new line, table cell, or sentence. */
const BEFORE_TITLE = /(^|\n|\| |\. )([\s>|-]|\d+\. )*$/;

/** Lists bold words that don't match any label. Ignores titles and whole sentences. */
function unknownLabels(page: string): string[] {
	const text = read(page).replace(/```[^]*?```/g, '');
	return [...text.matchAll(/\*\*([^*\n]+)\*\*/g)]
		.filter(({ index }) => !BEFORE_TITLE.test(text.slice(0, index)))
		.flatMap(([, words = '']) => (words.endsWith('.') ? [] : words.split(' → ')))
		.filter((label) => !LABELS.has(label) && !shown.includes(label))
		.map((label) => `nothing is labeled "${label}"`);
}

/** Describes all broken links, anchors, commands, and labels in the documentation. */
export function findWrongReferences(): string[] {
	return PAGES.flatMap((page) =>
		[brokenLinks, brokenCommands, unknownLabels]
			.flatMap((check) => check(page))
			.map((sentence) => `${page}: ${sentence}`),
	);
}
