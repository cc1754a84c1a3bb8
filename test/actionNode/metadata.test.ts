import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { parseVerbatim } from '../../tools/sandbox/parse';
import type { Sandbox } from '../../tools/sandbox/server';
import { call } from '../sandbox/client';
import { group, jsonOf, refusalOf, run, user, useSandbox, wire } from './harness';

const sandbox = useSandbox();

interface Way {
	parameters: (fields: INodeParameters) => INodeParameters;
	path: string;
	/** The operation that clears the metadata */
	update: string;
}

/** Operations that change metadata, each of an existing user or group. */
const WAYS: Record<string, Way> = {
	'User → Update': {
		parameters: (updateFields) => user('update', { userId: 'mira', updateFields }),
		path: '/users/mira',
		update: 'User → Update',
	},
	'User → Create with Update It': {
		parameters: (additionalFields) =>
			user('create', {
				...{ uid: 'mira', name: 'Mira', additionalFields },
				options: { ifExists: 'update' },
			}),
		path: '/users/mira',
		update: 'User → Update',
	},
	'Group → Update': {
		parameters: (updateFields) => group('update', { groupId: 'lunch', updateFields }),
		path: '/groups/lunch',
		update: 'Group → Update',
	},
	'Group → Create with Update It': {
		parameters: (additionalFields) =>
			group('create', {
				...{ guid: 'lunch', name: 'Lunch', additionalFields },
				options: { ifExists: 'update' },
			}),
		path: '/groups/lunch',
		update: 'Group → Update',
	},
};

/** Stores metadata as the JSON that's given, and empties the sandbox's log. */
async function storeMetadata({ path }: Way, json: string): Promise<void> {
	const { people } = sandbox().store;
	const metadata = parseVerbatim(json);
	if (path.startsWith('/users')) people.update('mira', { metadata });
	else sandbox().store.updateGroup('lunch', { metadata });
	sandbox().log.length = 0;
	await Promise.resolve();
}

/** Returns the JSON of the stored metadata, with every digit. */
async function fetchMetadata(service: Sandbox, { path }: Way): Promise<string> {
	const { text } = await call(service, path);
	return JSON.stringify(Object(Object(parseVerbatim(text)).data).metadata);
}

/** Runs an operation with new fields, and returns the run's error as one text, if any. */
async function change(way: Way, fields: INodeParameters): Promise<string | undefined> {
	const { error } = await run(sandbox(), way.parameters(fields));
	if (!error) return undefined;
	const description = 'description' in error ? String(error.description) : '';
	return `${error.message}. ${description}`;
}

const changes = () => wire(sandbox()).filter((request) => request.startsWith('PUT'));

const eachWay = test.each(Object.entries(WAYS));

/** Numbers that JavaScript rounds or writes in another way. */
const NUMBERS = `{"id":761591733749525123,"price":1.10,"tiny":1e-400,"huge":[1E+400,-0],"pi":3.14159265358979323846}`;

eachWay('%s of one key keeps the digits of all other numbers', async (_, way) => {
	await storeMetadata(way, NUMBERS);
	expect(await change(way, { metadata: '{"plan": "pro", "price": 2.5}' })).toBeUndefined();
	const expected = NUMBERS.replace('1.10', '2.5').replace(/}$/, ',"plan":"pro"}');
	expect(await fetchMetadata(sandbox(), way)).toBe(expected);
});

test("User → Update of a phone number keeps the user's other data", async () => {
	const way = WAYS['User → Update'];
	await storeMetadata(way, `{"crm":761591733749525123,"@private":{"n":12345678901234567890}}`);
	expect(await change(way, { phone: '+49 151' })).toBeUndefined();
	expect(await fetchMetadata(sandbox(), way)).toBe(
		`{"crm":761591733749525123,"@private":{"n":12345678901234567890,"contactNumber":"+49 151"}}`,
	);
});

eachWay('%s keeps keys that have a meaning in JavaScript, at every depth', async (_, way) => {
	const deep = (inner: string) => `${'{"__proto__":'.repeat(10)}${inner}${'}'.repeat(10)}`;
	const stored = `{"constructor":"c","prototype":{"a":1},"toString":[],"x":${deep('{"a":1}')}}`;
	await storeMetadata(way, stored);
	expect(await change(way, { metadata: `{"x": ${deep('{"constructor":2}')}}` })).toBeUndefined();
	expect(await fetchMetadata(sandbox(), way)).toBe(
		stored.replace('{"a":1}}}}', '{"a":1,"constructor":2}}}}'),
	);
});

eachWay('%s keeps a text that CometChat returns as rawMetadata', async (_, way) => {
	await call(sandbox(), way.path, { method: 'PUT', json: { metadata: 'call first' } });
	expect(await change(way, { metadata: '{"plan": "pro"}' })).toBeUndefined();
	expect(await fetchMetadata(sandbox(), way)).toBe('{"rawMetadata":"call first","plan":"pro"}');
});

eachWay('%s replaces an empty list, which may be an empty object', async (_, way) => {
	await storeMetadata(way, '[]');
	expect(await change(way, { metadata: '{"a": 1}' })).toBeUndefined();
	expect(await fetchMetadata(sandbox(), way)).toBe('{"a":1}');
});

