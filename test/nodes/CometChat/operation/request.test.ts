import fc from 'fast-check';
import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { InputError } from '../../../../nodes/CometChat/errors/inputError';
import { RequestReader } from '../../../../nodes/CometChat/operation/request';
import { groups } from '../../../../nodes/CometChat/resources/group';
import { groupFilters } from '../../../../nodes/CometChat/resources/group/filters';
import { messages } from '../../../../nodes/CometChat/resources/message';

/** Parameters of an item, as n8n gives them. */
type Parameters = Record<string, unknown>;

const reader = (parameters: Parameters) =>
	new RequestReader(
		(name, fallback) => (name in parameters ? parameters[name] : fallback),
		'Europe/Berlin',
	);

/** What becomes of parameters under a description. */
const read = (fields: INodeProperties[], parameters: Parameters, routing?: INodePropertyRouting) =>
	reader(parameters).of({ fields, routing });

const field = (
	name: string,
	type: INodeProperties['type'],
	more: Partial<INodeProperties> = {},
): INodeProperties => ({ displayName: `The ${name}`, name, type, default: '', ...more });

const inQuery = (property: string) => ({
	routing: { send: { type: 'query' as const, property } },
});

const inBody = (property: string, value?: string) => ({
	routing: { send: { type: 'body' as const, property, value } },
});

const collection = (
	name: string,
	options: INodeProperties[],
	more: Partial<INodeProperties> = {},
) => field(name, 'collection', { default: {}, options, ...more });

describe('a request', () => {
	test('has a method, a path and nothing else when nothing is set', () => {
		expect(read([], {}, { request: { method: 'DELETE', url: '/groups' } })).toEqual({
			request: { method: 'DELETE', path: '/groups', query: {}, headers: {} },
			values: {},
		});
		expect(read([], {}).request).toEqual({ method: 'GET', path: '', query: {}, headers: {} });
	});

	test('holds each value where its field says', () => {
		const fields = [
			field('a', 'string', inQuery('first')),
			field('b', 'string', inBody('second')),
			field('c', 'string', {
				routing: { request: { headers: { onBehalfOf: '={{ $value }}', fixed: 'yes' } } },
			}),
			field('d', 'string'),
		];
		const { request, values } = read(fields, { a: '1', b: '2', c: '3', d: '4' });
		expect(request).toEqual({
			method: 'GET',
			path: '',
			query: { first: '1' },
			body: { second: '2' },
			headers: { onBehalfOf: '3', fixed: 'yes' },
		});
		expect(values).toEqual({ a: '1', b: '2', c: '3', d: '4' });
	});

	test.each([[''], [' \n'], [null], [undefined], [[]], [['', null]]])(
		'holds nothing of a field that was left empty as %j',
		(empty) => {
			const header = { routing: { request: { headers: { h: '={{ $value }}' } } } };
			const fields = [
				field('a', 'string', inQuery('a')),
				field('b', 'json', inBody('b')),
				field('c', 'resourceLocator', header),
				field('d', 'string', { typeOptions: { multipleValues: true }, ...inBody('d') }),
				field('e', 'dateTime', inQuery('e')),
				field('f', 'multiOptions', inQuery('f')),
			];
			const all = Object.fromEntries(fields.map(({ name }) => [name, empty]));
			const { request, values } = read(fields, all);
			expect(request).toEqual({ method: 'GET', path: '', query: {}, headers: {} });
			expect(Object.values(values)).toEqual(fields.map(() => undefined));
		},
	);

	test('has inner fields in the body where the name has dots', () => {
		const fields = [
			field('a', 'string', inBody('data.text')),
			field('b', 'json', inBody('data.metadata')),
			field('c', 'string', inBody('tag')),
			field('d', 'string', inBody('tag.inner')),
		];
		const { request } = read(fields, { a: 'Hi', b: '{"x": 1}', c: 'flat', d: 'deep' });
		expect(request.body).toEqual({
			data: { text: 'Hi', metadata: { x: 1 } },
			tag: { inner: 'deep' },
		});
	});

	test('joins lists by commas in the query, and keeps them in the body', () => {
		const several = { typeOptions: { multipleValues: true } };
		const fields = [
			field('a', 'string', { ...several, ...inQuery('a') }),
			field('b', 'string', { ...several, ...inBody('b') }),
			field('c', 'multiOptions', { options: [{ name: 'X', value: 'x' }], ...inQuery('c') }),
		];
		const { request } = read(fields, { a: ['1', '2,3'], b: ['1', '2,3'], c: ['x'] });
		expect(request.query).toEqual({ a: '1,2,3', c: 'x' });
		expect(request.body).toEqual({ b: ['1', '2,3'] });
	});

	test('sends no list that has nothing in it', () => {
		const several = { typeOptions: { multipleValues: true } };
		const fields = [field('a', 'string', { ...several, ...inBody('a') })];
		expect(read(fields, { a: ' , ,' }).request).not.toHaveProperty('body');
	});

	test('sends false and 0', () => {
		const fields = [field('a', 'boolean', inQuery('a')), field('b', 'number', inBody('b'))];
		const { request } = read(fields, { a: false, b: 0 });
		expect(request.query).toEqual({ a: false });
		expect(request.body).toEqual({ b: 0 });
	});

	test('lets texts in a body be as long as a message, and others as long as an address', () => {
		const fields = [field('a', 'string', inBody('a')), field('b', 'string', inQuery('b'))];
		expect(read(fields, { a: 'x'.repeat(65_536) }).request.body?.a).toHaveLength(65_536);
		expect(() => read(fields, { a: 'x'.repeat(65_537) })).toThrow('longer than 65536 characters');
		expect(read(fields, { b: 'x'.repeat(1_000) }).request.query?.b).toHaveLength(1_000);
		expect(() => read(fields, { b: 'x'.repeat(1_001) })).toThrow('longer than 1000 characters');
	});
});

