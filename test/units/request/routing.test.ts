import type { INodePropertyRouting } from 'n8n-workflow';

import { pollingProperties } from '../../../nodes/CometChat/pollingTrigger/properties';
import { precompileRoutings } from '../../../nodes/CometChat/request/routing';
import { buildRequestFromParameters } from '../../../nodes/CometChat/request/request';
import { resources } from '../../../nodes/CometChat/resources';
import type { Field } from '../../../nodes/CometChat/types';
import { createReader, type Parameters } from './reader';

const field = (name: string, routing?: INodePropertyRouting, more: Partial<Field> = {}): Field => ({
	...{ displayName: `The ${name}`, name, type: 'string', default: '', routing },
	...more,
});

const read = (fields: Field[], parameters: Parameters) =>
	buildRequestFromParameters({ fields }, createReader(parameters)).request;

test.each<[string, INodePropertyRouting, string]>([
	[
		'a field of the value',
		{ send: { type: 'body', property: 'a', value: '={{ $value.lat }}' } },
		'the expression ={{ $value.lat }} is not supported',
	],
	[
		'a call',
		{ request: { body: { a: '={{ $value.trim() }}' } } },
		'the expression ={{ $value.trim() }} is not supported',
	],
	[
		'text around an expression',
		{ request: { headers: { a: '=Bearer {{ $value }}' } } },
		'the expression =Bearer {{ $value }} is not supported',
	],
	[
		'an expression in a list',
		{ request: { qs: { a: ['={{ $json.b }}'] } } },
		'the expression ={{ $json.b }} is not supported',
	],
	[
		'an expression in a path',
		{ request: { url: '=/groups/{{ $value }}' } },
		'the expression =/groups/{{ $value }} is not supported in a path',
	],
	['a path with an unknown field', { request: { url: '/b/{b}' } }, "the path names no field 'b'"],
	[
		'a function that runs before the request',
		{ send: { preSend: [async (requestOptions) => await Promise.resolve(requestOptions)] } },
		'"send.preSend" is not supported',
	],
	['a host', { request: { baseURL: 'https://example.com' } }, '"request.baseURL" is not supported'],
	['paging', { operations: { pagination: undefined } }, '"routing.operations" is not supported'],
])('A node whose routing contains %s fails to load', (_name, routing, reason) => {
	const message = `Unusable routing of 'The a': ${reason}`;
	expect(() => precompileRoutings({ fields: [field('a', routing)] })).toThrow(message);
	const choices = [{ name: 'X', value: 'x', routing }];
	const inner = field('a', undefined, { type: 'options', options: choices });
	for (const option of [field('a', routing), inner]) {
		const collection = field('all', undefined, { type: 'collection', options: [option] });
		expect(() => precompileRoutings({ fields: [collection] })).toThrow(message);
	}
	expect(() => precompileRoutings({ name: 'The a', routing, fields: [] })).toThrow(message);
});

test('A node with a routing inside an entry of a list fails to load', () => {
	const values = [field('a', { send: { property: 'a' } })];
	const options = [{ displayName: 'Entry', name: 'entry', values }];
	const list = field('list', undefined, { type: 'fixedCollection', options });
	expect(() => precompileRoutings({ fields: [list] })).toThrow(
		"Unusable routing of 'The list': entries are sent as a whole",
	);
});

test.each([
	...resources.flatMap(({ operations }) => operations),
	{ name: 'the Polling Trigger', value: '', fields: pollingProperties },
])('The routing of $name $value compiles', (operation) => {
	expect(() => precompileRoutings(operation)).not.toThrow();
});

test('A list of expressions, a parameter of another field, and constants are sent', () => {
	const body = {
		both: ['={{ $value }}', '={{ $parameter.b }}', 'c'],
		alone: '={{ $parameter.b }}',
	};
	const fields = [field('a', { request: { body: { ...body, constant: 1 } } }), field('b')];
	expect(read(fields, { a: '1', b: '2' }).body).toEqual({
		...{ both: ['1', '2', 'c'], alone: '2', constant: 1 },
	});
});

test('A path finds a field in a collection, but no key of a JSON value', () => {
	const chooser = field('to', { request: { url: '/thread/{parentId}' } });
	const parentId = field('parentId', undefined, { required: true });
	const more = field('more', undefined, { type: 'collection', options: [parentId] });
	const json = field('json', undefined, { type: 'json' });
	const fields = [chooser, more, json];
	expect(read(fields, { to: 'x', more: { parentId: '7' }, json: '{"parentId":"8"}' }).path).toBe(
		'/thread/7',
	);
	expect(() => read(fields, { to: 'x', json: '{"parentId":"8"}' })).toThrow(
		"'The parentId' is empty",
	);
});
