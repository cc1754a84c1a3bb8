import fc from 'fast-check';

import { InputError } from '../../../../nodes/CometChat/errors/inputError';
import { field, shapeOf } from '../../../../nodes/CometChat/operation/output';
import type { Entity } from '../../../../nodes/CometChat/operation/types';

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

const message = {
	id: '5',
	conversationId: 'ann_user_bob',
	sender: 'ann',
	receiverType: 'user',
	receiver: 'bob',
	category: 'message',
	type: 'text',
	data: {
		text: 'Hi',
		metadata: { a: 1 },
		reactions: [
			{ reaction: '👍', count: 2, reactedByMe: true },
			{ reaction: 'party' },
			{ count: 7 },
			'x',
		],
	},
	sentAt: 1_700_000_000,
	updatedAt: 1_700_000_001,
};

describe('Raw', () => {
	test.each([['raw'], ['pages'], [undefined]])('%j is what the service sent', (output) => {
		expect(shapeOf(output, undefined, thing)(message)).toBe(message);
	});
});

describe('Simplified', () => {
	test('has the columns of the entity, in their order, and no objects', () => {
		const item = shapeOf('simplified', undefined, thing)({ ...message, tags: ['a', 'b'] });
		expect(Object.entries(item)).toEqual([
			['id', '5'],
			['text', 'Hi'],
			['list', ['a', 'b']],
			['always', true],
		]);
	});

	test('has no column for what is missing, and one for what is null', () => {
		expect(shapeOf('simplified', [], thing)({ data: { text: null } })).toEqual({
			text: null,
			always: true,
		});
		expect(shapeOf('simplified', [], thing)({ data: 'x', id: 0 })).toEqual({ id: 0, always: true });
	});

	test('begins with what comes from the request, unless the service sent it', () => {
		const ids = { id: '7', uid: 'ann' };
		const shape = shapeOf('simplified', [], thing, ids);
		expect(shape({})).toEqual({ id: '7', uid: 'ann', always: true });
		expect(shape({ id: '5' })).toEqual({ id: '5', uid: 'ann', always: true });
		expect(Object.keys(shape({ id: '5' }))).toEqual(['id', 'uid', 'always']);
	});

	test('is of the subject where the service sends a note about it', () => {
		const subject = () => ({ id: 'other' });
		expect(shapeOf('simplified', [], { ...thing, subject })(message)).toEqual({
			id: 'other',
			always: true,
		});
		expect(shapeOf('raw', [], { ...thing, subject })(message)).toBe(message);
	});
});

describe('field', () => {
	test('reads what the service sent, and nothing that every object has', () => {
		expect(field('data', 'metadata', 'a')(message)).toBe(1);
		expect(field('toString')(message)).toBeUndefined();
		expect(field('data', 'constructor')(message)).toBeUndefined();
		expect(field('data', 'text', 'length')(message)).toBeUndefined();
		expect(field('data', 'reactions', '0')(message)).toBeUndefined();
	});
});

describe('Selected Fields', () => {
	test('keeps the named fields, inner ones where they were', () => {
		const shape = shapeOf('fields', ['id', 'data.text', 'data.metadata.a', 'nope', 'id.x'], thing);
		expect(shape(message)).toEqual({ id: '5', data: { text: 'Hi', metadata: { a: 1 } } });
	});

	test('a field that happens to be called like what every object has is its own value', () => {
		const sent = JSON.parse('{"toString": 1, "data": {"valueOf": "a"}}');
		expect(shapeOf('fields', ['toString', 'data.valueOf'], thing)(sent)).toEqual({
			toString: 1,
			data: { valueOf: 'a' },
		});
		expect(Object.keys(shapeOf('fields', ['toString'], thing)({ id: '5' }))).toEqual([]);
	});

	test('a field and a part of it may both be named, and what was sent stays unchanged', () => {
		const before = structuredClone(message);
		const item = shapeOf('fields', ['data', 'data.text'], thing)(message);
		expect(item).toEqual({ data: message.data });
		expect(message).toEqual(before);
		expect(shapeOf('fields', ['data.text', 'data'], thing)(message)).toEqual({
			data: message.data,
		});
	});

	test('an inner name replaces a flat value that stood in its way', () => {
		expect(shapeOf('fields', ['a', 'a.b'], thing)({ a: { b: 1, c: 2 } })).toEqual({
			a: { b: 1, c: 2 },
		});
	});

	test('nothing named is nothing kept', () => {
		expect(shapeOf('fields', undefined, thing)(message)).toEqual({});
	});

	test.each(['__proto__', 'data.__proto__.x', 'constructor', 'a.prototype'])(
		'the name %s is refused',
		(name) => {
			expect(() => shapeOf('fields', ['id', name], thing)).toThrow(
				`'Fields' must not contain "${name}"`,
			);
		},
	);

	test('no names and no entity can change what all objects share', () => {
		const name = fc.oneof(
			fc.string({ minLength: 1 }),
			fc
				.constantFrom('__proto__', 'constructor', 'prototype', 'a', 'toString')
				.chain((part) => fc.constantFrom(part, `a.${part}`, `${part}.polluted`)),
		);
		fc.assert(
			fc.property(
				fc.array(name, { minLength: 1, maxLength: 4 }),
				fc.jsonValue(),
				(names, value) => {
					const entity: unknown = JSON.parse(
						`{"a": ${JSON.stringify(value)}, "__proto__": {"polluted": 1}, "toString": {"polluted": 2}}`,
					);
					try {
						shapeOf('fields', names, thing)(Object(entity));
					} catch (error) {
						expect(error).toBeInstanceOf(InputError);
					}
					expect('polluted' in {}).toBe(false);
					expect('polluted' in Object.prototype.toString).toBe(false);
				},
			),
		);
	});
});
