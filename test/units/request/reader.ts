import type { ParameterReader } from '../../../nodes/CometChat/request/parameterReader';

/** An item's parameters, as returned by n8n. */
export type Parameters = Record<string, unknown>;

/** Reads parameters as n8n does. @param expressions names of the parameters that contain an expression */
export const createReader = (given: Parameters, expressions: string[] = []): ParameterReader => ({
	read: (name, fallback) => (name in given ? given[name] : fallback),
	readSaved: (name) => (expressions.includes(name) ? '={{ $json.a }}' : given[name]),
	isTool: false,
	timezone: 'Europe/Berlin',
});
