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

test("Simplified starts with the request's own columns, prefers its IDs, and has null for objects and missing values", () => {
	const shape = createShape({ output: 'simplified' }, thing, { id: '7', uid: 'ann' });
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
});

test('Simplified unwraps an entity, and Raw does not', () => {
	const wrapped = { ...thing, unwrap: () => ({ id: 'other' }) };
	expect(createShape({ output: 'simplified' }, wrapped)(sent)).toMatchObject({
		id: 'other',
		text: null,
	});
	expect(createShape({ output: 'raw' }, wrapped)(sent)).toBe(sent);
});

describe('Selected Fields', () => {
	const select = (names: string[]) => createShape({ output: 'fields', fields: names }, thing)(sent);

	test('keeps the path of inner fields, and omits inherited properties', () => {
		expect(
			select(['id', 'data.metadata.a', 'nope', 'id.x', 'data.list.0', 'data.text.length']),
		).toEqual({
			id: '5',
			data: { metadata: { a: 1 } },
		});
		expect(select(['toString', 'data.valueOf'])).toEqual({});
		expect(createShape({ output: 'fields' }, thing)(sent)).toEqual({});
	});

	test('accepts a field and its inner field, and leaves the entity unchanged', () => {
		const before = structuredClone(sent);
		for (const names of [
			['data', 'data.text'],
			['data.text', 'data'],
		]) {
			expect(select(names)).toEqual({ data: sent.data });
		}
		expect(sent).toEqual(before);
	});
});
