import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

export function formatTable(head: string[], rows: string[][]): string {
	const escaped = [head, ...rows].map((cells) => cells.map((cell) => cell.replace(/\|/g, '\\|')));
	const widths = head.map((_, column) =>
		Math.max(...escaped.map((cells) => cells[column]?.length ?? 0)),
	);
	const dashes = widths.map((width) => '-'.repeat(width));
	return escaped
		.toSpliced(1, 0, dashes)
		.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)))
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/** Lists names as inline code. */
export const listCode = (names: string[]): string => names.map((name) => `\`${name}\``).join(', ');

export type Entry = [name: string, values: string[]];

/** Merges entries with the same values into entries whose names are joined with commas. */
export const mergeNames = (entries: Entry[]): Entry[] =>
	[...Map.groupBy(entries, ([, values]) => JSON.stringify(values))].map(([values, same]) => [
		same.map(([name]) => name).join(', '),
		JSON.parse(values),
	]);

/**
 * Replaces a page's content between the markers `<!-- mark -->` and `<!-- /mark -->`.
 *
 * @throws if the page doesn't contain the markers
 */
export function replaceBetweenMarks(page: string, mark: string, content: string): string {
	const pattern = new RegExp(`(<!-- ${mark} -->)[\\s\\S]*(<!-- /${mark} -->)`);
	if (!pattern.test(page)) throw new Error(`The page has no marker "${mark}"`);
	return page.replace(pattern, (_, start: string, end: string) =>
		[start, content, end].join('\n\n'),
	);
}

/**
 * Formats a file's content with Prettier.
 *
 * @param path path relative to the project root
 */
export async function formatMarkdown(path: string, text: string): Promise<string> {
	// Tests can't load Prettier, so Prettier is imported only when needed
	const { format, resolveConfig } = await import('prettier');
	const filepath = join(ROOT, path);
	return await format(text, { ...(await resolveConfig(filepath)), filepath });
}
