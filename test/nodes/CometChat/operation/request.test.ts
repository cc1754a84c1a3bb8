import fc from 'fast-check';

import {
	GROUP_QUERY,
	groupQuery,
	pageOptions,
} from '../../../../../nodes/CometChat/resources/group/query';
import { InputError } from '../../../../../nodes/CometChat/transport/input';

const query = (values: Parameters<typeof groupQuery>[0]) => groupQuery(values, 'Europe/Berlin');

describe('groupQuery', () => {
	test('nothing set sends nothing', () => {
		expect(query({})).toEqual({});
	});

	test('every parameter goes out under its own name, lists joined by commas', () => {
		const values = {
			searchKey: ' Team ',
			searchIn: ['name', 'guid'],
			type: 'public',
			types: ['public', 'password'],
			tags: ['a', 'b,c', ' '],
			withTags: false,
			hasJoined: true,
			updatedAt: '2026-01-31T09:00:00',
			affix: 'prepend',
			sortBy: 'createdAt',
			sortOrder: 'desc',
		};
		expect(query(values)).toEqual({
			searchKey: ' Team ',
			searchIn: 'name,guid',
			type: 'public',
			types: 'public,password',
			tags: 'a,b,c',
			withTags: false,
			hasJoined: true,
			updatedAt: 1_769_846_400,
			affix: 'prepend',
			sortBy: 'createdAt',
			sortOrder: 'desc',
		});
		expect(Object.keys(values).sort()).toEqual(Object.keys(GROUP_QUERY).sort());
	});

	test('a field that was added but left empty sends nothing', () => {
		for (const name of Object.keys(GROUP_QUERY)) {
			for (const empty of ['', '  ', null, undefined, []]) {
				expect(query({ [name]: empty })).toEqual({});
			}
		}
		expect(query({ tags: ' , ,' })).toEqual({});
	});

	test('only true is sent for "Has Joined", because false has no effect', () => {
		expect(query({ hasJoined: false })).toEqual({});
		expect(query({ hasJoined: 'true' })).toEqual({ hasJoined: true });
	});

	test.each([
		['searchIn', 'email', '"Search In"'],
		['type', 'secret', '"Type"'],
		['types', ['public', 'secret'], '"Types"'],
		['withTags', 'yes', '"With Tags"'],
		['hasJoined', 1, '"Has Joined"'],
		['updatedAt', 'soon', '"Updated At"'],
		['affix', 'both', '"Affix"'],
		['sortBy', 'owner', '"Sort By"'],
		['sortOrder', 'up', '"Sort Order"'],
		['searchKey', { a: 1 }, '"Search Key"'],
		['tags', [{ a: 1 }], '"Tags"'],
	])('%s: %j is refused under the label that the editor shows', (name, value, label) => {
		expect(() => query({ [name]: value })).toThrow(InputError);
		expect(() => query({ [name]: value })).toThrow(label);
	});

	test.each(['perPage', 'apikey', 'toString', '__proto__', 'constructor'])(
		'a name that the service does not have, such as %s, is refused',
		(name) => {
			expect(() => query(Object.fromEntries([[name, 'x']]))).toThrow(
				`"${name}" is not a filter or sort field of this operation`,
			);
		},
	);

	test('whatever an expression gives, what is sent has only known names and flat values', () => {
		const values = fc.dictionary(
			fc.oneof(fc.constantFrom(...Object.keys(GROUP_QUERY)), fc.string()),
			fc.oneof(
				fc.constantFrom('public', 'name', 'append', 'asc', 'true', '2026-01-01', true, 5),
				fc.string(),
				fc.array(fc.constantFrom('public', 'name', 'x')),
			),
		);
		fc.assert(
			fc.property(values, (set) => {
				try {
					for (const [name, value] of Object.entries(query(set))) {
						expect(Object.keys(GROUP_QUERY)).toContain(name);
						expect(['string', 'number', 'boolean']).toContain(typeof value);
						expect(value).not.toBe('');
					}
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe('pageOptions', () => {
	test('a list starts at page 1, with pages as large as the limit and at most 1000', () => {
		expect(pageOptions({}, 50)).toEqual({ firstPage: 1, perPage: 50 });
		expect(pageOptions({ page: '', perPage: null }, 5_000)).toEqual({
			firstPage: 1,
			perPage: 1_000,
		});
		expect(pageOptions({}, Infinity)).toEqual({ firstPage: 1, perPage: 1_000 });
	});

	test('what the user sets counts', () => {
		expect(pageOptions({ page: '3', perPage: 1_000 }, 50)).toEqual({
			firstPage: 3,
			perPage: 1_000,
		});
	});

	test.each([
		[{ page: 0 }, '"Page"'],
		[{ page: 1.5 }, '"Page"'],
		[{ perPage: 0 }, '"Per Page"'],
		[{ perPage: 1_001 }, '"Per Page"'],
	])('%j is refused', (options, label) => {
		expect(() => pageOptions(options, 50)).toThrow(label);
	});
});
