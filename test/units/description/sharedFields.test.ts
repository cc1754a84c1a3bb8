import type { INodeProperties } from 'n8n-workflow';

import { mergeSharedFields } from '../../../nodes/CometChat/description/sharedFields';
import type { Operation, Resource } from '../../../nodes/CometChat/types';

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

/** Merges shared fields and lists the resulting properties as "name: resources operations". */
const listMerged = (resources: Resource[]) =>
	mergeSharedFields(resources).map(({ name, displayOptions }) => {
		const { resource, operation } = displayOptions?.show ?? {};
		return `${name}: ${resource?.join()} ${operation?.join()}`;
	});

test('merges a field of several operations and resources into one property', () => {
	const resources = [
		resource('group', { get: ['id'], list: ['limit'] }),
		resource('user', { get: ['id'], list: ['limit'] }),
	];
	expect(listMerged(resources)).toEqual(['limit: group,user list', 'id: group,user get']);
});

test("doesn't show a field in another resource's operation of the same name", () => {
	const resources = [
		resource('group', { get: ['as'], ban: ['as'] }),
		resource('user', { get: [], ban: ['as'] }),
	];
	expect(listMerged(resources)).toEqual(['as: group,user ban', 'as: group get']);
});

test('keeps the order of fields in each operation', () => {
	const resources = [resource('group', { a: ['x', 'y'], b: ['y', 'x'] })];
	expect(listMerged(resources)).toEqual(['x: group a', 'y: group a,b', 'x: group b']);
});

test('keeps different fields of the same name apart, with their own conditions', () => {
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
