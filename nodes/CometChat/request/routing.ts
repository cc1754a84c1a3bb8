import type { IDataObject, IHttpRequestMethods, INodePropertyRouting } from 'n8n-workflow';

import { InputError } from '../errors/describedErrors';
import { asObjectOrEmpty, valueToText, mergeDeeply, setFieldAtPath } from '../helpers/json';
import { expandPath, findSegmentProblem, listPlaceholders } from '../transport/path';
import type { RestRequest } from '../transport/restTypes';
import type { Field, Operation, ParameterValues } from '../types';
import { flattenValues, findLabelByFieldName, listFieldsAndCollectionFields } from './fieldTree';
import { joinCheckedForQuery } from './lists';
import type { CheckedFieldValues } from './readFields';

/** Request under construction. */
interface RequestDraft {
	method: IHttpRequestMethods;
	/** Path with placeholders, e.g. "/users/{userId}" */
	url: string;
	query: IDataObject;
	headers: Record<string, string>;
	body: IDataObject;
}

/** Fields of an operation or a trigger, and how the request is built from them. */
export type FieldsAndRouting = Pick<Operation, 'fields'> &
	Partial<Pick<Operation, 'name' | 'routing' | 'fromEarlierNodes'>>;

const NO_ROUTING: INodePropertyRouting = {};

/** Compiled expression or constant from `routing`. Returns its result for a field's value and all parameters' values. */
type Resolve = (value: unknown, values: ParameterValues) => unknown;

/** Applies the `routing` of a field, a choice or an operation to the request. */
type ApplyRouting = (draft: RequestDraft, value: unknown, values: ParameterValues) => void;

const KNOWN_SETTINGS: Record<string, string[]> = {
	routing: ['send', 'request'],
	send: ['type', 'property', 'value'],
	request: ['method', 'url', 'headers', 'qs', 'body'],
};

const createRoutingError = (label: string, problem: string): Error =>
	new Error(`Unusable routing of '${label}': ${problem}`);

/** @throws Error for a setting of n8n's `routing` that this package doesn't support */
function checkSettings(label: string, kind: string, settings: object): void {
	const unknown = Object.keys(settings).find((name) => !KNOWN_SETTINGS[kind]?.includes(name));
	if (unknown === undefined) return;
	throw createRoutingError(label, `"${kind}.${unknown}" is not supported`);
}

/** @throws Error for an expression other than `$value`, `$parameter.NAME`, or a list of these expressions */
function compileExpression(label: string, expression: unknown): Resolve {
	if (Array.isArray(expression)) {
		const entries = expression.map((entry) => compileExpression(label, entry));
		return (value, values) => entries.map((resolve) => resolve(value, values));
	}
	if (typeof expression !== 'string' || !expression.startsWith('=')) return () => expression;
	if (expression === '={{ $value }}') return (value) => value;
	const [, name] = /^=\{\{ \$parameter\.(\w+) \}\}$/.exec(expression) ?? [];
	if (name === undefined) {
		throw createRoutingError(label, `the expression ${expression} is not supported`);
	}
	return (_, values) => values[name];
}

/** @throws Error for a setting or an expression that isn't supported */
function compileRouting(routing: INodePropertyRouting, label: string): ApplyRouting {
	const { send = {}, request = {} } = routing;
	checkSettings(label, 'routing', routing);
	checkSettings(label, 'send', send);
	checkSettings(label, 'request', request);
	const { method, url } = request;
	if (url?.startsWith('=')) {
		throw createRoutingError(label, `the expression ${url} is not supported in a path`);
	}
	const compile = (expression: unknown) => compileExpression(label, expression);
	const compileAll = (expressions: object = {}): Array<[name: string, resolve: Resolve]> =>
		Object.entries(expressions).map(([name, expression]) => [name, compile(expression)]);
	const headers = compileAll(request.headers);
	const query = compileAll(request.qs);
	const body = compileAll(asObjectOrEmpty(request.body));
	const { type, property } = send;
	const resolveSent = compile(send.value ?? '={{ $value }}');
	return (draft, value, values) => {
		if (method !== undefined) draft.method = method;
		if (url !== undefined) draft.url = url;
		for (const [name, resolve] of headers) draft.headers[name] = String(resolve(value, values));
		for (const [name, resolve] of query) {
			// A value that the user set takes precedence over another field's constant
			draft.query[name] ??= resolve(value, values) as string;
		}
		for (const [name, resolve] of body) setFieldAtPath(draft.body, name, resolve(value, values));
		if (property === undefined) return;
		const sent = resolveSent(value, values);
		if (type === 'body') {
			setFieldAtPath(draft.body, property, mergePropertyValues(draft.body[property], sent));
		} else {
			draft.query[property] = Array.isArray(sent)
				? joinCheckedForQuery(label, sent)
				: (sent as string);
		}
	};
}