describe('a field with a default', () => {
	const fields = [
		field('flag', 'boolean', { default: true, ...inQuery('flag') }),
		field('number', 'number', { default: 50, ...inQuery('number') }),
		field('choice', 'options', {
			default: 'b',
			options: [
				{ name: 'A', value: 'a' },
				{ name: 'B', value: 'b' },
			],
			...inQuery('choice'),
		}),
	];
	const usual = { flag: true, number: 50, choice: 'b' };

	test.each([[{}], [{ flag: '', number: ' ', choice: null }], [{ flag: undefined, number: [] }]])(
		'has it when it is not there or was cleared: %j',
		(parameters) => {
			expect(read(fields, parameters)).toMatchObject({ values: usual, request: { query: usual } });
		},
	);

	test('has what is set otherwise', () => {
		const set = { flag: 'false', number: '0', choice: 'a' };
		expect(read(fields, set).values).toEqual({ flag: false, number: 0, choice: 'a' });
	});

	test('that is a text has no default when it was cleared', () => {
		const text = field('text', 'string', { default: 'usual', ...inQuery('text') });
		expect(read([text], {}).request.query).toEqual({ text: 'usual' });
		expect(read([text], { text: '' }).request.query).toEqual({});
	});
});

describe('a required field', () => {
	const empty = (label: string) =>
		expect.objectContaining({
			constructor: InputError,
			message: `'${label}' is empty`,
			description: `Fill in '${label}'.`,
		});

	test.each<[INodeProperties['type'], Partial<INodeProperties>]>([
		['string', {}],
		['string', { typeOptions: { multipleValues: true } }],
		['json', {}],
		['resourceLocator', {}],
		['dateTime', {}],
	])('of type %s with %j must not be empty', (type, more) => {
		const fields = [field('a', type, { required: true, ...more })];
		for (const nothing of ['', '  ', null, undefined, []]) {
			expect(() => read(fields, { a: nothing })).toThrow(empty('The a'));
		}
	});

	test('must not be a list of nothing but commas', () => {
		const several = { required: true, typeOptions: { multipleValues: true } };
		expect(() => read([field('a', 'string', several)], { a: ' , ' })).toThrow(empty('The a'));
		expect(read([field('a', 'string', several)], { a: ' ,b ' }).values).toEqual({ a: ['b'] });
	});

	test('that is not shown may be empty', () => {
		const fields = [
			field('kind', 'options', { default: 'x', options: [{ name: 'X', value: 'x' }] }),
			field('a', 'string', { required: true, displayOptions: { show: { kind: ['y'] } } }),
		];
		expect(read(fields, {}).values).toEqual({ kind: 'x' });
	});
});

