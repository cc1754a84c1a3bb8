import type { INodeParameters } from 'n8n-workflow';

import {
	savedValueHasExpression,
	createParameterReaderFactory,
	tryResolveItemFieldReferences,
} from '../../../nodes/CometChat/request/parameterReader';
import { createRunContext } from '../context';

const contextOf = (parameters: INodeParameters, count = 1) =>
	createRunContext({
		credentials: {},
		count,
		parameters: { resource: 'message', operation: 'get', ...parameters },
	});

test.each<[unknown, boolean]>([
	['={{ $json.a }}', true],
	['a={{ $json.a }}', false],
	[{ mode: 'id', value: '={{ 1 }}' }, true],
	[{ values: [{ deep: ['=a'] }] }, true],
	[{ values: [{ deep: ['a'] }] }, false],
	[null, false],
	[5, false],
])('finds an expression in %j: %j', (saved, expected) => {
	expect(savedValueHasExpression(saved)).toBe(expected);
});

test('lets n8n evaluate a parameter once per item with an expression, and otherwise once', () => {
	const parameters = {
		messageId: '={{ $json.i }}',
		output: '={{ String($json.i) }}',
		onBehalfOf: { __rl: true, mode: 'id', value: 'ann' },
	};
	const context = contextOf(parameters, 3);
	const evaluate = jest.spyOn(context, 'getNodeParameter');
	const item = jest.spyOn(context, 'getWorkflowDataProxy');
	const sourceOf = createParameterReaderFactory(context);
	const values = [0, 1, 2].map((index) =>
		['messageId', 'output', 'onBehalfOf', 'messageId', 'absent'].map((name) =>
			sourceOf(index).read(name, 'none'),
		),
	);
	expect(values).toEqual(
		[0, 1, 2].map((index) => [index, String(index), parameters.onBehalfOf, index, 'none']),
	);
	expect(evaluate.mock.calls.map(([name, index]) => [name, index])).toEqual([
		['output', 0],
		['onBehalfOf', 0],
		['absent', 0],
		['output', 1],
		['output', 2],
	]);
	expect(item).not.toHaveBeenCalled();
});

const ITEM = {
	id: '105',
	zero: 0,
	isOpen: false,
	nothing: null,
	tags: ['a'],
	_own: 'under',
	user: { uid: 'noor', home: { city: 'Aden' } },
};

const resolve = (parameter: unknown) => tryResolveItemFieldReferences(parameter, ITEM);

test("resolves references to the item's fields, also in locators and collections", () => {
	const parameters = [
		...['={{ $json.id }}', '={{$json.zero}}', '={{  $json.isOpen  }}', '={{ $json._own }}'],
		{
			mode: 'id',
			value: '={{ $json.user.home.city }}',
			deep: { a: '={{ $json.user.uid }}', b: 1 },
		},
		...['plain', 5, null],
	];
	expect(parameters.map(resolve)).toEqual([
		...['105', 0, false, 'under'],
		{ mode: 'id', value: 'Aden', deep: { a: 'noor', b: 1 } },
		...['plain', 5, null],
	]);
});

test.each([
	...['absent', 'id.length', 'user', 'tags', 'nothing', 'toString', '__proto__.id', '7'],
	...['id + 1', 'id()', 'id }}{{ $json.id', 'absent.inner'],
])('leaves the path %s to n8n', (path) => {
	expect(resolve(`={{ $json.${path} }}`)).toBeUndefined();
	expect(resolve({ a: '={{ $json.id }}', b: `={{ $json.${path} }}` })).toBeUndefined();
});

test('leaves other expressions and missing items to n8n', () => {
	const others = [
		'={{ $json }}',
		'={{ $json["id"] }}',
		'={{ $json.id }} ',
		'=a{{ $json.id }}',
		'=',
	];
	expect([...others, ['={{ $json.id }}']].map(resolve)).toEqual(
		others.concat('').map(() => undefined),
	);
	expect(tryResolveItemFieldReferences('={{ $json.id }}', undefined)).toBeUndefined();
	expect(tryResolveItemFieldReferences({ a: 'b' }, undefined)).toEqual({ a: 'b' });
});
