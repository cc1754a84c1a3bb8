import type { INodeProperties, INodePropertyOptions, INodePropertyRouting } from 'n8n-workflow';

import { CometChat } from '../../nodes/CometChat/CometChat.node';
import type { OperationId } from '../../sandbox/contract';
import { type Operation, type Parameter, readOperations, type Schema } from './document';

const contract = new Map(readOperations().map((operation) => [operation.operationId, operation]));

const { properties } = new CometChat().description;

interface Named {
	/** As the node calls it */
	resource: string;
	operation: string;
	/** What it sends: the first, and others that a field or a choice leads to */
	operationIds: OperationId[];
}

const OPERATIONS: Named[] = [
	{ resource: 'group', operation: 'list', operationIds: ['listGroups'] },
	{ resource: 'group', operation: 'get', operationIds: ['getGroup'] },
	{ resource: 'group', operation: 'create', operationIds: ['createGroup'] },
	{ resource: 'group', operation: 'update', operationIds: ['updateGroup'] },
	{ resource: 'group', operation: 'delete', operationIds: ['deleteGroup'] },
	{ resource: 'group', operation: 'listMembers', operationIds: ['listMembers'] },
	{ resource: 'group', operation: 'addMembers', operationIds: ['addMembers'] },
	{ resource: 'group', operation: 'removeMember', operationIds: ['removeMember'] },
	{ resource: 'message', operation: 'send', operationIds: ['sendMessage'] },
	{
		resource: 'message',
		operation: 'list',
		operationIds: ['listMessages', 'listGroupMessages'],
	},
	{ resource: 'message', operation: 'get', operationIds: ['getMessage'] },
	{ resource: 'message', operation: 'update', operationIds: ['updateMessage'] },
	{ resource: 'message', operation: 'delete', operationIds: ['deleteMessage'] },
	{ resource: 'message', operation: 'addReaction', operationIds: ['addReaction'] },
	{ resource: 'message', operation: 'removeReaction', operationIds: ['removeReaction'] },
	{
		resource: 'message',
		operation: 'listReactions',
		operationIds: ['listReactions', 'listReactionsOf'],
	},
];

/** Sent by the lists to pick from. */
const OF_PICKERS: OperationId[] = ['listUsers'];

/** Where a page begins: no field, as the node pages by itself. */
const CURSOR = ['affix', 'id', 'sentAt'];

const isCursor = ({ operationIds: [first] }: Named) =>
	['listMessages', 'listReactions'].includes(first);

function contractsOf({ operationIds }: Named): Operation[] {
	return operationIds.map((operationId) => {
		const operation = contract.get(operationId);
		if (!operation) throw new Error(`The contract has no ${operationId}`);
		return operation;
	});
}

function isShown({ displayOptions }: INodeProperties, { resource, operation }: Named): boolean {
	const { show = {} } = displayOptions ?? {};
	return (
		(show.resource?.includes(resource) ?? true) && (show.operation?.includes(operation) ?? true)
	);
}

function isProperty(option: object): option is INodeProperties {
	return 'type' in option && 'name' in option;
}

function isChoice(option: object): option is INodePropertyOptions {
	return 'value' in option;
}

/** The fields of an operation, those in collections too. */
const fieldsOf = (named: Named): INodeProperties[] =>
	properties
		.filter(({ name }) => name !== 'resource' && name !== 'operation')
		.filter((property) => isShown(property, named))
		.flatMap((field) => [field, ...(field.options ?? []).filter(isProperty)]);

/** Where values go: what the fields say, and their choices. */
const routingsOf = (named: Named): INodePropertyRouting[] =>
	fieldsOf(named)
		.flatMap((field) => [field, ...(field.options ?? []).filter(isChoice)])
		.flatMap(({ routing }) => routing ?? []);

const sentAs = (named: Named, type: 'query' | 'body') =>
	routingsOf(named).flatMap(({ send }) => (send?.type === type ? (send.property ?? []) : []));

const distinct = (names: string[]) => [...new Set(names)].sort();

function choiceOf({ resource, operation }: Named): INodePropertyOptions {
	const choice = properties
		.filter(({ name, displayOptions }) => {
			const resources = displayOptions?.show?.resource ?? [];
			return name === 'operation' && resources.includes(resource);
		})
		.flatMap(({ options = [] }) => options.filter(isChoice))
		.find(({ value }) => value === operation);
	if (!choice) throw new Error(`The node has no ${resource} ${operation}`);
	return choice;
}

const urlsOf = (named: Named): string[] =>
	[choiceOf(named), ...routingsOf(named).map((routing) => ({ routing }))].flatMap(
		({ routing }) => routing?.request?.url ?? [],
	);

const namesInPlace = (operations: Operation[], place: Parameter['in']) =>
	distinct(
		operations.flatMap(({ parameters }) =>
			parameters.filter((parameter) => parameter.in === place).map(({ name }) => name),
		),
	);

