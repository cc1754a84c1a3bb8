import type { INodeProperties } from 'n8n-workflow';

import type { Resource } from '../types';

/** An operation that uses a shared field. */
interface Use {
	resource: string;
	operation: string;
}

/** A field, with all operations that have the field. */
interface SharedField {
	definition: string;
	field: INodeProperties;
	uses: Use[];
}

/**
 * Merges the fields of all operations. Identical fields become one property, unless merging would change the
 * order of an operation's fields.
 */
export function mergeSharedFields(resources: Resource[]): INodeProperties[] {
	return mergeFields(resources).flatMap(({ field, uses }) =>
		buildConditions(uses, resources).map((operations) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				// n8n shows a field as soon as a condition's parameter is an expression, so operations come first
				show: { ...operations, ...field.displayOptions?.show },
			},
		})),
	);
}

function mergeFields(resources: Resource[]): SharedField[] {
	const merged: SharedField[] = [];
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			let next = 0;
			for (const field of fields) {
				const definition = JSON.stringify(field);
				const known = merged.find(
					(entry, index) => index >= next && entry.definition === definition,
				);
				const shared = known ?? { definition, field, uses: [] };
				if (!known) merged.splice(next, 0, shared);
				shared.uses.push({ resource, operation });
				next = merged.indexOf(shared) + 1;
			}
		}
	}
	return merged;
}

/**
 * Builds display conditions that match exactly the operations that use a field. Resources can have operations
 * of the same name. If only some of these operations use the field, each resource needs its own condition.
 */
function buildConditions(uses: Use[], resources: Resource[]): Array<Record<string, string[]>> {
	const resourcesWith = (operation: string) =>
		resources
			.filter(({ operations }) => operations.some(({ value }) => value === operation))
			.map(({ value }) => value);
	const isUse = (operation: string) => (resource: string) =>
		uses.some((use) => use.resource === resource && use.operation === operation);
	const isEverywhere = ({ operation }: Use) => resourcesWith(operation).every(isUse(operation));
	const others = uses.filter((use) => !isEverywhere(use));
	const byResource = resources.map(({ value }) =>
		others.filter(({ resource }) => resource === value),
	);
	return [uses.filter(isEverywhere), ...byResource]
		.filter((group) => group.length > 0)
		.map((group) => ({
			resource: unique(group.map(({ resource }) => resource)),
			operation: unique(group.map(({ operation }) => operation)),
		}));
}

const unique = (values: string[]) => [...new Set(values)];
