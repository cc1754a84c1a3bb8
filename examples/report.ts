import Table from 'cli-table3';
import type { IDataObject, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

const MAX_REQUESTS = 2;
const MAX_ROWS = 6;
const MAX_FIELDS = 4;
const MAX_REASONS = 1;
const MAX_COLUMN = 30;

/** Characters of a line that is no text of its own: fits a terminal of 80 with its indentation. */
const MAX_LINE = 76;

const INDENT = '  ';

/** `GET /groups?perPage=8` and on whose behalf: a request in one line, without the key. */
export function requestLine({ method, url, qs, headers }: IHttpRequestOptions): string {
	const query = new URLSearchParams(
		Object.entries(qs ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
	).toString();
	const { pathname } = new URL(url);
	const user =
		headers?.onBehalfOf === undefined ? '' : `  (on behalf of ${String(headers.onBehalfOf)})`;
	return `${method ?? 'GET'} ${readable(pathname)}${query && '?'}${query}${user}`;
}

/** A path with its emoji. What would change its meaning stays encoded, e.g. a slash. */
function readable(path: string): string {
	try {
		return decodeURI(path);
	} catch {
		return path;
	}
}

/** What a node sent: its first requests, and how many more there were. */
export function requestLines(requests: IHttpRequestOptions[]): string {
	return first(MAX_REQUESTS, counted(requests.map(requestLine))).replace(/^/gm, '→ ');
}

/**
 * What a node returned: how many items, and why others failed.
 *
 * @param withItems whether to show the items too
 */
export function itemsText(items: INodeExecutionData[], withItems: boolean): string {
	const failed = items.filter(isFailed);
	const done = items.filter((item) => !isFailed(item));
	const parts: string[] = [];
	if (done.length > 0 || failed.length === 0) parts.push(`← ${countOf(done)}`);
	if (withItems && done.length === 1) parts.push(indent(fieldLines(done[0])));
	if (withItems && done.length > 1) parts.push(itemTable(done));
	if (failed.length > 0) parts.push(`✘ ${countOf(failed)} failed`, indent(reasons(failed)));
	return parts.join('\n');
}

/** The first reasons why items failed, and how many more there were. */
function reasons(failed: INodeExecutionData[]): string {
	return first(MAX_REASONS, counted(failed.map(({ json }) => String(json.error))));
}

/** Every line of a text a step further to the right. */
export const indent = (text: string): string => text.replace(/^/gm, INDENT);

/** n8n's form of what failed on "Continue" and on the error output. */
const isFailed = ({ json }: INodeExecutionData): boolean => typeof json.error === 'string';

const countOf = ({ length }: unknown[]): string => `${length} ${length === 1 ? 'item' : 'items'}`;

/** Each line once, with how often it came. */
function counted(lines: string[]): string[] {
	const counts = new Map<string, number>();
	for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
	return [...counts].map(([line, count]) => (count > 1 ? `${line}  × ${count}` : line));
}

/** So many lines, and how many more there are. */
function first(max: number, lines: string[]): string {
	const more = lines.length - max;
	return [...lines.slice(0, max), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}

function cell(value: unknown): string {
	if (value === undefined) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The first fields of an item, a line each. A text is shown whole, with its lines below each other. */
function fieldLines({ json }: INodeExecutionData): string {
	const entries = Object.entries(json).slice(0, MAX_FIELDS);
	const width = Math.max(0, ...entries.map(([name]) => name.length)) + INDENT.length;
	const lines = entries.map(([name, value]) => {
		const text = typeof value === 'object' ? cell(value).slice(0, MAX_LINE - width) : cell(value);
		return `${name.padEnd(width)}${text.replaceAll('\n', `\n${' '.repeat(width)}`)}`;
	});
	return lines.join('\n');
}

/** Items as a table: a row for each of the first, with as many of the first columns as fit a line. */
export function itemTable(items: INodeExecutionData[]): string {
	const rows = items.slice(0, MAX_ROWS).map(({ json }): IDataObject => json);
	const columns = fittingColumns(rows);
	const table = new Table({
		head: columns.map(({ name }) => name),
		style: { head: [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
		colWidths: columns.map(({ width }) => width),
		wordWrap: false,
	});
	table.push(...rows.map((row) => columns.map(({ name }) => cell(row[name]))));
	const more = items.length > MAX_ROWS ? `\n… and ${items.length - MAX_ROWS} more` : '';
	return `${table.toString()}${more}`;
}

interface Column {
	name: string;
	/** In characters, with a space on each side */
	width: number;
}

function fittingColumns(rows: IDataObject[]): Column[] {
	const names = new Set(rows.flatMap((row) => Object.keys(row)));
	const columns: Column[] = [];
	let room = MAX_LINE - 1;
	for (const name of names) {
		const lengths = rows.map((row) => cell(row[name]).length);
		const width = Math.min(MAX_COLUMN, Math.max(name.length, ...lengths) + 2);
		room -= width + 1;
		if (room < 0) break;
		columns.push({ name, width });
	}
	return columns;
}
