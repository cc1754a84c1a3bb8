import Table from 'cli-table3';
import type { IDataObject, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

const MAX_ROWS = 6;
const MAX_COLUMN = 30;

/** Characters of a table's line: fits a terminal of 80. */
const MAX_LINE = 76;

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

function cell(value: unknown): string {
	if (value === undefined) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
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
