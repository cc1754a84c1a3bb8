import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import type { Field, Operation as Declaration } from '../../nodes/CometChat/types';
import { DECLARED, fieldsOf, urlsOf } from '../actionNode/operations';
import { choicesOf, listPlaces } from '../fields';
import { CONTRACT, type Operation, type Parameter, type Schema } from './document';

/** Pagination parameters that the node sets automatically, by type of pagination. */
const PAGING: Record<string, string[]> = {
	page: [],
	id: ['affix', 'id', 'sentAt'],
	cursor: ['affix', 'id', 'sentAt', 'limit'],
	pageOrCursor: ['page', 'affix', 'id', 'sentAt'],
	queue: ['limit'],
};

/** Replaces each path parameter in a URL template with `{}`. */
const placeholders = (template: string) => template.replace(/\{\w+\}/g, '{}');

/** Returns the method and path of each request that an operation can send. */
const requestsOf = (operation: Declaration): string[] =>
	urlsOf(operation).map((url) => `${operation.routing?.request?.method} ${placeholders(url)}`);

const requestOf = ({ method, path }: Operation) => `${method} ${placeholders(path)}`;

/** Operations as the node's description shows them to n8n. */
const OPERATIONS = DECLARED.map(({ key, file, operation: { response } }) => {
	const [resource, value] = key.split(' ');
	const shown = fieldsOf({ parameters: { resource, operation: value } });
	const menu = shown.find(({ name }) => name === 'operation') ?? {};
	const { routing } = choicesOf(menu).find((choice) => choice.value === value) ?? {};
	const fields = shown.filter(({ name }) => !['resource', 'operation'].includes(name));
	const operation = { routing, fields, response } as Declaration;
	const requests = requestsOf(operation);
	const contracts = CONTRACT.filter((each) => requests.includes(requestOf(each)));
	return { key, file, operation, contracts };
});

/** Returns an operation's fields, including those nested in collections. */
const nestedFieldsOf = ({ fields }: Declaration): Field[] =>
	listPlaces(fields).map(({ field }) => field);

/** Returns the routing settings of an operation, its fields, and their options. */
const routingsOf = (operation: Declaration): INodePropertyRouting[] =>
	[operation, ...nestedFieldsOf(operation).flatMap((each) => [each, ...choicesOf(each)])].flatMap(
		({ routing }) => routing ?? [],
	);

/** Returns the names under which a field's value is sent. */
const sentByField = (send: INodePropertyRouting['send'], type: 'query' | 'body'): string[] =>
	// Private data is sent as part of the metadata, for which the contract allows any content
	send?.type === type ? [send.property?.replace(/\.@private\..*/, '') ?? []].flat() : [];

const sentAs = (operation: Declaration, type: 'query' | 'body') =>
	routingsOf(operation).flatMap(({ send, request }) => [
		...(type === 'query' ? Object.keys(request?.qs ?? {}) : []),
		...sentByField(send, type),
	]);

const distinct = (names: string[]) => [...new Set(names)].sort();

const namesInPlace = (operations: Operation[], place: Parameter['in']) =>
	distinct(
		operations.flatMap(({ parameters }) =>
			parameters.filter((parameter) => parameter.in === place).map(({ name }) => name),
		),
	);

test('The contract contains exactly the requests of the node', () => {
	const inContract = CONTRACT.map(requestOf);
	const missing = OPERATIONS.flatMap(({ file, operation }) =>
		requestsOf(operation)
			.filter((request) => !inContract.includes(request))
			.map((request) => `tools/sandbox/openapi.yaml has no ${request}, which ${file} sends`),
	);
	const sent = OPERATIONS.flatMap(({ contracts }) => contracts);
	const spare = CONTRACT
		// The lists of reasons and roles send the first two, and the bot trigger sets up bots
		.filter((each) => !sent.includes(each))
		.filter(({ operationId }) => !['listReasons', 'listRoles'].includes(operationId))
		.filter(({ tags }) => !tags.includes('bots'))
		.map((each) => `tools/sandbox/openapi.yaml has ${each.operationId}, which no operation sends`);
	expect([...missing, ...spare]).toEqual([]);
});