describe('a resource locator', () => {
	const locator = field('user', 'resourceLocator', inQuery('user'));

	test.each([
		[{ __rl: true, mode: 'list', value: 'ann', cachedResultName: 'Ann' }],
		[{ __rl: true, mode: 'id', value: ' ann\n' }],
		[{ value: 'ann' }],
		['ann'],
		[' ann '],
	])('%j names ann', (raw) => {
		expect(read([locator], { user: raw })).toMatchObject({
			values: { user: 'ann' },
			request: { query: { user: 'ann' } },
		});
	});

	test('may hold a number', () => {
		for (const raw of [42, { mode: 'id', value: 42 }]) {
			expect(read([locator], { user: raw }).values).toEqual({ user: '42' });
		}
	});

	test.each([[{ mode: 'list', value: '' }], [{ mode: 'id', value: null }], [''], [null]])(
		'%j names nobody',
		(raw) => expect(read([locator], { user: raw }).values).toEqual({ user: undefined }),
	);

	test.each([['a b'], [{ mode: 'id', value: 'a/b' }], [{ mode: 'id', value: 'u'.repeat(101) }]])(
		'%j is no ID',
		(raw) => {
			expect(() => read([locator], { user: raw })).toThrow(
				`'The user' can have only letters, digits, "-" and "_", at most 100`,
			);
		},
	);

	test.each([[{ mode: 'id' }], [true], [{ mode: 'id', value: { a: 1 } }]])(
		'%j is refused as no text',
		(raw) => expect(() => read([locator], { user: raw })).toThrow("'The user' must be text"),
	);
});

describe('the path', () => {
	const ids = [field('messageId', 'string', { required: true }), field('reaction', 'string')];
	const routing = { request: { url: '/messages/{messageId}/reactions/{reaction}' } };

	test('has each value as one encoded segment', () => {
		const { request } = read(ids, { messageId: '5/6', reaction: '#️⃣' }, routing);
		expect(request.path).toBe('/messages/5%2F6/reactions/%23%EF%B8%8F%E2%83%A3');
	});

	test('has an ID without the white space around it, and a reaction as it is', () => {
		const { request, values } = read(ids, { messageId: ' 501\n', reaction: ' :) ' }, routing);
		expect(request.path).toBe('/messages/501/reactions/%20%3A)%20');
		expect(values).toEqual({ messageId: '501', reaction: ' :) ' });
	});

	test.each(['.', '..'])('cannot have %j as a segment', (dots) => {
		expect(() => read(ids, { messageId: '5', reaction: dots }, routing)).toThrow(
			expect.objectContaining({
				constructor: InputError,
				message: `'The reaction' must not be "${dots}"`,
				description: 'It would change the address of the request.',
			}),
		);
	});

	test('cannot have nothing as a segment', () => {
		expect(() => read(ids, { messageId: '5' }, routing)).toThrow("'The reaction' is empty");
		expect(() => read([], {}, { request: { url: '/a/{b}' } })).toThrow("'b' is empty");
	});

	test('may be that of a field which is filled in', () => {
		const fields = [
			ids[0],
			{ ...ids[1], routing: { request: { url: '/m/{messageId}/r/{reaction}' } } },
		];
		const url = { request: { url: '/m/{messageId}/r' } };
		expect(read(fields, { messageId: '5' }, url).request.path).toBe('/m/5/r');
		expect(read(fields, { messageId: '5', reaction: 'a' }, url).request.path).toBe('/m/5/r/a');
	});

	test('may be that of the chosen option', () => {
		const fields = [
			field('of', 'options', {
				default: 'group',
				options: [
					{ name: 'Group', value: 'group', routing: { request: { url: '/groups/{id}/m' } } },
					{ name: 'App', value: 'app' },
				],
			}),
			field('id', 'string', { displayOptions: { show: { of: ['group'] } } }),
		];
		const url = { request: { url: '/m' } };
		expect(read(fields, { of: 'group', id: 'g' }, url).request.path).toBe('/groups/g/m');
		expect(read(fields, { of: 'app', id: 'g' }, url).request.path).toBe('/m');
		expect(read(fields, { id: 'g' }, url).request.path).toBe('/groups/g/m');
	});
});