describe.each(Object.entries(WAYS))('%s changes nothing if the stored metadata is', (_, way) => {
	const [, thing] = /^\/(user|group)/.exec(way.path) ?? [];

	test.each([
		['["vip"]', 'list'],
		['"call first"', 'text'],
		['"{\\"team\\":\\"blue\\"}"', 'text'],
	])('%s', async (stored, type) => {
		await storeMetadata(way, stored);
		expect(await change(way, { metadata: '{"a": 1, "b": 2, "c": 3, "d": 4}' })).toBe(
			`The ${thing}'s metadata is a ${type}, so 'a', 'b', 'c', and others can't be added to it. Nothing was changed, because CometChat may replace the ${type}. If you don't need the ${type}, first clear it with ${way.update}, 'Unset' → Metadata.`,
		);
		expect(changes()).toEqual([]);
		expect(await fetchMetadata(sandbox(), way)).toBe(stored);
	});
});

test("User → Update replaces no list in the user's private metadata", async () => {
	const way = WAYS['User → Update'];
	const stored = '{"@private":["+49 150"]}';
	await storeMetadata(way, stored);
	expect(await change(way, { phone: '+49 151' })).toBe(
		`'@private' in the user's metadata is a list, so 'contactNumber' can't be added to it. Nothing was changed, because CometChat may replace the list. If you don't need the list, first set it to null with User → Update, 'Metadata': {"@private":null}.`,
	);
	expect(changes()).toEqual([]);
	expect(await change(way, { metadata: '{"@private":null}' })).toBeUndefined();
	expect(await change(way, { phone: '+49 151' })).toBeUndefined();
	expect(await fetchMetadata(sandbox(), way)).toBe('{"@private":{"contactNumber":"+49 151"}}');
});

const KEYS = ['a', '7', 'plan', '@private', 'constructor', 'prototype', '__proto__', 'rawMetadata'];

const key = fc.oneof(fc.constantFrom(...KEYS), fc.string());

const NUMBER_TEXTS = [
	'0',
	'-0',
	'1.50',
	'1e5',
	'9007199254740993',
	'-1E-400',
	'0.1234567890123456789',
];

/** Draws the JSON of any value, up to several levels deep. */
const anyJson = fc.letrec<{ json: string }>((tie) => ({
	json: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		fc.constantFrom('null', 'true', '""', ...NUMBER_TEXTS),
		fc.string().map((text) => JSON.stringify(text)),
		fc.array(tie('json'), { maxLength: 3 }).map((entries) => `[${entries.join(',')}]`),
		fc
			.uniqueArray(fc.tuple(key, tie('json')), { maxLength: 4, selector: ([name]) => name })
			.map((entries) => entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`))
			.map((members) => `{${members.join(',')}}`),
	),
})).json;

/** Merges an object into a value. Returns undefined if the value would be lost. */
function mergeInto(stored: unknown, added: object): object | undefined {
	const json = JSON.stringify(stored) ?? '';
	if (['', 'null', '""', '[]'].includes(json)) return added;
	return json.startsWith('{') ? { ...Object(stored), ...added } : undefined;
}

test('An update of one key keeps all other metadata exactly, or is not sent', async () => {
	const merges = fc.asyncProperty(
		fc.constantFrom(...Object.values(WAYS)),
		anyJson,
		key,
		fc.boolean(),
		async (way, json, name, isObject) => {
			await storeMetadata(way, json);
			const before = await fetchMetadata(sandbox(), way);
			const stored = parseVerbatim(json);
			const own = Object.getOwnPropertyDescriptor(Object(stored), name)?.value;
			const value = isObject ? mergeInto(own, { n: 1 }) : 1;
			const expected = value && mergeInto(stored, { [name]: value });
			const metadata = `{${JSON.stringify(name)}: ${isObject ? '{"n": 1}' : 1}}`;
			const error = await change(way, { metadata });
			if (expected) {
				expect(error).toBeUndefined();
				expect(await fetchMetadata(sandbox(), way)).toBe(JSON.stringify(expected));
			} else {
				expect(error).toContain(
					JSON.stringify(stored)?.startsWith('{') ? `'${name}'` : 'metadata is a',
				);
				expect(changes()).toEqual([]);
				expect(await fetchMetadata(sandbox(), way)).toBe(before);
			}
		},
	);
	await fc.assert(merges, { numRuns: 80 });
});

test('An integer that JavaScript would round is returned as text with every digit', async () => {
	const way = WAYS['User → Update'];
	await storeMetadata(
		way,
		'{"crm":[761591733749525123,-0],"n":9007199254740991,"text":":7615917337495251230"}',
	);
	const [item] = await jsonOf(sandbox(), user('get', { userId: 'mira', output: 'raw' }));
	expect(item.metadata).toEqual({
		...{ crm: ['761591733749525123', -0], n: 9007199254740991, text: ':7615917337495251230' },
	});
});

test.each([
	group('update', { groupId: 'makers', updateFields: { metadata: '{}' } }),
	user('update', { userId: 'mira', updateFields: { metadata: '{}' } }),
])('Empty metadata is refused with the advice to clear it: $resource', async (parameters) => {
	const { message, description } = await refusalOf(sandbox(), parameters);
	expect(message).toBe("'Metadata' is empty");
	expect(description).toContain('Enter at least one key, e.g. {"key": "value"}, or use \'Unset\'.');
});
