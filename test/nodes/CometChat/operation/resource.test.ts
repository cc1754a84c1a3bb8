import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	customOperationsOf,
	operationWords,
	propertiesOf,
} from '../../../../nodes/CometChat/operation/resource';
import type { Entity, Operation, Resource } from '../../../../nodes/CometChat/operation/types';

const text = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name.toUpperCase(),
	name,
	type: 'string',
	default: '',
	...more,
});

const thing: Entity = { name: 'thing', plural: 'things', id: 'id', columns: {} };

const operation = (value: string, fields: INodeProperties[]): Operation => ({
	name: value.charAt(0).toUpperCase() + value.slice(1),
	value,
	action: `${value} one thing from a list of others to see`,
	description: `Do ${value}`,
	routing: { request: { method: 'GET', url: `/${value}` } },
	response: { one: thing },
	fields,
});

const resource = (value: string, operations: Operation[]): Resource => ({
	name: `The ${value}`,
	value,
	description: `What to do with ${value}`,
	operations,
	defaultOperation: operations[0].value,
});

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => text(name));

const namesFor = (properties: INodeProperties[], value: string) =>
	properties
		.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(value))
		.map(({ name }) => name);

describe('the properties of the node', () => {
	const properties = propertiesOf([
		resource('x', [operation('zoom', [a, b]), operation('add', [c, a, d])]),
		resource('y', [operation('get', [a])]),
	]);

	test('begin with the menu of resources, and each resource with that of its operations', () => {
		const [menu, ofX] = properties;
		expect(menu).toMatchObject({
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'The x', value: 'x' },
				{ name: 'The y', value: 'y' },
			],
			default: 'group',
		});
		expect(ofX).toMatchObject({
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: ['x'] } },
			default: 'zoom',
			description: 'What to do with x',
		});
	});

	test('have the operations in the order of the alphabet', () => {
		expect(properties[1].options?.map(({ name }) => name)).toEqual(['Add', 'Zoom']);
	});

	test('have an operation whose request a pagination function sends', () => {
		const [add] = (properties[1].options ?? []) as INodePropertyOptions[];
		expect(add).toEqual({
			name: 'Add',
			value: 'add',
			action: 'add one thing from a list of others to see',
			description: 'Do add',
			routing: {
				request: { method: 'GET', url: '/add' },
				operations: { pagination: expect.any(Function) },
				send: { paginate: true },
			},
		});
	});

	test('have a field that several operations share once, in an order that suits all', () => {
		const ofX = properties.filter(
			({ name, displayOptions }) =>
				name !== 'operation' && displayOptions?.show?.resource?.includes('x'),
		);
		expect(namesFor(ofX, 'zoom')).toEqual(['a', 'b']);
		expect(namesFor(ofX, 'add')).toEqual(['c', 'a', 'd']);
		expect(ofX).toHaveLength(4);
		expect(ofX.find(({ name }) => name === 'a')?.displayOptions).toEqual({
			show: { resource: ['x'], operation: ['zoom', 'add'] },
		});
	});

	test('have a field twice where no order would suit all', () => {
		const crossed = propertiesOf([
			resource('x', [operation('one', [a, b]), operation('two', [b, a])]),
		]).slice(2);
		expect(namesFor(crossed, 'one')).toEqual(['a', 'b']);
		expect(namesFor(crossed, 'two')).toEqual(['b', 'a']);
	});

	test('keep the conditions that a field has itself', () => {
		const field = text('e', { displayOptions: { show: { a: ['x'] } } });
		const [, , , shown] = propertiesOf([resource('x', [operation('one', [a, field])])]);
		expect(shown.displayOptions).toEqual({
			show: { resource: ['x'], operation: ['one'], a: ['x'] },
		});
	});
});

test('each operation runs itself where n8n knows custom operations', () => {
	const custom = customOperationsOf(resource('x', [operation('one', []), operation('two', [])]));
	expect(custom).toEqual({ one: expect.any(Function), two: expect.any(Function) });
});

describe('the words of the operations', () => {
	const words = operationWords([
		resource('x', [operation('get', []), { ...operation('add', []), action: undefined }]),
		resource('y', [operation('list', [])]),
	]);

	test('are by resource and operation, in Title Case', () => {
		expect(JSON.parse(words)).toEqual({
			x: { get: 'Get One Thing from A List of Others to See', add: 'Add' },
			y: { list: 'List One Thing from A List of Others to See' },
		});
	});

	test('hold nothing that n8n takes for the end of an expression', () => {
		expect(words).not.toContain('}}');
	});
});
