import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

export function formatTable(head: string[], rows: string[][]): string {
	const escaped = [head, ...rows].map((cells) => cells.map((cell) => cell.replace(/\|/g, '\\|')));
	const widths = head.map((_, column) => Math.max(...escaped.map((cells) => cells[column].length)));
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
	const [top, ...lines] = escaped.map(line);
	return [top, line(widths.map((width) => '-'.repeat(width))), ...lines].join('\n');
}

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
