import { createShape } from '../../../../nodes/CometChat/results/shape';
import { field } from '../../../../nodes/CometChat/transport/json';
import type { Entity } from '../../../../nodes/CometChat/description/types';

const thing: Entity = {
	name: 'thing',
	plural: 'things',
	id: 'id',
	columns: {
		id: field('id'),
		text: field('data', 'text'),
		deep: field('data', 'metadata'),
		list: field('tags'),
		always: () => true,
	},
};

const sent = { id: '5', data: { text: 'Hi', metadata: { a: 1 }, list: ['x'] }, tags: ['a', 'b'] };

test('Simplified begins with the columns that only the request has, prefers its IDs, and has null for objects and missing values', () => {
	const shape = createShape('simplified', undefined, thing, { id: '7', uid: 'ann' });
	expect(Object.entries(shape(sent))).toEqual([
		['uid', 'ann'],
		['id', '7'],
		['text', 'Hi'],
		['deep', null],
		['list', ['a', 'b']],
		['always', true],
	]);
	expect(shape({ data: { text: null } })).toEqual({
		id: '7',
		uid: 'ann',
		text: null,
		deep: null,
		list: null,
		always: true,
	});
	const about = { ...thing, unwrap: () => ({ id: 'other' }) };
	expect(Object.entries(createShape('simplified', [], about)(sent))).toEqual([
		['id', 'other'],
		['text', null],
		['deep', null],
		['list', null],
		['always', true],
	]);
	expect(createShape('raw', [], about)(sent)).toBe(sent);
});

describe('Selected Fields', () => {
	const selected = (names: string[], from = sent) => createShape('fields', names, thing)(from);

	test('keeps the named fields, inner ones where they were, and nothing that every object has', () => {
		expect(
			selected(['id', 'data.metadata.a', 'nope', 'id.x', 'data.list.0', 'data.text.length']),
		).toEqual({
			id: '5',
			data: { metadata: { a: 1 } },
		});
		expect(selected(['toString', 'data.valueOf'])).toEqual({});
		expect(createShape('fields', undefined, thing)(sent)).toEqual({});
	});

	test('may name a field and a part of it, and what was sent stays as it was', () => {
		const before = structuredClone(sent);
		for (const names of [
			['data', 'data.text'],
			['data.text', 'data'],
		]) {
			expect(selected(names)).toEqual({ data: sent.data });
		}
		expect(sent).toEqual(before);
	});

	test.each(['__proto__', 'data.__proto__.x', 'constructor', 'a.prototype'])(
		'refuses %s',
		(name) => {
			expect(() => selected(['id', name])).toThrow(`'Fields' must not contain "${name}"`);
		},
	);
});
