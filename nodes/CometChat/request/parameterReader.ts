import type { IDataObject, IExecuteFunctions, INode, NodeParameterValueType } from 'n8n-workflow';

import { isTool } from '../helpers/tool';
import { isObjectOrArray, isObject } from '../helpers/json';

/** True if a saved parameter contains an expression at any depth. */
export function savedValueHasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	return isObjectOrArray(saved) && Object.values(saved).some(savedValueHasExpression);
}

/** Reads the parameters of an item or a trigger. */
export interface ParameterReader {
	/** Reads a parameter with its expressions resolved, or returns the fallback if the parameter is missing */
	read: (name: string, fallback: NodeParameterValueType) => unknown;
	/** Returns a parameter as the user saved it, with expressions unresolved */
	readSaved: (name: string) => unknown;
	/** True if the node is a tool of an AI agent, so that a model may have filled in parameters */
	isTool: boolean;
	/** IANA name of the workflow's time zone, for dates without an offset */
	timezone: string;
}

/** Creates a reader for the parameters of a single item or a trigger. */
export function createParameterReaderWithoutIndex(context: {
	getNodeParameter(name: string, fallback: NodeParameterValueType): unknown;
	getNode(): Pick<INode, 'parameters' | 'type'>;
	getTimezone(): string;
}): ParameterReader {
	const node = context.getNode();
	return {
		read: (name, fallback) => context.getNodeParameter(name, fallback),
		readSaved: (name) => node.parameters[name],
		isTool: isTool(node),
		timezone: context.getTimezone(),
	};
}

/**
 * Returns a function that creates the reader for an item of a run. A parameter without an expression is read once
 * for all items.
 */
export function createParameterReaderFactory(
	context: IExecuteFunctions,
): (itemIndex: number) => ParameterReader {
	// Called once, because n8n copies the node on each call of `getNode`
	const node = context.getNode();
	const { parameters } = node;
	const isInTool = isTool(node);
	const timezone = context.getTimezone();
	const items = context.getInputData();
	const constants = new Map<string, unknown>();
	const read = (itemIndex: number, name: string, fallback: NodeParameterValueType): unknown => {
		if (constants.has(name)) return constants.get(name);
		const isConstant = !savedValueHasExpression(parameters[name]);
		if (!isConstant) {
			// Read the fields of `$json` directly, because n8n's evaluation is slow
			const resolved = tryResolveItemFieldReferences(parameters[name], items[itemIndex]?.json);
			if (resolved !== undefined) return resolved;
		}
		// n8n's own validation isn't needed, because `readAndCheckFields` checks the values
		const value = context.getNodeParameter(name, itemIndex, fallback, { skipValidation: true });
		if (isConstant) constants.set(name, value);
		return value;
	};
	return (itemIndex) => ({
		read: (name, fallback) => read(itemIndex, name, fallback),
		readSaved: (name) => parameters[name],
		isTool: isInTool,
		timezone,
	});
}

/**
 * Matches an expression that only references one of the item's fields. Dragging a field into a parameter
 * usually creates such an expression.
 */
const FIELD_REFERENCE_PATTERN = /^=\{\{ *\$json((?:\.[A-Za-z_]\w*)+) *\}\}$/;

/**
 * Resolves a parameter whose expressions only reference the item's fields, e.g. `={{ $json.user.uid }}`.
 * Reading a field directly is much faster than n8n's evaluation.
 *
 * @param json the item data that `$json` refers to
 * @returns the resolved value, or undefined if n8n has to evaluate the parameter. n8n has to evaluate other
 * expressions, lists, and references to a field that is missing or isn't a string, number or boolean.
 */
export function tryResolveItemFieldReferences(parameter: unknown, json: unknown): unknown {
	if (typeof parameter === 'string') {
		return parameter.startsWith('=') ? tryResolveItemFieldReference(parameter, json) : parameter;
	}
	if (!isObject(parameter)) return Array.isArray(parameter) ? undefined : parameter;
	const resolved: IDataObject = {};
	for (const [key, inner] of Object.entries(parameter)) {
		const value = tryResolveItemFieldReferences(inner, json);
		if (value === undefined) return undefined;
		resolved[key] = value;
	}
	return resolved;
}

function tryResolveItemFieldReference(expression: string, json: unknown): unknown {
	const [, path] = FIELD_REFERENCE_PATTERN.exec(expression) ?? [];
	if (path === undefined) return undefined;
	let value = json;
	for (const name of path.slice(1).split('.')) {
		if (!isObject(value)) return undefined;
		value = value[name];
	}
	return ['string', 'number', 'boolean'].includes(typeof value) ? value : undefined;
}