describe('a chosen option', () => {
	const uids = field('uids', 'string', { typeOptions: { multipleValues: true } });
	const scope = field('scope', 'options', {
		default: 'one',
		options: [
			{ name: 'One', value: 'one', ...inBody('ones', '={{ $parameter.uids }}') },
			{ name: 'Two', value: 2, ...inBody('twos', '={{ $parameter.uids }}') },
			{
				name: 'Constant',
				value: 'constant',
				routing: { request: { body: { category: 'custom', type: 'text', deep: 5 } } },
			},
		],
	});

	test('sends what another field holds', () => {
		expect(read([uids, scope], { uids: ['a', 'b'] }).request.body).toEqual({ ones: ['a', 'b'] });
		expect(read([uids, scope], { uids: ['a'], scope: '2' }).request.body).toEqual({ twos: ['a'] });
		expect(read([uids, scope], { uids: ['a'], scope: 2 }).request.body).toEqual({ twos: ['a'] });
	});

	test('sends nothing of another field that is empty', () => {
		expect(read([uids, scope], {}).request).not.toHaveProperty('body');
	});

	test('sends constants', () => {
		expect(read([uids, scope], { scope: 'constant' }).request.body).toEqual({
			category: 'custom',
			type: 'text',
			deep: 5,
		});
	});

	test('an expression that is not known is a mistake in the description', () => {
		const odd = field('a', 'string', inBody('a', '={{ $json.a }}'));
		expect(() => read([odd], { a: '1' })).toThrow('unknown expression: ={{ $json.a }}');
	});
});

describe('what is shown', () => {
	const options = ['x', 'y'].map((value) => ({ name: value, value }));
	const kind = field('kind', 'options', { default: 'x', options });
	const shown = (displayOptions: INodeProperties['displayOptions'], parameters: Parameters = {}) =>
		'a' in read([kind, field('a', 'string', { displayOptions })], { a: '1', ...parameters }).values;

	test('follows from the fields before', () => {
		expect(shown({ show: { kind: ['x'] } })).toBe(true);
		expect(shown({ show: { kind: ['y', 'x'] } })).toBe(true);
		expect(shown({ show: { kind: ['y'] } })).toBe(false);
		expect(shown({ show: { kind: ['y'] } }, { kind: 'y' })).toBe(true);
		expect(shown({ show: { '/kind': ['y'] } })).toBe(false);
		expect(shown({ hide: { kind: ['x'] } })).toBe(false);
		expect(shown({ hide: { kind: ['y'] } })).toBe(true);
		expect(shown({ hide: { '/kind': ['x'] } })).toBe(false);
		expect(shown({ show: { kind: ['x'] }, hide: { kind: ['x'] } })).toBe(false);
		expect(shown(undefined)).toBe(true);
	});

	test('follows from all conditions together', () => {
		expect(shown({ show: { kind: ['x'], resource: ['group'] } })).toBe(true);
		expect(shown({ show: { resource: ['group'], operation: ['list'] } })).toBe(true);
		expect(shown({ hide: { resource: ['group'] } })).toBe(true);
	});

	test('is read, and what is not shown is not', () => {
		const asked: string[] = [];
		const fields = [
			field('kind', 'options', { default: 'x', options }),
			field('a', 'string', { displayOptions: { show: { kind: ['x'] } } }),
			field('b', 'string', { displayOptions: { show: { kind: ['y'] } } }),
		];
		new RequestReader((name, fallback) => {
			asked.push(name);
			return fallback;
		}, 'UTC').of({ fields });
		expect(asked).toEqual(['kind', 'a']);
	});
});

