import { requestOptionsField } from '../../nodes/CometChat/fields/requestOptions';
import type { Operation, Resource } from '../../nodes/CometChat/types';
import { listFields, getMeaning, listNames, toRows, toSentence, type FieldRow } from './fieldText';
import { addSources, listUrls } from './sources';

/** Names of the fields that docs/output-and-errors.md explains. */
export const OUTPUT_FIELDS = ['output', 'fields'];

/**
 * Lists an operation's fields, except fields that all operations have. Fields that differ only in their display
 * conditions, such as a 'Decision' per queue, become one row.
 */
function ownRowsOf(operation: Operation): FieldRow[] {
	const rows = addSources(operation, toRows(operation.fields)).filter(
		({ name, collection }) =>
			!OUTPUT_FIELDS.includes(name) && collection !== requestOptionsField.displayName,
	);
	const meanings = rows.map(getMeaning);
	return rows.flatMap((row, index) => {
		const meaning = getMeaning(row);
		if (meanings.indexOf(meaning) !== index) return [];
		return meanings.lastIndexOf(meaning) === index ? [row] : [{ ...row, condition: '' }];
	});
}

/** A field that several operations share. */
interface SharedField {
	row: FieldRow;
	/** Resource whose section explains the field, or undefined if several resources share the field. */
	resource?: string;
}

/**
 * Returns a shared field's collection, or undefined if operations use different collections, such as
 * 'Update Fields'.
 */
const commonCollection = ({ collection = '' }: FieldRow) =>
	/(Fields|Options|Filters)$/.test(collection) ? undefined : collection || undefined;

/** Merges a shared field's rows. Conditions and defaults are kept only if they're the same in all rows. */
function mergeRows(row: FieldRow, rows: FieldRow[]): FieldRow {
	const same = (name: 'condition' | 'defaultText') =>
		rows.every((other) => other[name] === row[name]) ? row[name] : '';
	return {
		...row,
		collection: commonCollection(row),
		isRequired: false,
		condition: same('condition'),
		defaultText: same('defaultText'),
	};
}

/** Finds the fields that several operations share, keyed by meaning. */
function findShared(resources: Resource[]): Map<string, SharedField> {
	const shared = new Map<string, SharedField>();
	const used = resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(ownRowsOf).map((row) => ({ row, resource })),
	);
	for (const [key, uses] of Map.groupBy(used, ({ row }) => getMeaning(row))) {
		const [first, ...others] = uses;
		if (!first || others.length === 0) continue;
		const { resource } = first;
		const isLocal = others.every((use) => use.resource === resource);
		const row = mergeRows(
			first.row,
			others.map((use) => use.row),
		);
		shared.set(key, { row, ...(isLocal ? { resource } : {}) });
	}
	return shared;
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
	const isShared = (row: FieldRow) => shared.has(getMeaning(row));
	const sharedRows = (resource?: string) =>
		[...shared.values()].filter((field) => field.resource === resource).map(({ row }) => row);
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