describe.each(OPERATIONS)('$key', ({ key, operation, contracts }) => {
	test("has fields for exactly the contract's query parameters", () => {
		const own = 'many' in operation.response ? PAGING[operation.response.pagedBy] : [];
		const known = namesInPlace(contracts, 'query').filter((name) => !own.includes(name));
		const sent = distinct(sentAs(operation, 'query'));
		const [{ operationId }] = contracts;
		expect([
			...sent
				.filter((name) => !known.includes(name))
				.map((name) => `tools/sandbox/openapi.yaml has no parameter ${name} of ${operationId}`),
			...known
				.filter((name) => !sent.includes(name))
				.map(
					(name) => `${key} has no field for the parameter ${name} of tools/sandbox/openapi.yaml`,
				),
		]).toEqual([]);
	});

	test("has fields for exactly the contract's body properties", () => {
		const leaves = (schema: Schema = {}, prefix = ''): string[] =>
			Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
				inner.properties ? leaves(inner, `${prefix}${name}.`) : `${prefix}${name}`,
			);
		const constants = routingsOf(operation).flatMap(({ request }) =>
			Object.keys(request?.body ?? {}),
		);
		expect(distinct([...sentAs(operation, 'body'), ...constants])).toEqual(
			distinct(contracts.flatMap(({ body }) => leaves(body))),
		);
	});

	test('has On Behalf Of, optional or required, exactly as the contract declares', () => {
		const headers = contracts.flatMap(({ parameters }) =>
			parameters.filter((parameter) => parameter.in === 'header'),
		);
		const inContract = headers.filter(({ name }) => name === 'onBehalfOf');
		const field = nestedFieldsOf(operation).find(({ name }) => name === 'onBehalfOf');
		// Get Member acts on behalf of the user in another field
		if (key === 'group getMember') {
			expect([field, inContract.length]).toEqual([undefined, 1]);
			return;
		}
		expect(field !== undefined).toBe(inContract.length > 0);
		// Send to a thread needs 'Send As'
		const isNeeded = nestedFieldsOf(operation).some(
			({ needs, routing }) => routing?.request?.url && needs?.includes('onBehalfOf'),
		);
		expect(field?.required || isNeeded).toBe(inContract.some(({ required }) => required));
	});
});

interface Pair {
	label: string;
	field: INodeProperties;
	schema: Schema;
}

/** The operations' fields, each paired with the contract's schema for its value. */
const PAIRS: Pair[] = OPERATIONS.flatMap(({ operation, contracts }) =>
	contracts.flatMap(({ operationId, parameters, body }) => {
		const query = parameters.filter((parameter) => parameter.in === 'query');
		const schemas: Record<string, Schema> = {
			...body?.properties,
			...Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
		};
		return nestedFieldsOf(operation).flatMap((field) => {
			const property = field.routing?.send?.property ?? '';
			return property in schemas
				? { label: `${operationId} ${field.name}`, field, schema: schemas[property] }
				: [];
		});
	}),
);

test.each(PAIRS)('$label accepts the values that the contract allows', ({ field, schema }) => {
	const { type, typeOptions } = field;
	const allowed = schema.enum ?? schema.items?.enum;
	const choices = choicesOf(field).map(({ value }) => String(value));
	if (allowed) expect(choices.sort()).toEqual([...allowed].sort());
	const takesSeveral = type === 'multiOptions' || typeOptions?.multipleValues === true;
	expect(takesSeveral).toBe(schema.type === 'array');
	if (schema.type === 'object') expect(type).toBe('json');
	if (type !== 'number') return;
	expect(typeOptions?.minValue).toBe(schema.minimum);
	expect(typeOptions?.maxValue).toEqual(schema.maximum ?? expect.any(Number));
});
