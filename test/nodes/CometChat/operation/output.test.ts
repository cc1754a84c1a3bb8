import fc from 'fast-check';

import { InputError } from '../../../../nodes/CometChat/transport/input';
import {
	GROUP_COLUMNS,
	MESSAGE_COLUMNS,
	shapeOf,
} from '../../../../nodes/CometChat/transport/output';

const group = {
	guid: 'team',
	name: 'Team',
	description: 'About',
	icon: 'https://example.com/team.png',
	type: 'public',
	scope: 'member',
	membersCount: 3,
	joinedAt: 1_700_000_000,
	conversationId: 'group_team',
	hasJoined: false,
	createdAt: 1_600_000_000,
	owner: 'ann',
	tags: ['a', 'b'],
	metadata: { color: 'red' },
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

describe('raw', () => {
	test('gives what the service sent', () => {
		expect(shapeOf('raw', undefined, GROUP_COLUMNS)(group)).toBe(group);
	});
});

describe('simplified', () => {
	test('a group becomes ten flat columns, tags as one text', () => {
		expect(shapeOf('simplified', undefined, GROUP_COLUMNS)(group)).toEqual({
			guid: 'team',
			name: 'Team',
			description: 'About',
			type: 'public',
			membersCount: 3,
			owner: 'ann',
			tags: 'a, b',
			hasJoined: false,
			scope: 'member',
			createdAt: 1_600_000_000,
		});
	});

	test('a message becomes ten flat columns, reactions as one text', () => {
		expect(shapeOf('simplified', undefined, MESSAGE_COLUMNS)(message)).toEqual({
			id: '5',
			conversationId: 'ann_user_bob',
			sender: 'ann',
			receiver: 'bob',
			receiverType: 'user',
			type: 'text',
			text: 'Hi',
			reactions: '👍 2, party 1',
			sentAt: 1_700_000_000,
			updatedAt: 1_700_000_001,
		});
	});

	test('what is missing, or is no flat value, leaves no column', () => {
		expect(shapeOf('simplified', [], GROUP_COLUMNS)({ guid: 'a', tags: 'x', name: {} })).toEqual({
			guid: 'a',
		});
		expect(shapeOf('simplified', [], MESSAGE_COLUMNS)({ id: 5, data: 'x' })).toEqual({ id: 5 });
		expect(shapeOf('simplified', [], MESSAGE_COLUMNS)({ data: { reactions: [] } })).toEqual({
			reactions: '',
		});
	});

	test('whatever the service sends, an item has at most ten columns and no objects', () => {
		const entity = fc.dictionary(
			fc.oneof(fc.constantFrom(...Object.keys(GROUP_COLUMNS), 'data'), fc.string()),
			fc.jsonValue(),
		);
		fc.assert(
			fc.property(entity, fc.constantFrom(GROUP_COLUMNS, MESSAGE_COLUMNS), (sent, columns) => {
				const json: unknown = JSON.parse(JSON.stringify(sent));
				const simplify = shapeOf('simplified', [], columns);
				const item = simplify(Object(json));
				expect(Object.keys(item).length).toBeLessThanOrEqual(10);
				for (const value of Object.values(item)) {
					const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
					expect(isNested).toBe(false);
				}
			}),
		);
	});
});

describe('fields', () => {
	test('keeps the named fields, inner ones where they were', () => {
		const shape = shapeOf('fields', ['id', 'data.text', 'data.metadata.a', 'nope', 'id.x'], {});
		expect(shape(message)).toEqual({ id: '5', data: { text: 'Hi', metadata: { a: 1 } } });
	});

	test('the names may come as one text with commas', () => {
		expect(shapeOf('fields', 'guid, name', {})(group)).toEqual({ guid: 'team', name: 'Team' });
	});

	test('a field and a part of it may both be named, and what was sent stays unchanged', () => {
		const before = structuredClone(message);
		const item = shapeOf('fields', ['data', 'data.text'], {})(message);
		expect(item).toEqual({ data: message.data });
		expect(message).toEqual(before);
		expect(shapeOf('fields', ['data.text', 'data'], {})(message)).toEqual({ data: message.data });
	});

	test('an inner name replaces a flat value that stood in its way', () => {
		expect(shapeOf('fields', ['a', 'a.b'], {})({ a: { b: 1, c: 2 } })).toEqual({
			a: { b: 1, c: 2 },
		});
	});

	test.each([[[]], [''], [undefined], [' , ']])('%j names nothing', (fields) => {
		expect(() => shapeOf('fields', fields, {})).toThrow(
			expect.objectContaining({
				message: '"Fields" is empty',
				advice: expect.stringContaining('data.text'),
			}),
		);
	});

	test.each(['__proto__', 'data.__proto__.x', 'constructor', 'a.prototype'])(
		'the name %s is refused',
		(name) => {
			expect(() => shapeOf('fields', ['id', name], {})).toThrow(`"Fields" must not hold "${name}"`);
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
						shapeOf('fields', names, {})(Object(entity));
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

test.each([['pages'], ['RAW'], [undefined], ['']])('%j is no output of an item', (output) => {
	expect(() => shapeOf(output, ['id'], {})).toThrow(InputError);
});
