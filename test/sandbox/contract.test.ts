import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract, type Contract, type OperationId } from '../../sandbox/contract';

let contract: Contract;

beforeAll(async () => {
	contract = await loadContract();
});

const groups = (query: Record<string, string | string[]>) =>
	contract.validateRequest('listGroups', {
		method: 'GET',
		path: '/v3/groups',
		query,
		headers: { apikey: 'key' },
	});

test('it is an OpenAPI 3.1 document with the three operations', () => {
	const text = readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8');
	expect(text).toMatch(/^openapi: 3\.1\.\d$/m);
	const operations = new Set(contract.examples().map((example) => example.operationId));
	expect([...operations].sort()).toEqual(['getMessage', 'listGroups', 'removeReaction']);
});

test('it is read once', async () => {
	expect(await loadContract()).toBe(contract);
});

test('every example of an answer conforms to its own schema', () => {
	const findings = contract
		.examples()
		.flatMap(({ operationId, status, name, value }) =>
			contract
				.validateResponse(operationId, status, value)
				.map((text) => `${operationId} ${status} ${name}: ${text}`),
		);
	expect(findings).toEqual([]);
});

test.each([
	'ERR_BAD_REQUEST',
	'AUTH_ERR_APIKEY_NOT_FOUND',
	'AUTH_ERR_EMPTY_APIKEY',
	'AUTH_ERR_NO_ACCESS',
	'ERR_MESSAGE_NO_ACCESS',
	'ERR_MESSAGE_ID_NOT_FOUND',
	'ERR_UID_NOT_FOUND',
	'ERR_GUID_NOT_FOUND',
	'ERR_API_NOT_FOUND',
	'AUTH_ERR_INVALID_APPID',
	'ERR_PLAN_RESTRICTION',
	'ERR_PLAN_QUOTA_RESTRICTION',
	'ERR_SUBSCRIPTION_EXPIRED',
	'ERR_TOO_MANY_REQUESTS',
	'ERR_REACTION_NOT_FOUND',
])('the refusal %s has an example', (code) => {
	const codes = contract
		.examples()
		.map(({ value }) => (value as { error?: { code: string } }).error?.code);
	expect(codes).toContain(code);
});

test.each<[OperationId, number]>([
	['listGroups', 200],
	['getMessage', 200],
	['removeReaction', 200],
])('%s has several examples of success', (operationId, status) => {
	const found = contract
		.examples()
		.filter((example) => example.operationId === operationId && example.status === status);
	expect(found.length).toBeGreaterThanOrEqual(2);
});

test.each<[string, OperationId, number, unknown]>([
	['a group without a guid', 'listGroups', 200, { data: [{ name: 'x' }], meta: {} }],
	['a message without data', 'getMessage', 200, { data: { id: '1' } }],
	['an answer to Remove Reaction without reactions', 'removeReaction', 200, { data: { data: {} } }],
	['an error without a code', 'getMessage', 404, { error: { message: 'x' } }],
	['a status the contract does not have', 'getMessage', 418, {}],
])('%s does not conform', (_name, operationId, status, body) => {
	expect(contract.validateResponse(operationId, status, body)).not.toEqual([]);
});

test('reactedByMe is true or absent', () => {
	const example = contract.examples().find(({ name }) => name === 'reactionsLeft');
	const value = structuredClone(example?.value) as {
		data: { data: { reactions: Array<{ reactedByMe?: boolean }> } };
	};
	value.data.data.reactions[0].reactedByMe = false;
	expect(contract.validateResponse('removeReaction', 200, value)).not.toEqual([]);
});

test('a list may be comma-joined, repeated, or both', () => {
	expect(groups({ tags: 'a,b' }).query.tags).toEqual(['a', 'b']);
	expect(groups({ tags: ['a', 'b'] }).query.tags).toEqual(['a', 'b']);
	expect(groups({ tags: ['a,b', 'c'] }).query.tags).toEqual(['a', 'b', 'c']);
	expect(groups({ types: 'public' }).query.types).toEqual(['public']);
});

test('values come typed', () => {
	expect(groups({ perPage: '5', hasJoined: 'true', updatedAt: '1700000000' })).toEqual({
		query: { perPage: 5, hasJoined: true, updatedAt: 1_700_000_000 },
	});
});

test.each([
	['perPage', '0'],
	['perPage', '1001'],
	['perPage', '1.5'],
	['perPage', 'many'],
	['perPage', ''],
	['perPage', '0x10'],
	['perPage', '1e2'],
	['perPage', ' 5'],
	['page', '0'],
	['updatedAt', '-1'],
	['updatedAt', '2025-01-01'],
	['sortBy', 'updatedAt'],
	['sortOrder', 'ASC'],
	['affix', 'before'],
	['type', 'secret'],
	['types', 'public,secret'],
	['searchIn', 'email'],
	['searchKey', ''],
	['tags', ''],
	['tags', 'a,,b'],
	['withTags', '1'],
	['hasJoined', 'yes'],
	['perpage', '5'],
	['constructor', 'x'],
	['__proto__', 'x'],
	['tags[]', 'a'],
])('%s=%s is refused, by that name', (name, value) => {
	const query = Object.fromEntries([[name, value]]);
	expect(Object.keys(groups(query).errors ?? {})).toEqual([name]);
});

test('a single value may not be repeated', () => {
	expect(Object.keys(groups({ searchKey: ['a', 'b'] }).errors ?? {})).toEqual(['searchKey']);
});

test('headers are named as the contract spells them', () => {
	const { errors } = contract.validateRequest('removeReaction', {
		method: 'DELETE',
		path: '/v3/messages/1/reactions/x',
		query: {},
		headers: { apikey: 'key' },
	});
	expect(errors).toEqual({ onBehalfOf: ['is required'] });
});

test('paths are matched as they come, and their parts decoded once', () => {
	expect(contract.match('DELETE', '/v3/messages/1%2F2/reactions/100%2525')).toEqual({
		operationId: 'removeReaction',
		params: { id: '1/2', reaction: '100%25' },
	});
});

test.each([
	['GET', '/v3/groups/'],
	['GET', '/groups'],
	['GET', '/v2/groups'],
	['GET', '/v3/Groups'],
	['POST', '/v3/groups'],
	['GET', '/v3/messages'],
	['GET', '/v3/messages/'],
	['DELETE', '/v3/messages/1'],
	['DELETE', '/v3/messages/1/reactions/a/b'],
	['DELETE', '/v3/messages/1/reactions/'],
	['GET', '/v3/messages/%E0%A4%A'],
])('%s %s is not in the contract', (method, path) => {
	expect(contract.match(method, path)).toBeUndefined();
});
