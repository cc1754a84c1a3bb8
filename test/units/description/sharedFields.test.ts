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

/** Merges shared fields and lists the resulting properties as "name: operations". */
const listMerged = (operations: Record<string, string[]>) =>
	mergeSharedFields(resource('group', operations)).map(({ name, displayOptions }) => {
		expect(displayOptions?.show?.resource).toEqual(['group']);
		return `${name}: ${displayOptions?.show?.operation?.join()}`;
	});

test('merges a field of several operations into one property', () => {
	const operations = { get: ['id'], list: ['limit'], delete: ['id'] };
	expect(listMerged(operations)).toEqual(['limit: list', 'id: get,delete']);
});

test('keeps the order of fields in each operation', () => {
	const operations = { a: ['x', 'y'], b: ['y', 'x'] };
	expect(listMerged(operations)).toEqual(['x: a', 'y: a,b', 'x: b']);
});

test('keeps different fields of the same name apart, with their own conditions', () => {
	const conditional = { displayOptions: { show: { kind: ['file'] } } };
	const group: Resource = {
		...resource('group', {}),
		operations: [
			operation('a', [field('x', conditional)]),
			operation('b', [field('x')]),
			operation('c', [field('x', conditional)]),
		],
	};
	expect(mergeSharedFields(group).map(({ displayOptions }) => displayOptions?.show)).toEqual([
		{ resource: ['group'], operation: ['b'] },
		{ kind: ['file'], resource: ['group'], operation: ['a', 'c'] },
	]);
});
