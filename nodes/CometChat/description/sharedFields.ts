import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Field, Resource } from '../types';

/** A field, with all operations of a resource that have the field. */
interface SharedField {
	definition: string;
	field: Field;
	operation: string[];
}

type Conditions = NonNullable<IDisplayOptions['show']>;

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
	return merged.flatMap(({ field, operation }) => {
		const shown = { resource: [value], operation };
		if (field.alternative !== undefined) return splitForExpressionChoice(field, shown);
		const { show } = field.displayOptions ?? {};
		// n8n checks conditions in order. If a condition's parameter is an expression, n8n shows the field without
		// checking the remaining conditions. The resource and the operation therefore come first
		return [{ ...field, displayOptions: { ...field.displayOptions, show: { ...shown, ...show } } }];
	});
}

/**
 * Splits a required field that has an alternative, e.g. 'Group' beside 'User', into two properties:
 *
 * - a required property, shown if the choice between the two fields has a fixed value
 * - an optional property, shown if the choice is an expression. The editor then shows only one of the two fields, and
 *   n8n wouldn't publish the workflow if the hidden field were required and empty.
 */
function splitForExpressionChoice(field: Field, shown: Conditions): INodeProperties[] {
	const { show = {} } = field.displayOptions ?? {};
	const hide: Conditions = {};
	const isExpression: Conditions = {};
	for (const [name, values = []] of Object.entries(show)) {
		hide[name] = values.map((value) => ({ _cnd: { not: value as string } }));
		isExpression[name] = [{ _cnd: { startsWith: '=' } }];
	}
	const optional = { ...field, required: undefined, builderHint: undefined };
	return [
		{ ...field, displayOptions: { show: shown, hide } },
		{ ...optional, displayOptions: { show: { ...shown, ...isExpression } } },
	];
}
