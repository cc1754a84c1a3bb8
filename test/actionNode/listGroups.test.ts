import type { INodeParameters } from 'n8n-workflow';

import { CONTRACT } from '../contract/document';
import { anything, withRecorder } from './recorder';
import { group, run } from './harness';

/** Query parameters of List Groups, each with the node parameters that send the value. */
const QUERY: Array<[name: string, value: string, parameters: INodeParameters]> = [
	['searchKey', 'team', { filters: { searchKey: 'team' } }],
	['searchIn', 'guid,name', { filters: { searchKey: 'team', searchIn: ['guid', 'name'] } }],
	['sortBy', 'name', { sort: { order: 'nameAscending' } }],
	['sortBy', 'guid', { sort: { order: 'guidDescending' } }],
	['sortBy', 'createdAt', { sort: { order: 'newestFirst' } }],
	['sortOrder', 'asc', { sort: { order: 'oldestFirst' } }],
	['sortOrder', 'desc', { sort: { order: 'newestFirst' } }],
	['sortOrder', 'asc', { sort: { order: 'guidAscending' } }],
	['sortOrder', 'desc', { sort: { order: 'nameDescending' } }],
	['perPage', '25', { options: { perPage: 25 } }],
	['affix', 'append', { filters: { updatedAfter: '2025-06-02T00:00:00Z' } }],
	['affix', 'prepend', { filters: { updatedBefore: '2025-06-02T00:00:00Z' } }],
	['updatedAt', '1748822400', { filters: { updatedAfter: '2025-06-02T00:00:00Z' } }],
	['updatedAt', '1748822400', { filters: { updatedBefore: 1_748_822_400 } }],
	['withTags', 'true', { filters: { withTags: true } }],
	['tags', 'support,vip', { filters: { tags: ['support', 'vip'] } }],
	['type', 'private', { filters: { type: 'private' } }],
	['types', 'public,password', { filters: { types: ['public', 'password'] } }],
	['page', '3', { options: { page: 3 } }],
	['hasJoined', 'true', { filters: { hasJoined: true }, onBehalfOf: 'mira' }],
];

/** All query parameters of List Groups in the contract. */
const DOCUMENTED = CONTRACT.filter(({ operationId }) => operationId === 'listGroups')
	.flatMap(({ parameters }) => parameters)
	.filter((parameter) => parameter.in === 'query')
	.map(({ name }) => name)
	.sort();

const query = async (parameters: INodeParameters) =>
	await withRecorder(anything, async (recorder) => {
		const { error } = await run(recorder, group('list', parameters));
		const url = recorder.requests[0]?.url ?? '/';
		return { error, sent: Object.fromEntries(new URL(url, 'http://x').searchParams) };
	});

describe('List of groups', () => {
	test('reaches each of the documented query parameters', () => {
		expect(DOCUMENTED).toEqual([
			...['affix', 'hasJoined', 'page', 'perPage', 'searchIn', 'searchKey', 'sortBy', 'sortOrder'],
			...['tags', 'type', 'types', 'updatedAt', 'withTags'],
		]);
		const tested = QUERY.map(([name]) => name);
		const untested = DOCUMENTED.filter((name) => !tested.includes(name));
		const file = 'test/actionNode/listGroups.test.ts';
		expect(untested.map((name) => `QUERY in ${file} has no row for ${name}`)).toEqual([]);
		expect([...new Set(tested)].sort()).toEqual(DOCUMENTED);
	});

	test.each(QUERY)('sends %s as %s', async (name, value, parameters) => {
		const { sent, error } = await query(parameters);
		expect({ error, value: sent[name] }).toEqual({ error: undefined, value });
	});

	test('sends neither a time nor an order by default', async () => {
		expect(Object.keys((await query({})).sent).sort()).toEqual(['page', 'perPage']);
	});

	test('sends nothing if both times are set, because CometChat accepts only one', async () => {
		const filters = { updatedAfter: '2025-06-01', updatedBefore: '2025-06-02' };
		const { sent, error } = await query({ filters });
		expect(sent).toEqual({});
		expect(error?.message).toContain("'Updated After' can't be combined with 'Updated Before'");
	});

	test('sends the time of the one filter whose expression returns a value', async () => {
		const filters = { updatedAfter: '={{ "" }}', updatedBefore: '={{ "2025-06-02T00:00:00Z" }}' };
		const { sent } = await query({ filters });
		expect(sent).toMatchObject({ affix: 'prepend', updatedAt: '1748822400' });
	});

	test('takes the example of the description as an expression', async () => {
		const { sent } = await query({ filters: { updatedAfter: '={{ $now.minus({ days: 7 }) }}' } });
		const weekAgo = Date.now() / 1000 - 7 * 86_400;
		expect(Math.abs(Number(sent.updatedAt) - weekAgo)).toBeLessThan(120);
	});
});
