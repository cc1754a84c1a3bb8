import Table from 'cli-table3';
import type { IDataObject, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

const MAX_ROWS = 10;
const MAX_COLUMNS = 7;

/** `GET /groups?perPage=8` and on whose behalf: a request in one line, without the key. */
export function requestLine({ method, url, qs, headers }: IHttpRequestOptions): string {
	const query = new URLSearchParams(
		Object.entries(qs ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
	).toString();
	const { pathname } = new URL(url);
	const user =
		headers?.onBehalfOf === undefined ? '' : `  (on behalf of ${String(headers.onBehalfOf)})`;
	return `${method ?? 'GET'} ${pathname}${query && '?'}${query}${user}`;
}

function cell(value: unknown): string {
	if (value === undefined) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Items as a table: a row for each, at most ten, with the columns that most people look at first. */
export function itemTable(items: INodeExecutionData[]): string {
	const rows = items.slice(0, MAX_ROWS).map(({ json }): IDataObject => json);
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
	const table = new Table({
		head: columns,
		style: process.stdout.isTTY ? { head: ['cyan'], border: ['gray'] } : { head: [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
		colWidths: columns.map((name) => Math.min(28, widest(name, rows) + 2)),
		wordWrap: false,
	});
	table.push(...rows.map((row) => columns.map((name) => cell(row[name]))));
	const more = items.length > MAX_ROWS ? `\n… and ${items.length - MAX_ROWS} more` : '';
	return `${table.toString()}${more}`;
}

function widest(name: string, rows: IDataObject[]): number {
	return Math.max(name.length, ...rows.map((row) => cell(row[name]).length));
}
