import {
	createResultConverter,
	type FoundFlagsByField,
} from '../../../nodes/CometChat/output/shape';
import { createFieldReader } from '../../../nodes/CometChat/helpers/json';
import type { EntityDefinition } from '../../../nodes/CometChat/types';

const thing: EntityDefinition = {
	name: 'thing',
	plural: 'things',
	id: 'id',
	columns: {
		uid: () => undefined,
		id: createFieldReader('id'),
		text: createFieldReader('data', 'text'),
		deep: createFieldReader('data', 'metadata'),
		list: createFieldReader('tags'),
		madeAt: createFieldReader('madeAt'),
		always: () => true,
	},
};

const sent = {
	id: 5,
	data: { text: 'Hi', metadata: { a: 1 }, list: [{ x: 'y' }] },
	tags: ['a', 'b'],
	madeAt: 1_700_000_000,
};

test('Simplified fills columns from the result, the entity and the request, in this order', () => {
	const shape = createResultConverter({ output: 'simplified' }, thing, { id: '7', uid: 'ann' });
	expect(Object.entries(shape({ received: sent, columns: { always: false } }))).toEqual([
		['uid', 'ann'],
		['id', '5'],
		['text', 'Hi'],
		['deep', null],
		['list', ['a', 'b']],
		['madeAt', '2023-11-14T22:13:20Z'],
		['always', false],
	]);
	expect(shape({ received: { data: { text: null } } })).toEqual({
		...{ uid: 'ann', id: '7', text: null, deep: null, list: null, madeAt: null, always: true },
	});
});

describe('Selected Fields', () => {
	const select = (fields: string[], found: FoundFlagsByField = new Map()) =>
		createResultConverter({ output: 'fields', fields }, thing, {}, found)({ received: sent });

	test('reaches into columns', () => {
		expect(select(['list.1', 'deep.a', 'uid.a', 'always.a', 'toString'])).toEqual({
			id: '5',
			list: { 1: 'b' },
			deep: { a: 1 },
			uid: { a: null },
			always: { a: null },
			toString: null,
		});
	});

	test('accepts a field and its inner field, and leaves the entity unchanged', () => {
		const before = structuredClone(sent);
		for (const names of [
			['data', 'data.text'],
			['data.text', 'data'],
		]) {
			expect(select(names)).toEqual({ id: '5', data: sent.data });
		}
		expect(sent).toEqual(before);
	});

	test('returns the ID first, or at its own place, and whole if a path leads into it', () => {
		expect(Object.entries(select(['text', 'always']))).toEqual([
			['id', '5'],
			['text', 'Hi'],
			['always', true],
		]);
		expect(Object.keys(select(['text', 'id']))).toEqual(['text', 'id']);
		expect(select(['id.a', 'id'])).toEqual({ id: '5' });
		expect(select(['id.a'])).toEqual({ id: '5' });
	});

	test.each<[string, Partial<EntityDefinition>, string[]]>([
		['without an ID, the first column', { id: undefined }, ['uid', 'text']],
		['whose ID is no column, the first column', { id: 'guid' }, ['uid', 'text']],
		['without columns, no ID', { columns: {} }, ['text']],
	])('returns for an entity %s', (_name, changes, keys) => {
		const shape = createResultConverter(
			{ output: 'fields', fields: ['text'] },
			{ ...thing, ...changes },
		);
		expect(Object.keys(shape({ received: sent }))).toEqual(keys);
	});

	test('reports whether a result has each field. A column counts even if it has no value.', () => {
		const found: FoundFlagsByField = new Map();
		select(['uid', 'data.metadata.a', 'nope', 'text', 'text.a'], found);
		expect([...found]).toEqual([
			['id', true],
			['uid', true],
			['data.metadata.a', true],
			['nope', false],
			['text', true],
			['text.a', false],
		]);
	});
});
