import type { INodeProperties } from 'n8n-workflow';

import { mergeSharedFields } from '../../../../nodes/CometChat/editor/sharedFields';
import type { Operation, Resource } from '../../../../nodes/CometChat/description/types';

const field = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	...{ displayName: name.toUpperCase(), name, type: 'string', default: '' },
	...more,
});

const operation = (value: string, fields: INodeProperties[]): Operation => ({
	...{ name: value, value, action: value },
	response: { one: { name: 'thing', plural: 'things', id: 'id', columns: {} } },
	fields,
});

const resource = (value: string, operations: Record<string, string[]>): Resource => ({
	...{ name: value, value, description: '', defaultOperation: '' },
	operations: Object.entries(operations).map(([name, fields]) =>
		operation(
			name,
			fields.map((each) => field(each)),
		),
	),
});

/** Each property as "name: resources, operations". */
const shown = (resources: Resource[]) =>
	mergeSharedFields(resources).map(({ name, displayOptions }) => {
		const { resource, operation } = displayOptions?.show ?? {};
		return `${name}: ${resource?.join()} ${operation?.join()}`;
	});

test('a field of several operations is one property, also across resources', () => {
	const resources = [
		resource('group', { get: ['id'], list: ['limit'] }),
		resource('user', { get: ['id'], list: ['limit'] }),
	];
	expect(shown(resources)).toEqual(['limit: group,user list', 'id: group,user get']);
});

test('a field does not appear in an operation of the same name that lacks it', () => {
	const resources = [
		resource('group', { get: ['as'], ban: ['as'] }),
		resource('user', { get: [], ban: ['as'] }),
	];
	expect(shown(resources)).toEqual(['as: group,user ban', 'as: group get']);
});

test('each operation keeps the order of its fields', () => {
	const resources = [resource('group', { a: ['x', 'y'], b: ['y', 'x'] })];
	expect(shown(resources)).toEqual(['x: group a', 'y: group a,b', 'x: group b']);
});

test('fields of the same name that differ stay apart, and keep their own conditions', () => {
	const conditional = { displayOptions: { show: { kind: ['file'] } } };
	const resources: Resource[] = [
		{
			...resource('group', {}),
			operations: [
				operation('a', [field('x', conditional)]),
				operation('b', [field('x')]),
				operation('c', [field('x', conditional)]),
			],
		},
	];
	expect(mergeSharedFields(resources).map(({ displayOptions }) => displayOptions?.show)).toEqual([
		{ resource: ['group'], operation: ['b'] },
		{ kind: ['file'], resource: ['group'], operation: ['a', 'c'] },
	]);
});
