import type { IExecuteFunctions, INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { resolveReferences } from './itemReference';

/** Whether a parameter, as it was saved, holds an expression anywhere. */
export function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	return typeof saved === 'object' && saved !== null && Object.values(saved).some(hasExpression);
}

/** Where the parameters come from. */
export interface Source {
	/** Reads a parameter, expressions resolved; the fallback is for one that is not there */
	read: (name: string, fallback: NodeParameterValueType) => unknown;
	/** The parameters as they were saved, with their expressions */
	parameters: INodeParameters;
	/** IANA name of the zone of dates without an offset: the workflow's */
	timezone: string;
}

/** The parameters of what is run for one item, or for none: a trigger. */
export function sourceOf(context: {
	getNodeParameter(name: string, fallback: NodeParameterValueType): unknown;
	getNode(): { parameters: INodeParameters };
	getTimezone(): string;
}): Source {
	return {
		read: (name, fallback) => context.getNodeParameter(name, fallback),
		parameters: context.getNode().parameters,
		timezone: context.getTimezone(),
	};
}

/**
 * The parameters of the items of a run; one without an expression is the same for all, and read once.
 * n8n's RoutingNode would evaluate each expression three times for each item.
 */
export function sourcesOf(context: IExecuteFunctions): (itemIndex: number) => Source {
	const { parameters } = context.getNode();
	const timezone = context.getTimezone();
	const items = context.getInputData();
	const constants = new Map<string, unknown>();
	const read = (itemIndex: number, name: string, fallback: NodeParameterValueType): unknown => {
		if (constants.has(name)) return constants.get(name);
		const isConstant = !hasExpression(parameters[name]);
		if (!isConstant) {
			// What `$json` is; n8n's own proxy for it is slow
			const resolved = resolveReferences(parameters[name], () => items[itemIndex].json);
			if (resolved !== undefined) return resolved;
		}
		// The operation checks its values itself
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
