import type {
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import { countText, wholeText } from '../errors/words';
import { executeAlone } from './executeItem';
import { customOperation } from './executeItems';
import { sourceOf } from './parameters';
import type { CustomOperation, Field, Operation, Resource } from './types';

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
			routing: { operations: { pagination: dispatcher(resources) }, send: { paginate: true } },
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

/** The entry in the menu. It has no routing: n8n would act on it without our checks. */
function optionOf({ name, value, action, description }: Operation): INodePropertyOptions {
	return { name, value, action, description };
}

/** A field and the operations that have it. */
interface Shared {
	field: Field;
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

/** What n8n calls for a whole run, by resource and operation. */
export function customOperationsOf(
	resources: Resource[],
): Record<string, Record<string, CustomOperation>> {
	const byResource = resources.map(({ value, operations }) => [
		value,
		Object.fromEntries(
			operations.map((operation) => [
				operation.value,
				(operation.runs ?? customOperation)(operation),
			]),
		),
	]);
	return Object.fromEntries(byResource);
}

/** n8n's value of "Custom API Call", which it adds to both menus. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

function operationOf(
	resources: Resource[],
	{ resource, operation }: INodeParameters,
): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}

/**
 * Makes what n8n's RoutingNode calls for each item. That one runs the node in two cases only: as the
 * tool of an agent, with one item; and when n8n finds no custom operation, since this version of the
 * node does not have what the workflow names. Without this it would request the bare base address.
 */
function dispatcher(resources: Resource[]) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const operation = operationOf(resources, this.getNode().parameters);
		if (operation === undefined) return failed(this, unknownOperation(this));
		if (operation.runs) return failed(this, notAsTool(this, operation));
		const item = { index: this.getItemIndex(), context: this, source: sourceOf(this) };
		const items = await executeAlone(operation, item, executionOf(this));
		if (items.length <= MAX_ITEMS_OF_ROUTING) return items;
		return [...items.slice(0, MAX_ITEMS_OF_ROUTING), ...failed(this, tooMany(this))];
	};
}

/**
 * Most items that one call may return through n8n's RoutingNode: it passes them as arguments of one
 * function call, and that overflows its stack somewhere above 120,000.
 */
const MAX_ITEMS_OF_ROUTING = 100_000;

function tooMany(context: IExecutePaginationFunctions): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`The list has more than ${countText(MAX_ITEMS_OF_ROUTING)} items, which is more than an AI agent can take. Set 'Limit', add a filter, or set 'Output' to 'Pages'.`,
	);
}

/** What is one object for all attempts at a call of an agent, and for no other call: its arguments. */
function executionOf(context: IExecutePaginationFunctions): object {
	return context.getInputData(0, 'ai_tool').json;
}

/** @throws the error, unless the run continues: then it is an item */
function failed(
	context: IExecutePaginationFunctions,
	error: NodeOperationError,
): INodeExecutionData[] {
	if (!context.continueOnFail()) throw error;
	return [{ json: { error: wholeText(error) }, pairedItem: { item: context.getItemIndex() } }];
}

function unknownOperation(context: IExecutePaginationFunctions): NodeOperationError {
	const node = context.getNode();
	const { resource, operation } = node.parameters;
	const itemIndex = context.getItemIndex();
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		return new NodeOperationError(node, 'Custom API Call is not something that this node can do', {
			itemIndex,
			description:
				"Add an HTTP Request node, and choose 'Predefined Credential Type' and 'CometChat API' as its authentication.",
		});
	}
	return new NodeOperationError(
		node,
		`This version of the node has no operation "${String(operation)}" of "${String(resource)}"`,
		{
			itemIndex,
			description:
				"Choose 'Resource' and 'Operation' again, or update the package n8n-nodes-cometchat. They cannot be expressions.",
		},
	);
}

/** An agent of an older kind calls a tool at once, and n8n lets no such call wait. */
function notAsTool(context: IExecutePaginationFunctions, { name }: Operation): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`${name} cannot be the tool of this agent, which waits for no tool. Use version 3 of the AI Agent node.`,
	);
}

const SMALL_WORDS = ['and', 'for', 'from', 'of', 'to'];

/** "List members of group" as "List Members of Group". */
function titleCase(text: string): string {
	return text.replace(/\w+/g, (word) =>
		SMALL_WORDS.includes(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
	);
}

/** Fields that name what an operation works with. */
const TARGETS = ['groupId', 'userId', 'messageId'];

/** The node's subtitle, an expression: the operation and its target, e.g. "Send Message: Makers". */
export function subtitleOf(resources: Resource[]): string {
	const words = `(${operationWords(resources)})[$parameter.resource][$parameter.operation]`;
	// Only there the name beside the value of a picker can be read
	const saved = '$rawParameter.toJSON?.()';
	const names = TARGETS.map(
		(name) => `${saved}?.${name}?.cachedResultName || $rawParameter.${name}`,
	);
	// Neither an expression nor the ID after a name
	const target = `String(${names.join(' || ')} || "").replace(/^=[^]*| \\([\\w-]+\\)$/g, "")`;
	return `={{ ${words} + ${target}.replace(/^(?=.)/, ": ") }}`;
}

/** The words of every operation: an object literal, by resource and operation. */
function operationWords(resources: Resource[]): string {
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
