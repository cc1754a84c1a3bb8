import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';

import { CometChat } from '../../nodes/CometChat/CometChat.node';
import type { Field, Operation } from '../../nodes/CometChat/types';
import { resources } from '../../nodes/CometChat/resources';
import { choicesOf, listPlaces } from '../fields';
import { CASES, type OperationExample } from './cases';
import { AS_TOOL } from './harness';

/** The two ways in which n8n runs the node, each with a name and the node settings. */
export const WAYS: Array<[string, Partial<INode>]> = [
	['custom operations', {}],
	["n8n's RoutingNode", AS_TOOL],
];

/** An operation, its example parameters, and the resulting request. */
export interface OperationCase extends Omit<OperationExample, 'otherwise'> {
	/** Resource and operation, e.g. "group list" */
	key: string;
	/** Name of the operation's action, e.g. "Get message" */
	name: string;
	/** UID for 'On Behalf Of' */
	uid?: string;
	/** What the response contains: one entity, a list, or a result for each value */
	returns: string;
	changeWords?: Operation['changeWords'];
	/** Parameters and first request for each of the operation's URLs, starting with the example */
	paths: Array<{ parameters: INodeParameters; wire: string }>;
}

export const ALL: Array<{ key: string; file: string; operation: Operation }> = resources.flatMap(
	({ value: resource, operations }) =>
		operations.map((operation) => ({
			key: `${resource} ${operation.value}`,
			file: `nodes/CometChat/resources/${resource}/${operation.value}.operation.ts`,
			operation,
		})),
);

/** All operations except operations with a custom runner, e.g. Send and Wait, and Answer, which needs a trigger. */
export const DECLARED = ALL.filter(
	({ operation: { hasOwnRunner, fromEarlierNodes } }) =>
		!hasOwnRunner && fromEarlierNodes === undefined,
);

/** Lists an operation's possible request paths. The default comes first, then paths that fields select. */
export function urlsOf({ routing, fields }: Operation): string[] {
	const within = listPlaces(fields).flatMap(({ field }) => [field, ...choicesOf(field)]);
	return [{ routing }, ...within].flatMap(({ routing: own }) => own?.request?.url ?? []);
}

/** Values for fields that a choice or another field requires. */
export const REQUIRED: INodeParameters = {
	...{ groupId: 'all-hands', userId: 'leo', text: 'x', password: 'x' },
	...{ customType: 'x', customData: { a: 1 }, fields: ['id'], searchKey: 'x' },
	attachments: { attachment: [{ url: 'https://example.com/a.png' }] },
};

/** All operations that have an example. */
export const OPERATIONS: OperationCase[] = DECLARED.flatMap(({ key, operation }) => {
	if (!(key in CASES)) return [];
	const { otherwise = [], ...own } = CASES[key];
	const [resource] = key.split(' ');
	const parameters = { resource, operation: operation.value, ...own.parameters };
	const { onBehalfOf } = parameters as INodeParameters;
	return {
		...own,
		key,
		name: operation.action,
		parameters,
		uid: own.uid ?? (onBehalfOf === undefined ? undefined : String(onBehalfOf)),
		returns: Object.keys(operation.response)[0],
		changeWords: operation.changeWords,
		paths: [{ parameters, wire: own.wire }, ...otherwise].map((path) => ({
			...path,
			parameters: { ...parameters, ...path.parameters },
		})),
	};
});

/** A value in an operation's parameters, with the field that it belongs to. */
export interface PlacedValue {
	field: Field;
	value: unknown;
	remove: () => void;
}

/**
 * Removes values that the node rejects because other values exclude them, or because a value that they need is
 * missing.
 *
 * @param isLater true to keep a value, and remove the values that it excludes
 * @returns true if values were removed
 */
export function removeContradictions(placed: PlacedValue[], isLater = false): boolean {
	let isChanged = false;
	const isSet = ({ value }: PlacedValue) => ![undefined, null, '', false].includes(value as string);
	for (const place of placed.filter(isSet)) {
		const { field, value, remove } = place;
		const choices = choicesOf(field).filter((choice) => [value].flat().includes(choice.value));
		const named = (names: string[] = []) =>
			placed.filter((each) => names.includes(each.field.name) && isSet(each));
		for (const { needs = [], excludes } of [field, ...choices]) {
			const excluded = named(excludes);
			const isRemoved = named(needs).length < needs.length || (excluded.length > 0 && !isLater);
			for (const each of isRemoved ? [{ ...place, remove }] : excluded) {
				each.remove();
				(isRemoved ? place : each).value = undefined;
				isChanged = true;
			}
		}
	}
	return isChanged;
}

/** True if the operation's request is never repeated, because it could make a change twice. */
export const isSentOnce = ({ wire }: OperationCase) => /^(POST|PATCH)/.test(wire);

const { properties } = new CometChat().description;

/** Lists the fields that the editor shows for an operation, including the fields on the Settings tab. */
export const fieldsOf = ({ parameters }: Pick<OperationCase, 'parameters'>): INodeProperties[] =>
	properties.filter(({ displayOptions }) =>
		['resource', 'operation'].every((name) => {
			return displayOptions?.show?.[name]?.includes(parameters[name] as string) ?? true;
		}),
	);
