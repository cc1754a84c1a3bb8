import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { CometChat } from '../../nodes/CometChat/CometChat.node';
import { type Operation, type Parameter, readOperations, type Schema } from './document';

const contract = new Map(readOperations().map((operation) => [operation.operationId, operation]));

const { properties } = new CometChat().description;

const OPERATIONS = [
	{ operationId: 'listGroups', resource: 'group', operation: 'list' },
	{ operationId: 'getMessage', resource: 'message', operation: 'get' },
	{ operationId: 'removeReaction', resource: 'message', operation: 'removeReaction' },
] as const;

type Named = (typeof OPERATIONS)[number];

/** Options that are about how a request is sent, not about what is asked for. */
const NOT_OF_THE_SERVICE = ['maxTries', 'maxWait'];

function contractOf({ operationId }: Named): Operation {
	const operation = contract.get(operationId);
	if (!operation) throw new Error(`The contract has no ${operationId}`);
	return operation;
}

function isShown({ displayOptions }: INodeProperties, { resource, operation }: Named): boolean {
	const { show = {} } = displayOptions ?? {};
	return (
		(show.resource?.includes(resource) ?? true) && (show.operation?.includes(operation) ?? true)
	);
}

const fieldsOf = (named: Named) => properties.filter((property) => isShown(property, named));

function isProperty(option: object): option is INodeProperties {
	return 'type' in option && 'name' in option;
}

function isChoice(option: object): option is INodePropertyOptions {
	return 'value' in option;
}

/** Fields inside the collections of an operation that go into the query. */
const queryFields = (named: Named): INodeProperties[] =>
	fieldsOf(named)
		.filter(({ type }) => type === 'collection')
		.flatMap(({ options = [] }) => options.filter(isProperty))
		.filter(({ name }) => !NOT_OF_THE_SERVICE.includes(name));

function requestOf({ resource, operation }: Named) {
	const choice = properties
		.filter(({ name, displayOptions }) => {
			const resources = displayOptions?.show?.resource ?? [];
			return name === 'operation' && resources.includes(resource);
		})
		.flatMap(({ options = [] }) => options.filter(isChoice))
		.find(({ value }) => value === operation);
	const { method, url } = choice?.routing?.request ?? {};
	return { method, url: String(url) };
}

const inPlace = ({ parameters }: Operation, place: Parameter['in']) =>
	parameters.filter((parameter) => parameter.in === place);

const names = (parameters: Array<{ name: string }>) => parameters.map(({ name }) => name).sort();

test('Every operation of the node is in the contract, and tested here', () => {
	expect([...contract.keys()]).toEqual(
		expect.arrayContaining(OPERATIONS.map(({ operationId }) => operationId)),
	);
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options.filter(isChoice).map(({ value }) => value));
	expect(offered.sort()).toEqual(OPERATIONS.map(({ operation }) => operation as string).sort());
});

describe.each(OPERATIONS)('$operationId', (named) => {
	test('has the method and path of the contract', () => {
		const { method, path } = contractOf(named);
		const request = requestOf(named);
		const placeholders = (template: string) => template.replace(/\{\w+\}/g, '{}');
		expect(request.method).toBe(method);
		expect(placeholders(request.url)).toBe(placeholders(path));
	});

	test('has a required field for each parameter of the path', () => {
		const inUrl = [...requestOf(named).url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		expect(inUrl.length).toBe(inPlace(contractOf(named), 'path').length);
		for (const name of inUrl) {
			expect(fieldsOf(named).find((field) => field.name === name)?.required).toBe(true);
		}
	});

	test('has a field for each query parameter of the contract, and no other', () => {
		expect(names(queryFields(named))).toEqual(names(inPlace(contractOf(named), 'query')));
	});

	test('has On Behalf Of, required where the contract requires it', () => {
		const headers = inPlace(contractOf(named), 'header');
		expect(names(headers)).toEqual(['apikey', 'onBehalfOf']);
		const { required } = headers.find(({ name }) => name === 'onBehalfOf') ?? {};
		const field = fieldsOf(named).find(({ name }) => name === 'onBehalfOf');
		expect(field).toBeDefined();
		expect(field?.required ?? false).toBe(required ?? false);
	});
});

describe('A field of List', () => {
	const [list] = OPERATIONS;
	const schemas = new Map(
		inPlace(contractOf(list), 'query').map(({ name, schema }) => [name, schema]),
	);
	const fields = queryFields(list).map((field): [string, INodeProperties, Schema] => [
		field.name,
		field,
		schemas.get(field.name) ?? {},
	]);

	test.each(fields)('%s offers the values that the contract allows', (_, field, schema) => {
		const allowed = schema.enum ?? schema.items?.enum;
		const offered = field.options?.filter(isChoice).map(({ value }) => String(value));
		expect(offered && [...offered].sort()).toEqual(allowed && [...allowed].sort());
	});

	test.each(fields)('%s takes one or several values as the contract does', (_, field, schema) => {
		const takesSeveral =
			field.type === 'multiOptions' || field.typeOptions?.multipleValues === true;
		expect(takesSeveral).toBe(schema.type === 'array');
	});

	test.each(fields.filter(([, { type }]) => type === 'number'))(
		'%s has the limits of the contract',
		(_, { typeOptions }, { minimum, maximum }) => {
			expect(typeOptions?.minValue).toBe(minimum);
			expect(typeOptions?.maxValue).toBe(maximum);
		},
	);
});
