import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';

import { CometChat } from '../../nodes/CometChat/CometChat.node';
import type { Operation } from '../../nodes/CometChat/description/types';
import { resources } from '../../nodes/CometChat/resources';
import { CASES, type OperationExample } from './cases';
import { AS_TOOL } from './harness';

/** The two ways in which n8n runs the node. */
export const WAYS: Array<[string, Partial<INode>]> = [
	['custom operations', {}],
	["n8n's RoutingNode", AS_TOOL],
];

/** An operation of the node, as it describes itself, with its case. */
export interface OperationCase extends Omit<OperationExample, 'otherwise'> {
	/** Its resource and its value, e.g. "group list" */
	key: string;
	/** As its action is called, e.g. "Get message" */
	name: string;
	/** Who it acts for, where it cannot do without */
	uid?: string;
	returns: 'one' | 'many' | 'each';
	/** What it changes, in the words of the error for an unknown outcome */
	change?: Operation['change'];
	/** All that lead to a path of their own, the first of them what stands here */
	paths: Array<{ parameters: INodeParameters; wire: string }>;
}

/** Every operation that the node declares, by its resource and its value. */
export const ALL: Array<{ key: string; file: string; operation: Operation }> = resources.flatMap(
	({ value: resource, operations }) =>
		operations.map((operation) => ({
			key: `${resource} ${operation.value}`,
			file: `nodes/CometChat/resources/${resource}/${operation.value}.operation.ts`,
			operation,
		})),
);

/** Those that are a request for each item. */
export const DECLARED = ALL.filter(({ operation }) => operation.customRunner === undefined);

/** The paths that an operation may be sent to: its own first, then those of fields and of their values. */
export function urlsOf({ routing, fields }: Operation): string[] {
	const within = fields.flatMap((field) => [
		field,
		...(field.options ?? []).filter((option) => 'value' in option || 'type' in option),
	]);
	return [{ routing }, ...within].flatMap(({ routing: own }) => own?.request?.url ?? []);
}

function returnsOf({ response }: Operation): OperationCase['returns'] {
	if ('many' in response) return 'many';
	return 'each' in response ? 'each' : 'one';
}

/** Every operation that has a case: a test of its own says which have none. */
export const OPERATIONS: OperationCase[] = DECLARED.flatMap(({ key, operation }) => {
	if (!(key in CASES)) return [];
	const { otherwise = [], ...own } = CASES[key];
	const [resource] = key.split(' ');
	const parameters = { resource, operation: operation.value, ...own.parameters };
	const { onBehalfOf } = parameters as INodeParameters;
	return {
		...own,
		key,
		name: String(operation.action),
		parameters,
		uid: onBehalfOf === undefined ? undefined : String(onBehalfOf),
		returns: returnsOf(operation),
		change: operation.change,
		paths: [{ parameters, wire: own.wire }, ...otherwise].map((path) => ({
			...path,
			parameters: { ...parameters, ...path.parameters },
		})),
	};
});

/** Operations in both ways: name of the operation, of the way, the operation, the node's settings. */
export const OPERATIONS_IN_BOTH_WAYS = OPERATIONS.flatMap((operation) =>
	WAYS.map(([way, settings]): [string, string, OperationCase, Partial<INode>] => [
		operation.name,
		way,
		operation,
		settings,
	]),
);

const { properties } = new CometChat().description;

function isShownFor({ displayOptions }: INodeProperties, parameters: INodeParameters): boolean {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	const fits = (allowed: unknown[], name: string) =>
		allowed.length === 0 || allowed.includes(parameters[name]);
	return fits(resource, 'resource') && fits(operation, 'operation');
}

/** The fields of an operation as the editor shows them, among its parameters or in the Settings. */
export function fieldsOf({ parameters }: OperationCase): INodeProperties[] {
	return properties.filter((property) => isShownFor(property, parameters));
}