describe('a collection', () => {
	const fields = [
		collection('filters', [
			field('text', 'string', inQuery('text')),
			field('flag', 'boolean', inQuery('flag')),
			field('several', 'string', { typeOptions: { multipleValues: true }, ...inQuery('several') }),
		]),
	];

	test('sends what is set in it, and has the values in an object', () => {
		const { request, values } = read(fields, { filters: { text: 'a', flag: 'true' } });
		expect(request.query).toEqual({ text: 'a', flag: true });
		expect(values).toEqual({ filters: { text: 'a', flag: true } });
	});

	test.each([[{}], [''], [null], [{ text: '', several: [], flag: null }], ['{}']])(
		'%j sets nothing',
		(filters) => {
			expect(read(fields, { filters })).toMatchObject({
				request: { query: {} },
				values: { filters: {} },
			});
		},
	);

	test('may come as JSON from an expression', () => {
		expect(read(fields, { filters: '{"text": "a"}' }).request.query).toEqual({ text: 'a' });
	});

	test.each([['text'], [5], [[1]], [true]])('%j is refused', (filters) => {
		expect(() => read(fields, { filters })).toThrow(/^'The filters' (must be|is not valid)/);
	});

	test.each(['perPage', 'apikey', 'toString', '__proto__', 'constructor'])(
		'a name that it does not have, such as %s, is refused',
		(name) => {
			const filters = Object.fromEntries([[name, 'x']]);
			expect(() => read(fields, { filters })).toThrow(
				expect.objectContaining({
					constructor: InputError,
					message: `'${name}' is not one of the fields of 'The filters'`,
				}),
			);
			expect(read(fields, { filters: Object.fromEntries([[name, ' ']]) }).request.query).toEqual(
				{},
			);
		},
	);

	test('has fields that are shown or not by a field outside', () => {
		const kind = field('kind', 'options', {
			default: 'x',
			options: ['x', 'y'].map((value) => ({ name: value, value })),
		});
		const inner = field('a', 'string', {
			displayOptions: { show: { '/kind': ['y'] } },
			...inQuery('a'),
		});
		const both = [kind, collection('more', [inner])];
		expect(read(both, { more: { a: '1' } }).request.query).toEqual({});
		expect(read(both, { kind: 'y', more: { a: '1' } }).request.query).toEqual({ a: '1' });
	});

	test('that is required must have something in it', () => {
		const inner = [field('a', 'string', inBody('a')), field('name', 'string', inBody('name'))];
		const changes = [
			collection('updateFields', inner, { required: true, displayName: 'Update Fields' }),
		];
		for (const updateFields of [{}, { a: '' }, null]) {
			expect(() => read(changes, { updateFields })).toThrow(
				expect.objectContaining({
					constructor: InputError,
					message: "'Update Fields' is empty",
					description: 'Add at least one field.',
				}),
			);
		}
		expect(read(changes, { updateFields: { a: '1' } }).request.body).toEqual({ a: '1' });
		// Its own check says more
		expect(() => read(changes, { updateFields: { name: '' } })).toThrow("'Name' is empty");
	});

	test('checks its values by their names', () => {
		const owner = collection('more', [field('owner', 'string', inBody('owner'))]);
		expect(read([owner], { more: { owner: ' ann ' } }).request.body).toEqual({ owner: 'ann' });
		expect(() => read([owner], { more: { owner: 'a b' } })).toThrow("'The owner' can have only");
	});
});

describe('a fixed collection', () => {
	const attachments = field('attachments', 'fixedCollection', {
		default: {},
		...inBody('data.attachments', '={{ $value.attachment }}'),
		options: [
			{
				displayName: 'Attachment',
				name: 'attachment',
				values: [
					field('url', 'string', { displayName: 'URL', required: true }),
					field('name', 'string'),
				],
			},
		],
	});

	const entries = (...attachment: unknown[]) => ({ attachments: { attachment } });

	test('sends its entries, each with what is set in it', () => {
		const { request, values } = read(
			[attachments],
			entries({ url: 'a', name: 'A' }, { url: 'b', name: ' ' }, { url: 'c', other: 1 }),
		);
		const sent = [{ url: 'a', name: 'A' }, { url: 'b' }, { url: 'c' }];
		expect(request.body).toEqual({ data: { attachments: sent } });
		expect(values).toEqual({ attachments: sent });
	});

	test('may have one entry alone, or as JSON', () => {
		const one = [{ url: 'a' }];
		expect(read([attachments], { attachments: { attachment: one[0] } }).values).toEqual({
			attachments: one,
		});
		expect(read([attachments], entries('{"url": "a"}')).values).toEqual({ attachments: one });
	});

	test('lets the texts in it be as long as in any body', () => {
		const url = 'x'.repeat(65_536);
		expect(read([attachments], entries({ url })).values).toEqual({ attachments: [{ url }] });
		expect(() => read([attachments], entries({ url: `${url}x` }))).toThrow("'URL' is longer than");
	});

	test.each([[{}], [''], [null], [{ attachment: [] }], [{ other: [1] }]])(
		'%j has no entries: nothing is sent',
		(raw) => {
			expect(read([attachments], { attachments: raw }).request).not.toHaveProperty('body');
			expect(() => read([{ ...attachments, required: true }], { attachments: raw })).toThrow(
				"'The attachments' is empty",
			);
		},
	);

	test('refuses what is no entry, and an entry without what is required', () => {
		expect(() => read([attachments], entries(5))).toThrow("'The attachments' must be a JSON");
		expect(() => read([attachments], entries({ name: 'A' }))).toThrow("'URL' is empty");
		expect(() => read([attachments], { attachments: [1] })).toThrow("'The attachments' must be");
	});
});

describe('what fields say together', () => {
	const fields = [
		collection('filters', [field('hasJoined', 'boolean', inQuery('hasJoined'))]),
		field('onBehalfOf', 'resourceLocator'),
	];

	test('is checked when all of them are read', () => {
		const filters = { hasJoined: true };
		expect(() => read(fields, { filters })).toThrow("'On Behalf Of' is empty, but 'Has Joined'");
		expect(read(fields, { filters, onBehalfOf: 'ann' }).request.query).toEqual(filters);
		expect(read(fields, { filters: { hasJoined: false } }).request.query).toEqual({});
	});
});

