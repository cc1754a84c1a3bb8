import type { INodeProperties } from 'n8n-workflow';

import type { Resource } from '../types';

/** A field, with all operations of a resource that have the field. */
interface SharedField {
	definition: string;
	field: INodeProperties;
	operation: string[];
}

/**
 * Merges the fields of a resource's operations. Identical fields become one property, unless merging would change
 * the order of an operation's fields.
 */
export function mergeSharedFields({ value, operations }: Resource): INodeProperties[] {
	const merged: SharedField[] = [];
	for (const { value: operation, fields } of operations) {
		let next = 0;
		for (const field of fields) {
			const definition = JSON.stringify(field);
			const known = merged.find((entry, index) => index >= next && entry.definition === definition);
			const shared = known ?? { definition, field, operation: [] };
			if (!known) merged.splice(next, 0, shared);
			shared.operation.push(operation);
			next = merged.indexOf(shared) + 1;
		}
	}
	return merged.map(({ field, operation }) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			// n8n shows a field as soon as a condition's parameter is an expression, so operations come first
			show: { resource: [value], operation, ...field.displayOptions?.show },
		},
	}));
}