test('The node has every operation of the contract, and no other', () => {
	const used = OPERATIONS.flatMap(({ operationIds }) => operationIds);
	expect([...used, ...OF_PICKERS].sort()).toEqual([...contract.keys()].sort());
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options
				.filter(isChoice)
				.map(({ value }) => `${String(displayOptions?.show?.resource?.[0])} ${String(value)}`),
		);
	expect(offered.sort()).toEqual(
		OPERATIONS.map(({ resource, operation }) => `${resource} ${operation}`).sort(),
	);
});

describe.each(OPERATIONS)('$resource $operation', (named) => {
	const contracts = contractsOf(named);

	test('has the method and the paths of the contract', () => {
		const placeholders = (template: string) => template.replace(/\{\w+\}/g, '{}');
		for (const { method } of contracts) {
			expect(choiceOf(named).routing?.request?.method).toBe(method);
		}
		expect(urlsOf(named).map(placeholders).sort()).toEqual(
			contracts.map(({ path }) => placeholders(path)).sort(),
		);
	});

	test('has a field for each parameter of the paths, required where there is no other path', () => {
		const fields = fieldsOf(named);
		const namesIn = (url: string) => [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		for (const url of urlsOf(named)) {
			for (const name of namesIn(url)) {
				const isInAll = urlsOf(named).every((each) => namesIn(each).includes(name));
				const field = fields.find((each) => each.name === name);
				expect(field).toBeDefined();
				if (isInAll) expect(field?.required).toBe(true);
			}
		}
	});

	test('has a field for each query parameter of the contract, and no other', () => {
		const inContract = namesInPlace(contracts, 'query').filter(
			(name) => !isCursor(named) || !CURSOR.includes(name),
		);
		// How many reactions there are on a page is up to the service
		const expected = named.operation === 'listReactions' ? [] : inContract;
		expect(distinct(sentAs(named, 'query'))).toEqual(expected);
	});

	test('has a field for each part of the body of the contract, and no other', () => {
		const leaves = (schema: Schema = {}, prefix = ''): string[] =>
			Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
				inner.properties ? leaves(inner, `${prefix}${name}.`) : `${prefix}${name}`,
			);
		const constants = routingsOf(named).flatMap(({ request }) => Object.keys(request?.body ?? {}));
		expect(distinct([...sentAs(named, 'body'), ...constants])).toEqual(
			distinct(contracts.flatMap(({ body }) => leaves(body))),
		);
	});

	test('has On Behalf Of where the contract has it, required where it requires it', () => {
		const headers = contracts.flatMap(({ parameters }) =>
			parameters.filter((parameter) => parameter.in === 'header'),
		);
		expect(namesInPlace(contracts, 'header')).toContain('apikey');
		const inContract = headers.filter(({ name }) => name === 'onBehalfOf');
		const field = fieldsOf(named).find(({ name }) => name === 'onBehalfOf');
		expect(field !== undefined).toBe(inContract.length > 0);
		expect(field?.required ?? false).toBe(inContract.some(({ required }) => required));
	});
});

interface Pair {
	label: string;
	field: INodeProperties;
	schema: Schema;
}

/** Fields beside what the contract says about their values. */
const PAIRS: Pair[] = OPERATIONS.flatMap((named) =>
	contractsOf(named).flatMap(({ operationId, parameters, body }) => {
		const query = parameters.filter((parameter) => parameter.in === 'query');
		const schemas: Record<string, Schema> = {
			...body?.properties,
			...Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
		};
		return fieldsOf(named).flatMap((field) => {
			const property = field.routing?.send?.property ?? '';
			return property in schemas
				? { label: `${operationId} ${field.name}`, field, schema: schemas[property] }
				: [];
		});
	}),
);

describe('A field', () => {
	const choices = ({ options = [] }: INodeProperties) =>
		options.filter(isChoice).map(({ value }) => String(value));

	const closed = PAIRS.filter(({ schema }) => schema.enum ?? schema.items?.enum);

	test.each(closed)('$label offers the values that the contract allows', ({ field, schema }) => {
		expect(choices(field).sort()).toEqual([...(schema.enum ?? schema.items?.enum ?? [])].sort());
	});

	test.each(PAIRS)(
		'$label takes one or several values as the contract does',
		({ field, schema }) => {
			const takesSeveral =
				field.type === 'multiOptions' || field.typeOptions?.multipleValues === true;
			expect(takesSeveral).toBe(schema.type === 'array');
		},
	);

	test.each(PAIRS.filter(({ schema }) => schema.type === 'object'))(
		'$label takes JSON as the contract does',
		({ field }) => {
			expect(field.type).toBe('json');
		},
	);

	test.each(PAIRS.filter(({ field: { type } }) => type === 'number'))(
		'$label has the limits of the contract',
		({ field: { typeOptions }, schema: { minimum, maximum } }) => {
			expect(typeOptions?.minValue).toBe(minimum);
			expect(typeOptions?.maxValue).toEqual(maximum ?? expect.any(Number));
		},
	);
});