test('a trigger has its values and its query read without a request of its own', () => {
	const fields = [field('a', 'string', inQuery('b')), field('c', 'number', { default: 3 })];
	expect(reader({ a: 'x' }).valuesOf(fields)).toEqual({
		values: { a: 'x', c: 3 },
		query: { b: 'x' },
	});
});

describe('the filters of a list of groups', () => {
	const fields = [
		collection('filters', groupFilters, { displayName: 'Filters' }),
		field('onBehalfOf', 'resourceLocator', { default: 'ann' }),
	];
	const query = (filters: Parameters) => read(fields, { filters }).request.query;

	test('go out under their own names, lists joined by commas', () => {
		expect(
			query({
				searchKey: ' Team ',
				searchIn: ['name', 'guid'],
				type: 'public',
				types: ['public', 'password'],
				tags: ['a', 'b,c', ' '],
				withTags: false,
				hasJoined: 'true',
				updatedAt: '2026-01-31T09:00:00',
				affix: 'prepend',
			}),
		).toEqual({
			searchKey: ' Team ',
			searchIn: 'name,guid',
			type: 'public',
			types: 'public,password',
			tags: 'a,b,c',
			withTags: false,
			hasJoined: true,
			updatedAt: 1_769_846_400, // 08:00 UTC: the workflow's zone is Europe/Berlin
			affix: 'prepend',
		});
	});

	test.each([
		['searchIn', 'email', "'Search In'"],
		['type', 'secret', "'Type'"],
		['types', ['public', 'secret'], "'Types'"],
		['withTags', 'yes', "'With Tags'"],
		['hasJoined', 1, "'Has Joined'"],
		['updatedAt', 'soon', "'Updated At'"],
		['affix', 'both', "'Updated At Direction'"],
		['searchKey', { a: 1 }, "'Search Key'"],
		['tags', [{ a: 1 }], "'Tags'"],
	])('%s: %j is refused under the label that the editor shows', (name, value, label) => {
		expect(() => query({ [name]: value })).toThrow(InputError);
		expect(() => query({ [name]: value })).toThrow(label);
	});
});

describe('every operation', () => {
	const operations = [groups, messages].flatMap((resource) =>
		resource.operations.map((operation) => ({
			name: `${resource.value} ${operation.value}`,
			operation,
		})),
	);

	const anything = fc.oneof(
		fc.anything({ withBigInt: true, withDate: true }),
		fc.string({ unit: 'binary' }),
		fc.constantFrom<unknown>(
			'group',
			'user',
			'text',
			'media',
			'custom',
			'app',
			'fields',
			'5',
			5,
			true,
		),
		fc.constantFrom<unknown>('a', ['a'], { a: 1 }, { mode: 'id', value: 'x' }, '..', '2026-01-01'),
		fc.dictionary(
			fc.constantFrom('type', 'tags', 'name', 'attachment', 'perPage', 'metadata'),
			fc.anything({ withBigInt: true, withDate: true }),
		),
	);

	test.each(operations)(
		'of $name refuses whatever an expression returns in words, or sends it as JSON to one address',
		({ operation }) => {
			const names = operation.fields.map(({ name }) => name);
			const parameters = fc.record(Object.fromEntries(names.map((name) => [name, anything])), {
				requiredKeys: [],
			});
			fc.assert(
				fc.property(parameters, (set) => {
					try {
						const { request } = reader(set).of(operation);
						expect(request.method).toBe(operation.routing?.request?.method);
						expect(new URL(`http://host/v3${request.path}`).pathname).toBe(`/v3${request.path}`);
						expect(() => JSON.stringify(request)).not.toThrow();
						const { metadata = {} } = { ...request.body, ...Object(request.body?.data) };
						expect(JSON.parse(JSON.stringify({ metadata }))).toEqual({
							metadata: expect.any(Object),
						});
						for (const value of Object.values(request.query ?? {})) {
							expect(['string', 'number', 'boolean']).toContain(typeof value);
							expect(value).not.toBe('');
						}
						for (const value of Object.values(request.headers ?? {})) {
							expect(value).toMatch(/^[\w-]{1,100}$/);
						}
					} catch (error) {
						expect(error).toBeInstanceOf(InputError);
					}
				}),
				{ numRuns: 100 },
			);
		},
	);
});
