import type { Operation, Resource } from '../../nodes/CometChat/description/types';
import { explainedList, meaningOf, namesText, rowsOf, sentence, type FieldRow } from './fieldText';

/** Names of the fields that the page about output explains. */
export const OUTPUT_FIELDS = ['output', 'fields'];

/** Names of the fields that all operations have under Settings, besides the output. */
const REQUEST_OPTIONS = ['maxTries', 'maxWait', 'timeout'];

const isRequestOption = ({ name }: FieldRow) => REQUEST_OPTIONS.includes(name);

/** Rows of an operation without 'Output', 'Fields' and the request options, which all operations have. */
const ownRowsOf = ({ fields }: Operation): FieldRow[] =>
	rowsOf(fields.filter(({ name }) => !OUTPUT_FIELDS.includes(name))).filter(
		(row) => !isRequestOption(row),
	);

/** Fields of several operations, explained at the top or at the beginning of their resource. */
interface Shared {
	everywhere: Map<string, FieldRow>;
	ofResource: Map<string, Map<string, FieldRow>>;
}

/** Collections that differ between operations, such as 'Update Fields', don't belong to a shared field. */
const ownCollectionOf = ({ collection = '' }: FieldRow) =>
	/(Fields|Options|Filters)$/.test(collection) ? undefined : collection || undefined;

function findShared(resources: Resource[]): Shared {
	const uses = new Map<string, Array<{ row: FieldRow; resource: string }>>();
	for (const { value: resource, operations } of resources) {
		for (const row of operations.flatMap(ownRowsOf)) {
			const known = uses.get(meaningOf(row)) ?? [];
			uses.set(meaningOf(row), [...known, { row, resource }]);
		}
	}
	const ofResource = new Map(
		resources.map(({ value }): [string, Map<string, FieldRow>] => [value, new Map()]),
	);
	const everywhere = new Map<string, FieldRow>();
	for (const [key, several] of uses) {
		if (several.length === 1) continue;
		const names = new Set(several.map(({ resource }) => resource));
		const [name] = names;
		const target = names.size > 1 ? everywhere : ofResource.get(name);
		target?.set(key, mergedRow(several.map(({ row }) => row)));
	}
	return { everywhere, ofResource };
}

/** One row for a field of several operations: with its condition and default if these are the same. */
function mergedRow(rows: FieldRow[]): FieldRow {
	const [row] = rows;
	const same = (name: 'condition' | 'defaultText') =>
		rows.every((other) => other[name] === row[name]) ? row[name] : '';
	return {
		...row,
		collection: ownCollectionOf(row),
		isRequired: false,
		condition: same('condition'),
		defaultText: same('defaultText'),
	};
}

function operationText(operation: Operation, isShared: (row: FieldRow) => boolean): string[] {
	const { method, url } = operation.routing?.request ?? {};
	const rows = ownRowsOf(operation);
	const own = rows.filter((row) => !isShared(row));
	const others = rows.filter(isShared);
	return [
		`### ${operation.name}`,
		`${sentence(operation.description)} \`${method} ${String(url)}\``,
		...(others.length > 0 ? [`Fields: ${namesText(others)}.`] : []),
		...(own.length > 0 ? [explainedList(own)] : []),
	];
}

/** Drops the description of a choice, e.g. "Admin (May …)", after its first occurrence. */
function describeChoicesOnce(text: string): string {
	const seen = new Set<string>();
	return text.replace(/(\w[\w ]*) \([A-Z][^()]*\)/g, (choice, name: string) => {
		if (seen.has(choice)) return name;
		seen.add(choice);
		return choice;
	});
}

function resourceText({ name, value, operations }: Resource, shared: Shared): string {
	const ofResource = shared.ofResource.get(value) ?? new Map<string, FieldRow>();
	const isShared = (row: FieldRow) =>
		shared.everywhere.has(meaningOf(row)) || ofResource.has(meaningOf(row));
	const text = [
		`## ${name}`,
		...(ofResource.size > 0
			? ['In several operations:', explainedList([...ofResource.values()])]
			: []),
		...operations.flatMap((operation) => operationText(operation, isShared)),
	].join('\n\n');
	return describeChoicesOnce(text);
}

/** All fields of the node, by resource and operation. */
export function operationFields(resources: Resource[]): string {
	const shared = findShared(resources);
	const [{ operations }] = resources;
	const requestOptions = rowsOf(operations[0].fields).filter(isRequestOption);
	return [
		'## Fields of many operations',
		explainedList([...shared.everywhere.values()]),
		'Under **Settings**: **Output** and **Fields**, [how much to return](output-and-errors.md#output), except for Send and Wait for Response.',
		explainedList(requestOptions),
		...resources.map((resource) => resourceText(resource, shared)),
	].join('\n\n');
}
