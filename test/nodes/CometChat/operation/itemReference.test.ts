import { resolveReferences } from '../../../../nodes/CometChat/operation/itemReference';

const ITEM = {
	id: '105',
	count: 7,
	zero: 0,
	empty: '',
	isOpen: false,
	nothing: null,
	caller: 'a name that n8n refuses',
	tags: ['a'],
	_own: 'under',
	user: { uid: 'noor', home: { city: 'Aden' } },
};

const resolved = (parameter: unknown) => resolveReferences(parameter, () => ITEM);

test.each([
	['={{ $json.id }}', '105'],
	['={{$json.id}}', '105'],
	['={{  $json.count  }}', 7],
	['={{ $json.zero }}', 0],
	['={{ $json.isOpen }}', false],
	['={{ $json._own }}', 'under'],
	['={{ $json.user.home.city }}', 'Aden'],
	['plain', 'plain'],
	[5, 5],
	[null, null],
])('%j gives %j', (parameter, value) => {
	expect(resolved(parameter)).toBe(value);
});

test.each([
	'={{ $json.absent }}',
	'={{ $json.id.length }}',
	'={{ $json.user }}',
	'={{ $json.tags }}',
	'={{ $json.nothing }}',
	'={{ $json.toString }}',
	'={{ $json.__proto__.id }}',
	'={{ $json.caller }}',
	'={{ $json }}',
	'={{ $json["id"] }}',
	'={{ $json.id }} ',
	'=a{{ $json.id }}',
	'={{ $json.id }}{{ $json.id }}',
	'={{ $json.id + 1 }}',
	'={{ $input.item.json.id }}',
	'=',
])('%j is left to n8n', (expression) => {
	expect(resolved(expression)).toBeUndefined();
});

test('The expressions within a resource locator or a collection are resolved', () => {
	const locator = { __rl: true, mode: 'uid', value: '={{ $json.user.uid }}' };
	expect(resolved(locator)).toEqual({ __rl: true, mode: 'uid', value: 'noor' });
	expect(resolved({ a: { b: '={{ $json.count }}' }, c: 1 })).toEqual({ a: { b: 7 }, c: 1 });
});

test('A parameter is left to n8n as a whole when a part of it is, and when it holds a list', () => {
	expect(resolved({ a: '={{ $json.id }}', b: '={{ $now }}' })).toBeUndefined();
	expect(resolved({ tags: ['={{ $json.id }}'] })).toBeUndefined();
});

test('An item that n8n cannot give is left to n8n; one that is not needed is not read', () => {
	const fails = () => {
		throw new Error('There is no such item');
	};
	expect(resolveReferences('={{ $json.id }}', fails)).toBeUndefined();
	expect(resolveReferences({ a: 'b' }, fails)).toEqual({ a: 'b' });
});