/** Merges the values of fields that are sent in the same body property. */
function mergePropertyValues(current: unknown, added: unknown): unknown {
	if (!Array.isArray(current) || !Array.isArray(added)) return mergeDeeply(current, added);
	return [...new Set<unknown>(current.concat(added))];
}

const compiledRoutings = new WeakMap<INodePropertyRouting, ApplyRouting>();

/**
 * Returns the compiled `routing` of a field, a choice or an operation.
 *
 * @param label label of the field, or name of the operation
 * @throws Error for a setting or an expression that isn't supported
 */
function getCompiledRouting(routing: INodePropertyRouting, label: string): ApplyRouting {
	const known = compiledRoutings.get(routing);
	if (known) return known;
	const route = compileRouting(routing, label);
	compiledRoutings.set(routing, route);
	return route;
}

/**
 * Compiles the `routing` of an operation, its fields and their choices, so that errors are found when the node loads.
 *
 * @throws Error for a setting or an expression that isn't supported, or for a path that names an unknown field
 */
export function precompileRoutings({
	name = '',
	routing = NO_ROUTING,
	fields,
	fromEarlierNodes,
}: FieldsAndRouting): void {
	const all = listFieldsAndCollectionFields([...(fromEarlierNodes?.fields ?? []), ...fields]);
	const declared = all.flatMap(({ displayName, routing, options = [] }) => [
		{ label: displayName, routing },
		...options.flatMap((choice) =>
			'value' in choice ? { label: displayName, routing: choice.routing } : [],
		),
	]);
	for (const { displayName, options = [] } of all) {
		const inner = options.flatMap((option) => ('values' in option ? option.values : []));
		if (!inner.some((field) => field.routing)) continue;
		throw createRoutingError(displayName, 'entries are sent as a whole');
	}
	for (const { label, routing: each } of [{ label: name, routing }, ...declared]) {
		if (each === undefined) continue;
		getCompiledRouting(each, label);
		for (const parameter of listPlaceholders(each.request?.url ?? '')) {
			if (all.some((field) => field.name === parameter)) continue;
			throw createRoutingError(label, `the path names no field '${parameter}'`);
		}
	}
}

/**
 * Builds a request as declared by the `routing` of the operation, its fields and the chosen options.
 *
 * @throws InputError for a value that can't be a path segment, or if an entry of a list in the query contains a comma
 */
export function buildRequest(
	{ name = '', routing = NO_ROUTING, fields }: FieldsAndRouting,
	{ values, filledFields, unset }: CheckedFieldValues,
): RestRequest {
	const body = unset.length > 0 ? { unset: [...unset] } : {};
	const draft: RequestDraft = { method: 'GET', url: '', query: {}, headers: {}, body };
	getCompiledRouting(routing, name)(draft, undefined, values);
	for (const [{ displayName, type, routing, options = [] }, value] of filledFields) {
		if (routing) getCompiledRouting(routing, displayName)(draft, value, values);
		if (type !== 'options') continue;
		const choice = options.find((each) => 'value' in each && String(each.value) === value);
		if (choice && 'value' in choice && choice.routing) {
			getCompiledRouting(choice.routing, displayName)(draft, value, values);
		}
	}
	const { url, ...request } = draft;
	return { ...request, path: buildPath(url, fields, values) };
}

/** @throws InputError for a value that can't be a path segment, e.g. ".." */
function buildPath(url: string, fields: readonly Field[], values: ParameterValues): string {
	const names = listPlaceholders(url);
	if (names.length === 0) return url;
	const all = flattenValues(fields, values);
	for (const name of names) {
		const problem = findSegmentProblem(valueToText(all[name]));
		if (problem === undefined) continue;
		throw new InputError(
			findLabelByFieldName(fields, name),
			problem,
			'It would change the URL of the request.',
		);
	}
	return expandPath(url, all);
}
