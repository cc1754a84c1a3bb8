import Table from 'cli-table3';
import type { IDataObject, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

const MAX_ROWS = 6;
const MAX_COLUMN = 30;

/** Maximum characters per table line, to fit terminals with 80 columns. */
const MAX_LINE = 76;

/** Formats a request and its acting user as one line without the API key, e.g. `GET /groups?perPage=8`. */
export function requestLine({ method, url, qs, headers }: IHttpRequestOptions): string {
	const query = new URLSearchParams(
		Object.entries(qs ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
	).toString();
	const { pathname } = new URL(url);
	const user =
		headers?.onBehalfOf === undefined ? '' : `  (on behalf of ${String(headers.onBehalfOf)})`;
	return `${method ?? 'GET'} ${readable(pathname)}${query && '?'}${query}${user}`;
}

/** Decodes emoji in a path. Characters that would change the path, e.g. a slash, stay encoded. */
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

/** Formats the first items as a table, with as many columns as fit on a line. */
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
	/** Width in characters, including a space on each side. */
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
