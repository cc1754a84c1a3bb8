import type { IExecuteFunctions, INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { resolveReferences } from './itemReference';

/** True if a saved parameter contains an expression at any depth. */
export function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	return typeof saved === 'object' && saved !== null && Object.values(saved).some(hasExpression);
}

/** Reader of the parameters of an item or a trigger. */
export interface ParameterReader {
	/** Reads a parameter with its expressions resolved, or returns the fallback if it is missing */
	read: (name: string, fallback: NodeParameterValueType) => unknown;
	/** Parameters as saved, with their expressions */
	parameters: INodeParameters;
	/** IANA name of the workflow's time zone, for dates without an offset */
	timezone: string;
}

/** Reader of the parameters of a single item or a trigger. */
export function createParameterReader(context: {
	getNodeParameter(name: string, fallback: NodeParameterValueType): unknown;
	getNode(): { parameters: INodeParameters };
	getTimezone(): string;
}): ParameterReader {
	return {
		read: (name, fallback) => context.getNodeParameter(name, fallback),
		parameters: context.getNode().parameters,
		timezone: context.getTimezone(),
	};
}

/**
 * Readers of the parameters of a run's items. A parameter without an expression is read once for all
 * items. n8n's RoutingNode would evaluate each expression three times per item.
 */
export function createItemReaders(
	context: IExecuteFunctions,
): (itemIndex: number) => ParameterReader {
	const { parameters } = context.getNode();
	const timezone = context.getTimezone();
	const items = context.getInputData();
	const constants = new Map<string, unknown>();
	const read = (itemIndex: number, name: string, fallback: NodeParameterValueType): unknown => {
		if (constants.has(name)) return constants.get(name);
		const isConstant = !hasExpression(parameters[name]);
		if (!isConstant) {
			// A plain lookup in `$json`, because n8n's own proxy for it is slow
			const resolved = resolveReferences(parameters[name], () => items[itemIndex].json);
			if (resolved !== undefined) return resolved;
		}
		// The operation validates its values itself
		const value = context.getNodeParameter(name, itemIndex, fallback, { skipValidation: true });
		if (isConstant) constants.set(name, value);
		return value;
	};
	return (itemIndex) => ({
		read: (name, fallback) => read(itemIndex, name, fallback),
		parameters,
		timezone,
	});
}
