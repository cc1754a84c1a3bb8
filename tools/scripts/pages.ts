import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ROOT } from './markdown';

/** Documentation pages. */
const PAGES = globSync(['*.md', 'docs/*.md', 'tools/*/*.md'], { cwd: ROOT });

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

/** GitHub's anchors for the headings of a page. */
function anchorsOf(path: string): string[] {
	return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
		title
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/ /g, '-'),
	);
}

function brokenLinks(page: string): string[] {
	const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
	return links.flatMap(([, path, anchor]) => {
		const target = path === '' ? page : join(dirname(page), path);
		if (!existsSync(join(ROOT, target))) return [`there is no file ${target}`];
		if (anchor === undefined || anchorsOf(target).includes(anchor)) return [];
		return [`${target} has no heading #${anchor}`];
	});
}

/** Missing npm scripts and files in the commands of a page. */
function brokenCommands(page: string): string[] {
	const names = [...read(page).matchAll(/\bnpm run ([\w:-]*\w)/g)].map(([, name]) => name);
	const files = [...read(page).matchAll(/\b(?:tsx|jest|node) ([\w./-]+)/g)].map(([, file]) => file);
	return [
		...names.filter((name) => !(name in scripts)).map((name) => `there is no script "${name}"`),
		...files
			.filter((file) => file.includes('/') && globSync(`${file}*`, { cwd: ROOT }).length === 0)
			.map((file) => `there is no file ${file}`),
	];
}

/** Wrong links, anchors and commands of all pages, as sentences. */
export function findWrongReferences(): string[] {
	return PAGES.flatMap((page) =>
		[brokenLinks, brokenCommands]
			.flatMap((check) => check(page))
			.map((sentence) => `${page}: ${sentence}`),
	);
}
