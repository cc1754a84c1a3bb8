import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { Resource } from '../description/types';

/** An operation of a resource, by their values. */
interface Use {
	resource: string;
	operation: string;
}

/** A field, and the operations that have it. */
interface SharedField {
	definition: string;
	field: INodeProperties;
	uses: Use[];
}

/**
 * Fields of all operations. Equal fields of several operations become one property, as long as each
 * operation keeps the order of its fields.
 */
export function mergeSharedFields(resources: Resource[]): INodeProperties[] {
	return mergeFields(resources).flatMap(({ field, uses }) =>
		buildConditions(uses, resources).flatMap((show) => updateDisplayOptions({ show }, [field])),
	);
}

function mergeFields(resources: Resource[]): SharedField[] {
	const merged: SharedField[] = [];
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			let next = 0;
			for (const field of fields) {
				const definition = JSON.stringify(field);
				const known = merged.findIndex(
					(entry, index) => index >= next && entry.definition === definition,
				);
				const place = known < 0 ? next : known;
				if (known < 0) merged.splice(place, 0, { definition, field, uses: [] });
				merged[place].uses.push({ resource, operation });
				next = place + 1;
			}
		}
	}
	return merged;
}

/**
 * Conditions that hold for these operations and for no others. n8n requires one of the resources and one
 * of the operations, in any combination, so operations that only some resources share come apart.
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
