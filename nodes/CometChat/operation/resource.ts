import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { runItem } from './runItem';
import type { CustomOperation } from './runItems';
import { runItems } from './runItems';
import type { Operation, Resource } from './types';

/** All properties of the node. */
export function propertiesOf(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: 'group',
			description: 'What to work with',
		},
		...resources.flatMap(propertiesOfResource),
	];
}

/** The properties that belong to a resource: its menu of operations, and their fields. */
function propertiesOfResource(resource: Resource): INodeProperties[] {
	const { value, description, operations, defaultOperation } = resource;
	return [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [value] } },
			options: sorted(operations).map(optionOf),
			default: defaultOperation,
			description,
		},
		...fieldsOf(resource),
	];
}

/** As n8n wants it: in the order of the alphabet. */
function sorted(operations: Operation[]): Operation[] {
	return [...operations].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The entry in the menu. n8n calls the pagination function for each item: it carries the operation out. */
function optionOf(operation: Operation): INodePropertyOptions {
	const { name, value, action, description, routing } = operation;
	return {
		name,
		value,
		action,
		description,
		routing: {
			...routing,
			operations: { pagination: runItem(operation) },
			send: { paginate: true },
		},
	};
}

/** A field and the operations that have it. */
interface Shared {
	field: INodeProperties;
	operations: string[];
}

/**
 * The fields of all operations, in an order that is that of each operation. One that several have is
 * declared once: n8n evaluates an expression anew, for every item, in each declaration of its name,
 * shown or not.
 */
function fieldsOf({ value: resource, operations }: Resource): INodeProperties[] {
	const all: Shared[] = [];
	for (const { value: operation, fields } of operations) {
		let place = 0;
		for (const field of fields) {
			const at = all.findIndex((shared, index) => index >= place && shared.field === field);
			if (at >= 0) {
				all[at].operations.push(operation);
				place = at + 1;
			} else {
				all.splice(place, 0, { field, operations: [operation] });
				place++;
			}
		}
	}
	return all.flatMap(({ field, operations: operation }) =>
		updateDisplayOptions({ show: { resource: [resource], operation } }, [field]),
	);
}

/** What n8n calls for a whole run of an operation, where it knows custom operations. */
export function customOperationsOf({ operations }: Resource): Record<string, CustomOperation> {
	return Object.fromEntries(
		operations.map((operation): [string, CustomOperation] => [
			operation.value,
			runItems(operation),
		]),
	);
}

const SMALL_WORDS = ['from', 'of', 'to'];

/** "List members of group" as "List Members of Group". */
function titleCase(text: string): string {
	return text.replace(/\w+/g, (word) =>
		SMALL_WORDS.includes(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
	);
}

/** The words of every operation, for the node's subtitle: an object literal, by resource and operation. */
export function operationWords(resources: Resource[]): string {
	const words = resources.map(({ value, operations }): [string, Record<string, string>] => [
		value,
		Object.fromEntries(
			operations.map((operation) => [
				operation.value,
				titleCase(operation.action ?? operation.name),
			]),
		),
	]);
	// n8n takes two closing braces for the end of an expression
	return JSON.stringify(Object.fromEntries(words)).replace(/\}\}/g, '} }');
}
