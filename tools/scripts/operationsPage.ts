import type { INodeProperties } from 'n8n-workflow';

import { requestOptionsField } from '../../nodes/CometChat/fields/requestOptions';
import type { Operation, Resource } from '../../nodes/CometChat/types';
import { listFields, getMeaning, listNames, toRows, toSentence, type FieldRow } from './fieldText';
import { addSources, listUrls } from './sources';

/** Converts fields to rows, except the fields that docs/output-and-errors.md explains. */
export const toExplainedRows = (fields: INodeProperties[]): FieldRow[] =>
	toRows(fields).filter(({ name }) => !['output', 'fields'].includes(name));

/**
 * Lists an operation's fields, except fields that all operations have. Fields that differ only in their display
 * conditions, such as a 'Decision' per queue, become one row.
 */
function ownRowsOf(operation: Operation): FieldRow[] {
	const rows = addSources(operation, toExplainedRows(operation.fields)).filter(
		({ collection }) => collection !== requestOptionsField.displayName,
	);
	return [...Map.groupBy(rows, getMeaning).values()].map((same) =>
		same.reduce((row) => ({ ...row, condition: '' })),
	);
}

/** A row with the resource of its operations, or undefined if several resources share the field. */
interface ResourceRow extends FieldRow {
	resource?: string;
}

/**
 * Returns a shared field's collection, or undefined if operations use different collections, such as
 * 'Update Fields'.
 */
const commonCollection = ({ collection = '' }: FieldRow) =>
	/(Fields|Options|Filters)$/.test(collection) ? undefined : collection || undefined;

/** Merges two rows of a shared field, and keeps only conditions and defaults that both rows have. */
const mergeRows = (row: ResourceRow, other: ResourceRow): ResourceRow => ({
	...row,
	resource: row.resource === other.resource ? row.resource : undefined,
	collection: commonCollection(row),
	isRequired: false,
	condition: row.condition === other.condition ? row.condition : '',
	defaultText: row.defaultText === other.defaultText ? row.defaultText : '',
});

/** Returns the merged rows of the fields that several operations share. */
function findShared(resources: Resource[]): ResourceRow[] {
	const used = resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(ownRowsOf).map((row): ResourceRow => ({ ...row, resource })),
	);
	return [...Map.groupBy(used, getMeaning).values()]
		.filter(({ length }) => length > 1)
		.map((rows) => rows.reduce(mergeRows));
}

/** Removes repeated descriptions of a choice, e.g. "Admin (May …)", after their first occurrence. */
function describeChoicesOnce(text: string): string {
	const described = new Set<string>();
	return text.replace(/(\w[\w ]*) \([A-Z][^()]*\)/g, (choice, name: string) => {
		if (described.has(choice)) return name;
		described.add(choice);
		return choice;
	});
}

/** Lists all of the node's fields, grouped by resource and operation. */
export function formatOperations(resources: Resource[]): string {
	const shared = findShared(resources);
	const meanings = new Set(shared.map(getMeaning));
	const isShared = (row: FieldRow) => meanings.has(getMeaning(row));
	const sharedRows = (resource?: string) => shared.filter((row) => row.resource === resource);
	const operationText = (operation: Operation): string[] => {
		const urls = listUrls(operation).map(
			(url) => `\`${operation.routing?.request?.method} ${url}\``,
		);
		const rows = ownRowsOf(operation);
		const own = rows.filter((row) => !isShared(row));
		const others = rows.filter(isShared);
		return [
			`### ${operation.name}`,
			`${toSentence(operation.description)} ${urls.join(', ')}`,
			...(others.length > 0 ? [`Fields: ${listNames(others)}.`] : []),
			...(own.length > 0 ? [listFields(own)] : []),
		];
	};
	const resourceText = ({ name, value, operations }: Resource): string => {
		const rows = sharedRows(value);
		const intro = rows.length > 0 ? ['In several operations:', listFields(rows)] : [];
		const parts = [`## ${name}`, ...intro, ...operations.flatMap(operationText)];
		return describeChoicesOnce(parts.join('\n\n'));
	};
	return [
		'## Shared fields',
		listFields(sharedRows()),
		'Every operation except Send and Wait for Response ends with **Output** and **Fields**, [how much to return](output-and-errors.md#output). Under **Settings**:',
		listFields(toRows([requestOptionsField])),
		...resources.map(resourceText),
	].join('\n\n');
}
